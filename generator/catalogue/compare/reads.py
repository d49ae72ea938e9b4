"""Compare what reading outputs after writes did in two catalogues, target by target and mask."""

from collections.abc import Iterator

import msgspec

from generator.catalogue.compare.changes import Change, DetailChanged, ReadChanged
from generator.catalogue.compare.writes import made
from generator.catalogue.model.reads import ReadEnds
from generator.catalogue.model.records import OpRecord


def compare_reads(old: OpRecord, new: OpRecord) -> Iterator[Change]:
    """Yield what differs between the reads of two records of one op.

    What is not told kind by kind, since one side was not read or words differ, is one detail.
    """
    if old.reads == new.reads:
        return
    found = list(_ends(old, new))
    yield from found
    if not found:
        yield DetailChanged(
            subject="op",
            name=new.name,
            field="reads",
            old=msgspec.to_builtins(old.reads),
            new=msgspec.to_builtins(new.reads),
        )


def _ends(old: OpRecord, new: OpRecord) -> Iterator[ReadChanged]:
    if old.writes is None or new.writes is None or made(old.writes) != made(new.writes):
        return
    theirs = _by_target(new)
    for (target, mask), before in _by_target(old).items():
        after = theirs.get((target, mask), before)
        if after != before:
            yield ReadChanged(
                subject="op", name=new.name, target=target, mask=mask, old=before, new=after
            )


def _by_target(op: OpRecord) -> dict[tuple[str, tuple[str, ...]], ReadEnds]:
    if op.reads is None or op.writes is None:
        return {}
    return {
        (trial.target, op.writes.masks[place]): trial.ended
        for trial in op.reads.trials
        for place in trial.masks
    }
