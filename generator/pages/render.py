"""Rendering: every view of a catalogue laid out by its template and written under `docs/`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from jinja2 import Environment

from generator.catalogue.explain.others import of_history
from generator.catalogue.mismatches import mismatches
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.pages.architecture_page import architecture_page, decisions_page
from generator.pages.attributes_page import attributes_page
from generator.pages.block_page import block_page
from generator.pages.blocks_page import blocks_page
from generator.pages.catalogue_page import catalogue_page
from generator.pages.changes_page import changes_page
from generator.pages.compiled_page import compiled_page
from generator.pages.conditions_page import conditions_page
from generator.pages.coverage_page import coverage_page
from generator.pages.data_page import FOLDER, data_page
from generator.pages.downloads import Download, downloads
from generator.pages.errors_download import errors_download
from generator.pages.feed import FILE_NAME as FEED_NAME
from generator.pages.feed import feed
from generator.pages.files import (
    MARK,
    RenderReport,
    remove_others,
    remove_stale,
    write_if_changed,
)
from generator.pages.home_page import home_page
from generator.pages.index_pages import modules_index, nodes_index, ops_index
from generator.pages.markup import environment
from generator.pages.mismatches_page import mismatches_page
from generator.pages.module_page import module_page
from generator.pages.node_page import node_page
from generator.pages.op_page import op_page
from generator.pages.other_changes import other_changes
from generator.pages.pair_page import pair_page
from generator.pages.parts import Front
from generator.pages.published_history import history_download
from generator.pages.relations import relate
from generator.pages.release_page import release_pages
from generator.pages.releases_page import releases_page
from generator.pages.timeline import Past
from generator.pages.unseen_page import unseen_page
from generator.pages.writes_page import writes_page

SOURCE = Path(__file__).parent.parent
RECORD_ROOT = "../../"
SECTIONS = ("ops", "modules", "nodes", "blocks", "writes", "releases")


class Page(Protocol):
    """Any view: what all have in common is their front matter."""

    @property
    def front(self) -> Front:
        """Title, description, and the way back."""
        ...


def render_pages(
    catalogue: Catalogue, history: History, docs: Path, templates: Path
) -> RenderReport:
    """Write the pages and downloads of a catalogue under `docs`, and remove those of another.

    `history` is that of all releases that are known when the site is built. Hand-written files and
    `docs/data/` are never touched. Raises OSError where a file cannot be written.
    """
    report = RenderReport()
    made = (
        *downloads(catalogue),
        history_download(history),
        errors_download(catalogue, of_history(history)),
    )
    jinja = environment(templates)
    for path, template, page in (*project_views(docs), *views(catalogue, made, history)):
        text = render(jinja, template, page)
        write_if_changed(docs / path, text.encode(), report)
    for one in made:
        write_if_changed(docs / FOLDER / one.name, one.content, report)
    entries = feed(history)
    if entries is not None:
        write_if_changed(docs / FEED_NAME, entries, report)
    remove_stale([docs, *(docs / section for section in SECTIONS)], report)
    remove_others(docs / FOLDER, report)
    return report


def render(jinja: Environment, template: str, page: Page) -> str:
    """Lay out one view, the front matter first."""
    return jinja.get_template(template).render(page=page, mark=MARK)


def project_views(docs: Path) -> Iterator[tuple[str, str, Page]]:
    """Yield the pages about the project itself, which come from its sources."""
    yield "architecture.md", "architecture.md.jinja", architecture_page(SOURCE)
    yield "decisions.md", "decisions.md.jinja", decisions_page(docs / "decisions")


def views(
    catalogue: Catalogue, made: tuple[Download, ...], history: History
) -> Iterator[tuple[str, str, Page]]:
    """Yield each page's path below `docs`, its template, and its view."""
    relations = relate(catalogue)
    yield "index.md", "home.md.jinja", home_page(catalogue)
    yield "catalogue.md", "catalogue.md.jinja", catalogue_page(catalogue)
    yield "ops/index.md", "index.md.jinja", ops_index(catalogue)
    yield "modules/index.md", "index.md.jinja", modules_index(catalogue)
    yield "nodes/index.md", "index.md.jinja", nodes_index(catalogue)
    yield "attributes.md", "attributes.md.jinja", attributes_page(catalogue, relations)
    yield "coverage.md", "coverage.md.jinja", coverage_page(catalogue)
    yield "mismatches.md", "mismatches.md.jinja", mismatches_page(catalogue, mismatches(catalogue))
    yield "writes.md", "writes.md.jinja", writes_page(catalogue)
    yield "writes/unseen.md", "unseen.md.jinja", unseen_page(catalogue)
    yield "compiled.md", "compiled.md.jinja", compiled_page(catalogue)
    yield "conditions.md", "conditions.md.jinja", conditions_page(catalogue)
    yield "blocks/index.md", "blocks.md.jinja", blocks_page(catalogue)
    yield "data.md", "data.md.jinja", data_page(catalogue, made)
    yield from release_views(catalogue, history)
    past = Past(history, other_changes(history, RECORD_ROOT), catalogue.header.release)
    for block in catalogue.blocks.values():
        yield f"blocks/{block.name}.md", "block.md.jinja", block_page(catalogue, block)
    for op in catalogue.ops.values():
        yield f"ops/{op.name}.md", "op.md.jinja", op_page(catalogue, relations, past, op)
    for module in catalogue.modules.values():
        yield f"modules/{module.name}.md", "module.md.jinja", module_page(catalogue, past, module)
    for node in catalogue.nodes.values():
        yield f"nodes/{node.name}.md", "node.md.jinja", node_page(catalogue, relations, past, node)


def release_views(catalogue: Catalogue, history: History) -> Iterator[tuple[str, str, Page]]:
    """Yield the pages about all releases, as the site of `catalogue` has them."""
    yield "releases/index.md", "releases.md.jinja", releases_page(history)
    yield "releases/compare.md", "pair.md.jinja", pair_page(catalogue, history)
    yield "changes.md", "changes.md.jinja", changes_page(catalogue, history)
    for release, page in release_pages(catalogue, history):
        yield f"releases/{release}.md", "release.md.jinja", page
