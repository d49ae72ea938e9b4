"""Two releases of a small site, built one after the other and opened in a browser.

Everything but the pages is the real site's: its configuration, its theme, its scripts.
"""

import functools
import re
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from generator.pages.build import build_site
from generator.serve import Quiet
from tests.site.conftest import QuietHandler

OLDER, NEWER = "2.12.1", "2.13.0"
BOTH = [NEWER, OLDER]
UNBUILT = "2.11.0"
NAV = """\
nav:
  - Home: index.md
  - Catalogue:
      - All records: catalogue.md
      - Ops: ops/index.md
"""
RECORD = """\
---
title: "{name}"
hide: ["navigation"]
section: {{"text": "Ops", "href": "../../ops/"}}
---

# {name}

{filler}

## What it keeps {{: #kept }}

In {release}.
"""


def write_pages(root: Path, release: str, *names: str) -> None:
    docs = root / "docs"
    (docs / "ops").mkdir(exist_ok=True)
    for path in docs.glob("**/*.md"):
        path.unlink()
    filler = "\n\n".join(["Text."] * 40)
    (docs / "index.md").write_text(f"# PyTorch {release}\n")
    (docs / "catalogue.md").write_text("# All records\n")
    (docs / "ops" / "index.md").write_text("# Ops\n")
    (docs / "feed.xml").write_text(f"<feed>{release}</feed>")
    for name in names:
        text = RECORD.format(name=name, release=release, filler=filler)
        (docs / "ops" / f"{name}.md").write_text(text)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def deployed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of both releases; the older one, as it was built before the newer one was."""
    copy = tmp_path_factory.mktemp("versions")
    (copy / "docs").mkdir()
    shutil.copytree(root / "docs" / "assets", copy / "docs" / "assets")
    shutil.copytree(root / "site_templates", copy / "site_templates")
    shutil.copytree(root / "generator" / "pages", copy / "generator" / "pages")
    real = (root / "mkdocs.yml").read_text()
    (copy / "mkdocs.yml").write_text(real[: real.index("\nnav:")] + "\n" + NAV)
    write_pages(copy, OLDER, "torch.exp", "torch.old")
    (copy / "docs" / "data").mkdir()
    for release in (UNBUILT, OLDER, NEWER):
        (copy / "docs" / "data" / f"torch-{release}-cpu.jsonl").touch()
    site = build_site(copy, OLDER, "stamp").parent
    before = contents(site / OLDER)
    write_pages(copy, NEWER, "torch.exp", "torch.new")
    build_site(copy, NEWER, "stamp")
    assert contents(site / OLDER) == before
    return site


def served(folder: Path, handler: type[SimpleHTTPRequestHandler]) -> Iterator[str]:
    answers = functools.partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), answers) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def host(deployed: Path) -> Iterator[str]:
    """The address at which `tapekept serve` would show the sites: GitHub Pages answers alike."""
    yield from served(deployed, Quiet)


@pytest.fixture(scope="module")
def folder(deployed: Path) -> Iterator[str]:
    """The address of the sites in a folder of a host that has no page for what is missing."""
    above = deployed.parent / "host"
    (above / "some").mkdir(parents=True)
    (above / "some" / "folder").symlink_to(deployed)
    for address in served(above, QuietHandler):
        yield f"{address}some/folder/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def choose(page: Page, release: str) -> None:
    """Choose a release in the selector, which is in sight at the top of a page."""
    page.evaluate("scrollTo(0, 0)")
    page.locator(".md-version").hover()
    page.locator(".md-version__link", has_text=release).click()


def test_the_selector_of_an_older_release_shows_the_newer_one(page: Page, host: str) -> None:
    page.goto(f"{host}{OLDER}/ops/torch.exp/")
    expect(page.locator(".md-version__current")).to_have_text(OLDER)
    expect(page.locator(".md-version__link")).to_have_text([NEWER, OLDER])


@pytest.mark.parametrize("kind", ["host", "folder"])
def test_choosing_a_release_opens_the_same_page_and_section(
    page: Page, kind: str, request: pytest.FixtureRequest
) -> None:
    base = request.getfixturevalue(kind)
    page.goto(f"{base}{NEWER}/ops/torch.exp/?shape=8x8#kept")
    choose(page, OLDER)
    expect(page).to_have_url(f"{base}{OLDER}/ops/torch.exp/?shape=8x8#kept")
    expect(page.locator("article")).to_contain_text(f"In {OLDER}.")


@pytest.mark.parametrize("kind", ["host", "folder"])
def test_a_release_without_the_page_says_which_have_it(
    page: Page, kind: str, request: pytest.FixtureRequest
) -> None:
    base = request.getfixturevalue(kind)
    page.goto(f"{base}{OLDER}/ops/torch.old/")
    choose(page, NEWER)
    expect(page.locator("h1")).to_have_text(f"torch.old is not in PyTorch {NEWER}")
    expect(page.locator("li a")).to_have_text([OLDER])
    page.locator("li a").click()
    expect(page).to_have_url(f"{base}{OLDER}/ops/torch.old/")


@pytest.mark.parametrize(
    ("path", "title", "releases"),
    [
        (f"{NEWER}/ops/torch.old/", f"torch.old is not in PyTorch {NEWER}", [OLDER]),
        (f"{OLDER}/ops/torch.new/index.html", f"torch.new is not in PyTorch {OLDER}", [NEWER]),
        ("latest/ops/torch.old/", f"torch.old is not in PyTorch {NEWER}, the newest", [OLDER]),
        ("9.9.9/ops/torch.exp/", "PyTorch 9.9.9 is not among the releases", BOTH),
        (f"{UNBUILT}/ops/torch.exp/", f"The pages of PyTorch {UNBUILT} are not built here", BOTH),
        ("ops/torch.exp/", "No page torch.exp here", BOTH),
        (f"{NEWER}/ops/torch.nothing/", f"torch.nothing is not in PyTorch {NEWER}", BOTH),
    ],
)
def test_an_address_that_leads_nowhere(
    page: Page, host: str, path: str, title: str, releases: list[str]
) -> None:
    answer = page.goto(f"{host}{path}")
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator("li a")).to_have_text(releases)
    page.locator("li a").first.click()
    page.wait_for_load_state()
    expect(page.locator(".md-version__current")).to_have_text(releases[0])


def test_a_release_that_is_measured_but_not_built_says_how_to_build_it(
    page: Page, host: str
) -> None:
    page.goto(f"{host}{UNBUILT}/ops/torch.exp/")
    expect(page.locator("#build code")).to_have_text(f"make site TORCH={UNBUILT}")
    page.goto(f"{host}9.9.9/ops/torch.exp/")
    expect(page.locator("h1")).to_contain_text("9.9.9")
    expect(page.locator("#build")).to_be_hidden()


def test_a_name_that_no_release_has_is_looked_for_in_the_newest(page: Page, host: str) -> None:
    page.goto(f"{host}{NEWER}/ops/torch.nothing/")
    page.locator("#search a").click()
    expect(page).to_have_url(f"{host}{NEWER}/catalogue/?text=torch.nothing")


@pytest.mark.parametrize("kind", ["host", "folder"])
@pytest.mark.parametrize("rest", ["", "ops/torch.exp/#kept", "catalogue/?text=exp&kind=op#tk"])
def test_latest_leads_to_the_newest_with_query_and_section(
    page: Page, kind: str, rest: str, request: pytest.FixtureRequest
) -> None:
    base = request.getfixturevalue(kind)
    page.goto(f"{base}latest/{rest}")
    expect(page).to_have_url(f"{base}{NEWER}/{rest}")


def test_latest_leads_there_without_a_script(browser: Browser, folder: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{folder}latest/ops/torch.exp/")
    expect(page).to_have_url(f"{folder}{NEWER}/ops/torch.exp/")
    context.close()


def test_the_root_leads_to_the_newest(page: Page, folder: str) -> None:
    page.goto(folder)
    expect(page).to_have_url(f"{folder}{NEWER}/")


def test_a_page_of_an_older_release_leads_to_the_newest(page: Page, folder: str) -> None:
    page.goto(f"{folder}{OLDER}/ops/torch.exp/")
    banner = page.locator(".md-banner")
    expect(banner).to_have_text(
        f"This is PyTorch {OLDER}. The newest release here is {NEWER}: this page there."
    )
    banner.get_by_role("link").click()
    expect(page).to_have_url(f"{folder}{NEWER}/ops/torch.exp/")
    expect(page.locator(".md-version__current")).to_have_text(NEWER)
    expect(page.locator(".md-banner")).to_have_count(0)


def test_on_a_phone_the_drawer_of_a_record_lists_all_pages(browser: Browser, folder: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{folder}{NEWER}/ops/torch.exp/")
    drawer = page.locator(".md-nav--primary")
    expect(drawer.get_by_text("All records")).to_have_count(0)
    page.locator(".md-header__button[for=__drawer]").click()
    expect(drawer.get_by_text("All records")).to_have_count(1)
    drawer.get_by_text("All records").click()
    expect(page).to_have_url(f"{folder}{NEWER}/catalogue/")
    context.close()


def test_without_a_script_the_drawer_leads_to_the_sections(browser: Browser, folder: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{folder}{NEWER}/ops/torch.exp/")
    page.locator(".md-header__button[for=__drawer]").click()
    page.locator(".md-nav--primary").get_by_text("Catalogue").click()
    expect(page).to_have_url(f"{folder}{NEWER}/catalogue/")
    context.close()


def test_nothing_is_asked_of_another_host(page: Page, host: str) -> None:
    foreign: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda one: None if one.url.startswith(host) else foreign.append(one.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for path in (f"{OLDER}/ops/torch.exp/", f"{NEWER}/404.html?page=ops/torch.old/", "latest/"):
        page.goto(f"{host}{path}", wait_until="networkidle")
    assert [one for one in foreign if not re.match("data:|blob:", one)] == []
    assert complaints == []
