"""Which further calls of a record have a timeline, and what it says, in small catalogues."""

from typing import Any

import msgspec
import pytest

from generator.catalogue.difference.findings import Incomparable, Kept
from generator.catalogue.history.others import others
from generator.catalogue.history.timelines import history
from generator.catalogue.history.words import answer, notes_of, remarks, title_of
from generator.catalogue.model.history import Followed, History, SampleCall, Timeline
from generator.catalogue.model.records import Case, OpInfoEntry, OpRecord, PolicyNode, Variant
from generator.review.diff import Plain
from tests.fixtures import tiny_calls, tiny_modules
from tests.fixtures.tiny_cases import BYTES, KEEPS, NOTHING, OTHER_NODE, WHOLE, mean, sample
from tests.fixtures.tiny_releases import op, released

FIRST, SECOND, THIRD = "1.13.1", "2.0.1", "2.2.2"
RELEASES = (FIRST, SECOND, THIRD)
CRASHED = OpRecord(name="torch.mean", state="crashed", reason="signal 11")
FLAT = OpRecord(name="torch.mean", state="not differentiable", reason="no output requires grad")
TWO = "torch.mean(input, dim=(0, 1))"

Told = tuple[str, str, str, str]
CHANGED = [(FIRST, FIRST, "first", "measured"), (SECOND, SECOND, "changed", "measured")]
BACK = [*CHANGED, (THIRD, THIRD, "changed", "measured")]

# Three releases of `torch.mean`, and the spans of each further call that is told.
STORIES: dict[str, tuple[tuple[OpRecord | None, ...], list[list[Told]]]] = {
    "never changed": (
        (mean(KEEPS, sample(KEEPS)), mean(NOTHING, sample(KEEPS)), mean(NOTHING, sample(KEEPS))),
        [],
    ),
    "changed while the reference did not": (
        (mean(KEEPS, sample(NOTHING)), mean(KEEPS, sample(KEEPS)), mean(KEEPS, sample(NOTHING))),
        [BACK],
    ),
    "changed as the reference": (
        (
            mean(NOTHING, sample(NOTHING)),
            mean(KEEPS, sample(KEEPS)),
            mean(NOTHING, sample(NOTHING)),
        ),
        [],
    ),
    "changed with the reference once and once without": (
        (mean(KEEPS, sample(NOTHING)), mean(KEEPS, sample(KEEPS)), mean(NOTHING, sample(NOTHING))),
        [BACK],
    ),
    "changed the other way round": (
        (mean(KEEPS, sample(NOTHING)), mean(NOTHING, sample(KEEPS)), mean(NOTHING, sample(KEEPS))),
        [[(FIRST, FIRST, "first", "measured"), (SECOND, THIRD, "changed", "measured")]],
    ),
    "two calls with one story are told once": (
        (
            mean(KEEPS, sample(NOTHING), sample(NOTHING, TWO)),
            mean(KEEPS, sample(KEEPS), sample(KEEPS, TWO)),
            mean(KEEPS, sample(NOTHING), sample(NOTHING, TWO)),
        ),
        [BACK],
    ),
    "two calls with a story each": (
        (
            mean(KEEPS, sample(NOTHING), sample(NOTHING, TWO)),
            mean(KEEPS, sample(KEEPS), sample(NOTHING, TWO)),
            mean(KEEPS, sample(NOTHING), sample(KEEPS, TWO)),
        ),
        [BACK, [(FIRST, SECOND, "first", "measured"), (THIRD, THIRD, "changed", "measured")]],
    ),
    "the same text of other arguments": (
        (mean(KEEPS, sample(NOTHING)), mean(KEEPS, sample(KEEPS, rows=3)), mean(KEEPS)),
        [],
    ),
    "the same arguments of another text": (
        (mean(KEEPS, sample(NOTHING)), mean(KEEPS, sample(KEEPS, TWO)), mean(KEEPS)),
        [],
    ),
    "samples that look alike": (
        (
            mean(KEEPS, sample(NOTHING), sample(KEEPS)),
            mean(KEEPS, sample(KEEPS), sample(NOTHING)),
            mean(KEEPS, sample(KEEPS)),
        ),
        [],
    ),
    "an argument of which the class alone is known": (
        (
            mean(KEEPS, sample(NOTHING, literal="Options")),
            mean(KEEPS, sample(KEEPS, literal="Options")),
        )
        * 2,
        [],
    ),
    "an argument that is a number": (
        (
            mean(KEEPS, sample(NOTHING, literal="None")),
            mean(KEEPS, sample(KEEPS, literal="None")),
            mean(KEEPS, sample(NOTHING, literal="None")),
        ),
        [BACK],
    ),
    "other nodes that hold the same": (
        (
            mean(KEEPS, sample(KEEPS)),
            mean(KEEPS, sample(OTHER_NODE)),
            mean(KEEPS, sample(OTHER_NODE)),
        ),
        [],
    ),
    "a crash is a gap": (
        (mean(KEEPS, sample(NOTHING)), CRASHED, mean(KEEPS, sample(KEEPS))),
        [
            [
                (FIRST, FIRST, "first", "measured"),
                (SECOND, SECOND, "unknown", "crashed"),
                (THIRD, THIRD, "changed", "measured"),
            ]
        ],
    ),
    "no case of its own is a gap": (
        (mean(KEEPS, sample(NOTHING)), mean(KEEPS), mean(KEEPS, sample(KEEPS))),
        [
            [
                (FIRST, FIRST, "first", "measured"),
                (SECOND, SECOND, "unknown", "no such case"),
                (THIRD, THIRD, "changed", "measured"),
            ]
        ],
    ),
    "first sampled after the reference changed": (
        (mean(KEEPS), mean(NOTHING, sample(KEEPS)), mean(NOTHING, sample(KEEPS))),
        [],
    ),
    "differentiable from now on, as the reference": (
        (FLAT, mean(KEEPS, sample(KEEPS)), mean(KEEPS, sample(KEEPS))),
        [],
    ),
    "extra bytes alone": (
        (
            mean(KEEPS, sample(KEEPS, extra=8)),
            mean(KEEPS, sample(KEEPS, extra=16)),
            mean(KEEPS, sample(KEEPS, extra=8)),
        ),
        [BACK],
    ),
}


