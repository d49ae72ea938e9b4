"""Fold what each release says of one call or class into spans of releases that say the same.

Every release is compared with the last one that says something, written with the names that its
nodes and attributes have by now; what says nothing is never read as a change.
"""

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from generator.catalogue.compare.renames import Names, names_of, renamed_nodes
from generator.catalogue.history.facts import ABSENT, Fact, said
from generator.catalogue.kept import NUMBER
from generator.catalogue.model.history import NodeClass, Span, Step

_GONE = Fact(state=ABSENT)
_PLACE = re.compile(r"\[\d+\]")

Held = Counter[tuple[str, str, str]]


@dataclass(frozen=True)
class Turn:
    """What changed of what a call keeps, in terms that do not depend on its sizes.

    `lost` and `gained` are roles, held less and more often; `extra` and `storage` say whether these
    bytes became more (1) or less (-1), the latter where the roles are the same. Where one side
    keeps nothing to be weighed, `states` has both.
    """

    lost: frozenset[str] = frozenset()
    gained: frozenset[str] = frozenset()
    extra: int = 0
    storage: int = 0
    dtypes: bool = False
    states: tuple[str, str] | None = None


@dataclass(frozen=True)
class Fold:
    """A span before it is put in words: its first and last release by place, and its newest fact.

    `turn` says what changed of what is kept, if anything did.
    """

    first: int
    last: int
    step: Step
    fact: Fact
    turn: Turn | None = None


def fold(facts: Sequence[Fact | None], renames: Sequence[Names]) -> tuple[Fold, ...]:
    """Fold `facts`, one for each release from the oldest on, None where there is no record.

    `renames` has those from each release to the next.
    """
    found: list[Fold] = []
    last: Fact | None = None
    for place, given in enumerate(facts):
        fact = given or _GONE
        if place and last is not None:
            last = _carried(last, renames[place - 1])
        step = _step(found, last, fact)
        if found and _goes_on(found[-1], fact, step):
            found[-1] = dataclasses.replace(found[-1], last=place, fact=fact)
        else:
            turn = _turn(last, fact) if step == "changed" and last is not None else None
            found.append(Fold(place, place, step, fact, turn))
        if fact.concludes:
            last = fact
    return tuple(found)


def spans(releases: Sequence[str], folds: Sequence[Fold]) -> tuple[Span, ...]:
    """Put folds in words."""
    return tuple(
        Span(
            since=releases[one.first],
            until=releases[one.last],
            releases=one.last - one.first + 1,
            state=one.fact.state,
            step=one.step,
            reason=None if one.fact.concludes else one.fact.reason,
            said=said(one.fact),
        )
        for one in folds
    )


def programs(releases: Sequence[str], facts: Sequence[Fact | None]) -> tuple[str, ...]:
    """List the releases from which on the same call is set up by another program."""
    found = []
    last: Fact | None = None
    for release, fact in zip(releases, facts, strict=True):
        if fact is None or fact.called is None:
            continue
        if last and last.called == fact.called and last.program != fact.program:
            found.append(release)
        last = fact
    return tuple(found)


def _carried(fact: Fact, names: Names) -> Fact:
    """Write the policy of an older release with the names of a newer one."""
    if names.about.isdisjoint(node.type for node in fact.nodes):
        return fact
    return dataclasses.replace(fact, nodes=tuple(renamed_nodes(fact.nodes, names)))


def _step(before: Sequence[Fold], last: Fact | None, fact: Fact) -> Step:
    if fact.state == ABSENT:
        return "removed" if any(one.fact.state != ABSENT for one in before) else "first"
    if not fact.concludes:
        return "unknown"
    if last is not None:
        return _compared(last, fact)
    gone = before and all(one.fact.state == ABSENT for one in before)
    return "added" if gone else "first"


def _compared(last: Fact, fact: Fact) -> Step:
    if last is fact or (last.told is None and fact.told is None):
        return "same"
    if isinstance(last.told, NodeClass) and isinstance(fact.told, NodeClass):
        return _classes(last, fact)
    if last.weight is None or fact.weight is None:
        return "changed"
    if last.called != fact.called:
        return "another call"
    return "same" if _keep_the_same(last, fact) else "changed"


def _classes(last: Fact, fact: Fact) -> Step:
    if (last.told, last.state) == (fact.told, fact.state):
        return "same"
    plain = names_of(())
    renamed = renamed_nodes(last.nodes, plain) == renamed_nodes(fact.nodes, plain)
    return "renamed" if renamed and last.state == fact.state else "changed"


def _keep_the_same(last: Fact, fact: Fact) -> bool:
    """Compare what makes out what a call keeps: nodes, the tensors they hold, and the bytes."""
    if (last.weight, last.dtypes) != (fact.weight, fact.dtypes):
        return False
    if last.nodes == fact.nodes:
        return True
    return (_types(last), _held(last)) == (_types(fact), _held(fact))


def _types(fact: Fact) -> Counter[str]:
    return Counter(node.type for node in fact.nodes)


def _held(fact: Fact) -> Held:
    return Counter(
        (node.type, value.attribute, role)
        for node in fact.nodes
        for value in node.saved
        for role in value.roles
    )


def _turn(last: Fact, fact: Fact) -> Turn | None:
    """Say what changed of what is kept; None where other nodes hold the same, or hold no byte."""
    before, after = last.weight, fact.weight
    if before is None or after is None:
        return Turn(states=(last.state, fact.state))
    if not (before.storage or after.storage):
        return None
    had, has = _roles(last), _roles(fact)
    alike = had == has
    turn = Turn(
        lost=frozenset(had - has),
        gained=frozenset(has - had),
        extra=_sign(before.extra, after.extra),
        storage=_sign(before.storage, after.storage) if alike else 0,
        dtypes=alike and last.dtypes != fact.dtypes,
    )
    return None if turn == Turn() else turn


def _roles(fact: Fact) -> Counter[str]:
    """Count the roles of what is held, but for numbers and for places in a list."""
    return Counter(
        _PLACE.sub("[]", role)
        for node in fact.nodes
        for value in node.saved
        for role in value.roles
        if role != NUMBER
    )


def _sign(before: int, after: int) -> int:
    return (after > before) - (after < before)


def _goes_on(span: Fold, fact: Fact, step: Step) -> bool:
    """Tell whether a release belongs to the span before it."""
    if fact.concludes:
        return step == "same" and (span.fact.told is not None or span.fact.state == fact.state)
    return (span.fact.state, span.fact.reason) == (fact.state, fact.reason)
