"""From two catalogues to what a person is told of them: few findings, what matters most first.

`compare` lists every change; here changes of one cause become one finding, renames are told from
removals, and what is no change of PyTorch's is set apart as not comparable or as a detail.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

import msgspec

from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import (
    Added,
    BuildChanged,
    Change,
    ConditionChanged,
    FormulaChanged,
    LayersNotCompared,
    NoCallInCommon,
    NotComparable,
    Removed,
    StateChanged,
    Subject,
)
from generator.catalogue.compare.depth import compare_depth
from generator.catalogue.compare.renames import Renamed, find_renames
from generator.catalogue.difference.findings import (
    TOPICS,
    Conditions,
    Details,
    Difference,
    Elsewhere,
    Finding,
    FormulaOf,
    Formulas,
    Incomparable,
    Kept,
    Named,
    Numbered,
    Records,
    RegistrySize,
    Renames,
    Side,
    Unmeasured,
)
from generator.catalogue.difference.of_calls import findings_of_calls, weight
from generator.catalogue.difference.of_details import findings_of_details
from generator.catalogue.difference.of_words import findings_of_words
from generator.catalogue.model.conditions import Applied
from generator.catalogue.model.records import Catalogue
from generator.catalogue.policies import node_types
from generator.catalogue.samples import doubtful

Key = TypeVar("Key")
Item = TypeVar("Item")

# Of the builds, what `Side` says already.
_OF_SIDE = ("release", "version", "git", "device")


def difference(
    old: Catalogue, new: Catalogue, *, only: Sequence[str] = (), with_changes: bool = False
) -> Difference:
    """Say all that differs from `old` to `new`, or what does of the records named in `only`.

    What is said of a record includes its node types. `with_changes` keeps the changes as well.
    """
    everything = compare(old, new)
    renames = find_renames(old, new, everything)
    scope = _scope(old, new, only)
    changes = [one for one in everything if scope is None or one.name in scope]
    findings = sorted(_one_a_field(_findings(old, new, changes, renames, scope)), key=_order)
    present = {finding.topic for finding in findings}
    return Difference(
        old=_side(old),
        new=_side(new),
        only=tuple(only),
        elsewhere=tuple(
            Elsewhere(field=one.field, old=one.old, new=one.new)
            for one in everything
            if isinstance(one, BuildChanged) and one.field not in _OF_SIDE
        ),
        counts={
            topic: sum(finding.topic == topic for finding in findings)
            for topic in TOPICS
            if topic in present
        },
        findings=tuple(findings),
        changes=tuple(changes) if with_changes else None,
    )


def encode(difference: Difference) -> bytes:
    """Write a difference as JSON: each struct an object, whose `type` says what it is."""
    return msgspec.json.format(msgspec.json.encode(difference), indent=2) + b"\n"


def _scope(old: Catalogue, new: Catalogue, only: Sequence[str]) -> AbstractSet[str] | None:
    """Return the names of what is asked for, with their node types; None for everything."""
    if not only:
        return None
    scope = set(only)
    for catalogue in (old, new):
        for name in only:
            record = catalogue.ops.get(name) or catalogue.modules.get(name)
            scope.update(node_types(record) if record else ())
    return scope


def _findings(
    old: Catalogue,
    new: Catalogue,
    changes: Sequence[Change],
    renames: Sequence[Renamed],
    scope: AbstractSet[str] | None,
) -> Iterator[Finding]:
    told = [
        one
        for one in renames
        if scope is None or not scope.isdisjoint((one.node, one.old, one.new))
    ]
    yield from findings_of_calls(changes, renames, doubtful(old, new, changes))
    yield from _formulas(changes)
    yield from _conditions(changes)
    yield from _records(changes, renames)
    yield from findings_of_words(old, new, changes)
    if scope is None and _registered(old) != _registered(new):
        yield RegistrySize(old=_registered(old), new=_registered(new))
    yield from _renames(told)
    yield from _incomparable(changes)
    yield from _unmeasured(old, new)
    yield from findings_of_details(old, new, changes, renames)


def _one_a_field(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Put together the details of one field, whichever change they come from."""
    details: dict[tuple[Subject, str], set[str]] = defaultdict(set)
    for finding in findings:
        if isinstance(finding, Details):
            details[finding.subject, finding.field].update(finding.names)
        else:
            yield finding
    for (subject, field), names in details.items():
        yield Details(subject=subject, field=field, names=tuple(sorted(names)))


def _formulas(changes: Iterable[Change]) -> Iterator[Formulas]:
    found = [
        ((one.old, one.new), FormulaOf(name=one.name, call=one.call))
        for one in changes
        if isinstance(one, FormulaChanged) and one.old is not None and one.new is not None
    ]
    for (old, new), calls in _grouped(found, lambda one: (one.name, one.call)):
        yield Formulas(old=old, new=new, calls=calls)


