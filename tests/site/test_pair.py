"""Comparing two releases in a browser, on a site of hand-made releases that needs no build."""

import functools
import re
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from generator.catalogue.history.timelines import history
from generator.catalogue.model.history import History
from generator.catalogue.model.records import OpRecord
from generator.pages.markup import environment
from generator.pages.pair_page import pair_page
from generator.pages.published_history import published_history
from generator.pages.render import render
from tests.fixtures import tiny_history, tiny_ops
from tests.fixtures.tiny_cases import KEEPS as KEPT
from tests.fixtures.tiny_cases import NOTHING as LOST
from tests.fixtures.tiny_cases import mean, sample
from tests.fixtures.tiny_releases import INPUT, MIB_HALF, node, op, released, type_of
from tests.site.conftest import QuietHandler

CRASHED = OpRecord(name="torch.abs", state="crashed", reason="signal 11")
NOTHING, KEEPS = op(node("MeanBackward0")), op(node("MeanBackward0", INPUT), storage=MIB_HALF)
HEAVY = op(node("A"), name="torch.std", storage=12, extra=12)
LIGHT = op(node("A"), name="torch.std", storage=4, extra=4)
ERROR = "which is output 0 of {}, is at version 1; expected version 0 instead."
NEW_TYPE = type_of("NewBackward0", error=ERROR.format("NewBackward0"))
REWORDED = type_of("NewBackward0", error=ERROR.format("New"))
CATALOGUES = (
    released("1.13.1", NOTHING, LIGHT, op(node("B"), name="torch.abs"), type_of("OldBackward0")),
    released("2.0.1", KEEPS, LIGHT, CRASHED, NEW_TYPE, tiny_ops.exp()),
    released("2.2.2", NOTHING, HEAVY, op(node("B"), name="torch.abs"), REWORDED),
    released("2.6.0", NOTHING, HEAVY, op(node("C"), name="torch.abs"), REWORDED),
    released("2.7.1", mean(LOST, sample(LOST)), HEAVY),
    released("2.8.0", mean(LOST, sample(KEPT)), HEAVY),
)


@pytest.fixture(scope="module")
def known() -> History:
    return history(CATALOGUES, tiny_history.DATES)


