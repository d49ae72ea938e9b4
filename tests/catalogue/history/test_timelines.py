"""Small catalogues of neighbouring releases, and the spans that they must be folded into."""

from typing import Any

import msgspec
import pytest

from generator.catalogue.history.timelines import history
from generator.catalogue.model.history import Keeping, Timeline
from generator.catalogue.model.records import Catalogue, NodeRecord, OpRecord
from generator.errors import CatalogueError
from tests.fixtures import tiny_calls
from tests.fixtures.tiny_releases import (
    INPUT,
    MIB_HALF,
    NUMEL,
    mean_after,
    mean_before,
    node,
    op,
    released,
    type_of,
)

FIRST, SECOND, THIRD = "2.0.1", "2.1.2", "2.2.2"
RELEASES = (FIRST, SECOND, THIRD)
KEEPS, LOST = mean_before(), mean_after()
CRASHED = OpRecord(name="torch.mean", state="crashed", reason="the process ended with SIGSEGV")
FLAT = OpRecord(name="torch.mean", state="not differentiable", reason="no output requires grad")
UNCALLED = OpRecord(name="torch.mean", state="measured", unreferenced="no program for it")
# Told by numbers alone: a scalar that comes or goes is no change of what is kept.
COUNTED = op(node("MeanBackward0", INPUT, NUMEL), storage=MIB_HALF)
HEAVIER = op(node("MeanBackward0", INPUT, NUMEL), storage=2 * MIB_HALF)
LISTED = op(node("MeanBackward0", INPUT), node("DivBackward0"), storage=MIB_HALF)


