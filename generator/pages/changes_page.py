"""All policy changes ever: every record that keeps something else than a release before."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.catalogue.difference.findings import Kept
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.pages.across import Across
from generator.pages.catalogue_page import Filter, Option, OptionGroup
from generator.pages.figures import exact
from generator.pages.parts import Front, Link
from generator.pages.told import KeptRow, extra_change, kept_rows

ROOT = "../"
EFFECTS = ("fewer extra bytes", "more extra bytes", "the same extra bytes")


@dataclass(frozen=True)
class ChangeRow:
    """One record in one release; `place` orders releases from the oldest on."""

    release: Link
    place: str
    since: str
    effect: str
    kept: KeptRow


@dataclass(frozen=True)
class ChangesPage:
    """The table, its filters, and the count that stands above it before any script runs.

    `nothing` says why there are no rows, where there are none.
    """

    front: Front
    rows: tuple[ChangeRow, ...]
    filters: tuple[Filter, ...]
    count: str
    nothing: str


def changes_page(catalogue: Catalogue, history: History) -> ChangesPage:
    """List the changes of all releases, newest first, the largest of each first."""
    listed = tuple(_rows(catalogue, history))
    return ChangesPage(
        front=Front(
            title="All policy changes ever",
            description="Every change of what PyTorch keeps for backward, in every release.",
            section=None,
            boost=4.0,
            hide=("navigation", "toc"),
        ),
        rows=listed,
        filters=(
            _filter("release", "Release", "all", (row.release.text for row in listed)),
            _filter("kind", "Kind", "ops, modules, blocks", (row.kept.kind for row in listed)),
            _filter("effect", "Effect", "any", (row.effect for row in listed)),
        ),
        count=exact(len(listed)),
        nothing=(
            "Only one release was measured so far, so there is none to compare it with."
            if len(history.releases) == 1
            else "Every call that was measured keeps the same in all releases."
        ),
    )


def _rows(catalogue: Catalogue, history: History) -> Iterator[ChangeRow]:
    across = Across(catalogue, ROOT)
    for place, difference in reversed([*enumerate(history.differences)]):
        new = difference.new.release
        for finding in difference.findings:
            if not isinstance(finding, Kept):
                continue
            rows = kept_rows(finding, difference, across)
            for one, row in zip(finding.records, rows, strict=True):
                yield ChangeRow(
                    release=Link(new, f"{ROOT}releases/{new}/"),
                    place=f"{place:03}",
                    since=difference.old.release,
                    effect=_effect(extra_change(one)),
                    kept=row,
                )


def _effect(change: int) -> str:
    return EFFECTS[0 if change < 0 else 1 if change else 2]


def _filter(name: str, label: str, everything: str, values: Iterable[str]) -> Filter:
    counts = Counter(values)
    options = tuple(Option(one, f"{one} ({exact(number)})") for one, number in counts.items())
    return Filter(name, label, everything, (OptionGroup("", options),))