@pytest.fixture(scope="module")
def address(root: Path, known: History, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page in the site of 2.2.2, served on this machine."""
    site = tmp_path_factory.mktemp("pair")
    folder = site / "2.2.2" / "releases" / "compare"
    folder.mkdir(parents=True)
    (site / "2.2.2" / "downloads").mkdir()
    (site / "2.2.2" / "downloads" / "history.json").write_bytes(published_history(known))
    script = (root / "docs" / "assets" / "compare.js").read_text(encoding="utf-8")
    (folder / "compare.js").write_text(script, encoding="utf-8")
    jinja = environment(root / "site_templates")
    page = render(jinja, "pair.md.jinja", pair_page(CATALOGUES[2], known))
    body = page.partition("# Compare two releases")[2]
    (folder / "index.html").write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><link rel=icon href=data:,><body>{body}"
        "<script src=compare.js></script></body></html>",
        encoding="utf-8",
    )
    handler = functools.partial(QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/2.2.2/releases/compare/"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def rows(page: Page) -> list[list[str]]:
    return [
        [cell.inner_text() for cell in row.locator("th, td").all()]
        for row in page.locator("#tk-pair-result tbody tr").all()
    ]


def said(page: Page) -> str:
    return page.locator("#tk-pair-said").inner_text()


def test_the_address_names_both_releases(page: Page, address: str) -> None:
    page.goto(f"{address}?from=1.13.1&to=2.0.1")
    expect(page.locator("#tk-pair-said")).to_contain_text(
        "From 1.13.1 to 2.0.1, 1 call of 1 record keeps"
    )
    assert rows(page) == [["torch.mean", "nothing", "input", "0", "0", "0 → 524,288"]]
    assert page.locator("#tk-pair-result").get_by_text("tapekept diff 1.13.1 2.0.1").count() == 1


def test_direction_is_that_of_the_address(page: Page, address: str) -> None:
    page.goto(f"{address}?from=2.0.1&to=1.13.1")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.0.1 to 1.13.1")
    assert rows(page) == [["torch.mean", "input", "nothing", "0", "0", "524,288 → 0"]]


def test_what_came_back_to_what_it_was_has_not_changed(page: Page, address: str) -> None:
    page.goto(f"{address}?from=1.13.1&to=2.2.2")
    expect(page.locator("#tk-pair-said")).to_contain_text(
        "From 1.13.1 to 2.2.2, 1 call of 1 record"
    )
    ((name, *_, extra, change, _),) = rows(page)
    assert (name, extra, change) == ("torch.std", "4 → 12", "+8")


def test_another_call_that_changed_alone_is_named(page: Page, address: str) -> None:
    page.goto(f"{address}?from=2.7.1&to=2.8.0")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.7.1 to 2.8.0, 1 call of 1 record")
    ((name, before, after, *_),) = rows(page)
    assert name == "torch.mean, for torch.mean(input) with input: 5 × 5"
    assert (before, after) == ("nothing", "input")


def test_other_nodes_are_told_where_the_words_are_the_same(page: Page, address: str) -> None:
    page.goto(f"{address}?from=2.2.2&to=2.6.0")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.2.2 to 2.6.0, 1 call of 1 record")
    ((name, before, after, *_),) = rows(page)
    assert (name, before) == ("torch.abs", "nothing")
    assert after == "the same, through more of C, through fewer of B"


def test_a_crash_is_not_comparable_and_what_is_missing_is_said_to_be(
    page: Page, address: str
) -> None:
    page.goto(f"{address}?from=2.0.1&to=2.2.2")
    expect(page.get_by_text("torch.abs (crashed → measured)")).to_be_visible()
    expect(page.get_by_role("heading", name="Catalogued in 2.0.1 only (1)")).to_be_visible()
    # The site of 2.2.2 has no page for it: the link leads to the release that has.
    link = page.get_by_role("link", name="torch.exp", exact=True)
    assert link.get_attribute("href") == "../../../2.0.1/ops/torch.exp/"
    here = page.get_by_role("link", name="torch.mean", exact=True)
    assert here.get_attribute("href") == "../../ops/torch.mean/"


def test_node_types_are_listed_by_which_side_has_them(page: Page, address: str) -> None:
    page.goto(f"{address}?from=1.13.1&to=2.2.2")
    for heading in ("Node types only in 2.2.2 (1)", "Node types only in 1.13.1 (1)"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    old = page.get_by_role("link", name="OldBackward0")
    assert old.get_attribute("href") == "../../../1.13.1/nodes/OldBackward0/"


def test_what_changed_on_the_way_names_the_release_that_did(page: Page, address: str) -> None:
    page.goto(f"{address}?from=2.2.2&to=1.13.1")
    heading = page.get_by_role("heading", name="Errors worded otherwise on the way (1)")
    expect(heading).to_be_visible()
    link = page.locator("li", has_text="1 record in").get_by_role("link")
    assert (link.inner_text(), link.get_attribute("href")) == ("2.2.2", "../2.2.2/#errors")
    page.goto(f"{address}?from=2.2.2&to=2.6.0")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.2.2 to 2.6.0")
    expect(heading).to_have_count(0)


def test_choosing_by_keyboard_changes_the_result_and_the_address(page: Page, address: str) -> None:
    page.goto(f"{address}?from=2.2.2&to=2.6.0")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.2.2 to 2.6.0")
    choice = page.get_by_label("From")
    choice.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.0.1 to 2.6.0")
    assert parse_qs(urlsplit(page.url).query) == {"from": ["2.0.1"], "to": ["2.6.0"]}
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.6.0 to 2.0.1")
    assert parse_qs(urlsplit(page.url).query) == {"from": ["2.6.0"], "to": ["2.0.1"]}
    page.reload()
    expect(page.locator("#tk-pair-said")).to_contain_text("From 2.6.0 to 2.0.1")


def test_the_same_release_twice_shows_no_difference(page: Page, address: str) -> None:
    page.goto(f"{address}?from=2.2.2&to=2.2.2")
    expect(page.locator("#tk-pair-said")).to_contain_text("Both are PyTorch 2.2.2")
    assert page.locator("#tk-pair-result").inner_text() == ""


def test_a_release_that_was_not_measured_is_said_and_not_guessed_at(
    page: Page, address: str
) -> None:
    page.goto(f"{address}?from=9.9.9&to=2.2.2")
    expect(page.locator("#tk-pair-said")).to_contain_text("PyTorch 9.9.9 was not measured.")
    assert page.locator("#tk-pair-result").inner_text() == ""
    page.get_by_label("From").select_option("1.13.1")
    expect(page.locator("#tk-pair-said")).to_contain_text("From 1.13.1 to 2.2.2")


def test_data_that_cannot_be_read_are_said_to_be(page: Page, address: str) -> None:
    page.route(re.compile(r"history\.json$"), lambda route: route.fulfill(status=404, body=""))
    page.goto(address)
    expect(page.locator("#tk-pair-said")).to_contain_text("could not be loaded (404)")
    assert page.locator("#tk-pair").is_hidden()


def test_without_a_script_it_leads_to_the_pages_of_releases(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_text("needs JavaScript")).to_be_visible()
    links = [one.get_attribute("href") for one in page.locator("#tk-pair-without a").all()]
    assert links == [f"../{one.header.release}/" for one in reversed(CATALOGUES)]
    assert page.locator("#tk-pair").is_hidden()
    context.close()
