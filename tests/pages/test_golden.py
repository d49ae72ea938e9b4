"""Every page of the small catalogue, whole, against the page that someone has looked at."""

from pathlib import Path

import pytest

from generator.catalogue.model.records import Catalogue
from generator.pages.downloads import Download
from generator.pages.markup import environment
from generator.pages.render import render, views
from tests.fixtures import tiny, tiny_history

GOLDEN = Path(__file__).parent / "golden"
MADE = (
    Download("torch-2.13.0-cpu-records.csv", b"x" * 2048, "one row a record, 16 rows"),
    Download("torch-2.13.0-cpu-saved.parquet", b"x" * 100, "one row a tensor, 7 rows"),
)
PATHS = [path for path, _, _ in views(tiny.catalogue(), MADE, tiny_history.past())]


@pytest.fixture(scope="module")
def rendered() -> dict[str, str]:
    templates = Path(__file__).parents[2] / "site_templates"
    jinja = environment(templates)
    return {
        path: render(jinja, template, page)
        for path, template, page in views(tiny.catalogue(), MADE, tiny_history.past())
    }


@pytest.mark.parametrize("path", PATHS)
def test_page(path: str, rendered: dict[str, str], *, accept: bool) -> None:
    expected = GOLDEN / path
    if accept:
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(rendered[path], encoding="utf-8")
    assert expected.is_file(), f"no golden page for {path}; look at it, then run `make golden`"
    assert rendered[path] == expected.read_text(encoding="utf-8"), (
        f"{path} is rendered otherwise; look at the difference, then run `make golden`"
    )


def test_no_golden_page_is_left_over() -> None:
    kept = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*.md")}
    assert kept == set(PATHS), "remove golden pages that no view renders"


def test_every_page_says_that_it_is_generated(rendered: dict[str, str], small: Catalogue) -> None:
    assert all("generated_by: tapekept" in text[:400] for text in rendered.values())
    assert len(rendered) >= len(small.ops) + len(small.modules) + len(small.nodes)
