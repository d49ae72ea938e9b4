"""Two catalogues, and the changes that comparing them must yield: (old, new, expected)."""

from typing import Any

import msgspec
import pytest

from generator.catalogue import codec
from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import (
    Added,
    BuildChanged,
    Bytes,
    BytesChanged,
    Call,
    CallAdded,
    CallRemoved,
    Change,
    DetailChanged,
    LayersNotCompared,
    NoCallInCommon,
    NotComparable,
    PolicyChanged,
    ReadChanged,
    Removed,
    StateChanged,
    TensorsChanged,
    VerdictChanged,
)
from generator.catalogue.model.measurement import Measurement, SavedTensor
from generator.catalogue.model.reads import ReadEnds
from generator.catalogue.model.records import (
    Catalogue,
    Depth,
    Failure,
    ModuleRecord,
    NodeRecord,
    OpRecord,
    PolicyNode,
    SavedValue,
    Witness,
)
from tests.fixtures import tiny, tiny_nodes, tiny_ops, tiny_writes


def changed(struct: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(struct, **fields)


def of(*records: OpRecord | ModuleRecord | NodeRecord) -> Catalogue:
    return codec.assemble(tiny.RELEASE, tiny.BUILD, records, tiny.EVIDENCE)


def at_depth(depth: Depth, *records: OpRecord) -> Catalogue:
    return codec.assemble(tiny.RELEASE, tiny.BUILD, records, tiny.EVIDENCE, depth)


def with_reference(record: Any, **fields: Any) -> Any:
    """Change the first measurement of a record's reference."""
    first, *others = record.references[0].measurements
    reference = changed(record.references[0], measurements=(changed(first, **fields), *others))
    return changed(record, references=(reference,))


def with_trial(record: Any, place: int, **fields: Any) -> Any:
    """Change one trial of a record's writes."""
    trials = list(record.writes.trials)
    trials[place] = changed(trials[place], **fields)
    return changed(record, writes=changed(record.writes, trials=tuple(trials)))


NAME = f"torch-{tiny.RELEASE}-cpu"
EXP = tiny_ops.exp()
CRASHED = OpRecord(name="torch.exp", state="crashed", reason="the process ended by signal 11")
TIMED_OUT = OpRecord(name="torch.exp", state="timed out", reason="took longer than 60 s")
NOT_DIFFERENTIABLE = OpRecord(
    name="torch.exp", state="not differentiable", reason="no output requires grad"
)
CALL = Call(kind="reference", filed="element-wise", text="output = torch.exp(input)")
CASE = Call(kind="case", filed="exp", text="torch.exp(input)")
EXP_NODE = next(node for node in tiny_nodes.nodes() if node.name == "ExpBackward0")
UNREGISTERED = next(node for node in tiny_nodes.nodes() if node.state == "unregistered")
UNSEEN = NodeRecord(
    name="ExpBackward0",
    state="declared",
    reason="in no graph",
    attributes=EXP_NODE.attributes,
    declared=EXP_NODE.declared,
    kernels=EXP_NODE.kernels,
)
KEEPS_INPUT = PolicyNode(
    type="ExpBackward0",
    saved=(SavedValue(attribute="_saved_self", kind="tensor", roles=("input input",)),),
)
HALF = SavedTensor(shape=(256, 512), dtype="float16", bytes=262_144, storage=0)
FLAT = SavedTensor(shape=(131_072,), dtype="float32", bytes=524_288, storage=0)
ELSEWHERE = codec.assemble(
    "2.14.1", changed(tiny.BUILD, version="2.14.1+cpu", git="0" * 40), [EXP], tiny.EVIDENCE
)
HALVED = with_reference(EXP, tensors=(HALF,), logical_bytes=262_144, storage_bytes=262_144)
SOFTSIGN = tiny_ops.softsign()
SOFTSIGN_BY_REFERENCE = changed(SOFTSIGN, cases=())
SOFTSIGN_BY_CASE = changed(SOFTSIGN, references=())
MUL = tiny_ops.mul()
EXP_OUTPUT = tiny_writes.exp().trials[1]
MUL_INPUT = tiny_writes.mul().trials[0]
READ_EARLIER = changed(
    tiny_writes.exp_reads(),
    trials=(
        changed(
            tiny_writes.exp_reads().trials[0],
            ended=ReadEnds("read raises", "raises", "raises", "runs"),
        ),
    ),
)
ONE_MASK_OTHERWISE = changed(
    MUL,
    writes=changed(
        tiny_writes.mul(),
        trials=(
            changed(MUL_INPUT, masks=(0,)),
            *tiny_writes.mul().trials[1:],
            changed(MUL_INPUT, masks=(2,), plain=tiny_writes.WRONG, message=None),
        ),
    ),
)
OTHER_CALL = changed(tiny_writes.exp(), call="torch.exp(x)")
FAILED_ENTRY = changed(
    EXP.entries[0], failures=(Failure(state="crashed", reason="signal 11", samples=1),)
)
OLD_BYTES = Bytes(logical=524_288, storage=524_288, extra=0)
NEW_BYTES = Bytes(logical=262_144, storage=262_144, extra=0)

TABLE: dict[str, tuple[Catalogue, Catalogue, list[Change]]] = {
    "nothing": (of(EXP), of(tiny_ops.exp()), []),
    "an op that only PyTorch's own tests call": (
        codec.assemble(tiny.RELEASE, tiny.BUILD, [EXP, MUL]),
        codec.assemble(tiny.RELEASE, changed(tiny.BUILD, samples="by schema"), [EXP]),
        [
            BuildChanged(subject="header", name=NAME, field="samples", old=None, new="by schema"),
            NotComparable(subject="op", name="torch.mul", old="measured", new="not tried"),
        ],
    ),
    "an op that only a schema calls": (
        codec.assemble(tiny.RELEASE, changed(tiny.BUILD, samples="by schema"), [EXP, MUL]),
        codec.assemble(tiny.RELEASE, tiny.BUILD, [EXP]),
        [
            BuildChanged(subject="header", name=NAME, field="samples", old="by schema", new=None),
            NotComparable(subject="op", name="torch.mul", old="measured", new="not tried"),
        ],
    ),
    "depth": (
        at_depth("history", changed(MUL, conditions=None, compiled=None, formulas=())),
        at_depth("full", MUL),
        [
            LayersNotCompared(
                subject="header",
                name=NAME,
                layers=("reads after writes", "conditions", "formulas", "compiled", "blocks"),
                old="history",
                new="full",
            )
        ],
    ),
    "an op that is new": (of(), of(EXP), [Added(subject="op", name="torch.exp", state="measured")]),
    "an op that is gone": (
        of(EXP),
        of(),
        [Removed(subject="op", name="torch.exp", state="measured")],
    ),
    "an op that is new but crashed": (
        of(),
        of(CRASHED),
        [Added(subject="op", name="torch.exp", state="crashed")],
    ),
    "a crash is not a removal": (
        of(EXP),
        of(CRASHED),
        [NotComparable(subject="op", name="torch.exp", old="measured", new="crashed")],
    ),
    "nor is recovering from one an addition": (
        of(TIMED_OUT),
        of(EXP),
        [NotComparable(subject="op", name="torch.exp", old="timed out", new="measured")],
    ),
    "two ways of failing": (
        of(TIMED_OUT),
        of(CRASHED),
        [NotComparable(subject="op", name="torch.exp", old="timed out", new="crashed")],
    ),
    "the same failure": (of(CRASHED), of(CRASHED), []),
    "no longer differentiable": (
        of(EXP),
        of(NOT_DIFFERENTIABLE),
        [StateChanged(subject="op", name="torch.exp", old="measured", new="not differentiable")],
    ),
    "another build": (
        of(EXP),
        ELSEWHERE,
        [
            BuildChanged(
                subject="header",
                name="torch-2.14.1-cpu",
                field="release",
                old="2.13.0",
                new="2.14.1",
            ),
            BuildChanged(
                subject="header",
                name="torch-2.14.1-cpu",
                field="version",
                old="2.13.0+cpu",
                new="2.14.1+cpu",
            ),
            BuildChanged(
                subject="header",
                name="torch-2.14.1-cpu",
                field="git",
                old=tiny.BUILD.git,
                new="0" * 40,
            ),
        ],
    ),
    "another policy for one mask of one call": (
        of(EXP),
        of(
            with_reference(
                changed(EXP, nodes=(*EXP.nodes, KEEPS_INPUT), policies=((0,), (1,))), policy=1
            )
        ),
        [
            PolicyChanged(
                subject="op",
                name="torch.exp",
                call=CALL,
                mask=("input",),
                old=EXP.nodes,
                new=(KEEPS_INPUT,),
            )
        ],
    ),
    "fewer bytes": (
        of(EXP),
        of(HALVED),
        [
            BytesChanged(
                subject="op",
                name="torch.exp",
                call=CALL,
                mask=("input",),
                old=OLD_BYTES,
                new=NEW_BYTES,
            ),
            TensorsChanged(
                subject="op",
                name="torch.exp",
                call=CALL,
                mask=("input",),
                nodes=EXP.nodes,
                old=EXP.references[0].measurements[0].tensors,
                new=(HALF,),
            ),
        ],
    ),
    "more bytes": (
        of(HALVED),
        of(EXP),
        [
            BytesChanged(
                subject="op",
                name="torch.exp",
                call=CALL,
                mask=("input",),
                old=NEW_BYTES,
                new=OLD_BYTES,
            ),
            TensorsChanged(
                subject="op",
                name="torch.exp",
                call=CALL,
                mask=("input",),
                nodes=EXP.nodes,
                old=(HALF,),
                new=EXP.references[0].measurements[0].tensors,
            ),
        ],
    ),
    "another shape of the same weight": (
        of(EXP),
        of(with_reference(EXP, tensors=(FLAT,))),
        [
            TensorsChanged(
                subject="op",
                name="torch.exp",
                call=CALL,
                mask=("input",),
                nodes=EXP.nodes,
                old=EXP.references[0].measurements[0].tensors,
                new=(FLAT,),
            )
        ],
    ),
    "another saved number": (
        of(SOFTSIGN),
        of(changed(SOFTSIGN, references=(changed(SOFTSIGN.references[0], values=("2",)),))),
        [
            DetailChanged(
                subject="op",
                name="torch.nn.functional.softsign",
                field="values",
                call=Call(
                    kind="reference",
                    filed="element-wise",
                    text="output = torch.nn.functional.softsign(input)",
                ),
                old=("1",),
                new=("2",),
            )
        ],
    ),
    "measured by other calls": (
        of(SOFTSIGN_BY_REFERENCE),
        of(SOFTSIGN_BY_CASE),
        [
            NoCallInCommon(subject="op", name="torch.nn.functional.softsign"),
            CallRemoved(
                subject="op",
                name="torch.nn.functional.softsign",
                call=Call(
                    kind="reference",
                    filed="element-wise",
                    text="output = torch.nn.functional.softsign(input)",
                ),
            ),
            CallAdded(
                subject="op",
                name="torch.nn.functional.softsign",
                call=Call(
                    kind="case",
                    filed="nn.functional.softsign",
                    text="torch.nn.functional.softsign(input)",
                ),
            ),
        ],
    ),
    "another template for evidence": (
        of(EXP),
        codec.assemble(tiny.RELEASE, tiny.BUILD, [EXP], {}),
        [
            DetailChanged(
                subject="header",
                name="torch-2.13.0-cpu",
                field="evidence",
                old=tiny.EVIDENCE,
                new={},
            )
        ],
    ),
    "a call that raises now": (
        of(EXP),
        of(
            changed(
                EXP,
                references=(
                    changed(
                        EXP.references[0],
                        measurements=(
                            Measurement(mask=("input",), state="raised", reason="RuntimeError: no"),
                        ),
                    ),
                ),
            )
        ),
        [
            NotComparable(
                subject="op",
                name="torch.exp",
                call=CALL,
                mask=("input",),
                old="measured",
                new="raised",
            )
        ],
    ),
    "a mask that is gone": (
        of(EXP),
        of(changed(EXP, cases=(changed(EXP.cases[0], measurements=()),))),
        [CallRemoved(subject="op", name="torch.exp", call=CASE, mask=("input",))],
    ),
    "a case that is new": (
        of(changed(EXP, cases=())),
        of(EXP),
        [CallAdded(subject="op", name="torch.exp", call=CASE)],
    ),
    "a case that is gone": (
        of(EXP),
        of(changed(EXP, cases=())),
        [CallRemoved(subject="op", name="torch.exp", call=CASE)],
    ),
    "a case whose samples crashed": (
        of(EXP),
        of(changed(EXP, cases=(), entries=(FAILED_ENTRY,))),
        [
            DetailChanged(
                subject="op",
                name="torch.exp",
                field="entries",
                old=msgspec.to_builtins(EXP.entries),
                new=msgspec.to_builtins((FAILED_ENTRY,)),
            ),
            NotComparable(subject="op", name="torch.exp", call=CASE, old="measured", new="crashed"),
        ],
    ),
    "a case whose samples crashed before too": (
        of(changed(EXP, entries=(FAILED_ENTRY,))),
        of(changed(EXP, cases=(), entries=(FAILED_ENTRY,))),
        [CallRemoved(subject="op", name="torch.exp", call=CASE)],
    ),
    "a detail": (
        of(EXP),
        of(changed(EXP, overloads=())),
        [
            DetailChanged(
                subject="op", name="torch.exp", field="overloads", old=("aten::exp",), new=()
            )
        ],
    ),
    "a detail of a call": (
        of(EXP),
        of(changed(EXP, cases=(changed(EXP.cases[0], samples={"float32": 5}),))),
        [
            DetailChanged(
                subject="op",
                name="torch.exp",
                field="samples",
                call=CASE,
                old={"complex64": 2, "float32": 3},
                new={"float32": 5},
            )
        ],
    ),
    "a variant that can no longer be called": (
        of(EXP),
        of(
            changed(
                EXP,
                variants=(changed(EXP.variants[0], measurement=None), *EXP.variants[1:]),
            )
        ),
        [
            NotComparable(
                subject="op",
                name="torch.exp",
                old="measured",
                new="not called",
                call=Call(kind="variant", filed="torch.Tensor.exp", text="torch.Tensor.exp"),
            )
        ],
    ),
    "a write that is noticed no longer": (
        of(EXP),
        of(with_trial(EXP, 1, plain=tiny_writes.WRONG, message=None)),
        [
            VerdictChanged(
                subject="op",
                name="torch.exp",
                target="output",
                mask=("input",),
                old=changed(EXP_OUTPUT, masks=()),
                new=changed(EXP_OUTPUT, masks=(), plain=tiny_writes.WRONG, message=None),
            )
        ],
    ),
    "a write that ends otherwise under one mask of two": (
        of(MUL),
        of(ONE_MASK_OTHERWISE),
        [
            VerdictChanged(
                subject="op",
                name="torch.mul",
                target="input input",
                mask=("other",),
                old=changed(MUL_INPUT, masks=(), message=None, relative_error=None),
                new=changed(MUL_INPUT, masks=(), plain=tiny_writes.WRONG, message=None),
            )
        ],
    ),
    "other words after a write": (
        of(EXP),
        of(with_trial(EXP, 1, message="RuntimeError: no")),
        [
            VerdictChanged(
                subject="op",
                name="torch.exp",
                target="output",
                mask=("input",),
                old=changed(EXP_OUTPUT, masks=()),
                new=changed(EXP_OUTPUT, masks=(), message="RuntimeError: no"),
            )
        ],
    ),
    "reads that end otherwise": (
        of(changed(EXP, reads=tiny_writes.exp_reads())),
        of(changed(EXP, reads=READ_EARLIER)),
        [
            ReadChanged(
                subject="op",
                name="torch.exp",
                target="output",
                mask=("input",),
                old=tiny_writes.exp_reads().trials[0].ended,
                new=READ_EARLIER.trials[0].ended,
            )
        ],
    ),
    "reads that only one side has": (
        of(EXP),
        of(changed(EXP, reads=tiny_writes.exp_reads())),
        [
            DetailChanged(
                subject="op",
                name="torch.exp",
                field="reads",
                old=None,
                new=msgspec.to_builtins(tiny_writes.exp_reads()),
            )
        ],
    ),
    "reads that only one side was measured for": (
        at_depth("history", changed(EXP, conditions=None, compiled=None, formulas=())),
        at_depth("full", changed(EXP, reads=tiny_writes.exp_reads())),
        [
            LayersNotCompared(
                subject="header",
                name=NAME,
                layers=("reads after writes", "conditions", "formulas", "compiled", "blocks"),
                old="history",
                new="full",
            )
        ],
    ),
    "writes that are new": (
        of(changed(EXP, writes=None)),
        of(EXP),
        [
            DetailChanged(
                subject="op",
                name="torch.exp",
                field="writes",
                old=None,
                new=msgspec.to_builtins(EXP.writes),
            )
        ],
    ),
    "writes of another call": (
        of(EXP),
        of(changed(EXP, writes=OTHER_CALL)),
        [
            DetailChanged(
                subject="op",
                name="torch.exp",
                field="writes",
                old=msgspec.to_builtins(EXP.writes),
                new=msgspec.to_builtins(OTHER_CALL),
            )
        ],
    ),
    "a target that is no longer tried": (
        of(EXP),
        of(changed(EXP, writes=changed(EXP.writes, trials=(EXP_OUTPUT,)))),
        [
            DetailChanged(
                subject="op",
                name="torch.exp",
                field="trials",
                old=msgspec.to_builtins(tiny_writes.exp().trials),
                new=msgspec.to_builtins((EXP_OUTPUT,)),
            )
        ],
    ),
    "a node type that is new": (
        of(EXP),
        of(EXP, EXP_NODE),
        [Added(subject="node", name="ExpBackward0", state="witnessed")],
    ),
    "a node type that is gone": (
        of(EXP, EXP_NODE),
        of(EXP),
        [Removed(subject="node", name="ExpBackward0", state="witnessed")],
    ),
    "a node type that is no longer made": (
        of(EXP, EXP_NODE),
        of(EXP, UNSEEN),
        [
            StateChanged(subject="node", name="ExpBackward0", old="witnessed", new="declared"),
        ],
    ),
    "a node type whose op crashed": (
        of(EXP, EXP_NODE),
        of(CRASHED, UNSEEN),
        [
            NotComparable(subject="op", name="torch.exp", old="measured", new="crashed"),
            NotComparable(subject="node", name="ExpBackward0", old="witnessed", new="crashed"),
        ],
    ),
    "an unregistered node whose op crashed": (
        of(EXP, UNREGISTERED),
        of(CRASHED),
        [
            NotComparable(subject="op", name="torch.exp", old="measured", new="crashed"),
            NotComparable(
                subject="node", name="ForeachExpBackward0", old="unregistered", new="crashed"
            ),
        ],
    ),
    "an unregistered node whose op crashed before": (
        of(CRASHED),
        of(EXP, UNREGISTERED),
        [
            NotComparable(subject="op", name="torch.exp", old="crashed", new="measured"),
            NotComparable(
                subject="node", name="ForeachExpBackward0", old="crashed", new="unregistered"
            ),
        ],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), TABLE.values(), ids=TABLE.keys())
def test_changes(old: Catalogue, new: Catalogue, expected: list[Change]) -> None:
    assert compare(old, new) == expected


def test_identical_catalogues_have_no_changes(small: Catalogue) -> None:
    assert compare(small, tiny.catalogue()) == []


def test_renumbered_policies_are_told_although_nothing_else_changed() -> None:
    mul = tiny_ops.mul()

    def renumbered(call: Any) -> Any:
        measurements = [
            changed(one, policy=(0, 2, 1, 3)[one.policy or 0]) for one in call.measurements
        ]
        return changed(call, measurements=tuple(measurements))

    swapped = changed(
        mul,
        policies=(mul.policies[0], mul.policies[2], mul.policies[1], mul.policies[3]),
        references=(renumbered(mul.references[0]),),
        cases=(renumbered(mul.cases[0]),),
    )
    changes = compare(of(mul), of(swapped))
    assert [one.field for one in changes if isinstance(one, DetailChanged)] == [
        "policies",
        "references",
        "cases",
    ]
    assert len(changes) == 3


def test_changes_are_in_the_order_of_the_file(small: Catalogue) -> None:
    empty = of()
    subjects = [(one.subject, one.name) for one in compare(empty, small)]
    kinds = ("header", "op", "module", "node", "block", "write")
    assert subjects == sorted(subjects, key=lambda pair: (kinds.index(pair[0]), pair[1]))
    assert len(subjects) == sum(sum(states.values()) for states in small.header.counts.values())


def test_changes_can_be_written_and_read_back() -> None:
    changes = [change for _, _, expected in TABLE.values() for change in expected]
    written = msgspec.json.encode(changes)
    assert msgspec.json.encode(msgspec.json.decode(written, type=list[Change])) == written


def test_a_witness_that_is_no_longer_catalogued_hides_nothing() -> None:
    orphan = changed(EXP_NODE, witness=Witness(layer="op sample", name="torch.expp"))
    assert compare(of(orphan), of()) == [
        Removed(subject="node", name="ExpBackward0", state="witnessed")
    ]


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """List the place of every number and text inside a nested value."""
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for key, item in enumerate(value) for leaf in leaves(item, (*path, key))]
    return [path]


