"""The section of an op's or a module's page that says when its answer changes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from generator.catalogue.conditions import (
    Record,
    condition_program,
    condition_text,
    differences,
    pair_text,
    plain_measurement,
    unchanged_texts,
)
from generator.catalogue.model.conditions import (
    Applied,
    ChangedCall,
    ChangedPair,
    Conditions,
)
from generator.catalogue.model.records import Header
from generator.pages.figures import exact, plural
from generator.pages.markup import code_spans
from generator.pages.saved import LONGEST, CompactRow, compact

AS_TRAINED = "The reference call in train mode"
PLAINLY = "The reference call"


@dataclass(frozen=True)
class ConditionRow:
    """Conditions that change a call alike: what is kept then, and the bytes beside the plain."""

    conditions: tuple[Markup, ...]
    row: CompactRow
    extra: str
    plain_extra: str
    differences: tuple[Markup, ...]


@dataclass(frozen=True)
class ConditionProgram:
    """The program that shows what is kept under the first of some conditions."""

    summary: Markup
    program: str


@dataclass(frozen=True)
class RefusedRow:
    """Conditions under which the call raises, and the error."""

    conditions: tuple[Markup, ...]
    reason: str


@dataclass(frozen=True)
class ConditionsView:
    """What came of every condition that was tried, and of pairs of them."""

    reason: str | None
    lead: str
    changed: tuple[ConditionRow, ...]
    unchanged: tuple[Markup, ...]
    refused: tuple[RefusedRow, ...]
    pairs: tuple[ConditionRow, ...]
    pairs_said: str
    programs: tuple[ConditionProgram, ...]


def conditions_view(header: Header, record: Record) -> ConditionsView | None:
    """Lay out the conditions of a record; None where its reference was tried under none."""
    found = record.conditions
    if found is None or not record.references:
        return None
    return ConditionsView(
        reason=None if found.state == "measured" else f"{found.state}: {found.reason}",
        lead=_lead(found),
        changed=tuple(
            _changed(record, one, map(condition_text, one.conditions)) for one in found.changed
        ),
        unchanged=tuple(code_spans(one) for one in unchanged_texts(found)),
        refused=tuple(
            RefusedRow(
                tuple(code_spans(condition_text(applied)) for applied in one.conditions), one.reason
            )
            for one in found.refused
        ),
        pairs=tuple(_changed(record, one, map(pair_text, one.pairs)) for one in found.pairs),
        pairs_said=_pairs_said(found),
        programs=tuple(_programs(header, record, found)),
    )


def _lead(found: Conditions) -> str:
    if found.mask:
        return f"{AS_TRAINED} with {' and '.join(found.mask)} requiring grad, one thing changed:"
    return f"{PLAINLY} once more, with one thing about it changed:"


def _changed(
    record: Record, changed: ChangedCall | ChangedPair, conditions: Iterator[str]
) -> ConditionRow:
    kept = changed.measurement.state == "measured"
    row = compact(record, (changed.measurement,))[0]
    if len(row.kept) > LONGEST:
        row = replace(row, kept=(), note=f"{len(row.kept)} different roles")
    return ConditionRow(
        conditions=tuple(code_spans(one) for one in conditions),
        row=row,
        extra=exact(changed.measurement.extra_bytes) if kept else "",
        plain_extra=exact(plain_measurement(record, changed).extra_bytes),
        differences=tuple(code_spans(one) for one in differences(record, changed)),
    )


def _pairs_said(found: Conditions) -> str:
    """Say how many pairs were tried, and what came of those that have no row."""
    if not found.pairs_tried:
        return ""
    tried = plural(found.pairs_tried, "pair")
    untold = sum(len(one.pairs) for one in found.pairs)
    if not untold:
        return f"Two of these at once, {tried} tried: what one of them does, or what both add."
    return f"{untold} of {tried} tried did what neither of the two foretells"


def _programs(header: Header, record: Record, found: Conditions) -> Iterator[ConditionProgram]:
    """Yield a program for each row, that of its first condition, and one for the first pair.

    The others add the lines of two of them.
    """
    for changed in found.changed:
        shown: Applied = changed.conditions[0]
        yield ConditionProgram(
            code_spans(f"Program: {condition_text(shown)}"),
            condition_program(header, record, changed, shown),
        )
    for kept in found.pairs[:1]:
        pair = kept.pairs[0]
        yield ConditionProgram(
            code_spans(f"Program: {pair_text(pair)}"),
            condition_program(header, record, kept, pair),
        )
