"""The pages about releases: what they count, how they order it, and where they lead."""

from typing import Any

import pytest
from msgspec.structs import replace

from generator.catalogue.history.timelines import history
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.pages.changes_page import changes_page
from generator.pages.pair_page import pair_page
from generator.pages.release_page import ReleasePage, Since, release_pages
from generator.pages.releases_page import releases_page
from tests.fixtures import tiny, tiny_history, tiny_hookless, tiny_ops
from tests.fixtures.tiny_releases import INPUT, NEW, OLD, node, op, released, type_of

EXP = tiny_ops.exp()


def pages(catalogue: Catalogue, known: History) -> dict[str, ReleasePage]:
    return dict(release_pages(catalogue, known))


def since(before: list[Any], after: list[Any]) -> Since:
    """What the page of the newer of two releases says, in its own site."""
    old, new = released(OLD, *before), released(NEW, *after)
    found = pages(new, history([old, new], tiny_history.DATES))[NEW].since
    assert found
    return found


def test_savings_and_regressions_are_told_apart_and_the_largest_come_first() -> None:
    told = since(
        [
            op(node("A"), name="torch.a", storage=10, extra=10),
            op(node("A"), name="torch.b", storage=90, extra=90),
            op(node("A"), name="torch.c"),
            op(node("A", INPUT), name="torch.d"),
        ],
        [
            op(node("A"), name="torch.a"),
            op(node("A"), name="torch.b"),
            op(node("A"), name="torch.c", storage=7, extra=7),
            op(node("A"), name="torch.d"),
        ],
    )
    assert [(row.link.text, row.change) for row in told.savings] == [
        ("torch.b", "-90"),
        ("torch.a", "-10"),
    ]
    assert [(row.link.text, row.old_extra, row.new_extra) for row in told.regressions] == [
        ("torch.c", "0", "7")
    ]


def test_a_sentence_counts_records_by_how_they_weigh_now() -> None:
    before = [op(node("A", INPUT)), op(node("A"), name="torch.c")]
    after = [op(node("A")), op(node("A"), name="torch.c", storage=7, extra=7)]
    old, new = released(OLD, *before), released(NEW, *after)
    page = pages(new, history([old, new], tiny_history.DATES))[NEW]
    assert str(page.claim) == (
        "2 ops keep something else or go through other nodes than in 2.0.1:"
        " 1 with more extra bytes, 1 with the same extra bytes."
    )


def test_records_that_differ_alike_are_one_line() -> None:
    names = [f"torch.op{number}" for number in range(5)]
    told = since(
        [op(node("A", INPUT), name=name) for name in names],
        [op(node("A"), name=name) for name in names],
    )
    (group,) = told.kept
    assert group.summary == "5 records"
    assert [row.link.text for row in group.rows] == names


def test_an_error_worded_otherwise_in_many_types_is_one_line() -> None:
    error = "which is output 0 of {}, is at version 1; expected version 0 instead."
    types = [f"Op{letter}Backward0" for letter in "ABCDEFGHIJ"]
    told = since(
        [type_of(name, error=error.format(name)) for name in types],
        [type_of(name, error=error.format(name.removesuffix("Backward0"))) for name in types],
    )
    (section,) = (one for one in told.sections if one.anchor == "errors")
    (finding,) = section.findings
    assert finding.folded
    assert finding.count == "10 records"


def test_a_page_leads_to_its_own_site_or_to_the_release_that_has_the_record() -> None:
    told = since([op(node("A", INPUT)), EXP], [op(node("A"))])
    assert told.kept[0].rows[0].link.href == "../../ops/torch.mean/"
    (section,) = (one for one in told.sections if one.anchor == "records")
    assert section.findings[0].members[0].link.href == f"../../../{OLD}/ops/torch.exp/"
    # The same release's page in the site of a release that lacks the op.
    page = pages(tiny.catalogue(), tiny_history.past())[NEW]
    assert page.since
    assert page.since.kept[0].rows[0].link.href == f"../../../{NEW}/ops/torch.mean/"