def of_ops(*records: OpRecord | None) -> History:
    catalogues = [
        released(release, *(() if one is None else (one,)))
        for release, one in zip(RELEASES, records, strict=False)
    ]
    return history(catalogues)


def further(*records: OpRecord | None) -> tuple[Timeline, ...]:
    reference, *told = of_ops(*records).ops["torch.mean"]
    assert (reference.followed.of, reference.followed.mask) == ("reference", None)
    return tuple(told)


def spans(timeline: Timeline) -> list[Told]:
    return [(one.since, one.until, one.step, one.state) for one in timeline.spans]


@pytest.mark.parametrize(("records", "expected"), STORIES.values(), ids=STORIES)
def test_stories(records: tuple[OpRecord | None, ...], expected: list[list[Told]]) -> None:
    assert [spans(one) for one in further(*records)] == expected


def test_calls_that_changed_alike_are_counted() -> None:
    records, _ = STORIES["two calls with one story are told once"]
    (told,) = further(*records)
    assert told.alike == 1
    assert notes_of(told, of_ops(*records)) == (
        "1 other call or grad mask changed in the same way.",
    )


def scalar(graph: PolicyNode, text: str) -> tuple[Case, PolicyNode]:
    case, _ = sample(graph, text)
    argument = tiny_calls.argument("input")
    return msgspec.structs.replace(case, arguments=(argument,), samples={"float32": 4}), graph


def test_a_story_is_headed_by_the_plainest_sample() -> None:
    flat, matrix = "torch.mean(input, 0)", TWO
    records = [
        mean(KEEPS, scalar(graph, flat), sample(graph, matrix)) for graph in (NOTHING, KEEPS)
    ]
    (told,) = further(*records)
    assert (title_of(told.followed), told.alike) == (f"For `{TWO}`", 1)


