"""What stands beside the folders of the releases: which there are, and the way into them.

Nothing in a release's own folder is written here, so that a new release leaves the pages of all
others as they are. What those pages need to know of other releases, they fetch from these files.
"""

import html
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

from packaging.version import InvalidVersion, Version

from generator.catalogue.links import release_url
from generator.pages.files import RenderReport, write_if_changed

LATEST = "latest"
# What programs fetch: the feed by its readers, the list of pages by the version selector.
FETCHED = ("feed.xml", "sitemap.xml")
MISSING = "404.html"
_PAGE = "index.html"

# Search engines follow the canonical link; the script keeps the query and the section.
_REDIRECT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<link rel="canonical" href="{canonical}">
<script>location.replace("{target}" + location.search + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={target}"></noscript>
<p><a href="{target}">{title}</a></p>
"""
_SITEMAPS = """<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{sitemaps}
</sitemapindex>
"""
_SITEMAP = "<sitemap><loc>{}sitemap.xml</loc></sitemap>"


def write_root(site: Path, missing: Path, measured: Iterable[str]) -> list[str]:
    """Write into `site` all that leads to the releases built there; return them, newest first.

    `versions.json` is what Material's version selector reads; `pages.json` says which release has
    which page, and which of the `measured` ones have none here yet; `latest/` sends every address
    to the newest release; `missing` is the page for an address that leads nowhere.
    """
    releases = built_releases(site)
    newest = releases[0]
    pages = {release: pages_of(site / release) for release in releases}
    report = RenderReport()

    def put(path: str, text: str) -> None:
        write_if_changed(site / path, text.encode(), report)

    put("versions.json", versions(releases))
    put("pages.json", pages_by_release(pages, measured))
    put("sitemap.xml", sitemaps(releases))
    put(MISSING, missing.read_text(encoding="utf-8"))
    put(".nojekyll", "")
    put(_PAGE, redirect(newest, "", up=""))
    for page in pages[newest]:
        put(f"{LATEST}/{page}{_PAGE}", redirect(newest, page, up="../" * (page.count("/") + 1)))
    _copy_fetched(site, newest, report)
    _remove_others(site / LATEST, report)
    return releases


def built_releases(site: Path) -> list[str]:
    """Return the releases whose pages are in `site`, newest first."""
    found = [path.parent.name for path in site.glob("*/sitemap.xml")]
    return sorted((one for one in found if _is_number(one)), key=Version, reverse=True)


def pages_of(folder: Path) -> list[str]:
    """Return the address of each page below the folder of a release: `ops/torch.exp/`."""
    found = (path.parent.relative_to(folder).as_posix() for path in folder.rglob(_PAGE))
    return sorted("" if page == "." else f"{page}/" for page in found)


def versions(releases: Iterable[str]) -> str:
    """List the releases as Material's version selector reads them; the first one is the newest."""
    return _json(
        {"version": release, "title": release, "aliases": [LATEST] if place == 0 else []}
        for place, release in enumerate(releases)
    )


def pages_by_release(pages: Mapping[str, Iterable[str]], measured: Iterable[str]) -> str:
    """Say which releases have each page (the place of a set, and the places of its releases).

    Pages tell of all releases that are measured, so those are named whose own pages are not there.
    """
    having: dict[str, list[int]] = {}
    for place, release in enumerate(pages):
        for page in pages[release]:
            having.setdefault(page, []).append(place)
    sets = sorted({tuple(places) for places in having.values()})
    number = {places: place for place, places in enumerate(sets)}
    listed = {page: number[tuple(having[page])] for page in sorted(having)}
    unbuilt = sorted(set(measured) - set(pages), key=Version, reverse=True)
    document = {"releases": list(pages), "unbuilt": unbuilt, "sets": sets, "pages": listed}
    return json.dumps(document, separators=(",", ":")) + "\n"


def sitemaps(releases: Iterable[str]) -> str:
    """Tell search engines where the list of pages of each release is."""
    return _SITEMAPS.format(
        sitemaps="\n".join(_SITEMAP.format(release_url(release)) for release in releases)
    )


def redirect(release: str, page: str, *, up: str) -> str:
    """Return a page that sends its reader to a page of a release; `up` leads to the root."""
    address = quote(page)
    name = f"PyTorch {release}: {page.rstrip('/')}" if page else f"PyTorch {release}"
    return _REDIRECT.format(
        title=html.escape(f"What the Tape Kept, {name}"),
        canonical=release_url(release) + address,
        target=f"{up}{release}/{address}",
    )


def _copy_fetched(site: Path, newest: str, report: RenderReport) -> None:
    """Copy the files that are fetched by programs: they follow no redirect made of HTML."""
    for name in FETCHED:
        file = site / newest / name
        if file.is_file():
            write_if_changed(site / LATEST / name, file.read_bytes(), report)


def _remove_others(latest: Path, report: RenderReport) -> None:
    """Remove the redirects to pages that the newest release does not have."""
    folders = {parent for path in report.paths for parent in path.parents}
    for path in sorted(latest.rglob("*")):
        if path.is_dir() and path not in folders:
            shutil.rmtree(path, ignore_errors=True)
        elif path.is_file() and path not in report.paths:
            path.unlink()


def _is_number(name: str) -> bool:
    try:
        return bool(Version(name))
    except InvalidVersion:
        return False


def _json(listed: Iterable[object]) -> str:
    return json.dumps(list(listed), indent=1) + "\n"
