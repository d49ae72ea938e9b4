"""What the pages say of outputs read after a write."""

from msgspec.structs import replace

from generator.catalogue.model.reads import Reads
from generator.catalogue.model.records import Catalogue
from generator.pages.reads import read_note, reads_view
from generator.pages.writes import writes_view
from generator.pages.writes_page import writes_page
from tests.fixtures import tiny_reads, tiny_writes

ROOT = "../../"


def test_the_answer_goes_on_where_reading_ends_otherwise(small: Catalogue) -> None:
    view = writes_view(small.header, tiny_reads.split(small.ops["torch.exp"]), ROOT)
    assert view is not None
    written, refused = view.answers
    assert written.read is not None
    assert (written.word.text, written.read.text, written.read.tone) == (
        "fine",
        "reading an output afterwards raises",
        "raises",
    )
    assert refused.read is None


def test_the_ends_and_the_error_are_shown_verbatim(small: Catalogue) -> None:
    view = reads_view(small.header, tiny_reads.split(small.ops["torch.exp"]))
    assert view is not None
    assert [[word.text for word in row.words] for row in view.rows] == [
        ["read raises", "read raises", "read raises", "runs"],
        ["not read", "not read", "read raises", "runs"],
    ]
    (message,) = view.messages
    assert (message.text, [chip.text for chip in message.chips]) == (
        tiny_reads.READ,
        ["input", "output 0"],
    )
    assert message.when == "After the write, reading an output raised:"


def test_a_wrong_gradient_has_its_error_and_no_message(small: Catalogue) -> None:
    view = reads_view(small.header, tiny_reads.unsafe(small.ops["torch.exp"]))
    assert view is not None
    assert [(row.words[0].tone, row.error) for row in view.rows] == [("wrong", "3.41")]
    assert view.messages == ()


def test_what_ends_alike_is_said_in_a_sentence(small: Catalogue) -> None:
    exp = replace(small.ops["torch.exp"], reads=tiny_writes.exp_reads())
    assert reads_view(small.header, exp) is None
    assert "nothing else raised or was wrong" in read_note(exp, ROOT).text


def test_what_was_not_measured_is_not_claimed(small: Catalogue) -> None:
    exp = small.ops["torch.exp"]
    note = read_note(exp, ROOT)
    assert "was not measured: it may be refused" in note.text
    assert note.link is not None
    why = read_note(replace(exp, reads=Reads(reason="it crashed.")), ROOT)
    assert "was not measured (it crashed):" in why.text
    assert reads_view(small.header, exp) is None


def test_the_page_of_all_ops_lists_them_and_does_not_call_them_fine_alone(
    small: Catalogue,
) -> None:
    before = writes_page(small)
    assert (before.reads, before.reads_count) == ((), "")
    exp = small.ops["torch.exp"]
    page = writes_page(replace(small, ops={**small.ops, exp.name: tiny_reads.split(exp)}))
    assert page.reads_count == "1 of 1 op"
    assert [str(one.said) for one in page.reads] == [
        "reading an output afterwards raises: in place, through a view, under no_grad",
        "reading an output afterwards raises: under no_grad",
    ]
    (row,) = [one for one in page.rows if one.link.text == exp.name]
    assert row.inputs_key == "fine|reading an output afterwards raises"
    options = [one.value for group in page.filters[0].groups for one in group.options]
    assert "reading an output afterwards raises" in options
    assert before.summary.split("%")[0] != page.summary.split("%")[0]
