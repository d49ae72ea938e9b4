"""The page of conditions: what keeps something else under autocast, with a number, strided."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.conditions import (
    Record,
    condition_text,
    differences,
    pair_text,
    plain_measurement,
)
from generator.catalogue.model.conditions import Applied, ChangedCall, ChangedPair
from generator.catalogue.model.records import Catalogue, ModuleRecord
from generator.pages.figures import exact, plural
from generator.pages.markup import code_spans
from generator.pages.parts import Front, Link, record_link

ROOT = "../"
HEADINGS = {
    "autocast": "Under autocast",
    "number": "With a Python number",
    "0-dim": "With a tensor without dimensions",
    "one row": "Broadcast from one row",
    "same tensor": "With the same tensor twice",
    "transposed": "Transposed",
    "strided": "Strided",
    "offset": "A part of a larger tensor",
    "expanded": "Expanded",
    "channels_last": "In channels_last",
    "training": "In the other mode",
    "eval": "In eval mode",
    "frozen": "With frozen parameters",
    "empty": "Without rows",
    "nan": "With NaN",
    "float64": "In float64",
    "bfloat16": "In bfloat16",
    "float16": "In float16",
    "complex64": "In complex64",
}


# What a call raises of is told of these: all others may be refused for the shape of the change.
TOLD_IF_REFUSED = ("empty", "nan")


@dataclass(frozen=True)
class ChangedRow:
    """A record that conditions change: which ones, how, and the extra bytes."""

    link: Link
    condition: Markup
    differences: tuple[Markup, ...]
    extra: str
    plain_extra: str


@dataclass(frozen=True)
class RefusedRow:
    """A record whose call raises under a condition, and the error."""

    link: Link
    condition: Markup
    reason: str


@dataclass(frozen=True)
class ConditionGroup:
    """One condition and all records that it changes, and those that raise where that is told."""

    heading: str
    anchor: str
    count: str
    rows: tuple[ChangedRow, ...]
    refused: tuple[RefusedRow, ...]
    refused_count: str


@dataclass(frozen=True)
class ConditionsPage:
    """Every condition that changes what some record keeps, and pairs that nothing foretells."""

    front: Front
    tried: str
    groups: tuple[ConditionGroup, ...]
    pairs: tuple[ChangedRow, ...]
    pairs_count: str


def conditions_page(catalogue: Catalogue) -> ConditionsPage:
    """Group the records by the conditions that change them."""
    everything: list[Record] = [*catalogue.ops.values(), *catalogue.modules.values()]
    tried = [record for record in everything if record.conditions is not None]
    found: dict[str, list[ChangedRow]] = {}
    refused: dict[str, list[RefusedRow]] = {}
    changing: dict[str, dict[str, Record]] = {}
    raising: dict[str, dict[str, Record]] = {}
    for record in tried:
        for applied, row in _rows(record):
            found.setdefault(applied.condition, []).append(row)
            changing.setdefault(applied.condition, {})[record.name] = record
        for applied, told in _refused(record):
            refused.setdefault(applied.condition, []).append(told)
            raising.setdefault(applied.condition, {})[record.name] = record
    pairs = tuple(row for record in tried for row in _pairs(record))
    number = sum(record.conditions.pairs_tried for record in tried if record.conditions)
    return ConditionsPage(
        front=Front(
            title="When the answer changes",
            description=(
                "Which ops and modules keep something else under autocast (AMP), with a Python "
                "number, with NaN or without rows, transposed, expanded or strided inputs, in "
                "channels_last, in another dtype, frozen or in eval mode."
            ),
            section=None,
            boost=6.0,
            hide=("navigation",),
        ),
        tried=_counted(tried),
        groups=tuple(
            ConditionGroup(
                heading=heading,
                anchor=name.replace(" ", "-"),
                count=_counted(changing.get(name, {}).values()),
                rows=tuple(found.get(name, ())),
                refused=tuple(refused.get(name, ())),
                refused_count=_counted(raising.get(name, {}).values()),
            )
            for name, heading in HEADINGS.items()
            if name in found or name in refused
        ),
        pairs=pairs,
        pairs_count=plural(number, "pair"),
    )


def _counted(records: Collection[Record]) -> str:
    modules = sum(isinstance(record, ModuleRecord) for record in records)
    counts = {"op": len(records) - modules, "module": modules}
    return " and ".join(plural(number, noun) for noun, number in counts.items() if number)


def _rows(record: Record) -> Iterator[tuple[Applied, ChangedRow]]:
    for changed in record.conditions.changed if record.conditions else ():
        for applied in changed.conditions:
            yield applied, _row(record, changed, condition_text(applied))


def _refused(record: Record) -> Iterator[tuple[Applied, RefusedRow]]:
    for refused in record.conditions.refused if record.conditions else ():
        for applied in refused.conditions:
            if applied.condition in TOLD_IF_REFUSED:
                said = code_spans(condition_text(applied))
                yield applied, RefusedRow(_link(record), said, refused.reason)


def _pairs(record: Record) -> Iterator[ChangedRow]:
    """Yield a row for pairs that end alike, which the first of them stands for."""
    for kept in record.conditions.pairs if record.conditions else ():
        first, *others = kept.pairs
        more = f" (and {plural(len(others), 'other pair')})" if others else ""
        yield _row(record, kept, pair_text(first) + more)


def _row(record: Record, changed: ChangedCall | ChangedPair, said: str) -> ChangedRow:
    kept = changed.measurement.state == "measured"
    return ChangedRow(
        link=_link(record),
        condition=code_spans(said),
        differences=tuple(code_spans(one) for one in differences(record, changed)),
        extra=exact(changed.measurement.extra_bytes) if kept else "",
        plain_extra=exact(plain_measurement(record, changed).extra_bytes),
    )


def _link(record: Record) -> Link:
    link = record_link(record, ROOT)
    return Link(link.text, f"{link.href}#conditions")
