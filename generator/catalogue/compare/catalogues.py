"""Compare two catalogues: from `old` to `new`, every difference as a typed change, nothing else.

Equal catalogues have no changes, and catalogues that differ have at least one. A crash on either
side is never read as a removal, nor as a change of what is kept.
"""

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from generator.catalogue.compare.backward import compare_backward
from generator.catalogue.compare.bills import compare_bills
from generator.catalogue.compare.calls import Called, compare_calls
from generator.catalogue.compare.changes import (
    CONCLUSIVE,
    Added,
    BuildChanged,
    Change,
    NotComparable,
    Removed,
    StateChanged,
    Subject,
    details,
)
from generator.catalogue.compare.conditions import compare_conditions
from generator.catalogue.compare.depth import at_common_depth, compare_depth
from generator.catalogue.compare.formulas import compare_formulas
from generator.catalogue.compare.hooks import at_common_hooks
from generator.catalogue.compare.reads import compare_reads
from generator.catalogue.compare.unseen import compare_unseen
from generator.catalogue.compare.writes import compare_writes
from generator.catalogue.model.records import Catalogue, Header, ModuleRecord, NodeRecord, OpRecord

# Compared call by call, mask by mask, and `variants` by name besides.
_BY_CALL = {
    *("nodes", "policies", "references", "cases", "writes", "reads", "conditions", "formulas"),
}
# Compared when backward is concerned: what it keeps itself, and what the compiler keeps for it.
_OF_BACKWARD = {"second_order", "compiled"}
# Compared field by field, or following from the records.
_OF_BUILD = {"name", "release", "build", "counts", "depth"}
# What follows from a node's state having changed.
_OF_SIGHT = {"state", "reason", "observed", "witness", "recipe", "packed", "error"}
# What is said of a record that a catalogue made of other calls lacks.
_NOT_TRIED = "not tried"
# How the reason of a node begins to tell that what was tried to make it did not end by itself.
_UNSURVIVED = re.compile(r"called on \w+, (crashed|timed out|corrupted): ")


def compare(old: Catalogue, new: Catalogue) -> list[Change]:
    """List what differs, in the order of the file: the build, then each kind by name."""
    unlike = [*compare_depth(old, new)]
    old, new = at_common_hooks(*at_common_depth(old, new))
    return [
        *_header(old.header, new.header),
        *unlike,
        *_called("op", old, new, exact=not unlike),
        *_called("module", old, new, exact=not unlike),
        *_nodes(old, new),
        *compare_bills(old, new),
        *compare_unseen(old, new),
    ]


def _header(old: Header, new: Header) -> Iterator[Change]:
    before = {"release": old.release, **msgspec.structs.asdict(old.build)}
    after = {"release": new.release, **msgspec.structs.asdict(new.build)}
    for field, value in before.items():
        if value != after[field]:
            yield BuildChanged(
                subject="header", name=new.name, field=field, old=value, new=after[field]
            )
    yield from details("header", new.name, old, new, but=_OF_BUILD)


def _called(
    subject: Literal["op", "module"], old: Catalogue, new: Catalogue, *, exact: bool
) -> Iterator[Change]:
    before, after = _records(subject, old), _records(subject, new)
    # Without PyTorch's own tests, other ops are called: that one of theirs is missing says nothing.
    alike = old.header.build.samples == new.header.build.samples
    for name in sorted(before.keys() | after.keys()):
        if name in before and name in after:
            # What two catalogues say alike is often one object (see `codec.decode`).
            if before[name] is not after[name] and before[name] != after[name]:
                yield from _one_called(subject, before[name], after[name], exact=exact)
        elif not alike:
            states = [one[name].state if name in one else _NOT_TRIED for one in (before, after)]
            yield NotComparable(subject=subject, name=name, old=states[0], new=states[1])
        elif name in before:
            yield Removed(subject=subject, name=name, state=before[name].state)
        else:
            yield Added(subject=subject, name=name, state=after[name].state)


def _records(subject: Literal["op", "module"], catalogue: Catalogue) -> dict[str, Called]:
    return {**(catalogue.ops if subject == "op" else catalogue.modules)}


def _one_called(subject: Subject, old: Called, new: Called, *, exact: bool) -> Iterator[Change]:
    if not CONCLUSIVE.issuperset((old.state, new.state)):
        yield NotComparable(subject=subject, name=new.name, old=old.state, new=new.state)
        return
    if old.state != new.state:
        yield StateChanged(subject=subject, name=new.name, old=old.state, new=new.state)
        return
    found = [
        *details(
            subject,
            new.name,
            _without_figures(old),
            _without_figures(new),
            but=_BY_CALL | _OF_BACKWARD,
        ),
        *compare_calls(subject, old, new),
        *_writes(old, new),
        *compare_conditions(subject, old, new),
        *compare_backward(subject, old, new),
    ]
    yield from found
    if exact and not found:
        # Records that differ in the numbering of their policies alone are told apart all the same;
        # where one side made more calls, that numbering says nothing.
        yield from details(subject, new.name, old, new)


def _writes(old: Called, new: Called) -> Iterator[Change]:
    if isinstance(old, OpRecord) and isinstance(new, OpRecord):
        yield from compare_writes(old, new)
        yield from compare_reads(old, new)
        yield from compare_formulas(old, new)


def _without_figures(record: Called) -> Called:
    """Leave out what variants keep, which is compared with the calls."""
    if isinstance(record, ModuleRecord):
        return record
    bare = tuple(
        msgspec.structs.replace(one, measurement=None, further=()) for one in record.variants
    )
    return msgspec.structs.replace(record, variants=bare)


def _nodes(old: Catalogue, new: Catalogue) -> Iterator[Change]:
    for name in sorted(old.nodes.keys() | new.nodes.keys()):
        before, after = old.nodes.get(name), new.nodes.get(name)
        if before is after or before == after:
            continue
        lost = untold(before, after, new)
        gained = untold(after, before, old)
        if lost is not None:
            yield NotComparable(subject="node", name=name, old=_state(before), new=lost)
        elif gained is not None:
            yield NotComparable(subject="node", name=name, old=gained, new=_state(after))
        elif before is None:
            yield Added(subject="node", name=name, state=_state(after))
        elif after is None:
            yield Removed(subject="node", name=name, state=_state(before))
        elif before.state != after.state:
            yield StateChanged(subject="node", name=name, old=before.state, new=after.state)
            yield from details("node", name, before, after, but=_OF_SIGHT)
        else:
            yield from details("node", name, before, after)


def untold(seen: NodeRecord | None, unseen: NodeRecord | None, catalogue: Catalogue) -> str | None:
    """Return the state of the call that would have shown the node, if that call failed.

    `seen` is the node where it was live; `unseen`, of `catalogue`, is the same node where it was
    not. None where the absence is a finding.
    """
    if seen is None or seen.witness is None or (unseen and unseen.witness):
        return None
    unsurvived = _UNSURVIVED.match(unseen.reason or "") if unseen else None
    if unsurvived is not None:
        return unsurvived[1]
    witness = catalogue.ops.get(seen.witness.name) or catalogue.modules.get(seen.witness.name)
    return witness.state if witness and witness.state not in CONCLUSIVE else None


def _state(node: NodeRecord | None) -> str:
    return node.state if node else "absent"
