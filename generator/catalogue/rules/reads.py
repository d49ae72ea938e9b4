"""Rules about reads after writes: they must agree with the writes that came before them.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections.abc import Iterator

from generator.catalogue.model.reads import Reads, ReadTrial
from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.writes import WriteTrial
from generator.catalogue.reads import written
from generator.catalogue.rules.calls import Finding
from generator.catalogue.writes import each_kind

# What says nothing of the gradients, or compares them with those of the program as written.
_COMPARED = {"correct", "silently wrong"}
_RAISED = {"raises", "read raises"}


def reads(catalogue: Catalogue) -> Iterator[tuple[str, Reads]]:
    """Yield the reads of every op that has them, with how findings speak of it."""
    for op in catalogue.ops.values():
        if op.reads is not None:
            yield f"op {op.name}", op.reads


def read_after_writes_that_were_tried(catalogue: Catalogue) -> Iterator[Finding]:
    """A read comes after a write to the same tensor under the same mask, told once."""
    for op in catalogue.ops.values():
        if op.reads is None:
            continue
        label = f"op {op.name}"
        if op.writes is None or not op.writes.trials:
            yield label, "reads outputs after writes that were not tried"
            continue
        known = {(one.target, mask) for one in op.writes.trials for mask in one.masks}
        told = [(one.target, mask) for one in op.reads.trials for mask in one.masks]
        for target, mask in told:
            if (target, mask) not in known:
                yield label, f"reads after a write to {target!r} under mask {mask}, not tried"
        if len(told) != len(set(told)):
            yield label, "reads twice after a write to one tensor under one mask"


def not_read_exactly_where_not_written(catalogue: Catalogue) -> Iterator[Finding]:
    """Nothing is read after a write that was refused or not tried, and something after others."""
    for label, read, write in _pairs(catalogue):
        ends = zip(each_kind(write.plain), written(read.ended), strict=True)
        for verdict, end in ends:
            if (verdict in ("refused", "not tried")) != (end == "not read"):
                yield label, f"{end} after a write to {read.target!r} that is {verdict}"


def compared_only_where_tracked(catalogue: Catalogue) -> Iterator[Finding]:
    """Gradients are held against the program with the write in it where autograd sees the write."""
    for label, read, _ in _pairs(catalogue):
        for end in (read.ended.under_no_grad, read.ended.through_data):
            if end in _COMPARED:
                yield label, f"is {end} after a write to {read.target!r} that nobody tracks"


def words_where_reading_raised(catalogue: Catalogue) -> Iterator[Finding]:
    """There is a message exactly where something raised, an error only where a gradient is off."""
    for label, read, _ in _pairs(catalogue):
        ends = written(read.ended)
        if bool(_RAISED.intersection(ends)) != bool(read.message):
            yield label, f"says {read.message!r} after a write to {read.target!r}: {ends}"
        if read.relative_error is not None and "silently wrong" not in ends:
            yield label, f"is {read.relative_error} wrong after a write to {read.target!r}: {ends}"


def tried_or_not_with_a_reason(catalogue: Catalogue) -> Iterator[Finding]:
    """A reason says why nothing was tried, and the program came to what the trials say."""
    for label, found in reads(catalogue):
        if found.reason and found.trials:
            yield label, f"was read after writes, although {found.reason}"
        if found.printed is not None:
            yield label, "has a program that says otherwise of reads than its trials"


def _pairs(catalogue: Catalogue) -> Iterator[tuple[str, ReadTrial, WriteTrial]]:
    """Yield each read with the write that it came after, under each of its masks."""
    for op in catalogue.ops.values():
        if op.reads is None or op.writes is None:
            continue
        known = {(one.target, mask): one for one in op.writes.trials for mask in one.masks}
        for read in op.reads.trials:
            for mask in read.masks:
                if (read.target, mask) in known:
                    yield f"op {op.name}", read, known[read.target, mask]


RULES = (
    read_after_writes_that_were_tried,
    not_read_exactly_where_not_written,
    compared_only_where_tracked,
    words_where_reading_raised,
    tried_or_not_with_a_reason,
)
