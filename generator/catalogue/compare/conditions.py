"""Compare what conditions do to the reference call of an op in two catalogues, one by one."""

from collections.abc import Iterator

from generator.catalogue.compare.changes import (
    BytesChanged,
    Call,
    Change,
    ConditionChanged,
    PolicyChanged,
    Subject,
    bytes_of,
)
from generator.catalogue.conditions import Record, condition_text, members
from generator.catalogue.model.conditions import Applied, ConditionOutcome
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.policies import measured_nodes

Outcome = tuple[ConditionOutcome, Measurement | None]


def compare_conditions(subject: Subject, old: Record, new: Record) -> Iterator[Change]:
    """Yield each condition that was tried on both sides and ended otherwise.

    A condition that one side did not try is no finding about the record, and of two at once both
    sides tell only what neither of the two foretells.
    """
    before, after = _outcomes(old), _outcomes(new)
    for applied in [one for one in before if one in after]:
        (was, had), (is_now, has) = before[applied], after[applied]
        if was != is_now:
            yield ConditionChanged(
                subject=subject,
                name=new.name,
                condition=applied.condition,
                argument=applied.argument,
                old=was,
                new=is_now,
            )
        elif had is not None and has is not None:
            yield from _kept(subject, (old, new), (applied,), had, has)
    pairs = _pairs(new)
    for pair, had in _pairs(old).items():
        if pair in pairs:
            yield from _kept(subject, (old, new), pair, had, pairs[pair])


def _kept(
    subject: Subject,
    records: tuple[Record, Record],
    conditions: tuple[Applied, ...],
    had: Measurement,
    has: Measurement,
) -> Iterator[Change]:
    old, new = records
    call = Call(
        kind="condition",
        filed=", ".join(one.condition for one in conditions),
        text=", ".join(condition_text(one) for one in conditions),
    )
    before, after = measured_nodes(old, had), measured_nodes(new, has)
    if before != after:
        yield PolicyChanged(
            subject=subject, name=new.name, call=call, mask=has.mask, old=before, new=after
        )
    if bytes_of(had) != bytes_of(has):
        yield BytesChanged(
            subject=subject,
            name=new.name,
            call=call,
            mask=has.mask,
            old=bytes_of(had),
            new=bytes_of(has),
        )


def _pairs(record: Record) -> dict[tuple[Applied, Applied], Measurement]:
    """File what is kept under two conditions; one that raises keeps nothing to compare."""
    return {
        pair: kept.measurement
        for kept in (record.conditions.pairs if record.conditions else ())
        for pair in kept.pairs
        if kept.measurement.state == "measured"
    }


def _outcomes(record: Record) -> dict[Applied, Outcome]:
    found = record.conditions
    if found is None:
        return {}
    outcomes: dict[Applied, Outcome] = {}
    for argument, names in found.unchanged.items():
        for name in names:
            for member in members(name):
                outcomes[Applied(member, argument)] = ("unchanged", None)
    for changed in found.changed:
        for applied in changed.conditions:
            outcomes[applied] = ("changed", changed.measurement)
    for refused in found.refused:
        for applied in refused.conditions:
            outcomes[applied] = ("refused", None)
    return outcomes
