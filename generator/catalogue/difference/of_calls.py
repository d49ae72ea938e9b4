"""From changes of single calls to what is told of records: which of them keep something else, how.

A change that a rename explains is none. Calls of a record that differ alike are told by one of
them, and records whose telling calls differ alike are one finding.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from generator.catalogue.compare.changes import (
    Bytes,
    BytesChanged,
    Call,
    Change,
    DetailChanged,
    PolicyChanged,
    Subject,
    TensorsChanged,
)
from generator.catalogue.compare.renames import Names, Renamed, names_of, renamed_nodes
from generator.catalogue.compare.shifts import (
    NodesShifted,
    Shift,
    TensorShifted,
    ValueShifted,
    policy_shifts,
    roles_lost,
    tensor_shifts,
)
from generator.catalogue.difference.findings import (
    Details,
    Finding,
    Incomparable,
    Kept,
    KeptIn,
    Named,
)
from generator.catalogue.samples import Doubtful

# Which call tells of a record, if several of them differ alike.
_TELLING = ("reference", "bill", "case", "variant", "condition")
# How many ways of differing are told of one record; of more than these, the first alone.
_WAYS = 3

# Why calls are not comparable that both sides have.
OTHER_ARGUMENTS = "other arguments"
LOOK_ALIKES = "look-alikes"

Where = tuple[Subject, str, Call, tuple[str, ...]]
Signature = tuple[object, ...]


@dataclass
class _Differing:
    """One call under one mask, and in what it differs; maybe because its arguments do."""

    where: Where
    other_arguments: bool = False
    policy: PolicyChanged | None = None
    bytes: BytesChanged | None = None
    tensors: TensorsChanged | None = None
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    shifts: tuple[Shift, ...] = ()
    signature: Signature = field(default=())

    @property
    def weighs(self) -> tuple[Bytes | None, Bytes | None]:
        return (None, None) if self.bytes is None else (self.bytes.old, self.bytes.new)


def findings_of_calls(
    changes: Sequence[Change], renames: Sequence[Renamed], doubtful: AbstractSet[Doubtful]
) -> Iterator[Finding]:
    """Yield what calls keep, what of it cannot be compared, and what is a detail.

    `doubtful` are calls that may be two, though they look alike on both sides.
    """
    told: dict[tuple[Subject, str], list[_Differing]] = defaultdict(list)
    unlike: dict[tuple[Subject, str], set[str]] = defaultdict(set)
    details: dict[tuple[Subject, str], set[str]] = defaultdict(set)
    names, plain = names_of(renames), names_of(())
    for one in _by_call(changes):
        subject, name, call, _ = one.where
        why = OTHER_ARGUMENTS if one.other_arguments else None
        if (subject, name, call) in doubtful:
            why = LOOK_ALIKES
        if why is not None:
            unlike[subject, why].add(name)
            continue
        _explain(one, names, plain)
        if one.shifts and not one.bytes and all(map(_holds_nothing, one.shifts)):
            details[subject, "attributes that hold nothing"].add(name)
        elif one.shifts or one.bytes:
            told[subject, name].append(one)
        elif one.tensors:
            details[subject, "sharing of storages"].add(name)
        elif one.policy and not _is_renamed(one.policy, names, plain):
            details[subject, "order of nodes"].add(name)
    yield from _grouped(told.values())
    for (subject, why), each in unlike.items():
        records = tuple(Named(subject=subject, name=name) for name in sorted(each))
        yield Incomparable(old=why, new=why, whole=False, records=records)
    for (subject, what), each in details.items():
        yield Details(subject=subject, field=what, names=tuple(sorted(each)))


def _by_call(changes: Iterable[Change]) -> Iterator[_Differing]:
    """Put together what was said of one call under one mask, which is said in one go.

    Of calls that are written alike, those of other arguments come last, and that is said first.
    """
    one: _Differing | None = None
    elsewise: set[tuple[Subject, str, Call]] = set()
    for change in changes:
        if isinstance(change, DetailChanged) and change.call and change.field == "arguments":
            elsewise.add((change.subject, change.name, change.call))
        if not isinstance(change, PolicyChanged | BytesChanged | TensorsChanged):
            continue
        where = (change.subject, change.name, change.call, change.mask)
        if one is None or one.where != where or _says_already(one, change):
            if one is not None:
                yield one
            one = _Differing(where, where[:3] in elsewise)
        match change:
            case PolicyChanged():
                one.policy = change
            case BytesChanged():
                one.bytes = change
            case TensorsChanged():
                one.tensors = change
    if one is not None:
        yield one


def _says_already(one: _Differing, change: PolicyChanged | BytesChanged | TensorsChanged) -> bool:
    match change:
        case PolicyChanged():
            return True  # the first that is said of a call
        case BytesChanged():
            return one.bytes is not None
        case TensorsChanged():
            return one.tensors is not None


def _explain(one: _Differing, names: Names, plain: Names) -> None:
    """Fill in what differs, the old side written with the new names."""
    if one.policy is not None:
        old, new = renamed_nodes(one.policy.old, names), renamed_nodes(one.policy.new, plain)
        one.shifts = policy_shifts(old, new)
        one.lost, one.gained = roles_lost(old, new), roles_lost(new, old)
    elif one.tensors is not None:
        told = one.tensors
        one.shifts = tensor_shifts(told.nodes, told.old, told.new)
    one.signature = (one.lost, one.gained, *(_outline(shift) for shift in one.shifts))


def _outline(shift: Shift) -> object:
    """Leave out of a shift what differs from call to call: numbers of nodes, and shapes."""
    match shift:
        case NodesShifted(lost=lost, gained=gained):
            return (tuple(one.type for one in lost), tuple(one.type for one in gained))
        case TensorShifted(node=node, attribute=attribute, role=role):
            return (node, attribute, role)
        case _:
            return shift


def _holds_nothing(shift: Shift) -> bool:
    """Say whether an attribute came or went in a call in which it holds nothing."""
    if not isinstance(shift, ValueShifted) or None not in (shift.old, shift.new):
        return False
    held = shift.old or shift.new
    return held is not None and held.kind == "none"


def _is_renamed(policy: PolicyChanged, names: Names, plain: Names) -> bool:
    return renamed_nodes(policy.old, names) == renamed_nodes(policy.new, plain)


def _grouped(records: Iterable[Sequence[_Differing]]) -> Iterator[Kept]:
    groups: dict[tuple[object, ...], list[KeptIn]] = defaultdict(list)
    for calls in records:
        for one, kept in _told_of(calls):
            groups[one.lost, one.gained, one.shifts].append(kept)
    for (lost, gained, shifts), kept_in in groups.items():
        members = sorted(kept_in, key=lambda one: (*weight(one), one.subject, one.name))
        yield Kept(lost=lost, gained=gained, shifts=shifts, records=tuple(members))  # type: ignore[arg-type]


def _told_of(calls: Sequence[_Differing]) -> Iterator[tuple[_Differing, KeptIn]]:
    """Choose the calls that tell of one record, one for each way in which its calls differ."""
    ways: dict[Signature, list[_Differing]] = defaultdict(list)
    for one in sorted(calls, key=_rank):
        ways[one.signature].append(one)
    shown = list(ways.values())
    otherwise = 0
    if len(shown) > _WAYS:
        otherwise = sum(len(way) for way in shown[1:])
        shown = shown[:1]
    told = [way[0].where[2:] for way in shown]
    for way in shown:
        subject, name, call, mask = way[0].where
        old, new = way[0].weighs
        yield (
            way[0],
            KeptIn(
                subject=subject,
                name=name,
                call=call,
                mask=mask,
                old=old,
                new=new,
                calls=len(way),
                otherwise=otherwise,
                among=any(one == call and other != mask for one, other in told),
            ),
        )


def _rank(one: _Differing) -> tuple[int, int]:
    """Order calls by how much they tell; of one call, the mask where most requires grad."""
    _, _, call, mask = one.where
    return _TELLING.index(call.kind), -len(mask)


def weight(one: KeptIn) -> tuple[int, int]:
    """Order by the change of extra bytes, then of storage bytes, the largest first."""
    if one.old is None or one.new is None:
        return 0, 0
    return -abs(one.new.extra - one.old.extra), -abs(one.new.storage - one.old.storage)
