"""What the timelines of the committed catalogues must tell, known from elsewhere.

Each truth was seen in the releases themselves with a few lines of PyTorch, on float32. A release
that is not measured yet tells nothing; what it would tell is asked of those that are there.
"""

import re
from collections.abc import Callable, Iterable

import pytest
from packaging.version import Version

from generator.catalogue.history.others import others
from generator.catalogue.history.words import notes_of, said_of
from generator.catalogue.model.history import Followed, History, Keeping, Span, Timeline
from generator.review.diff import Plain

REFERENCE = Followed(of="reference")


@pytest.fixture(scope="module")
def known(whole_history: History) -> History:
    return whole_history


def at(timeline: Timeline, release: str) -> Span:
    """The span in which a release lies."""
    return next(
        one
        for one in timeline.spans
        if Version(one.since) <= Version(release) <= Version(one.until)
    )


def kept(timeline: Timeline, history: History) -> dict[str, tuple[str, ...]]:
    """What each release keeps, as far as it was measured."""
    found = {one.release: at(timeline, one.release).said for one in history.releases}
    return {release: said.roles for release, said in found.items() if isinstance(said, Keeping)}


def follows(timelines: Iterable[Timeline], text: str) -> Timeline:
    return next(
        one for one in timelines if one.followed.sample and one.followed.sample.text == text
    )


def expected(history: History, said: Callable[[Version], tuple[str, ...]]) -> dict[str, object]:
    return {one.release: said(Version(one.release)) for one in history.releases}


def test_the_mean_of_everything_keeps_its_input_in_two_releases(known: History) -> None:
    told = follows(known.ops["torch.mean"], "torch.mean(input)")
    between = (Version("2.0.1"), Version("2.1.2"))
    assert kept(told, known) == expected(
        known, lambda one: ("input input",) if between[0] <= one <= between[1] else ()
    )
    assert [(one.since, one.step) for one in told.spans][1:] == [
        ("2.0.1", "changed"),
        ("2.2.2", "changed"),
    ]


def test_embedding_keeps_its_weight_in_one_release(known: History) -> None:
    (told,) = known.ops["torch.nn.functional.embedding"]
    both = ("input input", "input weight")
    assert kept(told, known) == expected(
        known, lambda one: both if one == Version("1.13.1") else both[:1]
    )


@pytest.mark.parametrize(
    ("op", "last", "before"),
    [
        ("torch.nn.functional.relu", "1.9.1", ("input input",)),
        ("torch.softmax", "1.10.2", ("input input", "output")),
    ],
)
def test_an_op_keeps_its_output_alone_since_then(
    known: History, op: str, last: str, before: tuple[str, ...]
) -> None:
    told = known.ops[op][0]
    assert told.followed == REFERENCE
    assert kept(told, known) == expected(
        known, lambda one: before if one <= Version(last) else ("output",)
    )


def test_the_hidden_clone_of_an_in_place_spelling_has_a_timeline(known: History) -> None:
    """That of `hardtanh`; the tests of 1.9.1 have no `relu6`, so that it was not called there."""
    op = "torch.nn.functional.hardtanh"
    # Its two in-place spellings have one story, so that one of them tells it.
    spellings = {f"{op}_", f"{op}(inplace=True)"}
    told = [one for one in known.ops[op] if one.followed.variant in spellings]
    changed = [(span.since, span.step) for one in told for span in one.spans[1:]]
    older = Version(known.releases[0].release) < Version("1.10.2")
    assert changed == ([("1.10.2", "changed")] if older else [])


def test_lstm_is_one_node_from_2_0_on_and_lighter_from_2_11_on(known: History) -> None:
    for told in known.modules["torch.nn.LSTM"]:
        if told.followed.mask is not None or told.followed.of != "reference":
            continue
        for one in known.releases:
            said = at(told, one.release).said
            assert isinstance(said, Keeping)
            fused = any(node.type == "MkldnnRnnLayerBackward0" for node in said.nodes)
            assert fused == (Version(one.release) >= Version("2.0")), one.release
        older, newer = (at(told, release).said for release in ("2.10.0", "2.11.0"))
        assert isinstance(older, Keeping)
        assert isinstance(newer, Keeping)
        assert newer.bytes.extra < older.bytes.extra
        assert any("depends on the processor" in note for note in notes_of(told, known))


def test_the_attribute_of_attention_is_renamed_in_2_2(known: History) -> None:
    (told,) = known.nodes["ScaledDotProductFlashAttentionBackward0"]
    assert at(told, "2.2.2").step == "renamed"
    assert at(told, "2.2.2").since == "2.2.2"


def test_attention_on_cpu_goes_through_its_own_node_from_2_3_on(known: History) -> None:
    told = known.ops["torch.nn.functional.scaled_dot_product_attention"][0]
    for release in (one.release for one in known.releases if Version(one.release) >= Version("2")):
        said = at(told, release).said
        assert isinstance(said, Keeping)
        node = "ScaledDotProductFlashAttentionForCpuBackward0"
        fused = node in {one.type for one in said.nodes}
        assert fused == (Version(release) >= Version("2.3")), release


def test_errors_name_a_node_otherwise_from_2_13_on(known: History) -> None:
    told = others(known, Plain())["node", "ExpBackward0"]
    assert [
        one.release for one in told if "Backward0" in one.sentence and "output 0 of" in one.sentence
    ] == ["2.13.0"]


def test_a_node_that_shows_nothing_is_not_said_to_save_nothing(known: History) -> None:
    """Hooks see `base[:2].mul_(factor)` save two tensors; CopySlices hides the node that does."""
    (told,) = known.nodes["CopySlices"]
    for span in told.spans:
        assert said_of(span, "node") == "`CopySlices` has no saved attribute"


def test_an_example_of_a_wording_says_whose_it_is(known: History) -> None:
    (told,) = (
        one.sentence
        for one in others(known, Plain())["node", "ExpBackward0"]
        if one.release == "2.13.0" and "name the forward op" in one.sentence
    )
    example = re.search(r"that of (\S+) said .output \d of (\w+). and now says .output", told)
    assert example is not None, told
    # What the node of another record is called must not read as this node's own name.
    assert example[2] != "ExpBackward0"
    assert example[1].rpartition(".")[2].lower() in example[2].lower()


def test_a_call_is_told_besides_the_reference_only_where_it_changed(known: History) -> None:
    further = [
        one
        for each in (known.ops, known.modules)
        for timelines in each.values()
        for one in timelines
        if (one.followed.of, one.followed.mask) != ("reference", None)
    ]
    assert further
    for one in further:
        assert any(span.step == "changed" for span in one.spans), one.followed
