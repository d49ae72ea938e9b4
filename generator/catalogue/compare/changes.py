"""What can differ between two catalogues, as typed data: one struct per kind of change.

Each reads from `old` to `new`. How a change is worded, counted or coloured is decided elsewhere.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import msgspec

from generator.catalogue.model.compiled import Cut
from generator.catalogue.model.conditions import ConditionName, ConditionOutcome
from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import Measurement, SavedTensor
from generator.catalogue.model.reads import ReadEnds
from generator.catalogue.model.records import Depth, Mode, PolicyNode
from generator.catalogue.model.second_order import SecondOrder
from generator.catalogue.model.writes import WriteTrial

Subject = Literal["header", "op", "module", "node", "block", "write"]


class Call(Frozen, frozen=True, kw_only=True):
    """One call of a record: which kind of call, as what it is filed, and how it is written.

    `filed` is the family of a reference, the OpInfo entry of a case, the name of a variant or of a
    condition, `autocast` or nothing for a bill.
    """

    kind: Literal["reference", "case", "variant", "condition", "bill"]
    filed: str
    text: str
    mode: Mode | None = None


class Bytes(Frozen, frozen=True, kw_only=True):
    """The three figures of a measurement, in bytes."""

    logical: int
    storage: int
    extra: int


class BuildChanged(Frozen, frozen=True, kw_only=True, tag="build changed"):
    """The catalogues were measured on different builds or machines; `field` says in what."""

    subject: Subject
    name: str
    field: str
    old: str | None
    new: str | None


class LayersNotCompared(Frozen, frozen=True, kw_only=True, tag="layers not compared"):
    """Whole layers were measured on the side of depth `full` alone, so nothing is said of them."""

    subject: Subject
    name: str
    layers: tuple[str, ...]
    old: Depth
    new: Depth


class Added(Frozen, frozen=True, kw_only=True, tag="added"):
    """A record that only the new catalogue has."""

    subject: Subject
    name: str
    state: str


class Removed(Frozen, frozen=True, kw_only=True, tag="removed"):
    """A record that only the old catalogue has."""

    subject: Subject
    name: str
    state: str


class StateChanged(Frozen, frozen=True, kw_only=True, tag="state changed"):
    """Both sides are conclusive and say different things, such as `witnessed` and `declared`."""

    subject: Subject
    name: str
    old: str
    new: str


class NotComparable(Frozen, frozen=True, kw_only=True, tag="not comparable"):
    """One side or both came to no conclusion, so nothing is said about what is kept.

    `call` and `mask` are None where the whole record is meant.
    """

    subject: Subject
    name: str
    old: str
    new: str
    call: Call | None = None
    mask: tuple[str, ...] | None = None


class NoCallInCommon(Frozen, frozen=True, kw_only=True, tag="no call in common"):
    """A record that was measured on both sides, by other calls, so that nothing can be compared."""

    subject: Subject
    name: str


class CallAdded(Frozen, frozen=True, kw_only=True, tag="call added"):
    """A call that only the new catalogue has measured, or a grad mask of a call."""

    subject: Subject
    name: str
    call: Call
    mask: tuple[str, ...] | None = None


class CallRemoved(Frozen, frozen=True, kw_only=True, tag="call removed"):
    """A call that only the old catalogue had measured, or a grad mask of a call."""

    subject: Subject
    name: str
    call: Call
    mask: tuple[str, ...] | None = None


class PolicyChanged(Frozen, frozen=True, kw_only=True, tag="policy changed"):
    """The same call under the same mask keeps something else: node, attribute, kind or role."""

    subject: Subject
    name: str
    call: Call
    mask: tuple[str, ...]
    old: tuple[PolicyNode, ...]
    new: tuple[PolicyNode, ...]


class BytesChanged(Frozen, frozen=True, kw_only=True, tag="bytes changed"):
    """The same call under the same mask weighs something else."""

    subject: Subject
    name: str
    call: Call
    mask: tuple[str, ...]
    old: Bytes
    new: Bytes


class TensorsChanged(Frozen, frozen=True, kw_only=True, tag="tensors changed"):
    """Same policy, which is `nodes`, yet other shapes, dtypes, layouts or sharing of storages."""

    subject: Subject
    name: str
    call: Call
    mask: tuple[str, ...]
    nodes: tuple[PolicyNode, ...]
    old: tuple[SavedTensor, ...]
    new: tuple[SavedTensor, ...]


class VerdictChanged(Frozen, frozen=True, kw_only=True, tag="verdict changed"):
    """Writing into the same tensor, after the same call under the same mask, ends otherwise.

    `old` and `new` are the trials, whose `masks` say nothing here.
    """

    subject: Subject
    name: str
    target: str
    mask: tuple[str, ...]
    old: WriteTrial
    new: WriteTrial


class ReadChanged(Frozen, frozen=True, kw_only=True, tag="read changed"):
    """Reading outputs after writes into the same tensor, under the same mask, ends otherwise."""

    subject: Subject
    name: str
    target: str
    mask: tuple[str, ...]
    old: ReadEnds
    new: ReadEnds


class ConditionChanged(Frozen, frozen=True, kw_only=True, tag="condition changed"):
    """The reference call of an op under a condition ends otherwise: kept the same, or not."""

    subject: Subject
    name: str
    condition: ConditionName
    argument: str
    old: ConditionOutcome
    new: ConditionOutcome


class GradientChanged(Frozen, frozen=True, kw_only=True, tag="gradient changed"):
    """The graph of the gradient of the same record's call, or what it keeps, is another one."""

    subject: Subject
    name: str
    old: SecondOrder
    new: SecondOrder


