"""The site of the committed catalogue, built once, served on this machine, opened in a browser."""

import functools
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from generator.catalogue.history.stored import stored_history
from generator.catalogue.model.records import Catalogue
from generator.pages.build import build_site
from generator.pages.render import render_pages
from generator.release.releases import release_dates

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "no Chromium or Chrome was found: install one (on Debian `apt-get install chromium`), "
    "or let Playwright fetch its own with `playwright install chromium`"
)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line on stderr for each."""

    def log_message(self, *_: Any) -> None:
        return


@dataclass
class Visit:
    """A page in the browser, with what it asked for and what it complained about."""

    page: Page
    base: str
    foreign: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        """Open an address below the release and wait until it has loaded."""
        self.page.goto(self.base + path, wait_until="load")
        return self.page


@pytest.fixture(scope="session")
def site(root: Path, committed: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site, all releases in it; nothing in the checkout is written."""
    copy = tmp_path_factory.mktemp("checkout")
    generated = shutil.ignore_patterns("ops", "nodes", "modules", "releases", "downloads")
    shutil.copytree(root / "docs", copy / "docs", ignore=generated)
    shutil.copytree(root / "site_templates", copy / "site_templates")
    shutil.copytree(root / "generator" / "pages", copy / "generator" / "pages")
    shutil.copy2(root / "mkdocs.yml", copy)
    past = stored_history(root, committed, release_dates())
    render_pages(committed, past, copy / "docs", copy / "site_templates")
    return build_site(copy, committed.header.release, "stamp").parent


@pytest.fixture(scope="session")
def base(site: Path, committed: Catalogue) -> Iterator[str]:
    """The address of the release on this machine."""
    handler = functools.partial(QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{committed.header.release}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(playwright), args=QUIET)
        yield browser
        browser.close()


def executable(playwright: Playwright) -> str:
    """Find a browser on the machine, or Playwright's own; fail with what to install."""
    own = playwright.chromium.executable_path
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found:
        return found
    if not Path(own).is_file():
        pytest.fail(MISSING, pytrace=False)
    return own


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Visit]:
    """A fresh page, with JavaScript."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield _watched(context, base)
    context.close()


@pytest.fixture
def plain_visit(browser: Browser, base: str) -> Iterator[Visit]:
    """A fresh page on a phone, without JavaScript."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    yield _watched(context, base)
    context.close()


def _watched(context: BrowserContext, base: str) -> Visit:
    page = context.new_page()
    visit = Visit(page, base)
    origin = base.rsplit("/", 2)[0]

    def asked(url: str) -> None:
        if not url.startswith((origin, "data:", "blob:")):
            visit.foreign.append(url)

    page.on("request", lambda request: asked(request.url))
    page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            visit.complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    return visit
