"""Where the pages of the oldest release lead: it has the fewest records, and others' links to them.

The site of the default release is built, and followed link by link, in `tests/site`.
"""

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.pages.render import render_pages

BASE = "/release/"
# What lies beside the generated pages in a checkout, or is published with them.
BESIDE = re.compile(r"(guides|decisions|vocabulary|about|assets|data|downloads)/|feed\.xml$")


@pytest.fixture(scope="module")
def pages(
    root: Path,
    catalogues: dict[str, Catalogue],
    whole_history: History,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, str]:
    """The text of each generated page, by its address."""
    docs = tmp_path_factory.mktemp("docs")
    oldest = next(iter(catalogues.values()))
    render_pages(oldest, whole_history, docs, root / "site_templates")
    return {
        address(path.relative_to(docs).as_posix()): path.read_text(encoding="utf-8")
        for path in docs.rglob("*.md")
    }


def address(source: str) -> str:
    """Give the address at which MkDocs publishes a file of Markdown."""
    stem = source.removesuffix(".md")
    return BASE if stem == "index" else f"{BASE}{stem.removesuffix('/index')}/"


def test_every_link_within_the_release_leads_to_a_page_and_a_section(
    pages: dict[str, str],
) -> None:
    anchors = {
        page: {unescape(one) for one in re.findall(r'(?:id="|\{: #)([^"\s}]+)', text)}
        for page, text in pages.items()
    }
    links = {
        (page, link)
        for page, text in pages.items()
        for link in map(unescape, re.findall(r'href="([^"]+)"', text))
    }
    broken = set()
    for page, link in links:
        target = urlsplit(urljoin(page, link))
        if target.scheme or not target.path.startswith(BASE):
            continue
        if BESIDE.match(target.path.removeprefix(BASE)):
            continue
        there = anchors.get(unquote(target.path))
        if there is None or not (not target.fragment or unquote(target.fragment) in there):
            broken.add((page, link))
    assert len(links) > len(pages) > 1000
    assert broken == set()
