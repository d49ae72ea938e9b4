"""What the published history says of records, read as its own description tells."""

import json
from typing import Any

from generator.catalogue.history.timelines import history
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.pages.published_history import FIELDS, published_history
from tests.fixtures import tiny_calls, tiny_history, tiny_ops
from tests.fixtures.findings import UNSEEN_OUTPUT
from tests.fixtures.tiny_cases import KEEPS, NOTHING, mean, sample
from tests.fixtures.tiny_releases import INPUT, node, op, released, type_of

RELEASES = ("2.0.1", "2.2.2", "2.6.0", "2.7.1")
EXP = tiny_ops.exp()
CRASHED = OpRecord(name="torch.mean", state="crashed", reason="signal 11")


def published(*catalogues: Catalogue) -> Any:
    return json.loads(published_history(history(catalogues, tiny_history.DATES)))


def measured(*records: Any) -> Any:
    """Publish releases that each have one of the records, or none where that is None."""
    each = zip(RELEASES, records, strict=False)
    return published(*(released(release, *([one] if one else [])) for release, one in each))


def spans(file: Any, name: str = "torch.mean") -> list[list[Any]]:
    """The spans of an op, with texts in the place of their numbers."""
    (found,) = (one for title, *_, one in file["ops"] if title == name)
    texts = file["texts"]
    return [
        [span[0], texts[span[1]], *span[2:4], *(texts[place] for place in span[4:5]), *span[5:7]]
        for span in found
    ]


def test_a_record_that_comes_back_to_what_it_kept_is_numbered_as_before() -> None:
    nothing, input_kept = op(node("A")), op(node("A", INPUT), storage=8)
    assert spans(measured(nothing, input_kept, nothing)) == [
        [0, "measured", 0, 0, "nothing", 0, 0],
        [1, "measured", 0, 1, "`input`", 8, 0],
        [2, "measured", 0, 0, "nothing", 0, 0],
    ]


def test_what_says_nothing_ends_after_its_state() -> None:
    assert spans(measured(None, CRASHED, op(node("A")), None)) == [
        [0, "absent"],
        [1, "crashed"],
        [2, "measured", 0, 0, "nothing", 0, 0],
        [3, "absent"],
    ]


def test_another_dtype_of_the_same_bytes_is_another_policy() -> None:
    before, after = (op(node("A", INPUT), storage=8, dtype=dtype) for dtype in ("float32", "int32"))
    assert [span[3] for span in spans(measured(before, after))] == [0, 1]


def test_a_call_that_cannot_be_compared_has_another_number() -> None:
    other = tiny_calls.reference(
        "torch.mean(input, dim=0)",
        ("input",),
        prints="",
        measurements=op(node("A")).references[0].measurements,
        edges=(),
    )
    after = OpRecord(
        name="torch.mean",
        state="measured",
        nodes=op(node("A")).nodes,
        policies=((0,),),
        references=(other,),
    )
    assert [span[2] for span in spans(measured(op(node("A")), after))] == [0, 1]


def test_an_attribute_by_another_name_is_the_same_policy() -> None:
    file = published(
        released("2.0.1", type_of("A", "_saved_ouput"), op(node("A"))),
        released("2.2.2", type_of("A", "_saved_output"), op(node("A"))),
    )
    assert len(spans(file)) == 1
    texts = file["texts"]
    ((first, second),) = file["nodes"]
    assert [texts[one[3]] for one in (first, second)] == ["_saved_ouput", "_saved_output"]
    assert {texts[one[2]] for one in (first, second)} == {"A"}


def test_each_node_type_is_listed_once_whatever_its_names() -> None:
    file = published(
        released("2.0.1", type_of("OldBackward0", overload="aten::one")),
        released("2.2.2", type_of("NewBackward0", overload="aten::one")),
    )
    (found,) = file["nodes"]
    assert [file["texts"][one[2]] for one in found] == ["OldBackward0", "NewBackward0"]


def test_releases_have_their_dates_and_the_file_says_what_its_lists_hold() -> None:
    file = published(released("2.0.1", EXP), released("2.6.0", EXP))
    assert file["releases"] == [["2.0.1", "2023-05-08", "full"], ["2.6.0", None, "full"]]
    assert file["fields"] == FIELDS
    assert len(file["releases"][0]) == len(FIELDS["releases"])
    assert len(file["ops"][0]) == len(FIELDS["records"])
    assert len(file["ops"][0][3][0]) == len(FIELDS["spans"])
    assert "not differentiable" in file["conclusive"]


def test_the_same_history_is_the_same_file() -> None:
    known = tiny_history.past()
    assert published_history(known) == published_history(known)


def test_a_span_counts_the_nodes_of_its_graph() -> None:
    file = measured(op(node("A"), node("A"), node("B")))
    ((_, _, _, ((*_, nodes),)),) = file["ops"]
    assert file["texts"][nodes] == "A*2 B*1"


def test_what_a_release_changed_besides_is_named_with_it() -> None:
    error = "which is output 0 of {}, is at version 1; expected version 0 instead."
    file = published(
        released("2.0.1", EXP, type_of("A", error=error.format("AbsBackward0"))),
        released("2.2.2", EXP, type_of("A", error=error.format("Abs"))),
        released("2.6.0", UNSEEN_OUTPUT, type_of("A", error=error.format("Abs"))),
    )
    assert file["steps"] == [
        {"writes": [], "errors": 1, "backward": []},
        {"writes": ["torch.exp"], "errors": 0, "backward": []},
    ]


def test_other_calls_that_are_told_are_named() -> None:
    file = published(
        released("2.0.1", mean(KEEPS, sample(NOTHING))),
        released("2.2.2", mean(KEEPS, sample(KEEPS))),
    )
    calls = [(name, mode, call) for name, mode, call, _ in file["ops"]]
    assert calls == [
        ("torch.mean", None, None),
        ("torch.mean", None, "For `torch.mean(input)` with input: 5 × 5"),
    ]
