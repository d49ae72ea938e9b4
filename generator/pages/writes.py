"""The section that answers "may I write into it?" on the page of an op, and what it rests on."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.model.reads import Reads
from generator.catalogue.model.records import Build, Header, OpRecord
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.model.writes import Verdicts, Writes, WriteTrial
from generator.catalogue.write_evidence import writes_printed, writes_program
from generator.catalogue.writes import (
    FALSE_ALARM,
    FINE,
    KINDS,
    NOT_TRIED,
    RAISES,
    REFUSED,
    WRONG,
    answers,
    by_target,
    each_kind,
    named_by,
)
from generator.pages.calls import argument_text
from generator.pages.markup import code_spans
from generator.pages.parts import Chip, Link, ProgramView, Word, chip
from generator.pages.reads import ReadNote, ReadsView, read_note, read_word, reads_view
from generator.pages.saved import attribute_link, mask_text

WAYS = ("no hooks", "identity hooks", "save_on_cpu")
NO_HOOKS = "This release has no saved-tensor hooks: nothing was tried under any."
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
_OUTPUT = re.compile(r"(?<=utput )\d+(?= of)")
_NUMBER = re.compile(r"Backward(\d*)")


@dataclass(frozen=True)
class AnswerRow:
    """What an in-place write into some tensors does, and the remarks on it.

    `read` is how it ends from outputs read after it, where that is known to be otherwise.
    """

    chips: tuple[Chip, ...]
    word: Word
    read: Word | None
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
    """An error, verbatim for the first of the tensors: when it came, who kept them, its name."""

    kept: tuple[KeptBy, ...]
    when: str
    text: str
    named: Markup


@dataclass(frozen=True)
class WritesView:
    """All trials of writing into the tensors of one call; `reason` says why there are none."""

    reason: str | None
    call: str
    source: str
    arguments: tuple[str, ...]
    mask: str
    answers: tuple[AnswerRow, ...]
    kinds: tuple[str, ...]
    rows: tuple[VerdictRow, ...]
    others: tuple[VerdictRow, ...]
    messages: tuple[MessageView, ...]
    hooks_note: Markup
    left_out: str | None
    evidence: ProgramView | None
    read_note: ReadNote
    reads: ReadsView | None


def writes_view(header: Header, op: OpRecord, root: str) -> WritesView | None:
    """Lay out what writes into the op's tensors do; None where the op has no trials to tell of."""
    writes = op.writes
    if writes is None:
        return None
    firsts = [trials[0] for trials in by_target(writes.trials).values()]
    later = [one for trials in by_target(writes.trials).values() for one in trials[1:]]
    return WritesView(
        reason=writes.reason.rstrip(".") if writes.reason else None,
        call=writes.call.removeprefix("output = "),
        source=_source(writes),
        arguments=tuple(argument_text(one) for one in writes.arguments),
        mask=mask_text(writes.masks[0] if writes.masks else ()),
        answers=tuple(answer_rows(writes, op.reads)),
        kinds=KINDS,
        rows=tuple(_rows(firsts, writes)),
        others=tuple(_rows(later, writes)),
        messages=tuple(_messages(firsts, root)),
        left_out=writes.left_out.rstrip(".") if writes.left_out else None,
        hooks_note=code_spans(_hooks_note(header.build, writes)),
        evidence=_evidence(header, writes),
        read_note=read_note(op, root),
        reads=reads_view(header, op),
    )


def _source(writes: Writes) -> str:
    if writes.setup is None:
        return "a sample of PyTorch's own, whose arguments are given by value"
    return "the reference call with fewer elements"


def _hooks_note(build: Build, writes: Writes) -> str:
    if build.without_hooks is not None:
        return NO_HOOKS
    if not writes.on_cpu:
        return "Not tried under `save_on_cpu`."
    if any(one.on_cpu is not None for one in writes.trials):
        return "Under `save_on_cpu` some writes end otherwise than under identity hooks."
    device = build.device
    return f"With tensors on the device {device}, `save_on_cpu` gave what identity hooks gave."


def _evidence(header: Header, writes: Writes) -> ProgramView | None:
    program = writes_program(header, writes)
    if program is None:
        return None
    return ProgramView(program.rstrip(), writes_printed(header, writes).rstrip())


def answer_rows(writes: Writes, reads: Reads | None) -> Iterator[AnswerRow]:
    """Lay out the answer for each group of tensors that end alike."""
    for answer in answers(writes, reads):
        yield AnswerRow(
            chips=tuple(chip(target) for target in answer.targets),
            word=word(answer.word),
            read=read_word(answer.read),
            remarks=tuple(code_spans(remark) for remark in answer.remarks),
        )


