"""The page of conditions: which ops keep something else under autocast, with a number, strided."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.conditions import condition_text, differences, plain_measurement
from generator.catalogue.model import Catalogue, OpRecord
from generator.catalogue.model_conditions import Applied, ChangedCall
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
    "float64": "In float64",
    "bfloat16": "In bfloat16",
    "float16": "In float16",
    "complex64": "In complex64",
}


@dataclass(frozen=True)
class OpRow:
    """An op that a condition changes: the argument, how, and the extra bytes."""

    link: Link
    condition: Markup
    differences: tuple[Markup, ...]
    extra: str
    plain_extra: str


@dataclass(frozen=True)
class ConditionGroup:
    """One condition and all ops that it changes."""

    heading: str
    anchor: str
    count: str
    rows: tuple[OpRow, ...]


@dataclass(frozen=True)
class ConditionsPage:
    """Every condition that changes what some op keeps."""

    front: Front
    tried: str
    groups: tuple[ConditionGroup, ...]


def conditions_page(catalogue: Catalogue) -> ConditionsPage:
    """Group the ops by the conditions that change them."""
    tried = [op for op in catalogue.ops.values() if op.conditions is not None]
    found: dict[str, list[OpRow]] = {}
    for op in tried:
        for applied, row in _rows(op):
            found.setdefault(applied.condition, []).append(row)
    return ConditionsPage(
        front=Front(
            title="When the answer changes",
            description=(
                "Which ops keep something else under autocast (AMP), with a Python number, "
                "transposed, expanded or strided inputs, in channels_last, in another dtype."
            ),
            section=None,
            boost=6.0,
            hide=("navigation",),
        ),
        tried=plural(len(tried), "op"),
        groups=tuple(
            ConditionGroup(
                heading=heading,
                anchor=name.replace(" ", "-"),
                count=plural(len({row.link.text for row in found[name]}), "op"),
                rows=tuple(found[name]),
            )
            for name, heading in HEADINGS.items()
            if name in found
        ),
    )


def _rows(op: OpRecord) -> Iterator[tuple[Applied, OpRow]]:
    for changed in op.conditions.changed if op.conditions else ():
        for applied in changed.conditions:
            yield applied, _row(op, changed, applied)


def _row(op: OpRecord, changed: ChangedCall, applied: Applied) -> OpRow:
    link = record_link(op, ROOT)
    return OpRow(
        link=Link(link.text, f"{link.href}#conditions"),
        condition=code_spans(condition_text(applied)),
        differences=tuple(code_spans(one) for one in differences(op, changed)),
        extra=exact(changed.measurement.extra_bytes),
        plain_extra=exact(plain_measurement(op.references[0], changed).extra_bytes),
    )