def _conditions(changes: Iterable[Change]) -> Iterator[Conditions]:
    """Put together the ops that a condition concerns alike, then conditions of the same ops."""
    found = [
        ((Applied(one.condition, one.argument), one.old, one.new), one.name)
        for one in changes
        if isinstance(one, ConditionChanged)
    ]
    alike = [((old, new, names), applied) for (applied, old, new), names in _grouped(found, str)]
    for (old, new, names), conditions in _grouped(alike, lambda one: (one.condition, one.argument)):
        yield Conditions(conditions=conditions, old=old, new=new, names=names)


def _records(changes: Iterable[Change], renames: Iterable[Renamed]) -> Iterator[Records]:
    """Tell what was added, removed or is in another state; a renamed type is neither of these."""
    types = [one for one in renames if one.what == "node type"]
    known = {name for one in types for name in (one.old, one.new)}
    found: list[tuple[tuple[Subject, str | None, str | None], str]] = []
    for one in changes:
        if isinstance(one, Added | Removed) and one.subject == "node" and one.name in known:
            continue
        match one:
            case Added(subject=subject, name=name, state=state):
                found.append(((subject, None, state), name))
            case Removed(subject=subject, name=name, state=state):
                found.append(((subject, state, None), name))
            case StateChanged(subject=subject, name=name, old=before, new=after):
                found.append(((subject, before, after), name))
    for (subject, old, new), names in _grouped(found, str):
        yield Records(
            topic="registry" if subject == "node" else "records",
            subject=subject,
            old=old,
            new=new,
            names=names,
        )


def _registered(catalogue: Catalogue) -> int:
    return sum(node.state != "unregistered" for node in catalogue.nodes.values())


def _renames(renames: Sequence[Renamed]) -> Iterator[Renames | Numbered]:
    numbered = [one for one in renames if one.what == "node type" and one.new == f"{one.old}0"]
    if len(numbered) > 1:
        yield Numbered(
            basis=tuple(sorted({one.basis for one in numbered})),
            calls=sum(one.calls for one in numbered),
            nodes=tuple(sorted(one.new for one in numbered)),
        )
    told = renames if len(numbered) < 2 else [one for one in renames if one not in numbered]
    found = [((one.what, one.old, one.new), one) for one in told]
    for (what, old, new), each in _grouped(found, lambda one: one.node or ""):
        yield Renames(
            what=what,
            old=old,
            new=new,
            basis=tuple(sorted({one.basis for one in each})),
            calls=sum(one.calls for one in each),
            nodes=tuple(one.node for one in each if one.node),
        )


def _incomparable(changes: Iterable[Change]) -> Iterator[Incomparable]:
    found: list[tuple[tuple[str, str, bool], Named]] = []
    for one in changes:
        if isinstance(one, NotComparable):
            key = one.old, one.new, one.call is None
        elif isinstance(one, NoCallInCommon):
            key = "other calls", "other calls", True
        else:
            continue
        found.append((key, Named(subject=one.subject, name=one.name)))
    for (old, new, whole), records in _grouped(found, lambda one: (one.subject, one.name)):
        yield Incomparable(old=old, new=new, whole=whole, records=records)


def _unmeasured(old: Catalogue, new: Catalogue) -> Iterator[Unmeasured]:
    """Tell what one side has not measured, whichever records are asked for."""
    for one in compare_depth(old, new):
        if isinstance(one, LayersNotCompared):
            yield Unmeasured(layers=one.layers, old=one.old, new=one.new)


def _grouped(
    pairs: Iterable[tuple[Key, Item]], order: Callable[[Item], object]
) -> Iterator[tuple[Key, tuple[Item, ...]]]:
    """Yield each key with its distinct items in order."""
    groups: dict[Key, dict[Item, None]] = defaultdict(dict)
    for key, item in pairs:
        groups[key][item] = None
    for key, items in groups.items():
        yield key, tuple(sorted(items, key=order))  # type: ignore[arg-type]


def _order(finding: Finding) -> tuple[object, ...]:
    """Order by topic, then by bytes, then by how many records are concerned."""
    topic = TOPICS.index(finding.topic)
    match finding:
        case Kept(records=records):
            extra = min(weight(one)[0] for one in records)
            storage = min(weight(one)[1] for one in records)
            return topic, 0, extra, storage, -len(records), records[0].name
        case RegistrySize():
            return topic, 0
        case Numbered():
            return topic, 0, 1
        case Formulas(calls=calls):
            return topic, 1, -len(calls), calls[0].name
        case Renames(nodes=nodes, old=old):
            return topic, 1, -len(nodes), old
        case _:
            return topic, 2, type(finding).__name__, *_size(finding)


def _size(finding: Finding) -> tuple[object, ...]:
    for field in ("names", "records", "targets", "nodes"):
        members = getattr(finding, field, None)
        if members:
            return -len(members), str(members[0])
    return 0, getattr(finding, "name", "")


def _side(catalogue: Catalogue) -> Side:
    header = catalogue.header
    build = header.build
    return Side(
        name=header.name,
        release=header.release,
        device=build.device,
        depth=header.depth,
        version=build.version,
        git=build.git,
    )
