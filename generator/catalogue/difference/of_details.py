"""From the changes that matter least to findings: attributes of classes, backward, and the rest.

What a field of a record holds is not told here, only in which records it differs.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from generator.catalogue.compare.changes import (
    Bytes,
    CallAdded,
    CallRemoved,
    Change,
    CutChanged,
    DetailChanged,
    FormulaChanged,
    GradientChanged,
    Subject,
)
from generator.catalogue.compare.renames import Renamed
from generator.catalogue.compare.wordings import rewordings
from generator.catalogue.difference.findings import Attributes, Backward, Details, Weighed
from generator.catalogue.model.compiled import Cut
from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.second_order import SecondOrder

Found = Attributes | Backward | Details

# Changes that are details as a whole, by what is said of them.
_NAMED: dict[type[Change], str] = {
    GradientChanged: "second_order",
    CutChanged: "compiled",
    CallAdded: "calls added",
    CallRemoved: "calls removed",
}


def findings_of_details(
    old: Catalogue, new: Catalogue, changes: Sequence[Change], renames: Sequence[Renamed]
) -> Iterator[Found]:
    """Yield attributes by what was lost and gained, backward by record, and the rest by field."""
    weighed: dict[tuple[Subject, str, Weighed, Weighed], list[str]] = defaultdict(list)
    details: dict[tuple[Subject, str], set[str]] = defaultdict(set)
    for one in changes:
        first = not (isinstance(one, CutChanged) and one.mask)
        if first and isinstance(one, GradientChanged | CutChanged) and _is_told(old, new, one):
            by = one.partitioner if isinstance(one, CutChanged) else ""
            weighed[one.subject, one.name, _weighed(one.old), _weighed(one.new)].append(by)
        else:
            field = _field(old, new, one)
            if field is not None:
                details[one.subject, field].add(one.name)
    for (subject, name, had, has), by_all in weighed.items():
        partitioners = tuple(by for by in by_all if by)
        if "" in by_all:
            yield Backward(subject=subject, name=name, partitioners=(), old=had, new=has)
        if partitioners:
            yield Backward(subject=subject, name=name, partitioners=partitioners, old=had, new=has)
    yield from _attributes(changes, renames)
    for (subject, field), names in details.items():
        yield Details(subject=subject, field=field, names=tuple(sorted(names)))


def _field(old: Catalogue, new: Catalogue, change: Change) -> str | None:
    """Name what a change is about, where it is a detail and no other finding tells it."""
    found: str | None = _NAMED.get(type(change))
    if isinstance(change, FormulaChanged) and None in (change.old, change.new):
        found = "formulas"
    elif isinstance(change, DetailChanged) and not _is_told_elsewhere(old, new, change):
        found = change.field
    return found


def _is_told_elsewhere(old: Catalogue, new: Catalogue, change: DetailChanged) -> bool:
    if change.subject != "node" or change.field not in ("attributes", "error"):
        return False
    if change.field == "attributes":
        return True
    if change.old is None or change.new is None:
        return False
    return bool(rewordings(change.old, change.new, old.nodes, new.nodes))


def _is_told(old: Catalogue, new: Catalogue, change: GradientChanged | CutChanged) -> bool:
    """Say whether both sides weigh the same call, and weigh something else."""
    if _weighed(change.old) == _weighed(change.new):
        return False
    if isinstance(change, GradientChanged):
        if (change.old.call, change.old.mask) != (change.new.call, change.new.mask):
            return False
        if change.new.call is not None:
            return True
    calls = [
        [(one.setup, one.call) for one in record.references[:1]]
        for catalogue in (old, new)
        for record in (catalogue.ops.get(change.name) or catalogue.modules[change.name],)
    ]
    return calls[0] == calls[1] != []


def _attributes(changes: Iterable[Change], renames: Iterable[Renamed]) -> Iterator[Attributes]:
    renamed: dict[str, list[Renamed]] = defaultdict(list)
    for one in renames:
        renamed[one.node or ""].append(one)
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = defaultdict(list)
    for change in changes:
        if isinstance(change, DetailChanged) and (change.subject, change.field) == (
            "node",
            "attributes",
        ):
            known = renamed[change.name]
            lost = {*change.old} - {*change.new} - {one.old for one in known}
            gained = {*change.new} - {*change.old} - {one.new for one in known}
            if lost or gained:
                groups[tuple(sorted(lost)), tuple(sorted(gained))].append(change.name)
    for (lost_ones, gained_ones), names in groups.items():
        yield Attributes(lost=lost_ones, gained=gained_ones, nodes=tuple(names))


def _weighed(found: SecondOrder | Cut) -> Weighed:
    return Weighed(
        state=found.state,
        tensors=len(found.tensors),
        bytes=Bytes(
            logical=found.logical_bytes, storage=found.storage_bytes, extra=found.extra_bytes
        ),
        raises=isinstance(found, SecondOrder) and found.again is not None,
    )