def test_code_and_signs_of_messages_are_escaped() -> None:
    told = since(
        [type_of("A", error="which is <b>output</b> of `x` -> y.")],
        [type_of("A", error="which is <i>output</i> of `x` -> y.")],
    )
    (section,) = (one for one in told.sections if one.anchor == "errors")
    said = str(section.findings[0].sentence)
    assert "<code>which is &lt;b&gt;output&lt;/b&gt; of `x` -&gt; y.</code>" in said


def test_the_oldest_release_is_compared_with_none() -> None:
    page = pages(tiny.catalogue(), tiny_history.past())[OLD]
    assert page.since is None
    assert "oldest" in page.claim


def test_the_index_lists_the_newest_first_with_counts_of_both_kinds() -> None:
    page = releases_page(tiny_history.past())
    assert [row.link.text for row in page.rows] == ["2.13.0", "2.2.2", "2.0.1"]
    assert [row.changed for row in page.rows] == ["0", "1", ""]
    assert [row.published for row in page.rows] == ["2026-07-08", "2024-03-27", "2023-05-08"]
    assert [row.depth for row in page.rows] == ["full", "history", "history"]
    assert page.chart
    assert "1 in 2.2.2, 0 in 2.13.0" in page.chart.description


@pytest.fixture
def alone() -> History:
    return history([tiny.catalogue()], tiny_history.DATES)


def test_a_single_release_reads_naturally(alone: History) -> None:
    index = releases_page(alone)
    assert index.chart is None
    assert index.introduction.startswith("One release was measured so far: PyTorch 2.13.0.")
    changes = changes_page(tiny.catalogue(), alone)
    assert changes.rows == ()
    assert changes.nothing.startswith("Only one release was measured so far")
    pair = pair_page(tiny.catalogue(), alone)
    assert pair.alone
    assert pair.alone.href == "../2.13.0/"


def test_a_release_whose_date_is_not_known_says_so() -> None:
    page = releases_page(history([tiny.catalogue()], {}))
    assert page.rows[0].published == "date not known"


def test_all_changes_are_listed_newest_first_with_their_effect() -> None:
    steps = [(OLD, 0), (NEW, 8), ("2.6.0", 2)]
    catalogues = [
        released(release, op(node("A"), storage=extra, extra=extra)) for release, extra in steps
    ]
    page = changes_page(catalogues[-1], history(catalogues, tiny_history.DATES))
    assert [(row.release.text, row.since, row.effect) for row in page.rows] == [
        ("2.6.0", NEW, "fewer extra bytes"),
        (NEW, OLD, "more extra bytes"),
    ]
    assert [row.kept.change for row in page.rows] == ["-6", "+8"]


def test_releases_that_keep_the_same_have_no_changes() -> None:
    catalogues = [released(OLD, EXP), released(NEW, EXP)]
    page = changes_page(catalogues[-1], history(catalogues, tiny_history.DATES))
    assert page.rows == ()
    assert page.nothing == "Every call that was measured keeps the same in all releases."


def test_two_releases_are_offered_at_first_the_two_newest() -> None:
    page = pair_page(tiny.catalogue(), tiny_history.past())
    chosen = [(one.release, one.is_from, one.is_to) for one in page.choices]
    assert chosen == [("2.13.0", False, True), ("2.2.2", True, False), ("2.0.1", False, False)]


def test_what_was_measured_of_a_release_is_told() -> None:
    page = pages(tiny.catalogue(), tiny_history.past())["2.13.0"]
    told = {one.label: one.text for one in page.facts}
    assert told["published"] == "2026-07-08"
    assert told["depth"] == "full"
    assert told["ops measured"] == str(
        sum(one.state == "measured" for one in tiny.catalogue().ops.values())
    )
    shallow = replace(tiny_history.past().releases[0], counts={})
    known = replace(tiny_history.past(), releases=(shallow, *tiny_history.past().releases[1:]))
    assert "ops measured" not in {one.label for one in pages(tiny.catalogue(), known)[OLD].facts}


def test_a_release_without_hooks_says_that_nothing_was_tried_under_them() -> None:
    old = tiny_hookless.catalogue(OLD)
    facts = pages(old, history([old]))[OLD].facts
    assert f"not tried: {tiny_hookless.WHY}" in {one.text for one in facts}
