"""Fold what each release says of one call or class into spans of releases that say the same.

Every release is compared with the last one that says something, written with the names that its
nodes and attributes have by now; what says nothing is never read as a change.
"""

import dataclasses
from collections import Counter
from collections.abc import Sequence

import msgspec

from generator.catalogue.changes import Bytes
from generator.catalogue.history_facts import ABSENT, Fact
from generator.catalogue.model_history import Keeping, NodeClass, Span, Step
from generator.catalogue.renames import Renamed, renamed_nodes

_GONE = Fact(state=ABSENT)


def spans(
    releases: Sequence[str],
    facts: Sequence[Fact | None],
    renames: Sequence[Sequence[Renamed]],
) -> tuple[Span, ...]:
    """Fold `facts`, one for each release from the oldest on, None where there is no record.

    `renames` has those from each release to the next.
    """
    found: list[Span] = []
    last: Fact | None = None
    for place, (release, given) in enumerate(zip(releases, facts, strict=True)):
        fact = given or _GONE
        if place and last is not None:
            last = _carried(last, renames[place - 1])
        step = _step(found, last, fact)
        if found and _goes_on(found[-1], fact, step):
            number = found[-1].releases + 1
            found[-1] = msgspec.structs.replace(
                found[-1], until=release, releases=number, said=fact.said
            )
        else:
            found.append(
                Span(
                    since=release,
                    until=release,
                    releases=1,
                    state=fact.state,
                    step=step,
                    reason=None if fact.concludes else fact.reason,
                    said=fact.said,
                )
            )
        if fact.concludes:
            last = fact
    return tuple(found)


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


def _carried(fact: Fact, renames: Sequence[Renamed]) -> Fact:
    """Write the policy of an older release with the names of a newer one."""
    return dataclasses.replace(fact, nodes=tuple(renamed_nodes(fact.nodes, renames)))


def _step(before: Sequence[Span], last: Fact | None, fact: Fact) -> Step:
    if fact.state == ABSENT:
        return "removed" if any(one.state != ABSENT for one in before) else "first"
    if not fact.concludes:
        return "unknown"
    if last is not None:
        return _compared(last, fact)
    gone = before and all(one.state == ABSENT for one in before)
    return "added" if gone else "first"


def _compared(last: Fact, fact: Fact) -> Step:
    match last.said, fact.said:
        case None, None:
            return "same"
        case NodeClass(), NodeClass():
            return _classes(last, fact)
        case Keeping(bytes=before), Keeping(bytes=after):
            if last.called != fact.called:
                return "another call"
            return "same" if _weighed(last, before) == _weighed(fact, after) else "changed"
        case _:
            return "changed"


def _classes(last: Fact, fact: Fact) -> Step:
    if (last.said, last.state) == (fact.said, fact.state):
        return "same"
    renamed = renamed_nodes(last.nodes, ()) == renamed_nodes(fact.nodes, ())
    return "renamed" if renamed and last.state == fact.state else "changed"


def _weighed(fact: Fact, weight: Bytes) -> tuple[object, ...]:
    """Return what makes out what a call keeps: its nodes, the tensors they hold, and the bytes."""
    held = Counter(
        (node.type, value.attribute, role)
        for node in fact.nodes
        for value in node.saved
        for role in value.roles
    )
    return Counter(node.type for node in fact.nodes), held, weight, fact.dtypes


def _goes_on(span: Span, fact: Fact, step: Step) -> bool:
    """Tell whether a release belongs to the span before it."""
    if fact.concludes:
        return step == "same" and (span.said is not None or span.state == fact.state)
    return (span.state, span.reason) == (fact.state, fact.reason)
