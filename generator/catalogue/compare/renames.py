"""Tell what was renamed from what was removed: node types and their attributes.

Only what is certain counts as renamed: the same declaration of the release, the same place in
every call that both releases have, or a spelling that leaves no doubt. Everything else stays a
removal and an addition.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from generator.catalogue.compare.changes import Added, Change, PolicyChanged, Removed
from generator.catalogue.compare.shifts import paired_nodes
from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.records import Catalogue, NodeRecord, PolicyNode, SavedValue

Basis = Literal["declaration", "calls", "spelling"]
Pair = tuple[str, str]
Policies = tuple[Sequence[PolicyNode], Sequence[PolicyNode]]

_SYMBOLIC = re.compile(r"_sym(?=_)")
_NUMBER_0 = re.compile(r"(?<=Backward)0$")
_TENSORS = ("tensor", "tensor list")
# Shorter names that differ by a letter may well be two things.
_LONG_ENOUGH = len("_saved_") + 5


class Renamed(Frozen, frozen=True, kw_only=True, tag="renamed"):
    """A node type, or an attribute of `node`, that goes by another name.

    `calls` says in how many calls, each mask by itself, the one stands where the other stood;
    `basis` what makes it certain: the overload that both declare, those calls, or the spelling.
    """

    what: Literal["node type", "attribute"]
    old: str
    new: str
    basis: Basis
    calls: int
    node: str | None = None


def find_renames(old: Catalogue, new: Catalogue, changes: Iterable[Change]) -> tuple[Renamed, ...]:
    """List what was certainly renamed: node types first, then attributes, by node and name.

    `changes` are those of the two catalogues. Attributes of a renamed type are found too.
    """
    found = list(changes)
    policies = [(one.old, one.new) for one in found if isinstance(one, PolicyChanged)]
    gone = [one.name for one in found if isinstance(one, Removed) and one.subject == "node"]
    come = [one.name for one in found if isinstance(one, Added) and one.subject == "node"]
    types = _types(old, new, (gone, come), policies)
    names = {one.old: one.new for one in types}
    renamed = [(_with_types(one, names), other) for one, other in policies]
    return (*types, *_attributes(old, new, names, renamed))


@dataclass(frozen=True)
class Names:
    """The new names of node types, of attributes by their node's, and which types have any.

    `known` has the nodes that were written anew before: calls share most of theirs.
    """

    types: Mapping[str, str]
    attributes: Mapping[tuple[str | None, str], str]
    about: frozenset[str]
    known: dict[PolicyNode, PolicyNode] = field(default_factory=dict, compare=False)


def names_of(renames: Iterable[Renamed]) -> Names:
    """File renames for `renamed_nodes`."""
    found = list(renames)
    return Names(
        types={one.old: one.new for one in found if one.what == "node type"},
        attributes={(one.node, one.old): one.new for one in found if one.what == "attribute"},
        about=frozenset(name for one in found for name in (one.node or one.old, one.old)),
    )


def renamed_nodes(nodes: Iterable[PolicyNode], names: Names) -> list[PolicyNode]:
    """Write the nodes of an old policy with the names of the new release, attributes in order."""
    found = []
    for node in nodes:
        anew = names.known.get(node)
        if anew is None:
            anew = names.known[node] = _renamed_node(node, names)
        found.append(anew)
    return found


def _renamed_node(node: PolicyNode, names: Names) -> PolicyNode:
    type_ = names.types.get(node.type, node.type)
    saved = [
        replace(value, attribute=names.attributes.get((type_, value.attribute), value.attribute))
        for value in node.saved
    ]
    return PolicyNode(type=type_, saved=tuple(sorted(saved, key=lambda one: one.attribute)))


def _types(
    old: Catalogue,
    new: Catalogue,
    names: tuple[Sequence[str], Sequence[str]],
    policies: Sequence[Policies],
) -> list[Renamed]:
    gone, come = names
    calls = _type_calls(set(gone), set(come), policies)
    candidates: list[tuple[Basis, list[Pair]]] = [
        ("declaration", declared_alike(old, new, gone, come)),
        ("calls", list(calls)),
        ("spelling", numbered_alike(gone, come)),
    ]
    found: dict[str, Renamed] = {}
    for basis, pairs in candidates:
        for one, other in _unambiguous(pairs):
            if one not in found and all(other != known.new for known in found.values()):
                found[one] = Renamed(
                    what="node type",
                    old=one,
                    new=other,
                    basis=basis,
                    calls=calls.get((one, other), 0),
                )
    return [found[name] for name in sorted(found)]


def _type_calls(gone: set[str], come: set[str], policies: Sequence[Policies]) -> dict[Pair, int]:
    """Count the calls in which one type that came alone stands where one that went alone stood.

    Nothing is said of a type that stands for another one, or for none, in any call.
    """
    stands: dict[Pair, int] = defaultdict(int)
    doubtful: set[str] = set()
    for old, new in policies:
        _, lost, gained = paired_nodes(old, new)
        went = {node.type for node in lost} & gone
        came = {node.type for node in gained} & come
        if len(went) == len(came) == 1:
            pair = went.pop(), came.pop()
            if _with_types(old, dict([pair])) == [*new]:
                stands[pair] += 1
                continue
            went, came = {pair[0]}, {pair[1]}
        doubtful |= went | came
    return {pair: calls for pair, calls in stands.items() if doubtful.isdisjoint(pair)}


def _attributes(
    old: Catalogue, new: Catalogue, types: Mapping[str, str], policies: Sequence[Policies]
) -> list[Renamed]:
    seen = _value_pairs(policies)
    found = []
    for name, record in old.nodes.items():
        node = types.get(name, name)
        if node not in new.nodes:
            continue
        before, after = set(record.attributes), set(new.nodes[node].attributes)
        if not (before - after and after - before):
            continue
        pairs = [
            (one, other)
            for one in sorted(before - after)
            for other in sorted(after - before)
            if _may_be_one(one, other, seen.get(node, []))
        ]
        for one, other in _unambiguous(pairs):
            calls = sum(_stands(one, other, pair) for pair in seen.get(node, []))
            basis: Basis = "spelling" if _spelled_alike(one, other) else "calls"
            found.append(
                Renamed(what="attribute", node=node, old=one, new=other, basis=basis, calls=calls)
            )
    return sorted(found, key=lambda one: (one.node or "", one.old))


Values = tuple[dict[str, SavedValue], dict[str, SavedValue]]


def _value_pairs(policies: Iterable[Policies]) -> dict[str, list[Values]]:
    """File the values of the nodes that both sides of a call have under the type of the node."""
    seen: dict[str, list[Values]] = defaultdict(list)
    for old, new in policies:
        for one, other in paired_nodes(old, new)[0]:
            seen[other.type].append(
                (
                    {value.attribute: value for value in one.saved},
                    {value.attribute: value for value in other.saved},
                )
            )
    return seen


def _may_be_one(old: str, new: str, seen: Sequence[Values]) -> bool:
    """Say whether each call that has the one attribute holds the same in the other.

    A number says little, so that one must be spelled nearly like the other; so must what is in no
    call at all.
    """
    there = [pair for pair in seen if old in pair[0] or new in pair[1]]
    if not all(_stands(old, new, pair) for pair in there):
        return False
    told = any(pair[0][old].kind in _TENSORS for pair in there)
    return told or _spelled_alike(old, new)


def _stands(old: str, new: str, pair: Values) -> bool:
    one, other = pair[0].get(old), pair[1].get(new)
    if one is None or other is None:
        return False
    return (one.kind, one.roles) == (other.kind, other.roles)


def _spelled_alike(old: str, new: str) -> bool:
    """Say whether two names are one but for `sym_`, or for a single letter of a long name."""
    one, other = _SYMBOLIC.sub("", old), _SYMBOLIC.sub("", new)
    if one == other:
        return True
    return min(len(one), len(other)) >= _LONG_ENOUGH and _one_letter_apart(one, other)


def _one_letter_apart(one: str, other: str) -> bool:
    """Say whether a letter that is missing, or is another one, makes the difference; no digit."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((n for n, letter in enumerate(short) if letter != long[n]), len(short))
    rest = short[same:] if len(long) > len(short) else short[same + 1 :]
    return rest == long[same + 1 :] and not f"{short[same : same + 1]}{long[same]}".isdigit()


