"""Two small catalogues per kind of change, and the findings that they must yield."""

from typing import Any

import msgspec
import pytest

from generator.catalogue.compare.changes import BuildChanged, Bytes, Call, Change, PolicyChanged
from generator.catalogue.compare.shifts import (
    Held,
    NodeCount,
    NodesShifted,
    TensorShifted,
    ValueShifted,
)
from generator.catalogue.difference.findings import (
    Attributes,
    Backward,
    Conditions,
    Details,
    Difference,
    Elsewhere,
    Ending,
    Finding,
    FormulaOf,
    Formulas,
    Incomparable,
    InPlace,
    Kept,
    KeptIn,
    KindOfWrite,
    Named,
    ReadAfter,
    Records,
    RegistrySize,
    Renames,
    Unmeasured,
    Weighed,
    Wording,
    WrittenTo,
)
from generator.catalogue.difference.told import difference, encode
from generator.catalogue.model.conditions import Applied
from generator.catalogue.model.formulas import FormulaStorage
from generator.catalogue.model.measurement import SavedTensor
from generator.catalogue.model.reads import ReadEnds
from generator.catalogue.model.records import Catalogue, NodeRecord, OpRecord, SavedValue
from generator.catalogue.model.unseen import WriteEnd
from tests.catalogue.compare.test_catalogues import TABLE as CHANGES
from tests.fixtures import tiny, tiny_blocks, tiny_ops, tiny_unseen, tiny_writes
from tests.fixtures.tiny_releases import (
    INPUT,
    MIB_HALF,
    NEW,
    OLD,
    SIZES,
    mean_after,
    mean_before,
    node,
    op,
    released,
    type_of,
)

OLD_SIZES = SavedValue(attribute="_saved_self_sizes", kind="sizes")
HELD_INPUT = Held(kind="tensor", roles=("input input",))
NOTHING = Bytes(logical=0, storage=0, extra=0)
ALL_INPUT = Bytes(logical=MIB_HALF, storage=MIB_HALF, extra=0)
EXP = tiny_ops.exp()
MUL = tiny_ops.mul()
ERROR = "which is output 0 of {}, is at version {}; expected version 0 instead."
LOST = ValueShifted(node="MeanBackward0", attribute="_saved_self", old=HELD_INPUT, new=None)
COUNTED = ValueShifted(
    node="MeanBackward0", attribute="_saved_self_sym_numel", old=None, new=Held(kind="scalar")
)


