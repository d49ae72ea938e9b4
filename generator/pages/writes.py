"""The section that answers "may I write into it?" on the page of an op, and what it rests on."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.kept import VIEW
from generator.catalogue.model import Case, OpRecord, Verdict, Verdicts, Writes, WriteTrial
from generator.catalogue.policies import measured_nodes
from generator.catalogue.writes import (
    FALSE_ALARM,
    FINE,
    NOT_TRIED,
    RAISES,
    REFUSED,
    WRONG,
    Mask,
    answers,
    by_target,
)
from generator.pages.calls import argument_text
from generator.pages.markup import code_spans
from generator.pages.parts import Chip, Link, chip
from generator.pages.saved import attribute_link, mask_text

KINDS = ("in place", "through a view", "under no_grad", "through .data")
UNDEFINED = "infinite, or not a number"

_TONES = {
    FINE: "fine",
    "correct": "fine",
    RAISES: "raises",
    "raises": "raises",
    FALSE_ALARM: "raises",
    WRONG: "wrong",
    REFUSED: "raises",
    NOT_TRIED: "open",
}
_NAMED = re.compile(r"which is output \d+ of (\S+), is")
_OUTPUT = re.compile(r"(?<=utput )\d+(?= of)")
_NUMBER = re.compile(r"Backward(\d*)")


@dataclass(frozen=True)
class Word:
    """How a write ended, in a word, and the tone that colours it."""

    text: str
    tone: str


@dataclass(frozen=True)
class AnswerRow:
    """What an in-place write into some tensors does, and the remarks on it."""

    chips: tuple[Chip, ...]
    word: Word
    remarks: tuple[Markup, ...]


@dataclass(frozen=True)
class VerdictLine:
    """How each kind of write ended, in the order of `KINDS`, with hooks or without."""

    hooks: str
    words: tuple[Word, ...]


@dataclass(frozen=True)
class VerdictRow:
    """Tensors for which every kind of write ended alike: one line where hooks change nothing."""

    chips: tuple[Chip, ...]
    masks: tuple[str, ...]
    span: int
    lines: tuple[VerdictLine, ...]
    error: str


@dataclass(frozen=True)
class Saver:
    """A node that keeps the tensor, under an attribute."""

    node: Link
    attribute: Link


@dataclass(frozen=True)
class KeptBy:
    """Tensors and the nodes that keep them; none where they are kept under other roles."""

    chips: tuple[Chip, ...]
    savers: tuple[Saver, ...]


@dataclass(frozen=True)
class MessageView:
    """An error, verbatim for the first of the tensors, who kept them, and whom it names."""

    kept: tuple[KeptBy, ...]
    text: str
    named: Markup


@dataclass(frozen=True)
class WritesView:
    """All trials of writing into the tensors of one call; `reason` says why there are none."""

    reason: str | None
    call: str
    arguments: tuple[str, ...]
    mask: str
    answers: tuple[AnswerRow, ...]
    kinds: tuple[str, ...]
    rows: tuple[VerdictRow, ...]
    others: tuple[VerdictRow, ...]
    messages: tuple[MessageView, ...]


def writes_view(op: OpRecord, root: str) -> WritesView | None:
    """Lay out what writes into the op's tensors do; None where the op has no trials to tell of."""
    writes = op.writes
    if writes is None:
        return None
    firsts = [trials[0] for trials in by_target(writes.trials).values()]
    later = [one for trials in by_target(writes.trials).values() for one in trials[1:]]
    return WritesView(
        reason=writes.reason,
        call=writes.call,
        arguments=tuple(argument_text(one) for one in writes.arguments),
        mask=mask_text(writes.masks[0]),
        answers=tuple(answer_rows(writes)),
        kinds=KINDS,
        rows=tuple(_rows(firsts, writes)),
        others=tuple(_rows(later, writes)),
        messages=tuple(_messages(op, writes, firsts, root)),
    )


def answer_rows(writes: Writes) -> Iterator[AnswerRow]:
    """Lay out the answer for each group of tensors that end alike."""
    for answer in answers(writes):
        yield AnswerRow(
            chips=tuple(chip(target) for target in answer.targets),
            word=word(answer.word),
            remarks=tuple(code_spans(remark) for remark in answer.remarks),
        )


def word(text: str | Verdict) -> Word:
    """Colour an ending or a verdict."""
    return Word(text, _TONES[text])


