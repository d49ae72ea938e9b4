"""A guide in the site of another release than its own: what it says of itself, where it leads."""

import re
from pathlib import Path

import pytest

from generator.errors import TapekeptError
from generator.pages import guide_links
from generator.pages.build import build_site

CONFIG = f"""\
site_name: Small
site_url: !ENV [SITE_URL, "https://example.org/"]
theme:
  name: material
  font: false
extra:
  guides: 2.13.0
hooks:
  - {guide_links.__file__}
markdown_extensions:
  - admonition
validation:
  links:
    anchors: warn
"""
GUIDE = """\
# A guide

[`exp`](../ops/torch.exp.md#writes) is there, [`fill`](../nodes/FillBackward2.md#saved) is not
always.
"""
GUIDE_PAGE = "guides/one/index.html"


def links(page: str) -> dict[str, str]:
    """The addresses of a page's links to code, by what the links say."""
    found = re.findall(r'<a href="?([^">]+)"?><code>([^<]+)</code>', page)
    return {said: address for address, said in found}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "mkdocs.yml").write_text(CONFIG)
    for folder in ("guides", "ops", "nodes"):
        (tmp_path / "docs" / folder).mkdir(parents=True)
    (tmp_path / "docs" / "index.md").write_text("# Small\n")
    (tmp_path / "docs" / "guides" / "one.md").write_text(GUIDE)
    (tmp_path / "docs" / "ops" / "torch.exp.md").write_text("# torch.exp\n")
    missing = tmp_path / "site_templates" / "overrides" / "404.html"
    missing.parent.mkdir(parents=True)
    missing.write_text("<h1>No such page</h1>")
    return tmp_path


def test_another_release_says_so_and_leads_to_the_guides_own_where_it_has_no_page(
    checkout: Path,
) -> None:
    page = (build_site(checkout, "1.9.1", "") / GUIDE_PAGE).read_text()
    assert "were run in torch 2.13.0" in page
    assert links(page)["exp"] == "../../ops/torch.exp/#writes"
    assert links(page)["fill"] == "../../../2.13.0/nodes/FillBackward2/#saved"


def test_in_its_own_release_a_link_to_no_page_stops_the_build(checkout: Path) -> None:
    with pytest.raises(TapekeptError, match="FillBackward2"):
        build_site(checkout, "2.13.0", "")


def test_in_its_own_release_a_guide_is_as_it_was_written(checkout: Path) -> None:
    (checkout / "docs" / "nodes" / "FillBackward2.md").write_text("# FillBackward2\n\n## Saved\n")
    (checkout / "docs" / "ops" / "torch.exp.md").write_text("# torch.exp\n\n## Writes\n")
    page = (build_site(checkout, "2.13.0", "") / GUIDE_PAGE).read_text()
    assert "were run in" not in page
    assert links(page)["fill"] == "../../nodes/FillBackward2/#saved"


def test_other_pages_stay_as_they_are(checkout: Path) -> None:
    (checkout / "docs" / "index.md").write_text("# Small\n\n[fill](nodes/FillBackward2.md)\n")
    with pytest.raises(TapekeptError, match="FillBackward2"):
        build_site(checkout, "1.9.1", "")
