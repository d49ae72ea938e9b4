"""How a run's outcome is told: what was measured, and whether it equals what was committed."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import msgspec

from generator.catalogue import codec
from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import (
    Added,
    BuildChanged,
    BytesChanged,
    Call,
    CallAdded,
    CallRemoved,
    Change,
    ConditionChanged,
    CutChanged,
    DetailChanged,
    FormulaChanged,
    GradientChanged,
    LayersNotCompared,
    NoCallInCommon,
    NotComparable,
    PolicyChanged,
    ReadChanged,
    Removed,
    StateChanged,
    TensorsChanged,
    VerdictChanged,
)
from generator.catalogue.model.compiled import Cut
from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.second_order import SecondOrder
from generator.catalogue.model.writes import WriteTrial
from generator.errors import CatalogueError

LISTED = 30
SHORT = 60


def outcome(measured: Catalogue, before: Catalogue | CatalogueError | None, path: Path) -> str:
    """Tell what was measured and how it compares with what `path` held before."""
    return "\n".join([counts(measured), *comparison(measured, before, path)])


def counts(catalogue: Catalogue) -> str:
    """Tell how many records of each kind there are, in which states, and of which build."""
    build = catalogue.header.build
    lines = [f"Measured torch {build.version} on {build.device} with Python {build.python}:"]
    for kind, states in catalogue.header.counts.items():
        total = sum(states.values())
        parts = ", ".join(f"{number} {state}" for state, number in states.items())
        lines.append(f"  {total} {kind}{'' if total == 1 else 's'}: {parts}")
    return "\n".join(lines)


def comparison(
    measured: Catalogue, before: Catalogue | CatalogueError | None, path: Path
) -> Iterator[str]:
    """Yield lines: equal byte for byte, or each difference, the committed side first."""
    if before is None:
        yield f"{path} is new."
    elif isinstance(before, CatalogueError):
        yield f"Not compared with the file that was there, which was set aside: {before}."
    elif codec.encode(before) == codec.encode(measured):
        yield f"{path} is unchanged: this run measured the same, byte for byte."
    else:
        changes = compare(before, measured)
        yield f"{path} was replaced; {differences(len(changes))}, before → now:"
        yield from (f"  {describe(change)}" for change in changes[:LISTED])
        if len(changes) > LISTED:
            yield f"  and {len(changes) - LISTED} more; `git diff` shows them all"


def differences(count: int) -> str:
    """Count differences in words."""
    return f"{count} difference{'' if count == 1 else 's'}"


def describe(change: Change) -> str:
    """Word one change in one line."""
    subject = f"{change.subject} {change.name}"
    match change:
        case BuildChanged(field=field, old=old, new=new):
            return f"build: {field} {old} → {new}"
        case LayersNotCompared(layers=layers, old=old, new=new):
            return f"{', '.join(layers)}: not comparable, depth {old} → {new}"
        case Added(state=state):
            return f"{subject}: added ({state})"
        case Removed(state=state):
            return f"{subject}: removed ({state})"
        case StateChanged(old=old, new=new):
            return f"{subject}: {old} → {new}"
        case NotComparable(old=old, new=new, call=call, mask=mask):
            return f"{subject}{_call(call, mask)}: not comparable, {old} → {new}"
        case NoCallInCommon():
            return f"{subject}: not comparable, measured by other calls"
        case CallAdded(call=call, mask=mask):
            return f"{subject}{_call(call, mask)}: added"
        case CallRemoved(call=call, mask=mask):
            return f"{subject}{_call(call, mask)}: removed"
        case BytesChanged(call=call, mask=mask, old=old, new=new):
            return (
                f"{subject}{_call(call, mask)}: logical {old.logical} → {new.logical},"
                f" storage {old.storage} → {new.storage}, extra {old.extra} → {new.extra} bytes"
            )
        case PolicyChanged(call=call, mask=mask):
            return f"{subject}{_call(call, mask)}: keeps something else"
        case TensorsChanged(call=call, mask=mask):
            return f"{subject}{_call(call, mask)}: other shapes, dtypes or sharing"
        case VerdictChanged(target=target, mask=mask, old=old, new=new):
            return f"{subject}, writing to {target}{_grad(mask)}: {_ended(old)} → {_ended(new)}"
        case ReadChanged(target=target, mask=mask, old=had_read, new=has_read):
            return (
                f"{subject}, outputs read after writing to {target}{_grad(mask)}:"
                f" {had_read.in_place} → {has_read.in_place}"
                f" (under no_grad {had_read.under_no_grad} → {has_read.under_no_grad})"
            )
        case ConditionChanged(condition=condition, argument=argument, old=old, new=new):
            of = f" of {argument}" if argument else ""
            return f"{subject}, condition {condition}{of}: {old} → {new}"
        case GradientChanged(old=before, new=after):
            return f"{subject}, double backward: {_kept_by(before)} → {_kept_by(after)}"
        case CutChanged(partitioner=partitioner, old=had, new=has):
            return f"{subject}, {partitioner} partitioner: {_kept_by(had)} → {_kept_by(has)}"
        case FormulaChanged(call=text, old=old, new=new):
            of = f", {text}" if text else ""
            return f"{subject}{of}: extra bytes {_extra(old)} → {_extra(new)}"
        case DetailChanged(field=field, call=call, old=old, new=new):
            return f"{subject}{_call(call, None)}: {_leaf(field, old, new)}"


def _call(call: Call | None, mask: tuple[str, ...] | None) -> str:
    if call is None:
        return ""
    mode = f" in {call.mode} mode" if call.mode else ""
    return f", {call.kind} {call.text}{mode}{_grad(mask)}"


def _grad(mask: tuple[str, ...] | None) -> str:
    return f" where {', '.join(mask) or 'nothing'} requires grad" if mask is not None else ""


def _ended(trial: WriteTrial) -> str:
    """Say how an in-place write ended, and how under hooks and by `.data`."""
    plain = trial.plain
    under = "" if trial.hooked is None else f", under hooks {trial.hooked.in_place}"
    return f"{plain.in_place} (by .data {plain.through_data}{under})"


def _kept_by(found: SecondOrder | Cut) -> str:
    """Say how many tensors are kept for how much, or that nothing was measured."""
    if found.state not in ("measured", "traced"):
        return found.state
    return f"{len(found.tensors)} tensors, {found.extra_bytes} extra bytes"


def _extra(formula: tuple[str, str, str] | None) -> str:
    return formula[2] if formula else "without a formula"


_ABSENT = object()


def _leaf(path: str, old: object, new: object) -> str:
    """Name the first place where two values of the file differ, and write both sides of it."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            before, now = old.get(key, _ABSENT), new.get(key, _ABSENT)
            if before != now:
                return _leaf(f"{path}.{key}", before, now)
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        for place, (before, now) in enumerate(zip_longest(old, new, fillvalue=_ABSENT)):
            if before != now:
                return _leaf(f"{path}[{place}]", before, now)
    before, now = _json(old), _json(new)
    # Of two long texts that begin alike, what is shown begins shortly before they part.
    pairs = enumerate(zip(before, now, strict=False))
    shared = next((place for place, (a, b) in pairs if a != b), 0)
    start = max(shared - SHORT // 4, 0) if max(len(before), len(now)) > SHORT else 0
    return f"{path} {_short(before, start)} → {_short(now, start)}"


def _json(value: object) -> str:
    """Write a value as the catalogue's file does."""
    return "absent" if value is _ABSENT else msgspec.json.encode(value).decode()


def _short(text: str, start: int = 0) -> str:
    """Cut a text at its front, and at its end where it would fill more than a line."""
    shown = f"…{text[start:]}" if start else text
    return shown if len(shown) <= SHORT else f"{shown[: SHORT - 1]}…"
