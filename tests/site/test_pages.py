"""Home, catalogue, records: what a reader sees, with and without JavaScript."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import expect

from generator.catalogue import store
from generator.catalogue.links import page_path
from generator.catalogue.model.records import Catalogue
from generator.catalogue.write_evidence import writes_program
from tests.site.conftest import Visit

VISITED = (
    "",
    "catalogue/",
    "ops/",
    "ops/torch.exp/",
    "nodes/ReluBackward0/",
    "modules/torch.nn.Linear/",
    "attributes/",
    "coverage/",
    "mismatches/",
    "writes/",
    "writes/unseen/",
    "data/",
    "releases/",
    "releases/2.13.0/",
    "releases/compare/",
    "changes/",
    "about/",
    "architecture/",
    "guides/the-bill/",
    "guides/explain-my-error/",
)


@pytest.mark.parametrize("path", VISITED)
def test_no_page_asks_another_host_or_complains(visit: Visit, path: str) -> None:
    page = visit.open(path)
    page.wait_for_load_state("networkidle")
    assert visit.foreign == []
    assert visit.complaints == []
    assert page.locator("h1").count() == 1


def test_the_front_door_leads_to_the_release(visit: Visit) -> None:
    visit.page.goto(visit.base.rsplit("/", 2)[0] + "/")
    expect(visit.page).to_have_url(visit.base)


def test_home_says_how_much_was_measured(visit: Visit, committed: Catalogue) -> None:
    page = visit.open("")
    counts = page.locator(".tk-counts").inner_text()
    measured = sum(op.state == "measured" for op in committed.ops.values())
    assert f"{measured:,}" in counts
    assert page.locator(".tk-example").count() == 3


def test_an_op_page_answers_in_its_first_screen(visit: Visit) -> None:
    page = visit.open("ops/torch.exp/")
    expect(page.locator(".tk-claim")).to_have_text("Keeps its output.")
    row = page.locator(".tk-saved").first.locator("tbody tr").first
    expect(row).to_contain_text("ExpBackward0")
    expect(row).to_contain_text("_saved_result")
    expect(row).to_contain_text("256 × 512")
    expect(row).to_contain_text("524,288")
    bottom = row.bounding_box()
    assert bottom is not None
    assert bottom["y"] + bottom["height"] < 900
    expect(page.locator(".tk-figures").first.locator("dt")).to_have_text(
        ["logical bytes", "storage bytes", "extra bytes"]
    )


def test_an_op_page_says_what_may_be_written_in_its_first_screen(visit: Visit) -> None:
    page = visit.open("ops/torch.exp/")
    rows = page.locator(".tk-answers tbody tr")
    expect(rows.locator("th")).to_have_text(["input", "output"])
    expect(rows.locator("td")).to_have_text(["fine", "backward raises"])
    bottom = rows.last.bounding_box()
    assert bottom is not None
    assert bottom["y"] + bottom["height"] < 900


def test_the_trials_behind_the_answer_open_without_a_script(plain_visit: Visit) -> None:
    page = plain_visit.open("ops/torch.exp/")
    message = page.locator(".tk-message pre")
    expect(message).to_be_hidden()
    page.locator(".tk-trials summary").first.click()
    expect(message).to_contain_text("which is output 0 of Exp, is at version 1")
    expect(page.locator(".tk-verdicts tbody tr")).to_have_count(3)


def test_a_program_is_whole_once_it_is_opened(visit: Visit, committed: Catalogue) -> None:
    page = visit.open("ops/torch.exp/")
    writes = committed.ops["torch.exp"].writes
    assert writes is not None
    shown = page.locator(".tk-trials").filter(has_text="The program that tried them")
    expect(shown.locator(".tk-lines")).not_to_have_count(0)
    shown.locator("summary").click()
    expect(shown.locator(".tk-lines")).to_have_count(0)
    program = shown.locator("pre code").first.text_content()
    assert program is not None
    assert program.strip() == str(writes_program(committed.header, writes)).strip()


def test_all_answers_are_readable_without_a_script(
    plain_visit: Visit, committed: Catalogue
) -> None:
    page = plain_visit.open("writes/")
    tried = sum(op.writes is not None and bool(op.writes.trials) for op in committed.ops.values())
    assert tried > 400
    assert page.locator("#tk-catalogue tbody tr:visible").count() == tried


def test_answers_are_filtered_by_how_a_write_ends(visit: Visit) -> None:
    page = visit.open("writes/?outputs=backward+raises")
    rows = page.locator("#tk-catalogue tbody tr:visible")
    page.get_by_label("Text").fill("torch.exp")
    expect(rows.locator("th").first).to_have_text("torch.exp")
    page.get_by_label("Into an input").select_option("fine")
    expect(rows.first.locator("td").first).to_have_text("fine")
    expect(rows.first.locator("td").last).to_have_text("backward raises")
    assert page.url.endswith("?text=torch.exp&inputs=fine&outputs=backward+raises")
    page.get_by_role("button", name="Reset").click()
    expect(rows).to_have_count(200)


def test_a_citation_is_readable_without_a_script(plain_visit: Visit) -> None:
    page = plain_visit.open("ops/torch.exp/")
    cited = page.locator("#cite ~ .highlight").last
    expect(cited).to_contain_text("https://tapekept.github.io/2.13.0/ops/torch.exp/")
    expect(cited).to_be_visible()


def test_wide_tables_scroll_inside_the_page_on_a_phone(plain_visit: Visit) -> None:
    for path in ("ops/torch.exp/", "catalogue/", "nodes/ReluBackward0/", "writes/"):
        page = plain_visit.open(path)
        assert page.locator("html").evaluate("(e) => e.scrollWidth <= e.clientWidth"), path


@pytest.mark.parametrize(
    "path", [*VISITED, "modules/torch.nn.Dropout/", "vocabulary/", "decisions/", "nodes/"]
)
def test_no_page_scrolls_sideways_on_a_phone(visit: Visit, path: str) -> None:
    """With the script, which shows the filters and the button of each block of code."""
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.open(path)
    page.wait_for_load_state("networkidle")
    assert page.locator("html").evaluate("(e) => e.scrollWidth") <= 390


def test_the_whole_catalogue_is_readable_without_a_script(
    plain_visit: Visit, committed: Catalogue
) -> None:
    page = plain_visit.open("catalogue/")
    total = len(committed.ops) + len(committed.modules) + len(committed.nodes)
    assert page.locator("#tk-catalogue tbody tr:visible").count() == total
    expect(page.locator("#tk-filters")).to_be_hidden()


def test_the_catalogue_filters_sorts_and_keeps_its_state_in_the_address(visit: Visit) -> None:
    page = visit.open("catalogue/")
    shown = page.locator("#tk-catalogue tbody tr:visible")
    assert shown.count() == 200
    page.get_by_label("Text").fill("torch.exp")
    page.get_by_label("Kind").select_option("op")
    page.get_by_label("Keeps").select_option("output")
    expect(shown.first).to_contain_text("torch.exp")
    names = shown.locator("th").all_inner_texts()
    assert names
    assert all("torch.exp" in name for name in names)
    assert re.search(r"\?text=torch\.exp&kind=op&saved=output$", page.url)
    page.reload()
    assert shown.locator("th").all_inner_texts() == names
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#tk-count")).to_contain_text(" of ")
    page.get_by_role("button", name="storage bytes").click()
    expect(page.locator("th[data-key=storage]")).to_have_attribute("aria-sort", "descending")
    sizes = [int(text.replace(",", "") or -1) for text in _column(visit, 5)]
    assert sizes == sorted(sizes, reverse=True)
    page.get_by_role("button", name="Show all").click()
    assert shown.count() > 200


def test_filtering_by_what_is_kept_among_others(visit: Visit) -> None:
    page = visit.open("catalogue/?saved=has-output&kind=op")
    rows = page.locator("#tk-catalogue tbody tr:visible")
    assert rows.count() > 10
    chips = rows.locator("td:nth-child(3)").all_inner_texts()
    assert all("output" in text for text in chips)


def _column(visit: Visit, number: int) -> list[str]:
    cells = visit.page.locator(f"#tk-catalogue tbody tr:visible td:nth-child({number})")
    return cells.all_inner_texts()


class Links(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if named.get("id"):
            self.anchors.add(str(named["id"]))
        if tag == "a" and named.get("href"):
            self.links.add(str(named["href"]))


def test_every_link_leads_to_a_page_and_an_anchor(
    root: Path, site: Path, committed: Catalogue
) -> None:
    own = committed.header.release
    pages = {
        f"/{path.parent.relative_to(site).as_posix()}/": _read(path)
        for path in (site / own).rglob("index.html")
    }
    elsewhere = {
        f"/{catalogue.header.release}/{page_path(record)}"
        for catalogue in store.load_all(root, "cpu")
        for records in (catalogue.ops, catalogue.modules, catalogue.nodes, catalogue.blocks)
        for record in records.values()
        if catalogue.header.release != own
    }
    broken = {
        (address, link)
        for address, found in pages.items()
        for link in found.links
        if not _leads(link, address, pages, site) and _target(link, address) not in elsewhere
    }
    assert broken == set()


def _target(link: str, address: str) -> str:
    """Return the path that a link leads to, from the root of the host."""
    return unquote(urlsplit(urljoin(address, link)).path)


def _read(path: Path) -> Links:
    parser = Links()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def _leads(link: str, address: str, pages: dict[str, Links], folder: Path) -> bool:
    if urlsplit(link).scheme:
        return True
    path, anchor = _target(link, address), urlsplit(link).fragment
    if path in pages:
        return not anchor or unquote(anchor) in pages[path].anchors
    return (folder / path.lstrip("/")).is_file()