def changed(struct: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(struct, **fields)


def called(record: OpRecord, **fields: Any) -> OpRecord:
    return changed(record, references=(changed(record.references[0], **fields),))


OTHER_CALL = called(LOST, call="output = torch.mean(input, dim=0)")
OTHER_ARGUMENTS = called(LOST, arguments=(tiny_calls.argument("input", 2, 2),))
OTHER_PROGRAM = called(KEEPS, setup="input = torch.rand(256, 512)")

Told = tuple[str, str, str, str]

SPANS: dict[str, tuple[tuple[OpRecord | None, ...], list[Told]]] = {
    "the same in all": (
        (KEEPS, mean_before(), mean_before()),
        [(FIRST, THIRD, "first", "measured")],
    ),
    "an argument that is no longer kept": (
        (KEEPS, KEEPS, LOST),
        [(FIRST, SECOND, "first", "measured"), (THIRD, THIRD, "changed", "measured")],
    ),
    "and the other way round": (
        (LOST, KEEPS, KEEPS),
        [(FIRST, FIRST, "first", "measured"), (SECOND, THIRD, "changed", "measured")],
    ),
    "there and back": (
        (LOST, KEEPS, LOST),
        [
            (FIRST, FIRST, "first", "measured"),
            (SECOND, SECOND, "changed", "measured"),
            (THIRD, THIRD, "changed", "measured"),
        ],
    ),
    "another number beside the same tensors": (
        (KEEPS, COUNTED, COUNTED),
        [(FIRST, THIRD, "first", "measured")],
    ),
    "the same roles of another weight": (
        (COUNTED, HEAVIER, HEAVIER),
        [(FIRST, FIRST, "first", "measured"), (SECOND, THIRD, "changed", "measured")],
    ),
    "another node that keeps nothing": (
        (KEEPS, LISTED, LISTED),
        [(FIRST, FIRST, "first", "measured"), (SECOND, THIRD, "changed", "measured")],
    ),
    "a crash between equals is no change": (
        (KEEPS, CRASHED, KEEPS),
        [
            (FIRST, FIRST, "first", "measured"),
            (SECOND, SECOND, "unknown", "crashed"),
            (THIRD, THIRD, "same", "measured"),
        ],
    ),
    "a change across a crash": (
        (KEEPS, CRASHED, LOST),
        [
            (FIRST, FIRST, "first", "measured"),
            (SECOND, SECOND, "unknown", "crashed"),
            (THIRD, THIRD, "changed", "measured"),
        ],
    ),
    "nothing known at first": (
        (CRASHED, CRASHED, KEEPS),
        [(FIRST, SECOND, "unknown", "crashed"), (THIRD, THIRD, "first", "measured")],
    ),
    "measured without a reference call": (
        (UNCALLED, KEEPS, KEEPS),
        [(FIRST, FIRST, "unknown", "no reference call"), (SECOND, THIRD, "first", "measured")],
    ),
    "first catalogued later": (
        (None, KEEPS, KEEPS),
        [(FIRST, FIRST, "first", "absent"), (SECOND, THIRD, "added", "measured")],
    ),
    "no longer catalogued": (
        (KEEPS, None, None),
        [(FIRST, FIRST, "first", "measured"), (SECOND, THIRD, "removed", "absent")],
    ),
    "back again, changed": (
        (KEEPS, None, LOST),
        [
            (FIRST, FIRST, "first", "measured"),
            (SECOND, SECOND, "removed", "absent"),
            (THIRD, THIRD, "changed", "measured"),
        ],
    ),
    "it became differentiable": (
        (FLAT, FLAT, KEEPS),
        [
            (FIRST, SECOND, "first", "not differentiable"),
            (THIRD, THIRD, "changed", "measured"),
        ],
    ),
    "another call": (
        (KEEPS, OTHER_CALL, OTHER_CALL),
        [(FIRST, FIRST, "first", "measured"), (SECOND, THIRD, "another call", "measured")],
    ),
    "the same call of other arguments": (
        (KEEPS, KEEPS, OTHER_ARGUMENTS),
        [(FIRST, SECOND, "first", "measured"), (THIRD, THIRD, "another call", "measured")],
    ),
}


def of_ops(*records: OpRecord | None) -> tuple[Timeline, ...]:
    told = [
        released(release, *(() if one is None else (one,)))
        for release, one in zip(RELEASES, records, strict=True)
    ]
    return history(told).ops["torch.mean"]


def spans(timeline: Timeline) -> list[Told]:
    return [(one.since, one.until, one.step, one.state) for one in timeline.spans]


@pytest.mark.parametrize(("records", "expected"), SPANS.values(), ids=SPANS)
def test_spans_of_an_op(records: tuple[OpRecord | None, ...], expected: list[Told]) -> None:
    (timeline,) = of_ops(*records)
    assert spans(timeline) == expected
    assert sum(one.releases for one in timeline.spans) == len(RELEASES)


def test_a_span_says_what_is_kept_and_what_it_weighs() -> None:
    (timeline,) = of_ops(KEEPS, KEEPS, LOST)
    before, after = (one.said for one in timeline.spans)
    assert isinstance(before, Keeping)
    assert isinstance(after, Keeping)
    assert (before.claim, before.roles) == ("`input`", ("input input",))
    assert before.bytes.storage == MIB_HALF
    assert (after.roles, after.bytes.storage) == ((), 0)


def test_what_says_nothing_has_its_reason() -> None:
    (timeline,) = of_ops(KEEPS, CRASHED, KEEPS)
    assert [one.reason for one in timeline.spans] == [None, CRASHED.reason, None]


def test_another_program_of_the_same_call_is_named_and_no_change() -> None:
    (timeline,) = of_ops(KEEPS, OTHER_PROGRAM, OTHER_PROGRAM)
    assert (timeline.programs, len(timeline.spans)) == ((SECOND,), 1)


def test_a_policy_whose_attribute_was_renamed_is_the_same() -> None:
    old = op(node("FlashBackward0", tiny_calls.tensor("_saved_ouput", "output")))
    new = op(node("FlashBackward0", tiny_calls.tensor("_saved_output", "output")))
    told = history(
        [
            released(FIRST, old, type_of("FlashBackward0", "_saved_ouput")),
            released(SECOND, new, type_of("FlashBackward0", "_saved_output")),
        ]
    )
    assert spans(told.ops["torch.mean"][0]) == [(FIRST, SECOND, "first", "measured")]
    assert spans(told.nodes["FlashBackward0"][0]) == [
        (FIRST, FIRST, "first", "registered"),
        (SECOND, SECOND, "renamed", "registered"),
    ]


def nodes(*records: NodeRecord | None, more: tuple[OpRecord, ...] = ()) -> list[Catalogue]:
    return [
        released(release, *(() if one is None else (one,)), *more)
        for release, one in zip(RELEASES, records, strict=True)
    ]


def test_a_renamed_type_has_one_timeline_under_both_names() -> None:
    old = type_of("UpsampleBackward1", overload="upsample")
    new = type_of("UpsampleBackward0", overload="upsample")
    told = history(nodes(old, new, new)).nodes
    assert told["UpsampleBackward1"] == told["UpsampleBackward0"]
    assert spans(told["UpsampleBackward0"][0]) == [
        (FIRST, FIRST, "first", "registered"),
        (SECOND, THIRD, "renamed", "registered"),
    ]


def test_a_type_of_the_registry_comes_and_goes_whatever_crashed() -> None:
    told = history(nodes(None, type_of("MeanBackward0"), None, more=(CRASHED,))).nodes
    assert spans(told["MeanBackward0"][0]) == [
        (FIRST, FIRST, "first", "absent"),
        (SECOND, SECOND, "added", "registered"),
        (THIRD, THIRD, "removed", "absent"),
    ]


def test_a_type_outside_the_registry_is_not_gone_where_its_call_crashed() -> None:
    seen = changed(type_of("PythonFunction"), state="unregistered")
    there = [released(FIRST, KEEPS, seen), released(SECOND, CRASHED), released(THIRD, KEEPS, seen)]
    assert spans(history(there).nodes["PythonFunction"][0]) == [
        (FIRST, FIRST, "first", "unregistered"),
        (SECOND, SECOND, "unknown", "crashed"),
        (THIRD, THIRD, "same", "unregistered"),
    ]


def test_a_history_has_each_difference_of_neighbours() -> None:
    told = history([released(one, KEEPS) for one in RELEASES])
    assert [(one.old.release, one.new.release) for one in told.differences] == [
        (FIRST, SECOND),
        (SECOND, THIRD),
    ]


def test_no_catalogue_has_no_history() -> None:
    with pytest.raises(CatalogueError, match="no catalogue"):
        history([])
