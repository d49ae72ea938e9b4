"""What exactly differs between two policies of one call: nodes, saved values, tensors; as data.

Nodes that both sides have are set aside first; of the others, those of one type are compared value
by value in their order. What is then left over is a node that one side alone has.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from generator.catalogue.kept import NUMBER
from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import SavedTensor
from generator.catalogue.model.records import Kind, PolicyNode, SavedValue

Nodes = Sequence[PolicyNode]


class NodeCount(Frozen, frozen=True, kw_only=True):
    """So many nodes of one type."""

    type: str
    nodes: int


class NodesShifted(Frozen, frozen=True, kw_only=True, tag="nodes shifted"):
    """Nodes that only the old graph has, and nodes that only the new one has, by their type."""

    lost: tuple[NodeCount, ...] = ()
    gained: tuple[NodeCount, ...] = ()


class Held(Frozen, frozen=True, kw_only=True):
    """What an attribute holds: the kind of value, and the role of each of its tensors."""

    kind: Kind
    roles: tuple[str, ...] = ()


class ValueShifted(Frozen, frozen=True, kw_only=True, tag="value shifted"):
    """An attribute of a node that both graphs have holds something else; None where it is not."""

    node: str
    attribute: str
    old: Held | None
    new: Held | None


class TensorShifted(Frozen, frozen=True, kw_only=True, tag="tensor shifted"):
    """A tensor in the same role of the same policy has another shape, dtype or layout."""

    node: str
    attribute: str
    role: str
    old: SavedTensor
    new: SavedTensor


Shift = NodesShifted | ValueShifted | TensorShifted


def policy_shifts(old: Nodes, new: Nodes) -> tuple[Shift, ...]:
    """List what differs between two policies of one call; nothing where only the order does."""
    pairs, lost, gained = paired_nodes(old, new)
    shifts: list[Shift] = []
    if lost or gained:
        shifts.append(NodesShifted(lost=_counted(lost), gained=_counted(gained)))
    for before, after in pairs:
        shifts.extend(_value_shifts(before, after))
    return tuple(dict.fromkeys(shifts))


def paired_nodes(
    old: Nodes, new: Nodes
) -> tuple[list[tuple[PolicyNode, PolicyNode]], list[PolicyNode], list[PolicyNode]]:
    """Pair the nodes of one type that differ; return the pairs, and what either side has alone."""
    # Most of two graphs is alike from their beginning: what is needs no counting.
    same = next(
        (place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other),
        min(len(old), len(new)),
    )
    old, new = old[same:], new[same:]
    before, after = _without(old, new), _without(new, old)
    pairs: list[tuple[PolicyNode, PolicyNode]] = []
    lost: list[PolicyNode] = []
    for node in before:
        place = next((n for n, one in enumerate(after) if one.type == node.type), None)
        if place is None:
            lost.append(node)
        else:
            pairs.append((node, after.pop(place)))
    return pairs, lost, after


def tensor_shifts(
    nodes: Nodes, old: Sequence[SavedTensor], new: Sequence[SavedTensor]
) -> tuple[Shift, ...]:
    """List the tensors of one policy that are described otherwise, where both sides list them.

    The number of a storage is no description: it says which tensors share one.
    """
    places = [
        (node.type, value.attribute, role)
        for node in nodes
        for value in node.saved
        for role in value.roles
    ]
    if not len(places) == len(old) == len(new):
        return ()
    shifts: list[Shift] = [
        TensorShifted(node=node, attribute=attribute, role=role, old=before, new=after)
        for (node, attribute, role), before, after in zip(places, old, new, strict=True)
        if (before.shape, before.dtype, before.layout) != (after.shape, after.dtype, after.layout)
    ]
    return tuple(dict.fromkeys(shifts))


def roles_lost(old: Nodes, new: Nodes) -> tuple[str, ...]:
    """Return the roles that the policy `old` keeps and `new` does not, numbers aside."""
    kept = set(_roles(new))
    return tuple(dict.fromkeys(role for role in _roles(old) if role not in kept))


def _roles(nodes: Nodes) -> Iterator[str]:
    return (
        role for node in nodes for value in node.saved for role in value.roles if role != NUMBER
    )


def _without(nodes: Nodes, others: Iterable[PolicyNode]) -> list[PolicyNode]:
    """Leave out of `nodes` each one for which `others` has an equal one."""
    there = Counter(others)
    left = []
    for node in nodes:
        if there[node]:
            there[node] -= 1
        else:
            left.append(node)
    return left


def _counted(nodes: Iterable[PolicyNode]) -> tuple[NodeCount, ...]:
    counts = Counter(node.type for node in nodes)
    return tuple(NodeCount(type=name, nodes=counts[name]) for name in sorted(counts))


def _value_shifts(old: PolicyNode, new: PolicyNode) -> Iterator[ValueShifted]:
    before = {value.attribute: value for value in old.saved}
    after = {value.attribute: value for value in new.saved}
    for attribute in sorted(before.keys() | after.keys()):
        had, has = before.get(attribute), after.get(attribute)
        if had != has:
            yield ValueShifted(node=new.type, attribute=attribute, old=_held(had), new=_held(has))


def _held(value: SavedValue | None) -> Held | None:
    return None if value is None else Held(kind=value.kind, roles=value.roles)
