"""What the page of an op says of its outputs as they are read after a write."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue.model.reads import ReadTrial
from generator.catalogue.model.records import Header, OpRecord
from generator.catalogue.read_evidence import reads_printed, reads_program
from generator.catalogue.reads import (
    NOT_READ,
    RAISES_AFTER,
    READ_RAISES,
    RIGHT_AFTER,
    RUNS_AFTER,
    WRONG_AFTER,
    read_otherwise,
    written,
)
from generator.pages.parts import Chip, Link, ProgramView, Word, chip
from generator.pages.saved import mask_text

_BEFORE = "Backward began at what was made of the outputs before the write"
_SEVERAL = "guides/version-counters/#a-rule-that-acts-at-once-several-views-from-one-op"
_TONES = {
    READ_RAISES: "raises",
    RAISES_AFTER: "raises",
    WRONG_AFTER: "wrong",
    RIGHT_AFTER: "fine",
    RUNS_AFTER: "open",
    NOT_READ: "open",
}
_ENDS = {
    "correct": "fine",
    "silently wrong": "wrong",
    "runs": "open",
    "raises": "raises",
    "read raises": "raises",
    "not read": "open",
}


_RAISED = {
    "read raises": "After the write, reading an output raised:",
    "raises": "After the write outputs could be read, and backward from them raised:",
}


@dataclass(frozen=True)
class ReadRow:
    """Tensors after writes into which reading ended alike, in the order of the kinds of write."""

    chips: tuple[Chip, ...]
    masks: tuple[str, ...]
    words: tuple[Word, ...]
    error: str


@dataclass(frozen=True)
class ReadMessage:
    """An error, verbatim: after writes into which tensors it came first, and what raised it."""

    chips: tuple[Chip, ...]
    when: str
    text: str


@dataclass(frozen=True)
class ReadsView:
    """Where reading the outputs after a write ends otherwise than the write's verdict says."""

    rows: tuple[ReadRow, ...]
    messages: tuple[ReadMessage, ...]
    evidence: ProgramView | None


@dataclass(frozen=True)
class ReadNote:
    """At what backward began, and where more is said of it."""

    text: str
    link: Link | None = None


def read_word(text: str | None) -> Word | None:
    """Colour what is said of reading, if anything is."""
    return None if text is None else Word(text, _TONES[text])


def reads_view(header: Header, op: OpRecord) -> ReadsView | None:
    """Lay out what ends otherwise; None where nothing does, or none is known to."""
    if op.writes is None or op.reads is None:
        return None
    found = [read for _, read in read_otherwise(op)]
    if not found:
        return None
    program = reads_program(header, op)
    return ReadsView(
        rows=tuple(_rows(found, op.writes.masks)),
        messages=tuple(_messages(found)),
        evidence=None
        if program is None
        else ProgramView(program.rstrip(), reads_printed(op.reads).rstrip()),
    )


def read_note(op: OpRecord, root: str) -> ReadNote:
    """Say at what backward began, and what is known of the outputs as they are afterwards."""
    if op.reads is not None and op.reads.reason is None:
        if any(read_otherwise(op)):
            after = Link("outputs read after it", "#reads")
            return ReadNote(f"{_BEFORE}; it ends otherwise from", after)
        return ReadNote(
            f"{_BEFORE}. Begun at outputs read after it, nothing else raised or was wrong"
        )
    reason = op.reads.reason if op.reads is not None else None
    why = f" ({reason.rstrip('.')})" if reason else ""
    return ReadNote(
        f"{_BEFORE}. Reading them after it was not measured{why}: it may be refused for",
        Link("one of several views", f"{root}{_SEVERAL}"),
    )


def _rows(found: list[ReadTrial], masks: tuple[tuple[str, ...], ...]) -> Iterator[ReadRow]:
    groups: dict[object, list[ReadTrial]] = {}
    for one in found:
        groups.setdefault((one.ended, one.masks), []).append(one)
    for members in groups.values():
        first = members[0]
        errors = [one.relative_error for one in members if one.relative_error is not None]
        yield ReadRow(
            chips=tuple(chip(one.target) for one in members),
            masks=tuple(mask_text(masks[place]) for place in first.masks),
            words=tuple(Word(end, _ENDS[end]) for end in written(first.ended)),
            error=f"{max(errors):g}" if errors else "",
        )


def _messages(found: list[ReadTrial]) -> Iterator[ReadMessage]:
    said: dict[tuple[str, str], list[str]] = {}
    for one in found:
        if one.message is not None:
            first = next(end for end in written(one.ended) if end in _RAISED)
            said.setdefault((_RAISED[first], one.message), []).append(one.target)
    for (when, text), targets in said.items():
        yield ReadMessage(tuple(chip(target) for target in dict.fromkeys(targets)), when, text)
