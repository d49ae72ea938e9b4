"""The table of an op's other spellings: what each keeps, mask by mask where that is its own."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.clones import cloning
from generator.catalogue.model.records import Catalogue, OpRecord, Variant
from generator.catalogue.policies import under_each_mask
from generator.catalogue.spelling_evidence import spellings_printed, spellings_program
from generator.catalogue.spellings import differs
from generator.catalogue.undifferentiable import spelling_without
from generator.pages.clones import clone_answers
from generator.pages.markup import code_spans
from generator.pages.parts import ProgramView
from generator.pages.saved import CompactRow, compact, mask_text

IN_PLACE = "in-place"
CLONE = "keeps a hidden clone"
EVERY = "under every grad mask"
AS_THE_OP = "as the op itself under every mask; grad of {}"


@dataclass(frozen=True)
class SpellingLine:
    """What a spelling keeps under masks that agree; `masks` is empty where it is one line alone."""

    masks: str
    row: CompactRow | None
    remark: str
    extra: str


@dataclass(frozen=True)
class SpellingView:
    """Another spelling of the op, and what it keeps where it could be called.

    `span` is how many lines it has, where that is more than one.
    """

    name: str
    relation: str
    called: str
    lines: tuple[SpellingLine, ...]
    span: int | None


@dataclass(frozen=True)
class SpellingsView:
    """All other spellings of an op, a `note` on how they were called, and the program.

    `answers` say of those in place whether they keep a hidden clone.
    """

    answers: tuple[Markup, ...]
    note: str | None
    rows: tuple[SpellingView, ...]
    program: ProgramView | None


def spellings_view(catalogue: Catalogue, op: OpRecord) -> SpellingsView | None:
    """Lay out the other spellings of an op; None where it has none."""
    if not op.variants:
        return None
    program = spellings_program(catalogue.header, op)
    printed = spellings_printed(op).rstrip()
    return SpellingsView(
        answers=tuple(map(code_spans, clone_answers(op))),
        note=_note(op),
        rows=tuple(_spelling(catalogue, op, one) for one in op.variants),
        program=None if program is None else ProgramView(program.rstrip(), printed),
    )


def _note(op: OpRecord) -> str | None:
    counts = [len(under_each_mask(one)) for one in op.variants if one.further]
    if not counts:
        return None
    return f"The reference call was made in each spelling under all its {counts[0]} grad masks."


def _spelling(catalogue: Catalogue, op: OpRecord, spelling: Variant) -> SpellingView:
    lines = tuple(_lines(catalogue, op, spelling))
    return SpellingView(
        name=spelling.name,
        relation=spelling.relation,
        called="the reference call" if spelling.call is not None else "a sample, by value",
        lines=lines,
        span=len(lines) if len(lines) > 1 else None,
    )


def _lines(catalogue: Catalogue, op: OpRecord, spelling: Variant) -> Iterator[SpellingLine]:
    rows, own = compact(op, under_each_mask(spelling)), differs(op, spelling)
    shown = rows if own else rows[:1]
    clones = {mask_text(one.mask) for one in cloning(op, spelling)}
    without = ""
    if spelling.relation == IN_PLACE:
        without = spelling_without(op, spelling, catalogue.nodes).replace("`", "")
    if not shown:
        yield SpellingLine("", None, without, "")
    for place, row in enumerate(shown):
        remarks = [CLONE if clones.intersection(row.masks) else "", "" if place else without]
        masks = ""
        if spelling.further:
            masks = _under(row, alone=len(rows) == 1) if own else AS_THE_OP.format(row.masks[0])
        yield SpellingLine(masks, row, "; ".join(one for one in remarks if one), row.extra)


def _under(row: CompactRow, *, alone: bool) -> str:
    return EVERY if alone else f"grad of {'; or '.join(row.masks)}"
