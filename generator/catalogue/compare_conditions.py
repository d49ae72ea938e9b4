"""Compare what conditions do to the reference call of an op in two catalogues, one by one."""

from collections.abc import Iterator

from generator.catalogue.changes import (
    BytesChanged,
    Call,
    Change,
    ConditionChanged,
    PolicyChanged,
    bytes_of,
)
from generator.catalogue.conditions import condition_text, members
from generator.catalogue.model import OpRecord
from generator.catalogue.model_conditions import Applied, ConditionOutcome
from generator.catalogue.model_measurement import Measurement
from generator.catalogue.policies import measured_nodes

Outcome = tuple[ConditionOutcome, Measurement | None]


def compare_conditions(old: OpRecord, new: OpRecord) -> Iterator[Change]:
    """Yield each condition that was tried on both sides and ended otherwise.

    A condition that one side did not try is no finding about the op.
    """
    before, after = _outcomes(old), _outcomes(new)
    for applied in [one for one in before if one in after]:
        (was, had), (is_now, has) = before[applied], after[applied]
        if was != is_now:
            yield ConditionChanged(
                subject="op",
                name=new.name,
                condition=applied.condition,
                argument=applied.argument,
                old=was,
                new=is_now,
            )
        elif had is not None and has is not None:
            yield from _kept(old, new, applied, had, has)


def _kept(
    old: OpRecord, new: OpRecord, applied: Applied, had: Measurement, has: Measurement
) -> Iterator[Change]:
    call = Call(kind="condition", filed=applied.condition, text=condition_text(applied))
    before, after = measured_nodes(old, had), measured_nodes(new, has)
    if before != after:
        yield PolicyChanged(
            subject="op", name=new.name, call=call, mask=has.mask, old=before, new=after
        )
    if bytes_of(had) != bytes_of(has):
        yield BytesChanged(
            subject="op",
            name=new.name,
            call=call,
            mask=has.mask,
            old=bytes_of(had),
            new=bytes_of(has),
        )


def _outcomes(op: OpRecord) -> dict[Applied, Outcome]:
    found = op.conditions
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
