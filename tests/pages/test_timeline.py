"""What the pages say across releases, of three releases made by hand."""

import re
import xml.etree.ElementTree as ET

import pytest
from markupsafe import Markup

from generator.catalogue.history.timelines import history as fold
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.pages.other_changes import other_changes
from generator.pages.parts import Link
from generator.pages.timeline import LONGEST, AcrossView, Past
from tests.fixtures import tiny, tiny_history
from tests.fixtures.tiny_cases import KEEPS, NOTHING, mean, sample
from tests.fixtures.tiny_releases import NEW, OLD, released


def view(subject: str, name: str, release: str) -> AcrossView:
    history = tiny_history.past()
    return Past(history, other_changes(history, "../../"), release).view(subject, name)


def plain(text: Markup) -> str:
    return re.sub(r"<[^>]+>", "", str(text))


def test_one_release_says_that_it_is_the_only_one(small: Catalogue) -> None:
    told = tiny_history.alone(small).view("op", "torch.exp")
    assert [str(one.answer) for one in told.timelines] == [
        f"Measured in one release so far, {tiny.RELEASE}."
    ]
    assert told.badges == ()


def test_what_never_changed_is_one_sentence() -> None:
    (told,) = view("op", "torch.exp", NEW).timelines
    assert plain(told.answer).startswith(f"The same in all 3 measured releases, {OLD} to")
    assert "keeps its output" in plain(told.answer)
    assert told.rows == ()
    assert told.chart is None


def test_what_changed_is_told_from_the_release_of_the_page() -> None:
    now, before = (view("op", "torch.mean", release) for release in (NEW, OLD))
    assert [one.text for one in now.badges] == [f"changed in {NEW}"]
    (after, earlier) = (one.timelines[0] for one in (now, before))
    nothing = "keeps no tensor, only sizes and scalars."
    assert plain(after.answer) == f"In 2.2.2: {nothing} 2.0.1: keeps input (524,288 bytes)."
    assert plain(earlier.answer) == (
        "In every measured release up to 2.0.1: keeps input (524,288 bytes)."
        f" From 2.2.2 on: {nothing}"
    )
    assert [row.releases for row in after.rows] == [tiny.RELEASE, NEW, OLD]
    assert [row.releases for row in after.rows if row.here] == [NEW]
    assert [row.releases for row in earlier.rows if row.here] == [OLD]


def test_the_table_has_the_bytes_and_the_chart_says_the_same() -> None:
    told = view("op", "torch.mean", NEW).timelines[0]
    weights = {row.releases: row.storage for row in told.rows if row.storage}
    assert weights[NEW] == "0"
    assert weights[OLD] != "0"
    assert told.chart is not None
    drawn = ET.fromstring(told.chart)  # noqa: S314 - made here
    titles = [one.findtext("title") or "" for one in drawn.findall("g")]
    assert titles == [
        f"{OLD}: {weights[OLD]} bytes",
        f"{NEW}: 0 bytes",
        f"{tiny.RELEASE}: not measured",
    ]


@pytest.mark.parametrize("name", ["ScaledDotProductFlashAttentionBackward0"])
def test_a_node_whose_attribute_is_spelled_otherwise_is_renamed(name: str) -> None:
    told = view("node", name, NEW)
    assert [one.text for one in told.badges] == [f"renamed in {NEW}"]
    assert "_saved_ouput" in plain(told.timelines[0].answer)


def test_wording_of_an_error_is_among_the_other_changes() -> None:
    said = [plain(one.sentence) for one in view("node", "ExpBackward0", tiny.RELEASE).others]
    assert any("ExpBackward0" in one for one in said)


def test_where_the_processor_counts_it_is_said(catalogues: dict[str, Catalogue]) -> None:
    newest = [catalogues[release] for release in ("2.10.0", "2.11.0")]
    told = Past(fold(newest), {}, "2.11.0")
    lstm, linear = (told.view("module", f"torch.nn.{name}") for name in ("LSTM", "Linear"))
    assert all("depends on the processor" in one.note for one in lstm.timelines)
    assert not any("processor" in one.note for one in linear.timelines)


def test_other_calls_have_badges_and_a_page_has_room_for_some() -> None:
    grown = [
        mean(NOTHING, *(sample(KEEPS if place > rows else NOTHING, rows=rows) for rows in range(6)))
        for place in range(7)
    ]
    releases = [f"2.{minor}.0" for minor in range(7)]
    known = fold([released(*one) for one in zip(releases, grown, strict=True)])
    told = Past(known, {}, releases[-1]).view("op", "torch.mean")
    assert [one.text for one in told.badges][:2] == [
        "other calls changed in 2.6.0",
        "other calls changed in 2.5.0",
    ]
    assert len(told.timelines) == LONGEST
    assert plain(told.more) == (
        "3 more calls changed in other ways: tapekept show torch.mean --history."
    )
    assert all(one.chart is None for one in told.timelines[1:])


def test_a_page_that_is_less_deep_leads_to_the_deeper_one_where_that_was_measured(
    whole_history: History, catalogues: dict[str, Catalogue]
) -> None:
    depths = {release: one.header.depth for release, one in catalogues.items()}
    deep = [release for release, depth in depths.items() if depth == "full"][-1]
    other = next(release for release, depth in depths.items() if depth == "history")

    def deeper(subject: str, name: str, release: str) -> Link | None:
        return Past(whole_history, {}, release).view(subject, name).deeper

    expected = Link(f"PyTorch {deep}", f"../../../{deep}/ops/torch.exp/")
    assert deeper("op", "torch.exp", other) == expected
    assert deeper("op", "torch.exp", deep) is None
    assert deeper("node", "ExpBackward0", other) is None
    gone = next(
        name
        for release, one in catalogues.items()
        for name, op in one.ops.items()
        if release != deep and op.state == "measured" and name not in catalogues[deep].ops
    )
    assert deeper("op", gone, other) is None
