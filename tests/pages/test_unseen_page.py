"""The page of kinds of write, on the small catalogue."""

from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.unseen import WriteEnd
from generator.pages.unseen_page import unseen_page
from tests.fixtures import tiny_hookless


def test_kinds_are_divided_by_whether_something_raised(small: Catalogue) -> None:
    page = unseen_page(small)
    (unseen,), (seen,) = page.unseen, page.seen
    assert (unseen.link.text, unseen.versions, unseen.plain.text) == (
        *("tensor.data", "0 → 0"),
        "silently wrong",
    )
    assert (unseen.error, unseen.hooked_error) == ("0.333", "0.333")
    assert (seen.link.text, seen.versions, seen.plain.text, seen.error) == (
        *("tensor.add_", "0 → 1"),
        *("backward raises", ""),
    )


def test_a_write_that_raised_itself_was_neither_seen_nor_unseen(small: Catalogue) -> None:
    refused = replace(small.writes["tensor.add_"], plain=WriteEnd("refused", "RuntimeError: no"))
    page = unseen_page(replace(small, writes={"tensor.add_": refused}))
    assert (page.unseen, page.seen) == ((), ())
    assert [row.plain.text for row in page.refused] == ["refused"]


def test_a_dotted_name_is_no_sentence_to_begin_in_upper_case(small: Catalogue) -> None:
    seen = small.writes["tensor.add_"]
    families = {"one": "torch.autograd.Function", "two": "raw storage"}
    writes = {name: replace(seen, name=name, family=family) for name, family in families.items()}
    page = unseen_page(replace(small, writes=writes))
    assert [one.heading for one in page.families] == ["Raw storage", "torch.autograd.Function"]


def test_what_a_release_lacks_is_listed_with_its_reason(small: Catalogue) -> None:
    (lacking,) = unseen_page(small).unmeasured
    assert lacking.link.text == "torch.optim.SGD(fused=True).step"
    assert "'fused'" in lacking.reason


def test_the_summary_counts_what_was_measured(small: Catalogue) -> None:
    assert unseen_page(small).summary.startswith(
        "Of 2 kinds of write to a tensor that backward needs, 1 went unseen: "
        "1 left a wrong gradient and no error, and 1 did not move the version counter."
    )
    assert unseen_page(replace(small, writes={})).summary == (
        "No kind of write was tried in this build."
    )


def test_every_row_leads_to_its_program(small: Catalogue) -> None:
    page = unseen_page(small)
    anchors = {f"#{kind.anchor}" for family in page.families for kind in family.kinds}
    rows = (*page.unseen, *page.seen, *page.unmeasured)
    assert {row.link.href for row in rows} == anchors
    assert len(anchors) == len(rows)
    programs = {kind.name: kind.program for family in page.families for kind in family.kinds}
    shown = programs["tensor.data"]
    assert shown is not None
    assert "        tensor.data.add_(1)" in shown.program
    assert shown.printed.splitlines()[:2] == [
        "version counter: 0 before the write, 0 after it",
        "no hooks: silently wrong",
    ]


def test_without_hooks_no_column_is_shown_of_them() -> None:
    page = unseen_page(tiny_hookless.catalogue())
    assert not page.with_hooks
    assert page.summary.endswith("no saved-tensor hooks: nothing was tried under any.")
    assert {row.hooked for row in (*page.unseen, *page.seen)} == {None}
