"""Compare what writes did to an op's backward in two catalogues, target by target, mask by mask.

Trials are paired by what was written to under which mask, so that another grouping alone is no
change of a verdict.
"""

from collections.abc import Iterator

import msgspec

from generator.catalogue.compare.changes import Change, DetailChanged, VerdictChanged, details
from generator.catalogue.model.records import OpRecord
from generator.catalogue.model.writes import Writes, WriteTrial

# Told under the first mask of a trial alone.
_TOLD_ONCE = ("message", "relative_error")


def compare_writes(old: OpRecord, new: OpRecord) -> Iterator[Change]:
    """Yield what differs between the writes of two records of one op."""
    before, after = old.writes, new.writes
    if before is None or after is None or made(before) != made(after):
        if before != after:
            yield DetailChanged(
                subject="op",
                name=new.name,
                field="writes",
                old=msgspec.to_builtins(before),
                new=msgspec.to_builtins(after),
            )
        return
    found = list(_verdicts(new.name, before, after))
    yield from found
    # Where trials are missing on one side, or only grouped otherwise, that is told as a detail.
    alike = found and _by_target(before).keys() == _by_target(after).keys()
    yield from details("op", new.name, before, after, but={"trials"} if alike else set())


def _verdicts(name: str, before: Writes, after: Writes) -> Iterator[VerdictChanged]:
    theirs = _by_target(after)
    for (target, mask), old in _by_target(before).items():
        new = theirs.get((target, mask))
        if new is not None and _differ(old, new):
            yield VerdictChanged(
                subject="op", name=name, target=target, mask=mask, old=old, new=new
            )


def _by_target(writes: Writes) -> dict[tuple[str, tuple[str, ...]], WriteTrial]:
    """File trials under their target and each of their masks; the first mask's keeps its words."""
    filed: dict[tuple[str, tuple[str, ...]], WriteTrial] = {}
    for trial in writes.trials:
        bare = msgspec.structs.replace(trial, masks=(), message=None, relative_error=None)
        for place, mask in enumerate(trial.masks):
            told = msgspec.structs.replace(trial, masks=()) if place == 0 else bare
            filed[trial.target, writes.masks[mask]] = told
    return filed


def _differ(old: WriteTrial, new: WriteTrial) -> bool:
    """Tell whether two trials end otherwise, or say otherwise where both say something."""
    for field in WriteTrial.__struct_fields__:
        one, other = getattr(old, field), getattr(new, field)
        if one != other and (field not in _TOLD_ONCE or None not in (one, other)):
            return True
    return False


def made(writes: Writes) -> tuple[object, ...]:
    """Return what tells which call was written into."""
    return writes.call, writes.arguments
