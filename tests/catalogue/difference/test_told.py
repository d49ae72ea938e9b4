"""Two small catalogues per kind of change, and the findings that they must yield."""

import msgspec
import pytest

from generator.catalogue.compare.changes import BuildChanged, Change, PolicyChanged
from generator.catalogue.difference.findings import (
    Attributes,
    Details,
    Difference,
    Elsewhere,
    Finding,
    FormulaOf,
    Formulas,
    Kept,
)
from generator.catalogue.difference.told import difference, encode
from generator.catalogue.model.formulas import FormulaStorage
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.model.unseen import WriteEnd
from tests.catalogue.compare.test_catalogues import TABLE as CHANGES
from tests.fixtures import findings_of_kept, findings_of_trials, tiny, tiny_blocks
from tests.fixtures.findings import EXP, LOST, MUL, UNSEEN_OUTPUT, changed, kind_of_write
from tests.fixtures.tiny_releases import (
    INPUT,
    NEW,
    OLD,
    mean_after,
    mean_before,
    node,
    op,
    released,
    type_of,
)

TABLE = {**findings_of_kept.TABLE, **findings_of_trials.TABLE}


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
