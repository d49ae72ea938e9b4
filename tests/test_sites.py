"""Which sites are built when something changed, with a builder that writes one page."""

from pathlib import Path

import pytest

from generator import sites
from generator.catalogue import store
from generator.catalogue.model.records import Catalogue
from generator.checkout import Checkout
from generator.errors import TapekeptError
from generator.pages.freshness import STAMP, stamp
from tests.fixtures.tiny_releases import NEW, OLD, whole


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    template = tmp_path / "site_templates" / "overrides" / "404.html"
    template.parent.mkdir(parents=True)
    template.write_text("<h1>No such page</h1>")
    (tmp_path / "docs" / "guides").mkdir(parents=True)
    return Checkout(tmp_path)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The releases whose sites were built."""
    seen: list[str] = []

    def build(checkout: Checkout, measured: Catalogue, _history: object) -> None:
        release = measured.header.release
        seen.append(release)
        folder = checkout.site / release
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_text(f"<h1>{release}, build {len(seen)}</h1>")
        (folder / "sitemap.xml").write_text("<urlset/>")
        (folder / STAMP).write_text(stamp(checkout.root, measured))

    monkeypatch.setattr(sites, "build_pages", build)
    return seen


def save(checkout: Checkout, release: str, *, processor: str | None = None) -> None:
    measured = whole(release, processor=processor)
    store.save(store.path_of(checkout.root, release, "cpu"), measured)


def test_only_what_is_out_of_date_is_built(checkout: Checkout, built: list[str]) -> None:
    save(checkout, OLD)
    sites.build_sites(checkout, "cpu")
    sites.build_sites(checkout, "cpu")
    assert built == [OLD]
    before = (checkout.site / OLD / "index.html").read_bytes()
    save(checkout, NEW)
    sites.build_sites(checkout, "cpu")
    assert built == [OLD, NEW]
    assert (checkout.site / OLD / "index.html").read_bytes() == before
    assert f'"{NEW}"' in (checkout.site / "versions.json").read_text()


def test_another_measurement_builds_its_site_again(checkout: Checkout, built: list[str]) -> None:
    save(checkout, OLD)
    save(checkout, NEW)
    sites.build_sites(checkout, "cpu")
    save(checkout, NEW, processor="AVX512")
    sites.build_sites(checkout, "cpu")
    assert built == [OLD, NEW, NEW]


@pytest.mark.parametrize(
    ("path", "anew"),
    [
        ("site_templates/op.md.jinja", True),
        ("mkdocs.yml", True),
        ("docs/guides/the-bill.md", True),
        ("docs/assets/tape.css", True),
        ("docs/downloads/history.json", False),
        ("docs/ops/torch.exp.md", False),
        ("README.md", False),
    ],
)
def test_what_all_pages_are_made_of_builds_all(
    checkout: Checkout, built: list[str], path: str, *, anew: bool
) -> None:
    save(checkout, OLD)
    sites.build_sites(checkout, "cpu")
    changed = checkout.root / path
    changed.parent.mkdir(parents=True, exist_ok=True)
    changed.write_text("changed\n")
    sites.build_sites(checkout, "cpu")
    assert built == [OLD, OLD] if anew else [OLD]


def test_a_generated_page_is_no_reason(checkout: Checkout, built: list[str]) -> None:
    save(checkout, OLD)
    sites.build_sites(checkout, "cpu")
    (checkout.docs / "data.md").write_text("---\ngenerated_by: tapekept\n---\n")
    sites.build_sites(checkout, "cpu")
    assert built == [OLD]


def test_the_site_of_a_release_without_a_catalogue_stays(
    checkout: Checkout, built: list[str]
) -> None:
    save(checkout, OLD)
    save(checkout, NEW)
    sites.build_sites(checkout, "cpu")
    store.path_of(checkout.root, OLD, "cpu").unlink()
    save(checkout, NEW)
    sites.build_sites(checkout, "cpu")
    assert built == [OLD, NEW]
    assert f'"{OLD}"' in (checkout.site / "versions.json").read_text()


def test_nothing_measured_is_one_sentence(checkout: Checkout) -> None:
    with pytest.raises(TapekeptError, match="nothing was measured on cpu"):
        sites.build_sites(checkout, "cpu")
