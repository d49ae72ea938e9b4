"""Compare the calls of one op or module in two catalogues, mask by mask.

Calls are paired by what identifies them, so that renumbering alone changes nothing: by how they are
written and their arguments, and those left over by how they are written alone. Where one is missing
because its samples did not run, the pair is not comparable. A call that one side has once, for
train and eval alike, is paired with that of each mode where the other side tells them apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

import msgspec

from generator.catalogue.compare.changes import (
    CONCLUSIVE,
    BytesChanged,
    Call,
    CallAdded,
    CallRemoved,
    Change,
    NoCallInCommon,
    NotComparable,
    PolicyChanged,
    Subject,
    TensorsChanged,
    bytes_of,
    details,
)
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import (
    Case,
    Mode,
    ModuleRecord,
    OpRecord,
    PolicyNode,
    Reference,
    Variant,
)
from generator.catalogue.policies import measured_nodes, under_each_mask

Called = OpRecord | ModuleRecord
Nodes = tuple[PolicyNode, ...]
Made = Reference | Case
Calls = dict[Call, list[Made]]
Pair = tuple[Made | None, Made | None]
MODES: tuple[Mode, ...] = ("train", "eval")
Masks = dict[tuple[str, ...], tuple[Nodes, Measurement]]


def compare_calls(subject: Subject, old: Called, new: Called) -> Iterator[Change]:
    """Yield what differs between the references, cases and variants of two conclusive records."""
    before, after = _in_each_mode(_by_call(old), _by_call(new))
    if before and after and before.keys().isdisjoint(after):
        yield NoCallInCommon(subject=subject, name=new.name)
    for call in [*before, *(call for call in after if call not in before)]:
        for one, other in _paired(before.get(call, ()), after.get(call, ())):
            if one is not None and other is not None:
                yield from _both_sided(subject, call, old, new, (one, other))
            elif one is not None:
                yield _one_sided(subject, call, old, new, removed=True)
            else:
                yield _one_sided(subject, call, new, old, removed=False)
    if isinstance(old, OpRecord) and isinstance(new, OpRecord):
        yield from _variants(subject, old, new)


def _both_sided(
    subject: Subject,
    call: Call,
    old: Called,
    new: Called,
    pair: tuple[Made, Made],
) -> Iterator[Change]:
    before = _by_mask(old, pair[0].measurements)
    after = _by_mask(new, pair[1].measurements)
    # Edges and values follow the policy of the first measurement: where that changed, so do they.
    same_policy = [nodes for nodes, _ in before.values()][:1] == [
        nodes for nodes, _ in after.values()
    ][:1]
    but = {"measurements"} if same_policy else {"measurements", "edges", "values"}
    if {pair[0].mode, pair[1].mode} == {None, "eval"}:
        # The program for both modes is that in train mode, next to which eval is set up otherwise.
        but |= {"setup", "printed"}
    yield from details(subject, new.name, pair[0], pair[1], but=but, call=call)
    yield from _masks(subject, new.name, call, before, after)


def _by_call(record: Called) -> Calls:
    """File each call under how it is written, in order."""
    calls: Calls = {}
    made: list[Made] = [*record.references, *record.cases]
    for one in made:
        call = (
            Call(kind="reference", filed=one.family, text=one.call, mode=one.mode)
            if isinstance(one, Reference)
            else Call(kind="case", filed=one.entry, text=one.call, mode=one.mode)
        )
        calls.setdefault(call, []).append(one)
    return calls


def _in_each_mode(before: Calls, after: Calls) -> tuple[Calls, Calls]:
    """File a call for both modes under each mode that the other side alone tells apart."""
    return _split(before, after), _split(after, before)


def _split(calls: Calls, others: Calls) -> Calls:
    split: Calls = {}
    for call, made in calls.items():
        modes = [mode for mode in MODES if _in_mode(call, mode) in others]
        if call.mode is None and call not in others and modes:
            split.update((_in_mode(call, mode), made) for mode in modes)
        else:
            split[call] = made
    return split


def _in_mode(call: Call, mode: Mode) -> Call:
    return msgspec.structs.replace(call, mode=mode)


def _paired(before: Sequence[Made], after: Sequence[Made]) -> Iterator[Pair]:
    """Pair calls that are written alike: those of the same arguments first, the others in order."""
    left, right = [*before], [*after]
    for one in before:
        other = next((known for known in right if known.arguments == one.arguments), None)
        if other is not None:
            left.remove(one)
            right.remove(other)
            yield one, other
    yield from zip_longest(left, right)


def _one_sided(
    subject: Subject, call: Call, having: Called, lacking: Called, *, removed: bool
) -> Change:
    """Say that a call was removed or added, unless it is missing because something went wrong."""
    failure = _new_failure(call, having, lacking)
    if failure is not None:
        old, new = ("measured", failure) if removed else (failure, "measured")
        return NotComparable(subject=subject, name=having.name, call=call, old=old, new=new)
    kind = CallRemoved if removed else CallAdded
    return kind(subject=subject, name=having.name, call=call)


def _new_failure(call: Call, having: Called, lacking: Called) -> str | None:
    """Return how the entry of a case failed where the case is missing, if it did not elsewhere."""
    if call.kind != "case":
        return None
    entries = {entry.name: entry for entry in lacking.entries}
    if call.filed not in entries:
        return None
    entry = entries[call.filed]
    if entry.state not in CONCLUSIVE:
        return entry.state
    known = {
        failure for one in having.entries if one.name == call.filed for failure in one.failures
    }
    new = [one for one in entry.failures if one not in known and one.state not in CONCLUSIVE]
    return new[0].state if new else None


def _variants(subject: Subject, old: OpRecord, new: OpRecord) -> Iterator[Change]:
    before, after = _by_name(old), _by_name(new)
    for name in sorted(before.keys() & after.keys()):
        call = Call(kind="variant", filed=name, text=name)
        one, other = before[name].measurement, after[name].measurement
        if (one is None) != (other is None):
            yield NotComparable(
                subject=subject,
                name=new.name,
                call=call,
                old="not called" if one is None else one.state,
                new="not called" if other is None else other.state,
            )
        elif one is not None and other is not None:
            rows = [under_each_mask(each[name]) for each in (before, after)]
            yield from _masks(
                subject, new.name, call, _by_mask(old, rows[0]), _by_mask(new, rows[1])
            )


def _by_name(record: OpRecord) -> dict[str, Variant]:
    return {variant.name: variant for variant in record.variants}


def _by_mask(record: Called, measurements: Iterable[Measurement]) -> Masks:
    return {one.mask: (measured_nodes(record, one), one) for one in measurements}


def _masks(
    subject: Subject, name: str, call: Call, before: Masks, after: Masks
) -> Iterator[Change]:
    for mask in [*before, *(mask for mask in after if mask not in before)]:
        if mask not in after:
            yield CallRemoved(subject=subject, name=name, call=call, mask=mask)
        elif mask not in before:
            yield CallAdded(subject=subject, name=name, call=call, mask=mask)
        else:
            yield from _measurements(subject, name, call, before[mask], after[mask])


def _measurements(
    subject: Subject,
    name: str,
    call: Call,
    before: tuple[Nodes, Measurement],
    after: tuple[Nodes, Measurement],
) -> Iterator[Change]:
    (old_nodes, old), (new_nodes, new) = before, after
    mask = new.mask
    if old.policy is None or new.policy is None:
        if (old.state, old.reason) != (new.state, new.reason):
            yield NotComparable(
                subject=subject, name=name, call=call, mask=mask, old=old.state, new=new.state
            )
        return
    if old_nodes != new_nodes:
        yield PolicyChanged(
            subject=subject, name=name, call=call, mask=mask, old=old_nodes, new=new_nodes
        )
    old_bytes, new_bytes = bytes_of(old), bytes_of(new)
    if old_bytes != new_bytes:
        yield BytesChanged(
            subject=subject, name=name, call=call, mask=mask, old=old_bytes, new=new_bytes
        )
    if old_nodes == new_nodes and old.tensors != new.tensors:
        yield TensorsChanged(
            subject=subject,
            name=name,
            call=call,
            mask=mask,
            nodes=new_nodes,
            old=old.tensors,
            new=new.tensors,
        )