def declared_alike(
    old: Catalogue, new: Catalogue, gone: Iterable[str], come: Iterable[str]
) -> list[Pair]:
    """Pair each type that went with each that came and is declared for the same overload."""
    having: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in come:
        for overload in _overloads(new.nodes[name]):
            having[overload].append(name)
    return [
        (name, other)
        for name in gone
        for other in dict.fromkeys(
            one for overload in _overloads(old.nodes[name]) for one in having[overload]
        )
    ]


def numbered_alike(gone: Collection[str], come: Iterable[str]) -> list[Pair]:
    """Pair each type that went with that which came and has a number besides."""
    spelled = ((_NUMBER_0.sub("", name), name) for name in come)
    return [pair for pair in spelled if pair[0] in gone and pair[0] != pair[1]]


def _overloads(node: NodeRecord) -> set[tuple[str, str]]:
    return {(one.overload, one.dispatch) for one in node.declared}


def _unambiguous(pairs: Sequence[Pair]) -> list[Pair]:
    """Keep the pairs whose either side is in no other pair."""
    old, new = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    return [pair for pair in pairs if old[pair[0]] == new[pair[1]] == 1]


def _with_types(nodes: Iterable[PolicyNode], names: Mapping[str, str]) -> list[PolicyNode]:
    return [replace(node, type=names.get(node.type, node.type)) for node in nodes]
