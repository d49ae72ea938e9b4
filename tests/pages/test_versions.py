"""What leads to the releases, on folders of a few pages each."""

import json
from pathlib import Path

import pytest

from generator.pages.versions import write_root

PAGES = {
    "2.9.1": ("", "ops/", "ops/torch.exp/", "ops/torch.old/"),
    "2.13.0": ("", "ops/", "ops/torch.exp/", "nodes/A?0/"),
}


def build(site: Path, release: str) -> None:
    for page in PAGES[release]:
        path = site / release / page / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<h1>{page} in {release}</h1>")
    (site / release / "feed.xml").write_text(f"<feed>{release}</feed>")
    (site / release / "sitemap.xml").write_text("<urlset/>")


MEASURED = ["2.9.1", "2.13.0", "2.10.0", "1.13.1"]


@pytest.fixture
def missing(tmp_path: Path) -> Path:
    path = tmp_path / "404.html"
    path.write_text("<h1>No such page</h1>")
    return path


@pytest.fixture
def site(tmp_path: Path, missing: Path) -> Path:
    """Two releases, the older one first."""
    folder = tmp_path / "site"
    for release in ("2.9.1", "2.13.0"):
        build(folder, release)
        write_root(folder, missing, MEASURED)
    return folder


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_selector_lists_the_newest_first_by_number(site: Path) -> None:
    listed = json.loads((site / "versions.json").read_text())
    assert listed == [
        {"version": "2.13.0", "title": "2.13.0", "aliases": ["latest"]},
        {"version": "2.9.1", "title": "2.9.1", "aliases": []},
    ]


def test_each_page_is_listed_with_the_releases_that_have_it(site: Path) -> None:
    listed = json.loads((site / "pages.json").read_text())
    having = {
        page: {listed["releases"][place] for place in listed["sets"][number]}
        for page, number in listed["pages"].items()
    }
    assert having == {
        "": {"2.13.0", "2.9.1"},
        "ops/": {"2.13.0", "2.9.1"},
        "ops/torch.exp/": {"2.13.0", "2.9.1"},
        "ops/torch.old/": {"2.9.1"},
        "nodes/A?0/": {"2.13.0"},
    }


def test_what_is_measured_but_not_built_is_named_newest_first(site: Path) -> None:
    assert json.loads((site / "pages.json").read_text())["unbuilt"] == ["2.10.0", "1.13.1"]


def test_a_new_release_leaves_the_pages_of_the_others_as_they_are(
    tmp_path: Path, missing: Path
) -> None:
    folder = tmp_path / "site"
    build(folder, "2.9.1")
    write_root(folder, missing, MEASURED)
    before = contents(folder / "2.9.1")
    build(folder, "2.13.0")
    write_root(folder, missing, MEASURED)
    assert contents(folder / "2.9.1") == before
    assert "2.13.0" in (folder / "versions.json").read_text()


def test_latest_has_a_way_to_each_page_of_the_newest_and_no_other(site: Path) -> None:
    latest = site / "latest"
    ways = {path.parent.relative_to(latest).as_posix() for path in latest.rglob("index.html")}
    assert ways == {".", "ops", "ops/torch.exp", "nodes/A?0"}
    assert not (latest / "ops" / "torch.old").exists()


def test_a_way_is_relative_keeps_query_and_section_and_names_the_page_to_search_engines(
    site: Path,
) -> None:
    page = (site / "latest" / "ops" / "torch.exp" / "index.html").read_text()
    target = "../../../2.13.0/ops/torch.exp/"
    assert f'location.replace("{target}" + location.search + location.hash)' in page
    assert f'<noscript><meta http-equiv="refresh" content="0; url={target}"></noscript>' in page
    assert '<link rel="canonical" href="https://tapekept.github.io/2.13.0/ops/torch.exp/">' in page
    odd = (site / "latest" / "nodes" / "A?0" / "index.html").read_text()
    assert "url=../../../2.13.0/nodes/A%3F0/" in odd


def test_the_root_leads_to_the_newest_release(site: Path) -> None:
    assert 'location.replace("2.13.0/"' in (site / "index.html").read_text()


def test_what_programs_fetch_is_a_file_under_latest(site: Path) -> None:
    assert (site / "latest" / "feed.xml").read_text() == "<feed>2.13.0</feed>"
    pages = (site / "2.13.0" / "sitemap.xml").read_bytes()
    assert (site / "latest" / "sitemap.xml").read_bytes() == pages


def test_writing_again_changes_nothing(site: Path, missing: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    write_root(site, missing, MEASURED)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()} == before


def test_a_folder_that_is_no_release_is_not_listed(site: Path, missing: Path) -> None:
    build_in = site / ".2.14.0.part"
    build_in.mkdir()
    (build_in / "sitemap.xml").write_text("<urlset/>")
    assert write_root(site, missing, MEASURED) == ["2.13.0", "2.9.1"]
