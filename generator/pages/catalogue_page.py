"""The catalogue: one table of every op, module and node type, and the filters above it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from generator.catalogue.kept import CLASSES
from generator.catalogue.model.records import Catalogue
from generator.pages.figures import exact
from generator.pages.parts import Front
from generator.pages.rows import Row, rows

ROOT = "../"


@dataclass(frozen=True)
class Option:
    """One choice of a filter: its value in the address, and its label with a count."""

    value: str
    text: str


@dataclass(frozen=True)
class OptionGroup:
    """Choices under a heading; an empty heading for choices that stand alone."""

    heading: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Filter:
    """One drop-down above the table."""

    name: str
    label: str
    everything: str
    groups: tuple[OptionGroup, ...]


@dataclass(frozen=True)
class CataloguePage:
    """The table, its filters, and the count that stands above it before any script runs."""

    front: Front
    rows: tuple[Row, ...]
    filters: tuple[Filter, ...]
    count: str
    release: str


def catalogue_page(catalogue: Catalogue) -> CataloguePage:
    """Lay out the whole catalogue."""
    listed = rows(catalogue, ROOT)
    return CataloguePage(
        front=Front(
            title="Catalogue",
            description="Every op, module and node type in one table: what each keeps.",
            section=None,
            hide=("navigation", "toc"),
        ),
        rows=listed,
        filters=(
            Filter("kind", "Kind", "ops, modules, nodes", (_plain(one.kind for one in listed),)),
            Filter("saved", "Keeps", "anything", _saved(listed)),
            Filter(
                "ns",
                "Namespace",
                "all",
                (_plain(one.namespace for one in listed if one.namespace),),
            ),
            Filter("state", "State", "any", (_plain(one.state for one in listed),)),
        ),
        count=exact(len(listed)),
        release=catalogue.header.release,
    )


def _plain(values: Iterable[str]) -> OptionGroup:
    counts = Counter(values)
    return OptionGroup("", tuple(_option(value, value, counts[value]) for value in counts))


def _saved(listed: Iterable[Row]) -> tuple[OptionGroup, ...]:
    """Offer what is kept twice: any record with a class, and records with exactly one label."""
    each = list(listed)
    holding = Counter(chip.text for one in each for chip in one.chips)
    exactly = Counter(one.label for one in each)
    return (
        OptionGroup(
            "among others",
            tuple(_option(f"has-{name}", name, holding[name]) for name in CLASSES if holding[name]),
        ),
        OptionGroup(
            "exactly",
            tuple(_option(name, name, count) for name, count in exactly.most_common()),
        ),
    )


def _option(value: str, text: str, count: int) -> Option:
    return Option(value, f"{text} ({exact(count)})")
