"""From the catalogues of one device to the history of every record: since when it says what.

Each catalogue is compared with the one before it, and its facts are folded into spans of releases
that say the same. Which calls of a record are followed is decided by `catalogue.history.calls`,
and which of them are told by `catalogue.history.told`.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import msgspec

from generator.catalogue.compare.changes import CONCLUSIVE
from generator.catalogue.compare.renames import Names, Renamed, names_of
from generator.catalogue.difference.findings import Difference, Numbered, Renames
from generator.catalogue.difference.told import difference
from generator.catalogue.history.calls import (
    Known,
    fact_of,
    followed_calls,
    known,
    newest_case,
    told_alone,
)
from generator.catalogue.history.facts import Called, Fact, class_fact
from generator.catalogue.history.spans import fold, programs, spans
from generator.catalogue.history.told import Line, told
from generator.catalogue.model.history import Followed, History, Measured, Span, Timeline
from generator.catalogue.model.records import Catalogue
from generator.errors import CatalogueError

Renamings = Sequence[Names]


@dataclass(frozen=True)
class Facts:
    """All facts of one catalogue by name; who witnessed a node type, and which calls failed."""

    ops: dict[str, Known]
    modules: dict[str, Known]
    nodes: dict[str, Fact]
    witnesses: dict[str, str]
    unconcluded: dict[str, str]


def history(
    catalogues: Sequence[Catalogue], dates: Mapping[str, dt.date] = MappingProxyType({})
) -> History:
    """Compute the history told by `catalogues`, from the oldest release to the newest.

    `dates` says when releases were published, as far as that is known. Raises CatalogueError where
    there is no catalogue.
    """
    return tell_history(catalogues, [difference(*pair) for pair in pairwise(catalogues)], dates)


def tell_history(
    catalogues: Sequence[Catalogue],
    differences: Sequence[Difference],
    dates: Mapping[str, dt.date] = MappingProxyType({}),
) -> History:
    """Tell the history of what is in `catalogues`, given what neighbours differ in.

    Raises CatalogueError where there is no catalogue.
    """
    if not catalogues:
        raise CatalogueError("there is no catalogue, so there is no history")
    measured = [_measured(catalogue, dates) for catalogue in catalogues]
    seen: dict[int, Known] = {}
    facts = [_facts(catalogue, seen) for catalogue in catalogues]
    releases = [one.release for one in measured]
    renames = [names_of(renames_told(one)) for one in differences]
    return History(
        device=catalogues[-1].header.build.device,
        releases=tuple(measured),
        ops=_called(releases, [one.ops for one in facts], renames),
        modules=_called(releases, [one.modules for one in facts], renames, coarse=True),
        nodes=_nodes(releases, facts, renames),
        differences=tuple(differences),
    )


def spelling_timeline(
    catalogues: Sequence[Catalogue], told: History, op: str, spelling: str
) -> Timeline | None:
    """Follow a spelling of an op through the releases of `told`, whether it is told there or not.

    `catalogues` are those that `told` was computed from. None where no release called it.
    """
    followed = Followed(of="variant", variant=spelling)
    records = [catalogue.ops.get(op) for catalogue in catalogues]
    each = [known(record) if record is not None else None for record in records]
    if not any(followed in here.facts for here in each if here is not None):
        return None
    line = [fact_of(here, followed, None) for here in each]
    renames = [names_of(renames_told(one)) for one in told.differences]
    releases = [one.release for one in told.releases]
    return Timeline(
        name=op,
        followed=followed,
        spans=spans(releases, fold(line, renames)),
        programs=programs(releases, line),
    )


def _facts(catalogue: Catalogue, seen: dict[int, Known]) -> Facts:
    """Read the facts off a catalogue; `seen` has those of records by their identity.

    What several catalogues say alike is often one object (see `codec.decode`); they are all there
    as long as `seen` is, so that an identity stays one record's.
    """
    called: list[Called] = [*catalogue.ops.values(), *catalogue.modules.values()]
    for record in called:
        if id(record) not in seen:
            seen[id(record)] = known(record)
    return Facts(
        ops={name: seen[id(op)] for name, op in catalogue.ops.items()},
        modules={name: seen[id(module)] for name, module in catalogue.modules.items()},
        nodes={name: class_fact(node) for name, node in catalogue.nodes.items()},
        witnesses={
            name: node.witness.name for name, node in catalogue.nodes.items() if node.witness
        },
        unconcluded={one.name: one.state for one in called if one.state not in CONCLUSIVE},
    )


def _measured(catalogue: Catalogue, dates: Mapping[str, dt.date]) -> Measured:
    header = catalogue.header
    build = header.build
    return Measured(
        release=header.release,
        version=build.version,
        git=build.git,
        device=build.device,
        depth=header.depth,
        python=build.python,
        platform=build.platform,
        processor=build.processor,
        published=dates.get(header.release),
        counts=header.counts,
        registered=sum(
            number for state, number in header.counts["node"].items() if state != "unregistered"
        ),
        without_hooks=build.without_hooks,
    )


def renames_told(told: Difference) -> tuple[Renamed, ...]:
    """Read the renames off what is told of two neighbours."""
    found = [
        Renamed(what=one.what, old=one.old, new=one.new, basis=one.basis[0], calls=0, node=node)
        for one in told.findings
        if isinstance(one, Renames)
        for node in (one.nodes or (None,))
    ]
    found += [
        Renamed(what="node type", old=name[:-1], new=name, basis=one.basis[0], calls=0)
        for one in told.findings
        if isinstance(one, Numbered)
        for name in one.nodes
    ]
    return tuple(found)


def _names(records: Iterable[Iterable[str]]) -> list[str]:
    return sorted({name for one in records for name in one})


def _called(
    releases: Sequence[str],
    each: Sequence[Mapping[str, Known]],
    renames: Renamings,
    *,
    coarse: bool = False,
) -> dict[str, tuple[Timeline, ...]]:
    return {
        name: tuple(
            _of_calls(name, releases, [one.get(name) for one in each], renames, coarse=coarse)
        )
        for name in _names(each)
    }


def _of_calls(
    name: str,
    releases: Sequence[str],
    each: Sequence[Known | None],
    renames: Renamings,
    *,
    coarse: bool,
) -> Iterator[Timeline]:
    """Yield the timelines of a record that are told; modes of which the same is told, together."""
    found: dict[tuple[Followed, tuple[Span, ...]], Timeline] = {}
    for timeline in _told(name, releases, each, renames, coarse=coarse):
        followed = msgspec.structs.replace(timeline.followed, mode=None)
        other = found.get((followed, timeline.spans))
        found[followed, timeline.spans] = (
            timeline
            if other is None
            else msgspec.structs.replace(
                timeline,
                followed=followed,
                programs=tuple(one for one in other.programs if one in timeline.programs),
            )
        )
    yield from found.values()


def _told(
    name: str,
    releases: Sequence[str],
    each: Sequence[Known | None],
    renames: Renamings,
    *,
    coarse: bool,
) -> Iterator[Timeline]:
    named = told_alone(each)
    for one in told(_lines(each, renames), coarse=coarse):
        line = one.line
        sample = line.followed.sample
        case = None if sample is None else newest_case(line.facts)
        yield Timeline(
            name=name,
            followed=msgspec.structs.replace(
                line.followed, mode=line.mode, named=sample is not None and sample.text in named
            ),
            spans=spans(releases, line.folds),
            alike=one.alike,
            samples=0 if case is None else case.samples.get("float32", 0),
            programs=programs(releases, line.facts),
        )


def _lines(each: Sequence[Known | None], renames: Renamings) -> Iterator[Line]:
    for followed, mode in followed_calls(each):
        line = [fact_of(here, followed, mode) for here in each]
        yield Line(followed, mode, line, fold(line, renames))


def _nodes(
    releases: Sequence[str], facts: Sequence[Facts], renames: Renamings
) -> dict[str, tuple[Timeline, ...]]:
    """File the timeline of each node type under every name that it went by."""
    filed: dict[str, list[Timeline]] = {}
    for names in _followed([one.nodes.keys() for one in facts], renames):
        each = [
            _class(one, name, [other for other in names if other is not None], facts)
            for one, name in zip(facts, names, strict=True)
        ]
        last = next(name for name in reversed(names) if name is not None)
        timeline = Timeline(
            name=last, followed=Followed(of="class"), spans=spans(releases, fold(each, renames))
        )
        for name in dict.fromkeys(names):
            if name is not None:
                filed.setdefault(name, []).append(timeline)
    return {name: tuple(filed[name]) for name in sorted(filed)}


def _followed(present: Sequence[Iterable[str]], renames: Renamings) -> list[list[str | None]]:
    """Follow each node type through its names: a list for each, with its name in each release."""
    found: list[list[str | None]] = []
    followed: dict[str, list[str | None]] = {}
    for place, names in enumerate(present):
        for old, new in renames[place - 1].types.items() if place else ():
            if old in followed:
                followed[new] = followed.pop(old)
        for name in names:
            if name not in followed:
                followed[name] = [None] * place
                found.append(followed[name])
            followed[name].append(name)
        for names_of_one in found:
            if len(names_of_one) == place:
                names_of_one.append(None)
    return found


def _class(
    here: Facts, name: str | None, names: Sequence[str], facts: Sequence[Facts]
) -> Fact | None:
    """Return the fact of a node type; where it is absent because its call failed, that state.

    The registry lists all it has, whatever failed. A type outside of it shows only in a call: where
    the call that showed it elsewhere came to no conclusion, its absence says nothing.
    """
    if name is not None:
        return here.nodes[name]
    seen = [(one, other) for one in facts for other in names if other in one.nodes]
    if any(one.nodes[other].state != "unregistered" for one, other in seen):
        return None
    states = [here.unconcluded.get(one.witnesses.get(other, "")) for one, other in seen]
    failed = next((state for state in states if state is not None), None)
    return None if failed is None else Fact(state=failed)