def changed(struct: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(struct, **fields)


def reference_of(name: str) -> Call:
    return Call(kind="reference", filed="element-wise", text=f"output = {name}(input)")


def kept_in(name: str, old: Bytes | None, new: Bytes | None, **fields: Any) -> KeptIn:
    return KeptIn(
        subject="op",
        name=name,
        call=reference_of(name),
        mask=("input",),
        old=old,
        new=new,
        **fields,
    )


def with_condition(**fields: Any) -> OpRecord:
    assert MUL.conditions is not None
    return changed(MUL, conditions=changed(MUL.conditions, **fields))


def kind_of_write(plain: WriteEnd) -> Any:
    return changed(tiny_unseen.kinds()[0], plain=plain)


FIRST_WRITE = tiny_unseen.kinds()[0]
# What depth history leaves of an op; its policies and their numbering are those that are left.
SHALLOW_MUL = changed(MUL, conditions=None, formulas=(), compiled=None)
UNMEASURED = Unmeasured(
    layers=("reads after writes", "conditions", "formulas", "compiled", "blocks"),
    old="history",
    new="full",
)
REFUSED_READ = changed(
    tiny_writes.exp_reads(),
    trials=(
        changed(
            tiny_writes.exp_reads().trials[0],
            ended=ReadEnds("read raises", "raises", "read raises", "runs"),
        ),
    ),
)
UNSEEN_OUTPUT = changed(
    EXP,
    writes=changed(
        tiny_writes.exp(),
        trials=(
            tiny_writes.exp().trials[0],
            changed(tiny_writes.exp().trials[1], plain=tiny_writes.WRONG, message=None),
        ),
    ),
)
HEAVIER_GRADIENT = changed(EXP, second_order=changed(EXP.second_order, extra_bytes=7))

TABLE: dict[str, tuple[Catalogue, Catalogue, list[Finding]]] = {
    "nothing": (released(OLD, EXP), released(OLD, tiny_ops.exp()), []),
    "another release that measured the same": (released(OLD, EXP), released(NEW, EXP), []),
    "an op that is new": (
        released(OLD),
        released(NEW, EXP),
        [Records(topic="records", subject="op", old=None, new="measured", names=("torch.exp",))],
    ),
    "an op that is gone": (
        released(OLD, EXP),
        released(NEW),
        [Records(topic="records", subject="op", old="measured", new=None, names=("torch.exp",))],
    ),
    "layers that only the new release has measured": (
        released(OLD, SHALLOW_MUL, depth="history"),
        released(NEW, MUL, tiny_blocks.linear_relu()),
        [UNMEASURED],
    ),
    "layers that only the old release has measured": (
        released(OLD, MUL, tiny_blocks.linear_relu()),
        released(NEW, SHALLOW_MUL, depth="history"),
        [changed(UNMEASURED, old="full", new="history")],
    ),
    "what both have measured is compared all the same": (
        released(OLD, mean_before(), depth="history"),
        released(NEW, mean_after(), tiny_blocks.linear_relu()),
        [
            Kept(
                lost=("input input",),
                gained=(),
                shifts=(LOST, COUNTED),
                records=(kept_in("torch.mean", ALL_INPUT, NOTHING),),
            ),
            UNMEASURED,
        ],
    ),
    "two releases of depth history that measured the same": (
        released(OLD, SHALLOW_MUL, depth="history"),
        released(NEW, SHALLOW_MUL, depth="history"),
        [],
    ),
    "a role that is no longer kept": (
        released(OLD, mean_before()),
        released(NEW, mean_after()),
        [
            Kept(
                lost=("input input",),
                gained=(),
                shifts=(LOST, COUNTED),
                records=(kept_in("torch.mean", ALL_INPUT, NOTHING),),
            )
        ],
    ),
    "and the other way round": (
        released(OLD, mean_after()),
        released(NEW, mean_before()),
        [
            Kept(
                lost=(),
                gained=("input input",),
                shifts=(
                    changed(LOST, old=None, new=HELD_INPUT),
                    changed(COUNTED, old=Held(kind="scalar"), new=None),
                ),
                records=(kept_in("torch.mean", NOTHING, ALL_INPUT),),
            )
        ],
    ),
    "the same in two ops is one finding": (
        released(OLD, op(node("A", INPUT)), op(node("A", INPUT), name="torch.std")),
        released(NEW, op(node("A")), op(node("A"), name="torch.std")),
        [
            Kept(
                lost=("input input",),
                gained=(),
                shifts=(changed(LOST, node="A"),),
                records=(kept_in("torch.mean", None, None), kept_in("torch.std", None, None)),
            )
        ],
    ),
    "another node": (
        released(OLD, op(node("A", INPUT))),
        released(NEW, op(node("B", INPUT))),
        [
            Kept(
                lost=(),
                gained=(),
                shifts=(
                    NodesShifted(
                        lost=(NodeCount(type="A", nodes=1),),
                        gained=(NodeCount(type="B", nodes=1),),
                    ),
                ),
                records=(kept_in("torch.mean", None, None),),
            )
        ],
    ),
    "another attribute of a type outside the registry": (
        released(OLD, op(node("A", INPUT))),
        released(NEW, op(node("A", tiny_ops.tensor("_saved_x", "input input")))),
        [
            Kept(
                lost=(),
                gained=(),
                shifts=(
                    changed(LOST, node="A"),
                    ValueShifted(node="A", attribute="_saved_x", old=None, new=HELD_INPUT),
                ),
                records=(kept_in("torch.mean", None, None),),
            )
        ],
    ),
    "another dtype of as many bytes": (
        released(OLD, op(node("A", INPUT), storage=MIB_HALF, dtype="float32")),
        released(NEW, op(node("A", INPUT), storage=MIB_HALF, dtype="int32")),
        [
            Kept(
                lost=(),
                gained=(),
                shifts=(
                    TensorShifted(
                        node="A",
                        attribute="_saved_self",
                        role="input input",
                        old=SavedTensor(
                            shape=(256, 512), dtype="float32", bytes=MIB_HALF, storage=0
                        ),
                        new=SavedTensor(shape=(256, 512), dtype="int32", bytes=MIB_HALF, storage=0),
                    ),
                ),
                records=(kept_in("torch.mean", None, None),),
            )
        ],
    ),
    "other bytes alone": (
        released(OLD, op(node("A", INPUT))),
        released(NEW, op(node("A", INPUT), storage=8, extra=8)),
        [
            Kept(
                lost=(),
                gained=(),
                shifts=(),
                records=(kept_in("torch.mean", NOTHING, Bytes(logical=8, storage=8, extra=8)),),
            )
        ],
    ),
    "a rename is no change of what is kept": (
        released(
            OLD,
            op(node("A", OLD_SIZES)),
            op(node("A", OLD_SIZES), name="torch.std"),
            type_of("A", "_saved_self_sizes"),
        ),
        released(
            NEW,
            op(node("A", SIZES)),
            op(node("A", SIZES), name="torch.std"),
            type_of("A", "_saved_self_sym_sizes"),
        ),
        [
            Renames(
                what="attribute",
                old="_saved_self_sizes",
                new="_saved_self_sym_sizes",
                basis=("spelling",),
                calls=2,
                nodes=("A",),
            )
        ],
    ),
    "a rename in many types is one finding": (
        released(OLD, type_of("A", "_saved_ouput"), type_of("B", "_saved_ouput")),
        released(NEW, type_of("A", "_saved_output"), type_of("B", "_saved_output")),
        [
            Renames(
                what="attribute",
                old="_saved_ouput",
                new="_saved_output",
                basis=("spelling",),
                calls=0,
                nodes=("A", "B"),
            )
        ],
    ),
    "a type that was renamed was neither removed nor added": (
        released(OLD, type_of("OldBackward0", overload="aten::one")),
        released(NEW, type_of("NewBackward0", overload="aten::one")),
        [
            Renames(
                what="node type",
                old="OldBackward0",
                new="NewBackward0",
                basis=("declaration",),
                calls=0,
            )
        ],
    ),
    "attributes that are others": (
        released(OLD, type_of("A", "_saved_self"), type_of("B", "_saved_self")),
        released(NEW, type_of("A", "_saved_numel"), type_of("B", "_saved_numel")),
        [Attributes(lost=("_saved_self",), gained=("_saved_numel",), nodes=("A", "B"))],
    ),
    "a registry that grows": (
        released(OLD, type_of("A")),
        released(NEW, type_of("A"), type_of("B"), NodeRecord(name="C", state="unregistered")),
        [
            RegistrySize(old=1, new=2),
            Records(topic="registry", subject="node", old=None, new="witnessed", names=("B",)),
            Records(topic="registry", subject="node", old=None, new="unregistered", names=("C",)),
        ],
    ),
    "a node type that is gone": (
        released(OLD, type_of("A"), type_of("B")),
        released(NEW, type_of("A")),
        [
            RegistrySize(old=2, new=1),
            Records(topic="registry", subject="node", old="witnessed", new=None, names=("B",)),
        ],
    ),
    "an error that is worded otherwise": (
        released(OLD, type_of("ExpBackward0", error=ERROR.format("ExpBackward0", 1))),
        released(NEW, type_of("ExpBackward0", error=ERROR.format("Exp", 2))),
        [
            Wording(
                old=(
                    "which is output <N> of <node type>, is at version <N>;"
                    " expected version <N> instead."
                ),
                new=(
                    "which is output <N> of <name of the forward op>, is at version <N>;"
                    " expected version <N> instead."
                ),
                old_example=ERROR.format("ExpBackward0", 1),
                new_example=ERROR.format("Exp", 2),
                example=Named(subject="node", name="ExpBackward0"),
                records=(Named(subject="node", name="ExpBackward0"),),
            )
        ],
    ),
    "an error about another version": (
        released(OLD, type_of("ExpBackward0", error=ERROR.format("Exp", 1))),
        released(NEW, type_of("ExpBackward0", error=ERROR.format("Exp", 2))),
        [Details(subject="node", field="error", names=("ExpBackward0",))],
    ),
    "a write that is no longer noticed": (
        released(OLD, EXP),
        released(NEW, UNSEEN_OUTPUT),
        [
            InPlace(
                old=Ending(
                    plain=tiny_writes.NOTICED, hooked=tiny_writes.WRONG, on_cpu=tiny_writes.WRONG
                ),
                new=Ending(
                    plain=tiny_writes.WRONG, hooked=tiny_writes.WRONG, on_cpu=tiny_writes.WRONG
                ),
                targets=(WrittenTo(name="torch.exp", target="output", mask=("input",)),),
            )
        ],
    ),
    "an output that can be read no more": (
        released(OLD, changed(EXP, reads=tiny_writes.exp_reads())),
        released(NEW, changed(EXP, reads=REFUSED_READ)),
        [
            ReadAfter(
                old=ReadEnds("raises", "raises", "raises", "runs"),
                new=ReadEnds("read raises", "raises", "read raises", "runs"),
                targets=(WrittenTo(name="torch.exp", target="output", mask=("input",)),),
            )
        ],
    ),
    "a kind of write that ends otherwise": (
        released(OLD, kind_of_write(WriteEnd("raises", "RuntimeError: x"))),
        released(NEW, kind_of_write(WriteEnd("silently wrong", None, 0.5))),
        [
            KindOfWrite(
                old=("raises", FIRST_WRITE.hooked.verdict if FIRST_WRITE.hooked else "refused"),
                new=(
                    "silently wrong",
                    FIRST_WRITE.hooked.verdict if FIRST_WRITE.hooked else "refused",
                ),
                names=(FIRST_WRITE.name,),
            ),
            Details(subject="write", field="plain", names=(FIRST_WRITE.name,)),
        ],
    ),
    "a condition that keeps something else": (
        released(OLD, MUL),
        released(
            NEW,
            with_condition(
                unchanged={"": ("float64", "autocast", "complex64"), "other": ("layouts",)},
                refused=(),
            ),
        ),
        [
            Conditions(
                conditions=(Applied("complex64"),),
                old="refused",
                new="unchanged",
                names=("torch.mul",),
            )
        ],
    ),
    "double backward keeps more": (
        released(OLD, EXP),
        released(NEW, HEAVIER_GRADIENT),
        [
            Backward(
                subject="op",
                name="torch.exp",
                partitioners=(),
                old=Weighed(
                    state="measured",
                    tensors=2,
                    bytes=Bytes(logical=2 * MIB_HALF, storage=2 * MIB_HALF, extra=0),
                ),
                new=Weighed(
                    state="measured",
                    tensors=2,
                    bytes=Bytes(logical=2 * MIB_HALF, storage=2 * MIB_HALF, extra=7),
                ),
            )
        ],
    ),
    "double backward of another call": (
        released(OLD, EXP),
        released(NEW, changed(EXP, second_order=changed(EXP.second_order, call="torch.exp(x)"))),
        [Details(subject="op", field="second_order", names=("torch.exp",))],
    ),
    "a crash is not comparable": (
        released(OLD, EXP, MUL),
        released(
            NEW,
            OpRecord(name="torch.exp", state="crashed", reason="signal 11"),
            OpRecord(name="torch.mul", state="crashed", reason="signal 6"),
        ),
        [
            Incomparable(
                old="measured",
                new="crashed",
                whole=True,
                records=(
                    Named(subject="op", name="torch.exp"),
                    Named(subject="op", name="torch.mul"),
                ),
            )
        ],
    ),
    "no call in common": (
        released(OLD, op(node("A", INPUT))),
        released(
            NEW,
            changed(
                op(node("A")),
                references=(changed(op(node("A")).references[0], call="output = torch.mean(x)"),),
            ),
        ),
        [
            Incomparable(
                old="other calls",
                new="other calls",
                whole=True,
                records=(Named(subject="op", name="torch.mean"),),
            ),
            Details(subject="op", field="calls removed", names=("torch.mean",)),
            Details(subject="op", field="calls added", names=("torch.mean",)),
        ],
    ),
    "the same call with other arguments": (
        released(OLD, mean_before()),
        released(
            NEW,
            changed(
                mean_after(),
                references=(
                    changed(mean_after().references[0], arguments=(tiny_ops.argument("input", 8),)),
                ),
            ),
        ),
        [
            Incomparable(
                old="other arguments",
                new="other arguments",
                whole=False,
                records=(Named(subject="op", name="torch.mean"),),
            ),
            Details(subject="op", field="arguments", names=("torch.mean",)),
        ],
    ),
    "whatever else": (
        released(OLD, EXP),
        released(NEW, changed(EXP, overloads=("aten::exp", "aten::exp.out"))),
        [Details(subject="op", field="overloads", names=("torch.exp",))],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), TABLE.values(), ids=TABLE)
def test_the_findings_are_those_expected(
    old: Catalogue, new: Catalogue, expected: list[Finding]
) -> None:
    assert list(difference(old, new).findings) == expected


@pytest.mark.parametrize(("old", "new", "changes"), CHANGES.values(), ids=CHANGES)
def test_nothing_that_differs_goes_untold(
    old: Catalogue, new: Catalogue, changes: list[Change]
) -> None:
    found = difference(old, new)
    named = [one for one in changes if not isinstance(one, BuildChanged)]
    assert bool(found.findings) == bool(named)


def test_formulas_are_told_where_both_sides_have_one() -> None:
    (pricing,) = EXP.formulas
    assert pricing.formula is not None
    extra = changed(pricing.formula, storages=(FormulaStorage("N*C", extra=True),))
    heavier = changed(EXP, formulas=(changed(pricing, formula=extra),))
    without = changed(EXP, formulas=())
    (told,) = difference(released(OLD, EXP), released(NEW, heavier)).findings
    assert isinstance(told, Formulas)
    assert told.calls == (FormulaOf(name="torch.exp", call=""),)
    # All of its bytes are extra bytes now, and none were.
    logical, storage, none = told.old
    assert (logical, none) == (storage, "0")
    assert told.new == (logical, storage, storage)
    assert list(difference(released(OLD, EXP), released(NEW, without)).findings) == [
        Details(subject="op", field="formulas", names=("torch.exp",))
    ]


def test_what_weighs_most_comes_first_and_each_topic_in_its_turn() -> None:
    def of(storage: int, extra: int, name: str) -> OpRecord:
        return op(node("A", INPUT), name=name, storage=storage, extra=extra)

    names = {"torch.a": (0, 0), "torch.b": (900, 0), "torch.c": (9, 9), "torch.d": (20, 20)}
    old = released(
        OLD,
        *(of(0, 0, name) for name in names if name != "torch.a"),
        op(node("A", INPUT), name="torch.a"),
        MUL,
        EXP,
        type_of("A"),
    )
    new = released(
        NEW,
        *(of(*figures, name) for name, figures in names.items() if name != "torch.a"),
        op(node("A"), name="torch.a"),
        changed(MUL, overloads=()),
        UNSEEN_OUTPUT,
        type_of("A"),
        type_of("B"),
    )
    found = difference(old, new)
    told = [
        finding.records[0].name
        for finding in found.findings
        if isinstance(finding, Kept)
        for _ in finding.records[:1]
    ]
    assert told == ["torch.d", "torch.a"]
    first = found.findings[0]
    assert isinstance(first, Kept)
    assert [one.name for one in first.records] == ["torch.d", "torch.c", "torch.b"]
    assert found.counts == {"kept": 2, "verdicts": 1, "registry": 2, "details": 1}
    assert list(found.counts) == ["kept", "verdicts", "registry", "details"]


def test_a_record_that_differs_in_many_ways_is_told_by_its_reference() -> None:
    def of(*kept: tuple[str, bool]) -> OpRecord:
        nodes = tuple(node(name, *([INPUT] if full else [])) for name, full in kept)
        one = op(*nodes)
        first = one.references[0].measurements[0]
        measurements = tuple(
            changed(first, mask=(f"m{place}",), policy=place) for place in range(len(nodes))
        )
        return changed(
            one,
            policies=tuple((place,) for place in range(len(nodes))),
            references=(changed(one.references[0], measurements=measurements),),
        )

    types = "ABCDE"
    old, new = of(*((one, True) for one in types)), of(*((one, False) for one in types))
    (finding,) = difference(released(OLD, old), released(NEW, new)).findings
    assert isinstance(finding, Kept)
    assert finding.shifts == (changed(LOST, node="A"),)
    assert [(one.calls, one.otherwise) for one in finding.records] == [(1, 4)]


def test_a_block_is_told_by_its_bytes() -> None:
    block = tiny_blocks.linear_relu()
    bill = changed(block.bills[0], extra_bytes=block.bills[0].extra_bytes + 5)
    heavier = changed(block, bills=(bill, *block.bills[1:]))
    (finding,) = difference(released(OLD, block), released(NEW, heavier)).findings
    assert isinstance(finding, Kept)
    (one,) = {record.name: record for record in finding.records}.values()
    assert (one.subject, one.name) == ("block", block.name)
    assert one.old
    assert one.new
    assert one.new.extra - one.old.extra == 5


def test_only_what_is_asked_for_is_told_with_its_node_types() -> None:
    old = released(
        OLD,
        *(mean_before(), EXP, type_of("MeanBackward0", "_saved_self"), type_of("A")),
        kind_of_write(WriteEnd("raises", "RuntimeError: x")),
    )
    new = released(
        NEW,
        *(mean_after(), type_of("MeanBackward0", "_saved_self_sym_numel"), type_of("B")),
        kind_of_write(WriteEnd("silently wrong", None, 0.5)),
    )
    found = difference(old, new, only=["torch.mean"])
    assert found.only == ("torch.mean",)
    assert [type(one) for one in found.findings] == [Kept, Attributes]


def test_both_sides_are_named_and_another_machine_is_told() -> None:
    found = difference(released(OLD, EXP), released(NEW, EXP, processor="another"))
    assert (found.old.name, found.new.name) == ("torch-2.0.1-cpu", "torch-2.2.2-cpu")
    assert found.elsewhere == (
        Elsewhere(field="processor", old=tiny.BUILD.processor, new="another"),
    )


def test_the_types_of_findings_are_those_that_readers_of_json_know() -> None:
    schema = msgspec.json.schema(Difference)["$defs"]["Difference"]["properties"]
    known = schema["findings"]["items"]["discriminator"]["mapping"]
    assert set(known) == {
        "attributes",
        "backward",
        "conditions",
        "details",
        "formulas",
        "kept",
        "kinds of write",
        "not comparable",
        "numbered",
        "reads",
        "records",
        "registry size",
        "renames",
        "unmeasured",
        "verdicts",
        "wording",
    }
    assert set(schema) == {
        "old",
        "new",
        "only",
        "elsewhere",
        "counts",
        "findings",
        "changes",
    }


def test_json_is_read_back_into_the_same_types() -> None:
    old = released(OLD, mean_before(), EXP, type_of("A", "_saved_ouput"))
    new = released(NEW, mean_after(), UNSEEN_OUTPUT, type_of("A", "_saved_output"))
    found = difference(old, new, with_changes=True)
    read = msgspec.json.decode(encode(found), type=Difference)
    assert read.findings == found.findings
    assert encode(read) == encode(found)
    assert found.changes
    assert any(isinstance(one, PolicyChanged) for one in found.changes)
    names = [finding["type"] for finding in msgspec.json.decode(encode(found))["findings"]]
    assert names == ["kept", "verdicts", "renames"]
    assert difference(old, new).changes is None