class CutChanged(Frozen, frozen=True, kw_only=True, tag="cut changed"):
    """One partitioner keeps something else of a reference call, or can or cannot cut it.

    `mask` is empty where that is under the call's first grad mask.
    """

    subject: Subject
    name: str
    partitioner: str
    mask: tuple[str, ...] = ()
    old: Cut
    new: Cut


class FormulaChanged(Frozen, frozen=True, kw_only=True, tag="formula changed"):
    """The same call keeps something else in terms of its sizes.

    `call` is empty for the reference. `old` and `new` write logical, storage and extra bytes in the
    first dtype of the formula, and are None where there is no formula.
    """

    subject: Subject
    name: str
    call: str
    old: tuple[str, str, str] | None
    new: tuple[str, str, str] | None


class DetailChanged(Frozen, frozen=True, kw_only=True, tag="detail changed"):
    """Anything else that a record or a call of it says: `field` is its name in the model.

    `old` and `new` are the field's values as the catalogue's file writes them.
    """

    subject: Subject
    name: str
    field: str
    old: Any
    new: Any
    call: Call | None = None


Change = (
    BuildChanged
    | LayersNotCompared
    | Added
    | Removed
    | StateChanged
    | NotComparable
    | NoCallInCommon
    | CallAdded
    | CallRemoved
    | PolicyChanged
    | BytesChanged
    | TensorsChanged
    | VerdictChanged
    | ReadChanged
    | ConditionChanged
    | FormulaChanged
    | GradientChanged
    | CutChanged
    | DetailChanged
)

CONCLUSIVE = frozenset(
    {"measured", "not differentiable", "witnessed", "stubbed", "declared", "unregistered"}
)


def bytes_of(measurement: Measurement) -> Bytes:
    """Return the three figures of a measurement, in bytes."""
    return Bytes(
        logical=measurement.logical_bytes,
        storage=measurement.storage_bytes,
        extra=measurement.extra_bytes,
    )


def details(
    subject: Subject,
    name: str,
    old: Frozen,
    new: Frozen,
    *,
    but: AbstractSet[str] = frozenset(),
    call: Call | None = None,
) -> Iterator[DetailChanged]:
    """Yield each field, `but` some, in which two structs of one kind differ."""
    for field in new.__struct_fields__:
        before, after = getattr(old, field), getattr(new, field)
        if field not in but and before != after:
            yield DetailChanged(
                subject=subject,
                name=name,
                field=field,
                old=msgspec.to_builtins(before),
                new=msgspec.to_builtins(after),
                call=call,
            )
