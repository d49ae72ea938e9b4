"""The section of an op's page that says when its answer changes."""

from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.conditions import (
    condition_program,
    condition_text,
    differences,
    plain_measurement,
    unchanged_texts,
)
from generator.catalogue.model import Header, OpRecord
from generator.pages.figures import exact
from generator.pages.markup import code_spans
from generator.pages.saved import CompactRow, compact


@dataclass(frozen=True)
class ConditionRow:
    """Conditions that change a call alike: what is kept then, and the program that shows it."""

    conditions: tuple[Markup, ...]
    row: CompactRow
    extra: str
    plain_extra: str
    differences: tuple[Markup, ...]
    summary: Markup
    program: str


@dataclass(frozen=True)
class RefusedRow:
    """Conditions under which the call raises, and the error."""

    conditions: tuple[Markup, ...]
    reason: str


@dataclass(frozen=True)
class ConditionsView:
    """What came of every condition that was tried."""

    reason: str | None
    changed: tuple[ConditionRow, ...]
    unchanged: tuple[Markup, ...]
    refused: tuple[RefusedRow, ...]


def conditions_view(header: Header, op: OpRecord) -> ConditionsView | None:
    """Lay out the conditions of an op; None where its reference was tried under none."""
    found = op.conditions
    if found is None or not op.references:
        return None
    rows = []
    for changed in found.changed:
        plain = plain_measurement(op.references[0], changed)
        shown = changed.conditions[0]
        rows.append(
            ConditionRow(
                conditions=tuple(code_spans(condition_text(one)) for one in changed.conditions),
                row=compact(op, (changed.measurement,))[0],
                extra=exact(changed.measurement.extra_bytes),
                plain_extra=exact(plain.extra_bytes),
                differences=tuple(code_spans(one) for one in differences(op, changed)),
                summary=code_spans(f"Program: {condition_text(shown)}"),
                program=condition_program(header, op, changed, shown),
            )
        )
    return ConditionsView(
        reason=None if found.state == "measured" else f"{found.state}: {found.reason}",
        changed=tuple(rows),
        unchanged=tuple(code_spans(one) for one in unchanged_texts(found)),
        refused=tuple(
            RefusedRow(
                tuple(code_spans(condition_text(applied)) for applied in one.conditions), one.reason
            )
            for one in found.refused
        ),
    )