def touched(value: Any, path: tuple[str | int, ...]) -> Any:
    """Copy a nested value with one number or text changed."""
    if not path:
        return value + 1 if isinstance(value, int) else f"{value}?"
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = touched(value[path[0]], path[1:])
    return copy


def test_whatever_is_touched_makes_a_change(small: Catalogue) -> None:
    records = [
        *small.ops.values(),
        *small.modules.values(),
        *small.nodes.values(),
        *small.writes.values(),
    ]
    changes = 0
    for record in records:
        plain = msgspec.json.decode(msgspec.json.encode(record))
        for path in leaves(plain):
            # Renumbering has a test of its own; a number that leads nowhere is a violation.
            if {"kind", "policy", "policies"}.intersection(path) or path[3:4] == ("masks",):
                continue
            try:
                other = msgspec.convert(touched(plain, path), type(record), strict=True)
            except msgspec.ValidationError:
                continue  # one of a few fixed words, such as a state
            assert compare(of(record), of(other)), path
            assert compare(of(other), of(record)), path
            changes += 1
    assert changes > 400


def test_kinds_of_write_are_compared_by_name(small: Catalogue) -> None:
    add, data, fused = (small.writes[name] for name in sorted(small.writes))
    other = changed(small, writes={data.name: changed(data, versions=(0, 1)), fused.name: add})
    found = [one for one in compare(small, other) if one.subject == "write"]
    assert found == [
        Removed(subject="write", name=add.name, state="measured"),
        DetailChanged(subject="write", name=data.name, field="versions", old=(0, 0), new=(0, 1)),
        NotComparable(subject="write", name=fused.name, old="raised", new="measured"),
    ]
