"""From changes of verdicts and of error messages to findings: what writes do, and what is said.

A message that names another tensor or another version is not worded otherwise, so messages are
compared by their wording.
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import astuple

from generator.catalogue.compare.changes import (
    Change,
    DetailChanged,
    ReadChanged,
    VerdictChanged,
)
from generator.catalogue.compare.wordings import rewordings
from generator.catalogue.difference.findings import (
    Details,
    Ending,
    InPlace,
    KindOfWrite,
    Named,
    ReadAfter,
    Wording,
    WrittenTo,
)
from generator.catalogue.model.reads import ReadEnds
from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.model.writes import Verdicts, WriteTrial

Said = tuple[str, str, Named]
Ends = tuple[Verdict, ...]


def findings_of_words(
    old: Catalogue, new: Catalogue, changes: Collection[Change]
) -> Iterator[InPlace | ReadAfter | KindOfWrite | Wording | Details]:
    """Yield which writes end otherwise, which errors are worded otherwise, and details of both."""
    verdicts: dict[tuple[Ending, Ending], list[WrittenTo]] = defaultdict(list)
    reads: dict[tuple[ReadEnds, ReadEnds], list[WrittenTo]] = defaultdict(list)
    said: list[Said] = []
    quiet: set[str] = set()
    for one in changes:
        if isinstance(one, VerdictChanged):
            before, after = _endings(old, new, one)
            if before != after:
                where = WrittenTo(name=one.name, target=one.target, mask=one.mask)
                verdicts[before, after].append(where)
            elif not _is_reworded(old, new, one):
                quiet.add(one.name)  # who kept it, or how wrong a gradient became
            elif one.old.message and one.new.message:
                said.append((one.old.message, one.new.message, Named(subject="op", name=one.name)))
        elif isinstance(one, ReadChanged):
            where = WrittenTo(name=one.name, target=one.target, mask=one.mask)
            reads[one.old, one.new].append(where)
        elif isinstance(one, DetailChanged) and _says_otherwise(one):
            said.append((one.old, one.new, Named(subject="node", name=one.name)))
    yield from _in_place(verdicts)
    for (had, has), targets in reads.items():
        yield ReadAfter(old=had, new=has, targets=tuple(targets))
    yield from _kinds_of_write(old, new, changes)
    yield from _wordings(said, old.nodes, new.nodes)
    if quiet:
        yield Details(subject="op", field="writes", names=tuple(sorted(quiet)))


def _in_place(
    verdicts: Mapping[tuple[Ending, Ending], Sequence[WrittenTo]],
) -> Iterator[InPlace]:
    """Put together targets of which the same ends otherwise, whatever else ends alike."""
    groups: dict[object, tuple[Ending, Ending, list[WrittenTo]]] = {}
    for (had, has), targets in verdicts.items():
        apart = tuple(_apart(*pair) for pair in zip(_settings(had), _settings(has), strict=True))
        groups.setdefault(apart, (had, has, []))[2].extend(targets)
    for had, has, each in groups.values():
        yield InPlace(old=had, new=has, targets=tuple(each))


def _settings(ending: Ending) -> tuple[Verdicts | None, ...]:
    return ending.plain, ending.hooked, ending.on_cpu


def _apart(old: Verdicts | None, new: Verdicts | None) -> object:
    """Say which kinds of write end otherwise in one setting, and how."""
    if old is None or new is None:
        return None
    pairs = zip(astuple(old), astuple(new), strict=True)
    return tuple(None if one == other else (one, other) for one, other in pairs)


def _is_reworded(old: Catalogue, new: Catalogue, change: VerdictChanged) -> bool:
    if change.old.message is None or change.new.message is None:
        return False
    return bool(rewordings(change.old.message, change.new.message, old.nodes, new.nodes))


def _says_otherwise(change: DetailChanged) -> bool:
    """Say whether both sides saw the error of a node: one that was not seen is no wording."""
    return (change.subject, change.field) == ("node", "error") and None not in (
        change.old,
        change.new,
    )


def _wordings(
    said: Iterable[Said], old_types: Container[str], new_types: Container[str]
) -> Iterator[Wording]:
    groups: dict[tuple[str, str], list[Said]] = defaultdict(list)
    for one in said:
        for key in rewordings(one[0], one[1], old_types, new_types):
            groups[key].append(one)
    for (old, new), each in groups.items():
        records = dict.fromkeys(named for _, _, named in each)
        shortest = min(each, key=lambda one: (len(one[0]), one[0]))
        yield Wording(
            old=old,
            new=new,
            old_example=shortest[0],
            new_example=shortest[1],
            example=shortest[2],
            records=tuple(sorted(records, key=lambda one: (one.subject, one.name))),
        )


def _kinds_of_write(
    old: Catalogue, new: Catalogue, changes: Collection[Change]
) -> Iterator[KindOfWrite]:
    groups: dict[tuple[Ends, Ends], list[str]] = defaultdict(list)
    changed = {one.name for one in changes}
    for name in sorted(old.writes.keys() & new.writes.keys() & changed):
        before, after = old.writes[name], new.writes[name]
        pairs = ((before.plain, after.plain), (before.hooked, after.hooked))
        both = [(one.verdict, other.verdict) for one, other in pairs if one and other]
        had, has = tuple(one for one, _ in both), tuple(other for _, other in both)
        if had != has:
            groups[had, has].append(name)
    for (had, has), names in groups.items():
        yield KindOfWrite(old=had, new=has, names=tuple(names))


def _endings(old: Catalogue, new: Catalogue, change: VerdictChanged) -> tuple[Ending, Ending]:
    """Read how both trials ended; under `save_on_cpu` only where both sides tried it."""
    tried = all(
        writes is not None and writes.on_cpu
        for writes in (old.ops[change.name].writes, new.ops[change.name].writes)
    )
    return _ending(change.old, on_cpu=tried), _ending(change.new, on_cpu=tried)


def _ending(trial: WriteTrial, *, on_cpu: bool) -> Ending:
    # A trial leaves out what came under `save_on_cpu` where that is as under identity hooks.
    under = (trial.on_cpu or trial.hooked) if on_cpu else None
    return Ending(plain=trial.plain, hooked=trial.hooked, on_cpu=under)