def _rows(trials: Iterable[WriteTrial], writes: Writes) -> Iterator[VerdictRow]:
    groups: dict[tuple[object, ...], list[WriteTrial]] = {}
    for one in trials:
        groups.setdefault((one.plain, one.hooked, one.masks), []).append(one)
    for members in groups.values():
        first = members[0]
        lines = tuple(_lines(first))
        yield VerdictRow(
            chips=tuple(chip(one.target) for one in members),
            masks=tuple(mask_text(writes.masks[position]) for position in first.masks),
            span=len(lines),
            lines=lines,
            error=_error(members),
        )


def _lines(trial: WriteTrial) -> Iterator[VerdictLine]:
    if trial.plain == trial.hooked:
        yield VerdictLine("either way", _words(trial.plain))
    else:
        yield VerdictLine("no hooks", _words(trial.plain))
        yield VerdictLine("identity hooks", _words(trial.hooked))


def _words(verdicts: Verdicts) -> tuple[Word, ...]:
    return tuple(word(one) for one in each_kind(verdicts))


def each_kind(verdicts: Verdicts) -> tuple[Verdict, ...]:
    """List the verdicts in the order of `KINDS`."""
    return (
        verdicts.in_place,
        verdicts.through_view,
        verdicts.under_no_grad,
        verdicts.through_data,
    )


def _error(trials: Sequence[WriteTrial]) -> str:
    wrong = [
        one for one in trials if "silently wrong" in (*each_kind(one.plain), *each_kind(one.hooked))
    ]
    if not wrong:
        return ""
    known = [one.relative_error for one in wrong if one.relative_error is not None]
    return f"{max(known):g}" if len(known) == len(wrong) else UNDEFINED


def _messages(
    op: OpRecord, writes: Writes, trials: Iterable[WriteTrial], root: str
) -> Iterator[MessageView]:
    """Yield the errors under the first mask, alike ones once, whichever output they number."""
    errors: dict[str, list[WriteTrial]] = {}
    for one in trials:
        if one.message is not None:
            errors.setdefault(_OUTPUT.sub("", one.message), []).append(one)
    for members in errors.values():
        by_savers: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for one in members:
            savers = _savers(op, writes, one.target)
            by_savers.setdefault(savers, []).append(one.target)
        message = str(members[0].message)
        nodes = {node for savers in by_savers for node, _ in savers}
        yield MessageView(
            kept=tuple(_kept_by(*group, root) for group in by_savers.items()),
            text=message,
            named=code_spans(_whom(message, nodes) if nodes else ""),
        )


def _kept_by(savers: Sequence[tuple[str, str]], targets: Sequence[str], root: str) -> KeptBy:
    return KeptBy(
        chips=tuple(chip(target) for target in targets),
        savers=tuple(
            Saver(Link(node, f"{root}nodes/{node}/"), attribute_link(attribute, root))
            for node, attribute in savers
        ),
    )


def _savers(op: OpRecord, writes: Writes, target: str) -> tuple[tuple[str, str], ...]:
    """List node type and attribute wherever the call, under the first mask, keeps a tensor.

    Where no case has this very call, those that keep the tensor speak for it if they agree; else,
    and where it is kept under the role of another, there are none.
    """
    same = [one for one in op.cases if (one.call, one.arguments) == (writes.call, writes.arguments)]
    found = {_keepers(op, case, writes.masks[0], target) for case in same or op.cases} - {()}
    return found.pop() if len(found) == 1 else ()


def _keepers(op: OpRecord, case: Case, mask: Mask, target: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        dict.fromkeys(
            (node.type, value.attribute)
            for one in case.measurements
            if one.mask == mask
            for node in measured_nodes(op, one)
            for value in node.saved
            if target in value.roles or VIEW + target in value.roles
        )
    )


def _whom(message: str, savers: set[str]) -> str:
    match = _NAMED.search(message)
    if match is None:
        return "The message names no node."
    named = match.group(1)
    if any(named in _spellings(saver) for saver in savers):
        return f"The message names the node that kept it, as `{named}`."
    return f"The message names `{named}` instead, which did not keep it."


def _spellings(node: str) -> set[str]:
    """Spell a node type as error messages do: `Exp` or `ExpBackward0`, `Pow1`, by release."""
    return {node, _NUMBER.sub("", node), _NUMBER.sub(r"\1", node)}
