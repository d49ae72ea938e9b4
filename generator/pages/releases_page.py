"""The index of releases: each with its date, its build, what was measured, and what changed."""

from dataclasses import dataclass

from generator.catalogue.citations import GIT_DIGITS
from generator.catalogue.difference.findings import Difference
from generator.catalogue.model.history import History, Measured
from generator.pages.figures import exact, plural
from generator.pages.parts import Front, Link
from generator.pages.release_chart import Chart, chart_of
from generator.pages.release_page import changed_records, published

ROOT = "../"


@dataclass(frozen=True)
class ReleaseRow:
    """One release in a line.

    `changed` counts the ops, modules and blocks that keep something else than in the release before
    it, `less` and `more` those of them whose extra bytes fell or rose, `findings` all differences;
    these four are empty for the oldest.
    """

    link: Link
    published: str
    build: str
    depth: str
    ops: str
    modules: str
    node_types: str
    changed: str
    less: str
    more: str
    findings: str


@dataclass(frozen=True)
class ReleasesPage:
    """All releases, newest first; `chart` is None where nothing can be compared."""

    front: Front
    introduction: str
    chart: Chart | None
    rows: tuple[ReleaseRow, ...]


def releases_page(history: History) -> ReleasesPage:
    """List the measured releases."""
    told: list[Difference | None] = [None, *history.differences]
    rows = [_row(one, each) for one, each in zip(history.releases, told, strict=True)]
    return ReleasesPage(
        front=Front(
            title="Releases",
            description="Every PyTorch release that was measured, and what each one changed.",
            section=None,
            boost=4.0,
            hide=("navigation",),
        ),
        introduction=_introduction(history),
        chart=chart_of(history.differences),
        rows=tuple(reversed(rows)),
    )


def _introduction(history: History) -> str:
    measured = history.releases
    if len(measured) == 1:
        return (
            f"One release was measured so far: PyTorch {measured[0].release}. With a second one, "
            "this page says what changed between them."
        )
    return (
        f"{plural(len(measured), 'release')} were measured on {history.device}, from "
        f"{measured[0].release} to {measured[-1].release}. Each is compared with the one listed "
        "below it: what its calls keep for backward, what they raise, and which node types exist."
    )


def _row(one: Measured, difference: Difference | None) -> ReleaseRow:
    changes = [] if difference is None else [*changed_records(difference).values()]
    counts = one.counts
    return ReleaseRow(
        link=Link(one.release, f"{one.release}/"),
        published=published(one),
        build=f"{one.version}, {one.git[:GIT_DIGITS]}",
        depth=one.depth,
        ops=exact(counts.get("op", {}).get("measured", 0)),
        modules=exact(counts.get("module", {}).get("measured", 0)),
        node_types=exact(one.registered),
        changed="" if difference is None else exact(len(changes)),
        less="" if difference is None else exact(sum(change < 0 for change in changes)),
        more="" if difference is None else exact(sum(change > 0 for change in changes)),
        findings="" if difference is None else exact(sum(difference.counts.values())),
    )