def word(text: str | Verdict) -> Word:
    """Colour an ending or a verdict."""
    return Word(text, _TONES[text])


def _rows(trials: Iterable[WriteTrial], writes: Writes) -> Iterator[VerdictRow]:
    groups: dict[tuple[object, ...], list[WriteTrial]] = {}
    for one in trials:
        groups.setdefault((one.plain, one.hooked, one.on_cpu, one.masks), []).append(one)
    for members in groups.values():
        first = members[0]
        lines = tuple(_lines(first, on_cpu=writes.on_cpu))
        yield VerdictRow(
            chips=tuple(chip(one.target) for one in members),
            masks=tuple(mask_text(writes.masks[position]) for position in first.masks),
            span=len(lines),
            lines=lines,
            error=_error(members),
        )


def _lines(trial: WriteTrial, *, on_cpu: bool) -> Iterator[VerdictLine]:
    """Yield a line for each way of saving that ends in its own way, and one where all end alike."""
    groups: dict[Verdicts, list[str]] = {}
    ways = ways_of_saving(trial, on_cpu=on_cpu)
    for way, verdicts in ways.items():
        groups.setdefault(verdicts, []).append(way)
    for verdicts, alike in groups.items():
        every = len(groups) == 1 and len(ways) > 1
        yield VerdictLine("either way" if every else ", ".join(alike), _words(verdicts))


def ways_of_saving(trial: WriteTrial, *, on_cpu: bool) -> dict[str, Verdicts]:
    """Return the verdicts by way of saving, those that were tried; `on_cpu` is of the last."""
    tried = (trial.plain, trial.hooked, (trial.on_cpu or trial.hooked) if on_cpu else None)
    return {way: one for way, one in zip(WAYS, tried, strict=True) if one is not None}


def _words(verdicts: Verdicts) -> tuple[Word, ...]:
    return tuple(word(one) for one in each_kind(verdicts))


def _error(trials: Sequence[WriteTrial]) -> str:
    wrong = [
        one
        for one in trials
        if any(
            "silently wrong" in each_kind(verdicts)
            for verdicts in ways_of_saving(one, on_cpu=True).values()
        )
    ]
    if not wrong:
        return ""
    known = [one.relative_error for one in wrong if one.relative_error is not None]
    return f"{max(known):g}" if len(known) == len(wrong) else UNDEFINED


def _messages(trials: Iterable[WriteTrial], root: str) -> Iterator[MessageView]:
    """Yield the errors under the first mask, alike ones once, whichever output they number."""
    errors: dict[str, list[WriteTrial]] = {}
    for one in trials:
        if one.message is not None:
            errors.setdefault(_OUTPUT.sub("", one.message), []).append(one)
    for members in errors.values():
        by_savers: dict[tuple[str, ...], list[str]] = {}
        for one in members:
            by_savers.setdefault(one.savers, []).append(one.target)
        message = str(members[0].message)
        refused = members[0].plain.in_place == "refused"
        yield MessageView(
            kept=tuple(_kept_by(*group, root) for group in by_savers.items()),
            when="The write itself raised:"
            if refused
            else "The write passed, and backward raised:",
            text=message,
            named=code_spans("" if refused else _whom(message, by_savers)),
        )


def _kept_by(savers: Sequence[str], targets: Sequence[str], root: str) -> KeptBy:
    return KeptBy(
        chips=tuple(chip(target) for target in targets),
        savers=tuple(
            Saver(Link(node, f"{root}nodes/{node}/"), attribute_link(attribute, root))
            for node, _, attribute in (saver.rpartition(".") for saver in savers)
        ),
    )


def _whom(message: str, savers: Iterable[tuple[str, ...]]) -> str:
    named = named_by(message)
    if named is None:
        return "The message names no node."
    nodes = {saver.rpartition(".")[0] for each in savers for saver in each}
    if not nodes:
        return f"The message names `{named}`."
    if any(named in _spellings(node) for node in nodes):
        return f"The message names the node that saved it, as `{named}`."
    return f"The message names `{named}` instead, which did not save it."


def _spellings(node: str) -> set[str]:
    """Spell a node type as error messages do: `Exp` or `ExpBackward0`, `Pow1`, by release."""
    return {node, _NUMBER.sub("", node), _NUMBER.sub(r"\1", node)}
