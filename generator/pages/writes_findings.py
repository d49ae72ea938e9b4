"""What the trials of all ops show together: masks, false alarms, exceptions, reads after writes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.model.records import OpRecord
from generator.catalogue.model.writes import Writes
from generator.catalogue.reads import read_otherwise, read_words, written
from generator.catalogue.writes import (
    FALSE_ALARM,
    KINDS,
    by_target,
    condition,
    each_kind,
    ending,
    endings_by_mask,
)
from generator.pages.figures import exact, plural
from generator.pages.markup import code_spans
from generator.pages.parts import Chip, Link, chip, record_link

ROOT = "../"
Tried = Sequence[tuple[OpRecord, Writes]]
_ALWAYS = "under every mask"
_REACHED_BACKWARD = ("correct", "raises", "silently wrong")


@dataclass(frozen=True)
class Finding:
    """Tensors of an op of which the same is to be said."""

    link: Link
    chips: tuple[Chip, ...]
    said: Markup


def mask_findings(tried: Tried) -> tuple[Finding, ...]:
    """List where a write in place ends otherwise under other grad masks."""
    return _findings(_by_mask(tried))


def alarm_findings(tried: Tried) -> tuple[Finding, ...]:
    """List the false alarms, those under every mask first."""
    return tuple(sorted(_findings(_alarms(tried)), key=lambda one: one.said != _ALWAYS))


def exception_findings(tried: Tried) -> tuple[Finding, ...]:
    """List where a write in place does not raise exactly when its memory is kept."""
    return _findings(_exceptions(tried))


def read_findings(tried: Tried) -> tuple[Finding, ...]:
    """List where outputs read after a write end otherwise than the write's verdict says."""
    return _findings(_reads(tried))


def _by_mask(tried: Tried) -> Iterator[tuple[OpRecord, str, str]]:
    for op, writes in tried:
        for target, trials in by_target(writes.trials).items():
            found = endings_by_mask(trials)
            if len(found) > 1:
                first, *others = found.items()
                said = [f"{name} {condition(at, writes.masks)}" for name, at in others]
                yield op, target, f"{first[0]}; " + "; ".join(said)


def _alarms(tried: Tried) -> Iterator[tuple[OpRecord, str, str]]:
    for op, writes in tried:
        for target, trials in by_target(writes.trials).items():
            found = endings_by_mask(trials)
            if FALSE_ALARM not in found:
                continue
            at = found[FALSE_ALARM]
            every = len(at) == len(writes.masks)
            said = _ALWAYS if every else _when(at, writes.masks)
            yield op, target, said


def _when(positions: Sequence[int], masks: Sequence[tuple[str, ...]]) -> str:
    """Say when a set of masks holds that may include the first, of which conditions speak not."""
    if 0 not in positions:
        return condition(positions, masks)
    others = [place for place in range(len(masks)) if place not in positions]
    return f"except {condition(others, masks)}"


def agreement(tried: Tried) -> str:
    """Say how often an in-place write raised exactly when its memory was kept."""
    reached = [
        one
        for _, writes in tried
        for one in writes.trials
        if one.plain.in_place in _REACHED_BACKWARD
        for _ in one.masks
    ]
    agree = sum(one.saved == (one.plain.in_place == "raises") for one in reached)
    return (
        f"Of {plural(len(reached), 'trial')} in place whose write was done, {exact(agree)} raised "
        "exactly when the graph keeps the memory that was written to."
    )


def _exceptions(tried: Tried) -> Iterator[tuple[OpRecord, str, str]]:
    for op, writes in tried:
        for one in writes.trials:
            reached = one.plain.in_place in _REACHED_BACKWARD
            if reached and one.saved != (one.plain.in_place == "raises"):
                kept = "kept" if one.saved else "not kept"
                apart = ", by nodes that count versions apart" if one.uncounted else ""
                yield op, one.target, f"{kept}{apart}; {ending(one)}"


def _reads(tried: Tried) -> Iterator[tuple[OpRecord, str, str]]:
    """Say after which kinds of write reading an output ends otherwise than the write does."""
    for op, _ in tried:
        for write, read in read_otherwise(op):
            ways: dict[str, list[str]] = {}
            ends = zip(KINDS, each_kind(write.plain), written(read.ended), strict=True)
            for kind, verdict, end in ends:
                said = read_words(verdict, end)
                if said is not None:
                    ways.setdefault(said, []).append(kind)
            yield op, write.target, "; ".join(f"{one}: {', '.join(ways[one])}" for one in ways)


def reads_count(tried: Tried) -> str:
    """Count the ops where it does; empty where no output was read after a write."""
    known = sum(op.reads is not None and op.reads.reason is None for op, _ in tried)
    ops = sum(any(read_otherwise(op)) for op, _ in tried)
    return f"{exact(ops)} of {plural(known, 'op')}" if known else ""


def _findings(found: Iterable[tuple[OpRecord, str, str]]) -> tuple[Finding, ...]:
    """Put together what is said of several tensors of an op: op, target, and what is said."""
    groups: dict[tuple[str, str], tuple[OpRecord, list[str]]] = {}
    for op, target, said in found:
        groups.setdefault((op.name, said), (op, []))[1].append(target)
    return tuple(
        Finding(record_link(op, ROOT), tuple(chip(one) for one in targets), code_spans(said))
        for (_, said), (op, targets) in groups.items()
    )
