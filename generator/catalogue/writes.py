"""The answer to "may I write into it?", read off an op's trials, for pages and terminal alike.

An answer speaks of an in-place write after the call, and of tensors that end alike together. What
other grad masks change is found by comparing masks, never looked up by name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from generator.catalogue.model.reads import Reads, ReadTrial
from generator.catalogue.model.records import OpRecord
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.model.writes import Verdicts, Writes, WriteTrial
from generator.catalogue.reads import read_after, read_words

# The kinds of write that are tried after each call.
KINDS = ("in place", "through a view", "under no_grad", "through .data")

Mask = tuple[str, ...]

# An answer without its targets.
_Said = tuple[str, tuple[str, ...], str | None, str | None, str | None]

FINE = "fine"
RAISES = "backward raises"
FALSE_ALARM = "false alarm"
WRONG = "silently wrong"
REFUSED = "refused"
NOT_TRIED = "not tried"
ENDINGS = (FINE, RAISES, FALSE_ALARM, WRONG, REFUSED, NOT_TRIED)

_ENDINGS = {
    "correct": FINE,
    "raises": RAISES,
    "silently wrong": WRONG,
    "refused": REFUSED,
    "not tried": NOT_TRIED,
}
_UNDER_OTHERS = {FALSE_ALARM: "a false alarm"}
_LISTED_MASKS = 2
_NAMED = re.compile(r"which is output \d+ of (\S+), is")


@dataclass(frozen=True)
class Answer:
    """What an in-place write does to each of `targets`, which are roles in the call's order.

    `ending` is one of `ENDINGS` and holds under the first mask; `remarks` are clauses, with names
    in backticks, on what else is known: why it is so, and what is otherwise under other masks.
    `hooked` is how the write ends under identity hooks, `on_cpu` under `save_on_cpu`, or None where
    that was not tried. `read` says how it ends from an output read after the write, where that is
    known to be otherwise.
    """

    targets: tuple[str, ...]
    ending: str
    remarks: tuple[str, ...]
    hooked: str | None
    on_cpu: str | None
    read: str | None = None

    @property
    def word(self) -> str:
        """The ending as a reader meets it: a false alarm is an error of backward all the same."""
        return RAISES if self.ending == FALSE_ALARM else self.ending


def answers(writes: Writes, reads: Reads | None = None) -> tuple[Answer, ...]:
    """Answer for every tensor of the call, in its order; tensors that end alike share an answer.

    `reads` are those of the outputs after these writes, where they were measured.
    """
    groups: dict[_Said, list[str]] = {}
    for target, trials in by_target(writes.trials).items():
        said = _answer(writes, trials, read_after(reads, trials[0]))
        groups.setdefault(said, []).append(target)
    return tuple(Answer(tuple(targets), *said) for said, targets in groups.items())


def by_target(trials: Iterable[WriteTrial]) -> dict[str, list[WriteTrial]]:
    """Group trials by the tensor that was written to, the one under the first mask first."""
    found: dict[str, list[WriteTrial]] = {}
    for trial in trials:
        found.setdefault(trial.target, []).append(trial)
    return {target: sorted(each, key=lambda one: one.masks) for target, each in found.items()}


def ending(trial: WriteTrial) -> str:
    """Name how an in-place write ended: a false alarm is an error about an unchanged gradient.

    A write that nobody notices, by `.data` or under hooks, shows what the gradient would have been.
    """
    under_hooks = trial.hooked is not None and trial.hooked.in_place == "correct"
    harmless = trial.plain.through_data == "correct" or under_hooks
    if trial.plain.in_place == "raises" and harmless:
        return FALSE_ALARM
    return _ENDINGS[trial.plain.in_place]


def named_by(message: str) -> str | None:
    """Return the function or node that an error about a modified variable names, if it names one.

    It is the one that made the variable, or wrote to it last, and seldom the one that saved it.
    """
    match = _NAMED.search(message)
    return match.group(1) if match else None


def endings_by_mask(trials: Sequence[WriteTrial]) -> dict[str, list[int]]:
    """Group the masks' positions by how a write to one tensor ended, the first mask's first."""
    found: dict[str, list[int]] = {}
    for trial in trials:
        found.setdefault(ending(trial), []).extend(trial.masks)
    return found


def measured_ops(ops: Iterable[OpRecord]) -> Iterator[tuple[OpRecord, Writes]]:
    """Yield the ops with trials, each with its writes."""
    for op in ops:
        if op.writes is not None and op.writes.trials:
            yield op, op.writes


def condition(positions: Iterable[int], masks: Sequence[Mask]) -> str:
    """Say in few words when the mask is one of those at `positions`: `while x does not …`."""
    chosen = {masks[position] for position in positions}
    names = masks[0]

    def holds(missing: Iterable[str], *, every: bool) -> bool:
        test = all if every else any
        wanted = tuple(missing)
        return chosen == {mask for mask in masks if test(name not in mask for name in wanted)}

    for name in names:
        if holds((name,), every=True):
            return f"while `{name}` does not require grad"
    if chosen == set(masks[1:]):
        return "unless everything requires grad"
    for one, other in combinations(names, 2):
        if holds((one, other), every=True):
            return f"while neither `{one}` nor `{other}` requires grad"
        if holds((one, other), every=False):
            return f"unless both `{one}` and `{other}` require grad"
    if len(chosen) <= _LISTED_MASKS:
        listed = [mask for mask in masks if mask in chosen]
        return "when grad is required by " + " or ".join(_only(mask) for mask in listed)
    return f"under {len(chosen)} of {len(masks)} masks"


def _answer(writes: Writes, trials: Sequence[WriteTrial], read: ReadTrial | None) -> _Said:
    first = trials[0]
    found = endings_by_mask(trials)
    others = [
        f"{_under_others(ended, ending(first))} {condition(positions, writes.masks)}"
        for ended, positions in list(found.items())[1:]
    ]
    on_cpu = (first.on_cpu or first.hooked) if writes.on_cpu else None
    return (
        ending(first),
        (*_reasons(first, read), *others),
        None if first.hooked is None else _ENDINGS[first.hooked.in_place],
        None if on_cpu is None else _ENDINGS[on_cpu.in_place],
        None if read is None else read_words(first.plain.in_place, read.ended.in_place),
    )


def _reasons(trial: WriteTrial, read: ReadTrial | None) -> Iterator[str]:
    ended = ending(trial)
    if ended == FALSE_ALARM:
        yield "although the gradient would be the same: a false alarm"
    elif ended == NOT_TRIED:
        yield "no other valid values are known"
    elif ended == REFUSED and trial.plain.under_no_grad != "refused":
        verdict = trial.plain.under_no_grad
        after = None if read is None else read_words(verdict, read.ended.under_no_grad)
        yield f"under `no_grad` {_ENDINGS[verdict]}" + (f", but {after}" if after else "")
    if trial.uncounted:
        yield "whoever keeps it counts its versions apart"


def _under_others(ended: str, first: str) -> str:
    if ended == RAISES and first == FALSE_ALARM:
        return "no false alarm"
    return _UNDER_OTHERS.get(ended, ended)


def _only(mask: Mask) -> str:
    named = [f"`{name}`" for name in mask]
    return f"{', '.join(named[:-1])} and {named[-1]} alone" if named[1:] else f"{named[0]} alone"


def each_kind(verdicts: Verdicts) -> tuple[Verdict, ...]:
    """List what came of each kind of write, in the order in which they are tried."""
    return (
        verdicts.in_place,
        verdicts.through_view,
        verdicts.under_no_grad,
        verdicts.through_data,
    )
