"""From the catalogues of one device to the history of every record: since when it says what.

Catalogues are read one after another, each is compared with the one before it, and none is kept:
what is remembered of a release are its facts.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from generator.catalogue.difference import difference
from generator.catalogue.findings import Difference, Renames
from generator.catalogue.history_facts import NOT_CALLED, Fact, Facts, facts
from generator.catalogue.history_spans import programs, spans
from generator.catalogue.model import Catalogue, Mode
from generator.catalogue.model_history import History, Measured, Timeline
from generator.catalogue.renames import Renamed
from generator.errors import CatalogueError

Renaming = Sequence[Sequence[Renamed]]

_NOT_CALLED = Fact(state=NOT_CALLED)


def history(
    catalogues: Iterable[Catalogue], dates: Mapping[str, dt.date] = MappingProxyType({})
) -> History:
    """Compute the history told by `catalogues`, from the oldest release to the newest.

    `dates` says when releases were published, as far as that is known. Raises CatalogueError where
    there is no catalogue.
    """
    measured: list[Measured] = []
    known: list[Facts] = []
    differences: list[Difference] = []
    last: Catalogue | None = None
    for catalogue in catalogues:
        measured.append(_measured(catalogue, dates))
        known.append(facts(catalogue))
        if last is not None:
            differences.append(difference(last, catalogue))
        last = catalogue
    if last is None:
        raise CatalogueError("there is no catalogue, so there is no history")
    releases = [one.release for one in measured]
    renames = [_renamed(one) for one in differences]
    return History(
        device=last.header.build.device,
        releases=tuple(measured),
        ops={
            name: tuple(_of_op(name, releases, [one.ops.get(name) for one in known], renames))
            for name in _names(one.ops for one in known)
        },
        modules={
            name: tuple(
                _of_module(name, releases, [one.modules.get(name) for one in known], renames)
            )
            for name in _names(one.modules for one in known)
        },
        nodes=_nodes(releases, known, renames),
        differences=tuple(differences),
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
        registered=sum(node.state != "unregistered" for node in catalogue.nodes.values()),
    )


def _renamed(told: Difference) -> tuple[Renamed, ...]:
    """Read the renames off what is told of two neighbours."""
    return tuple(
        Renamed(what=one.what, old=one.old, new=one.new, basis=one.basis[0], calls=0, node=node)
        for one in told.findings
        if isinstance(one, Renames)
        for node in (one.nodes or (None,))
    )


def _names(records: Iterable[Iterable[str]]) -> list[str]:
    return sorted({name for one in records for name in one})


def _of_op(
    name: str,
    releases: Sequence[str],
    known: Sequence[dict[str | None, Fact] | None],
    renames: Renaming,
) -> Iterator[Timeline]:
    """Yield the timeline of the reference, and of each other spelling that was ever called."""
    variants = {variant for one in known if one for variant in one if variant is not None}
    for variant in (None, *sorted(variants)):
        each = [_spelled(one, variant) for one in known]
        yield Timeline(
            name=name,
            of="reference" if variant is None else "variant",
            variant=variant,
            spans=spans(releases, each, renames),
            programs=programs(releases, each),
        )


def _spelled(known: dict[str | None, Fact] | None, variant: str | None) -> Fact | None:
    """Return the fact of one spelling; an op that was not measured speaks for its spellings."""
    if known is None:
        return None
    if variant in known:
        return known[variant]
    return known[None] if known[None].state != "measured" else _NOT_CALLED


def _of_module(
    name: str,
    releases: Sequence[str],
    known: Sequence[dict[Mode | None, Fact] | None],
    renames: Renaming,
) -> Iterator[Timeline]:
    """Yield the timeline of each mode, or a single one where every release says one for both."""
    two = any(mode is not None for one in known if one for mode in one)
    modes: tuple[Mode | None, ...] = ("train", "eval") if two else (None,)
    for mode in modes:
        each = [
            None if one is None else one.get(mode, one.get(None)) or _NOT_CALLED for one in known
        ]
        yield Timeline(
            name=name,
            of="reference",
            mode=mode,
            spans=spans(releases, each, renames),
            programs=programs(releases, each),
        )


def _nodes(
    releases: Sequence[str], known: Sequence[Facts], renames: Renaming
) -> dict[str, tuple[Timeline, ...]]:
    """File the timeline of each node type under every name that it went by."""
    filed: dict[str, list[Timeline]] = {}
    for names in _followed([one.nodes.keys() for one in known], renames):
        each = [
            _class(one, name, [other for other in names if other is not None], known)
            for one, name in zip(known, names, strict=True)
        ]
        last = next(name for name in reversed(names) if name is not None)
        timeline = Timeline(name=last, of="class", spans=spans(releases, each, renames))
        for name in dict.fromkeys(names):
            if name is not None:
                filed.setdefault(name, []).append(timeline)
    return {name: tuple(filed[name]) for name in sorted(filed)}


def _followed(present: Sequence[Iterable[str]], renames: Renaming) -> list[list[str | None]]:
    """Follow each node type through its names: a list for each, with its name in each release."""
    found: list[list[str | None]] = []
    followed: dict[str, list[str | None]] = {}
    for place, names in enumerate(present):
        for one in renames[place - 1] if place else ():
            if one.what == "node type" and one.old in followed:
                followed[one.new] = followed.pop(one.old)
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
    here: Facts, name: str | None, names: Sequence[str], known: Sequence[Facts]
) -> Fact | None:
    """Return the fact of a node type; where it is absent because its call failed, that state.

    The registry lists all it has, whatever failed. A type outside of it shows only in a call: where
    the call that showed it elsewhere came to no conclusion, its absence says nothing.
    """
    if name is not None:
        return here.nodes[name]
    seen = [(one, other) for one in known for other in names if other in one.nodes]
    if any(one.nodes[other].state != "unregistered" for one, other in seen):
        return None
    states = [here.unconcluded.get(one.witnesses.get(other, "")) for one, other in seen]
    failed = next((state for state in states if state is not None), None)
    return None if failed is None else Fact(state=failed)