def test_a_text_names_a_sample_where_no_other_call_is_written_so() -> None:
    (told,) = further(*(mean(KEEPS, scalar(graph, TWO)) for graph in (NOTHING, KEEPS)))
    assert title_of(told.followed) == f"For `{TWO}`"
    (note,) = notes_of(told, of_ops(mean(KEEPS)))
    assert note.startswith("Measured on one sample with input: 0-dim: the first of 4 float32")
    written_so = [
        mean(KEEPS, scalar(graph, TWO), sample(NOTHING, TWO)) for graph in (NOTHING, KEEPS)
    ]
    (told,) = further(*written_so)
    assert title_of(told.followed) == f"For `{TWO}` with input: 0-dim"
    assert notes_of(told, of_ops(mean(KEEPS)))[0].startswith("Measured on one sample: the first")


def test_an_entry_that_failed_is_why_there_is_no_case() -> None:
    entry = OpInfoEntry(name="mean", state="timed out", reason="after 60 s")
    gap = msgspec.structs.replace(mean(KEEPS), entries=(entry,))
    (told,) = further(mean(KEEPS, sample(NOTHING)), gap, mean(KEEPS, sample(KEEPS)))
    assert (told.spans[1].state, told.spans[1].reason) == ("timed out", "after 60 s")


def masked(*masks: tuple[tuple[str, ...], bool]) -> OpRecord:
    """A reference call under several masks, each of which keeps the input or nothing."""
    plain = op(KEEPS, NOTHING, storage=8)
    (reference,) = plain.references
    one = reference.measurements[0]
    measured = tuple(
        msgspec.structs.replace(
            one, mask=mask, policy=0 if kept else 1, storage_bytes=BYTES if kept else 0
        )
        for mask, kept in masks
    )
    return msgspec.structs.replace(
        plain,
        policies=((0,), (1,)),
        references=(msgspec.structs.replace(reference, measurements=measured),),
    )


def test_a_mask_of_the_reference_that_changed_alone_is_told() -> None:
    before = masked((("input", "other"), True), (("input",), True), (("other",), True))
    after = masked((("input", "other"), True), (("input",), False), (("other",), True))
    (told,) = further(before, after, after)
    assert title_of(told.followed) == "When only `input` requires grad"
    assert [one.step for one in told.spans] == ["first", "changed"]


def test_a_mask_that_changed_as_the_widest_is_not() -> None:
    before = masked((("input", "other"), True), (("input",), True))
    after = masked((("input", "other"), False), (("input",), False))
    assert further(before, after, after) == ()


def in_place(graph: PolicyNode, extra: int) -> OpRecord:
    record = mean(graph)
    one = msgspec.structs.replace(record.references[0].measurements[0], extra_bytes=extra)
    spelled = Variant(
        name="torch.Tensor.mean_", relation="in-place", call="input.mean_()", measurement=one
    )
    return msgspec.structs.replace(record, variants=(spelled,))


def test_a_spelling_that_changed_alone_is_told() -> None:
    (told,) = further(in_place(KEEPS, 0), in_place(KEEPS, 8), in_place(KEEPS, 8))
    assert title_of(told.followed) == "For `torch.Tensor.mean_`"


@pytest.mark.parametrize("graphs", [(KEEPS, NOTHING, NOTHING), (NOTHING, KEEPS, NOTHING)])
def test_a_spelling_that_changed_as_the_reference_is_not(graphs: tuple[PolicyNode, ...]) -> None:
    assert further(*(in_place(one, 0) for one in graphs)) == ()


def said(release: str, *records: OpRecord | None) -> str:
    (told,) = further(*records)
    return answer(told, "op", RELEASES, release).text


def test_the_words_of_a_sample() -> None:
    records = STORIES["changed while the reference did not"][0]
    (told,) = further(*records)
    assert title_of(told.followed) == f"For `{WHOLE}` with input: 5 × 5"
    nothing = "keeps nothing."
    assert said(THIRD, *records) == f"Since {THIRD}: {nothing} {SECOND}: keeps `input` (100 bytes)."
    assert said(SECOND, *records) == (
        f"In {SECOND}: keeps `input` (100 bytes). {FIRST}: {nothing} From {THIRD} on: {nothing}"
    )


