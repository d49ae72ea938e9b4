from msgspec.structs import replace

from generator.catalogue.model.reads import Reads
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.review.layout import TextPage
from generator.review.page import text_page
from tests.fixtures import tiny_reads, tiny_writes


def page_of(small: Catalogue, op: OpRecord) -> TextPage:
    return text_page(small.header, op)


def test_the_answer_goes_on_and_the_error_is_quoted(small: Catalogue) -> None:
    page = page_of(small, tiny_reads.split(small.ops["torch.exp"]))
    rows = next(one for one in page.tables if one.title.startswith("May I write")).rows
    assert rows[0][1] == "fine, but reading an output afterwards raises"
    assert rows[1][-1] == "under no_grad fine, but reading an output afterwards raises"
    said = dict(page.facts)["outputs read after a write"]
    assert said == f"written to input, output 0: {tiny_reads.READ}"
    assert "what follows but" in dict(page.legend)["then"]


def test_what_ends_alike_and_what_was_not_measured_are_told_apart(small: Catalogue) -> None:
    exp = small.ops["torch.exp"]
    alike = page_of(small, replace(exp, reads=tiny_writes.exp_reads()))
    assert "nothing else raised or was wrong" in dict(alike.legend)["then"]
    assert "outputs read after a write" not in dict(alike.facts)
    assert "reading them after it was not measured" in dict(page_of(small, exp).legend)["then"]
    failed = page_of(small, replace(exp, reads=Reads(reason="it crashed")))
    assert dict(failed.facts)["no output read after a write"] == "it crashed"
