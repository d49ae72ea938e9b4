"""The build as a process, on a site of one page."""

import json
import subprocess
from pathlib import Path

import pytest

from generator.errors import FullDiskError, TapekeptError
from generator.pages import build
from generator.pages.build import build_site
from generator.pages.freshness import is_fresh

CONFIG = """\
site_name: Small
site_url: !ENV [SITE_URL, "https://example.org/"]
theme:
  name: material
  font: false
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "mkdocs.yml").write_text(CONFIG)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Small\n")
    missing = tmp_path / "site_templates" / "overrides" / "404.html"
    missing.parent.mkdir(parents=True)
    missing.write_text("<h1>No such page</h1>")
    return tmp_path


def test_a_release_is_built_beside_the_others(checkout: Path) -> None:
    older = checkout / "site" / "2.9.0"
    older.mkdir(parents=True)
    (older / "sitemap.xml").write_text("<urlset/>")
    built = build_site(checkout, "2.13.0", "made of this")
    assert built == checkout / "site" / "2.13.0"
    assert "https://tapekept.github.io/2.13.0/" in (built / "sitemap.xml").read_text()
    versions = json.loads((checkout / "site" / "versions.json").read_text())
    assert [(one["version"], one["aliases"]) for one in versions] == [
        ("2.13.0", ["latest"]),
        ("2.9.0", []),
    ]
    assert 'url=2.13.0/"' in (checkout / "site" / "index.html").read_text()
    assert is_fresh(built, "made of this")
    assert "No such page" in (checkout / "site" / "404.html").read_text()
    assert (older / "sitemap.xml").is_file()


def test_a_warning_stops_the_build_with_one_sentence(checkout: Path) -> None:
    (checkout / "docs" / "index.md").write_text("# Small\n\n[nowhere](missing.md)\n")
    with pytest.raises(TapekeptError, match=r"missing\.md") as raised:
        build_site(checkout, "2.13.0", "")
    assert "\n" not in str(raised.value)


def test_a_build_that_fails_leaves_the_pages_that_were_there(checkout: Path) -> None:
    built = build_site(checkout, "2.13.0", "first")
    before = (built / "index.html").read_bytes()
    (checkout / "docs" / "index.md").write_text("# Small\n\n[nowhere](missing.md)\n")
    with pytest.raises(TapekeptError):
        build_site(checkout, "2.13.0", "second")
    assert (built / "index.html").read_bytes() == before
    assert is_fresh(built, "first")
    assert {path.name for path in built.parent.iterdir() if path.is_dir()} == {"2.13.0", "latest"}


def test_a_full_disk_is_one_sentence_and_leaves_the_pages_that_were_there(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build_site(checkout, "2.13.0", "first")
    said = "Traceback (most recent call last):\nOSError: [Errno 28] No space left on device: 'x'\n"
    full = subprocess.CompletedProcess[str]([], 1, "", said)
    monkeypatch.setattr(build.subprocess, "run", lambda *_, **__: full)
    with pytest.raises(FullDiskError, match=r"so the site of torch 2\.13\.0 could not be built;"):
        build_site(checkout, "2.13.0", "second")
    assert is_fresh(built, "first")


def test_what_a_killed_build_left_is_removed(checkout: Path) -> None:
    for name in (".2.13.0.new.part", ".2.13.0.old.part"):
        (checkout / "site" / name / "half").mkdir(parents=True)
    built = build_site(checkout, "2.13.0", "")
    assert {path.name for path in built.parent.iterdir() if path.is_dir()} == {"2.13.0", "latest"}