def test_a_sample_that_asks_for_another_mask_is_another_call() -> None:
    case, graph = sample(NOTHING)
    (one,) = case.measurements
    other = msgspec.structs.replace(one, mask=("input", "dim"))
    for mask, followed in ((one, ["reference", "case"]), (other, ["reference"])):
        now = msgspec.structs.replace(case, measurements=(mask,))
        told = of_ops(mean(KEEPS, sample(KEEPS)), mean(KEEPS, (now, graph))).ops["torch.mean"]
        assert [timeline.followed.of for timeline in told] == followed


def test_a_sample_without_dimensions_says_so() -> None:
    argument = tiny_calls.argument("input")
    followed = Followed(
        of="case", sample=SampleCall(entry="mean", text=WHOLE, arguments=(argument,))
    )
    assert title_of(followed) == f"For `{WHOLE}` with input: 0-dim"


def test_a_change_that_reads_the_same_is_not_told_twice() -> None:
    (told,) = of_ops(mean(KEEPS), op(OTHER_NODE, storage=8)).ops["torch.mean"]
    said = answer(told, "op", RELEASES[:2], SECOND).text
    assert said == (
        f"Since {SECOND}: keeps `input` (8 bytes). {FIRST}: the same, through `MeanBackward0`"
        " instead of `OtherBackward0`."
    )


def test_a_change_that_reads_the_same_names_the_nodes() -> None:
    (told,) = of_ops(mean(KEEPS), op(OTHER_NODE, storage=8)).ops["torch.mean"]
    assert remarks(told) == ("", "changed: more `OtherBackward0`, fewer `MeanBackward0`")


def listed(known: History) -> list[Any]:
    return [one.release for one in others(known, Plain()).get(("op", "torch.mean"), ())]


def test_what_a_timeline_tells_is_not_among_the_others() -> None:
    assert listed(of_ops(*STORIES["changed while the reference did not"][0])) == []
    assert listed(of_ops(*STORIES["other nodes that hold the same"][0])) == [SECOND]


def told_between(*records: OpRecord) -> list[tuple[str, ...]]:
    """What the difference of two releases says of calls: kept, or not comparable, and why."""
    (told,) = of_ops(*records).differences
    kept = [one for one in told.findings if isinstance(one, Kept)]
    unlike = [one for one in told.findings if isinstance(one, Incomparable)]
    return [
        *(("kept", record.call.text) for one in kept for record in one.records),
        *((one.old, one.new) for one in unlike),
    ]


def test_the_difference_of_neighbours_pairs_samples_as_timelines_do() -> None:
    before = mean(KEEPS, sample(KEEPS, rows=3), sample(NOTHING))
    assert told_between(before, mean(KEEPS, sample(KEEPS))) == [("kept", WHOLE)]
    assert told_between(before, mean(KEEPS, sample(NOTHING))) == []
    assert told_between(before, mean(KEEPS, sample(NOTHING, rows=4))) == [("other arguments",) * 2]


@pytest.mark.parametrize(
    "name", ["samples that look alike", "an argument of which the class alone is known"]
)
def test_the_difference_says_nothing_of_look_alikes(name: str) -> None:
    before, after, *_ = STORIES[name][0]
    assert before is not None
    assert after is not None
    assert told_between(before, after) == [("look-alikes", "look-alikes")]


def test_modes_of_which_the_same_is_told_are_told_together() -> None:
    linear = tiny_modules.linear()
    train, evaluating = (
        msgspec.structs.replace(linear.references[0], mode=mode, setup=f"{mode}")
        for mode in ("train", "eval")
    )
    two = msgspec.structs.replace(linear, references=(train, evaluating))
    (told,) = history(
        [released(FIRST, linear), released(SECOND, two), released(THIRD, linear)]
    ).modules[linear.name]
    assert told.followed == Followed(of="reference")
    lighter = msgspec.structs.replace(train.measurements[0], storage_bytes=1)
    apart = msgspec.structs.replace(
        linear, references=(msgspec.structs.replace(train, measurements=(lighter,)), evaluating)
    )
    modes = history([released(FIRST, two), released(SECOND, apart)]).modules[linear.name]
    assert [one.followed.mode for one in modes] == ["train", "eval"]
