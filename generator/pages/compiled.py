"""The section on the compiler: what AOTAutograd's partitioners keep, beside eager mode."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.compiled import (
    WORDS,
    Record,
    compiled_answer,
    compiled_program,
    cut_roles,
    eager_measurement,
    eager_roles,
    same_as_eager,
)
from generator.catalogue.model.compiled import Compiled, Cut, OtherMask
from generator.catalogue.model.records import Header
from generator.pages.figures import exact
from generator.pages.markup import code_spans
from generator.pages.parts import Chip
from generator.pages.saved import mask_text
from generator.pages.second_order import role_chip

CONFIRMED = "The probe read these figures off this program's own tensors, and it counted the same."


@dataclass(frozen=True)
class CutRow:
    """What one way of keeping keeps: the tensors by role, with how often, and the bytes."""

    names: tuple[str, ...]
    kept: tuple[tuple[Chip, str], ...]
    tensors: str
    logical: str
    storage: str
    extra: str
    note: str


@dataclass(frozen=True)
class MaskRows:
    """The same under another grad mask; `span` is how many rows there are."""

    mask: str
    span: int
    rows: tuple[CutRow, ...]


@dataclass(frozen=True)
class CompiledView:
    """Eager mode and each partitioner, one row for those that agree."""

    answer: Markup
    rows: tuple[CutRow, ...]
    others: tuple[MaskRows, ...]
    mask: str
    note: str
    program: str | None


def compiled_view(header: Header, record: Record) -> CompiledView | None:
    """Lay out what partitioners keep of a record's call; None where none was tried."""
    found, one = record.compiled, eager_measurement(record)
    if found is None:
        return None
    return CompiledView(
        answer=code_spans(compiled_answer(record)),
        rows=tuple(_rows(record, found.cuts)),
        others=tuple(_others(record, found)),
        mask="" if one is None else ", ".join(one.mask),
        note=CONFIRMED if found.unconfirmed is None else f"Here {found.unconfirmed}.",
        program=compiled_program(header, record),
    )


def _others(record: Record, found: Compiled) -> Iterator[MaskRows]:
    for other in found.others:
        rows = tuple(_rows(record, other.cuts, other))
        if other.state != "traced":
            told = f"{other.state}: {other.reason}"
            rows = (CutRow(("all partitioners",), (), "", "", "", "", told),)
        mode = "" if other.mode is None else f", in {other.mode} mode"
        yield MaskRows(f"{mask_text(other.mask)}{mode}", len(rows), rows)


def _rows(record: Record, cuts: Sequence[Cut], other: OtherMask | None = None) -> Iterator[CutRow]:
    """Yield a row for eager mode, and one for each group of partitioners that agree."""
    one = eager_measurement(record, other)
    if not cuts or one is None:
        return
    roles = eager_roles(record, other)
    yield CutRow(
        names=("eager mode",),
        kept=_chips(roles),
        tensors=exact(len(roles)),
        logical=exact(one.logical_bytes),
        storage=exact(one.storage_bytes),
        extra=exact(one.extra_bytes),
        note="",
    )
    for cut in cuts:
        yield _row(record, cut, other)


def _row(record: Record, cut: Cut, other: OtherMask | None) -> CutRow:
    names = tuple(WORDS[by] for by in cut.by)
    if cut.state != "traced":
        return CutRow(names, (), "", "", "", "", f"{cut.state}: {cut.reason}")
    sizes = f"and {cut.sizes} sizes" if cut.sizes else ""
    return CutRow(
        names=names,
        kept=_chips(cut_roles(cut)),
        tensors=exact(len(cut.tensors)),
        logical=exact(cut.logical_bytes),
        storage=exact(cut.storage_bytes),
        extra=exact(cut.extra_bytes),
        note=sizes or ("as eager mode" if same_as_eager(record, cut, other) else ""),
    )


def _chips(roles: list[str]) -> tuple[tuple[Chip, str], ...]:
    counted = Counter(roles)
    return tuple(
        (role_chip(role), f"× {number}" if number > 1 else "") for role, number in counted.items()
    )
