"""Put the rows of a long table together that say the same, with their number.

A recurrent layer saves the same kind of tensor once a step: as rows of their own they hide what
there is to see. The evidence on the same page prints each, in the order of the graph.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from generator.pages.parts import Chip

if TYPE_CHECKING:
    from generator.pages.saved import SavedRow, ValueRow


def saved_alike(rows: Sequence["SavedRow"]) -> "tuple[SavedRow, ...]":
    """Give tensors of the same node type, attribute, role, shape and dtype one row."""
    groups: dict[tuple[object, ...], list[SavedRow]] = {}
    node = None
    for row in rows:
        node = row.node or node  # a row that continues a node leaves it out
        own = replace(row, node=node, node_span=1)
        key = (node, row.attribute, row.chip, row.shape, row.dtype, row.bytes)
        groups.setdefault(key, []).append(own)
    return tuple(_saved(each) for each in groups.values())


def _saved(each: "list[SavedRow]") -> "SavedRow":
    first = each[0]
    if len(each) == 1:
        return first
    # Tensors without a mark have their storage for themselves.
    marks = {one.storage or str(place) for place, one in enumerate(each)}
    fewer = len(marks) < len(each)
    storages = f"in {len(marks)} storage{'' if len(marks) == 1 else 's'}" if fewer else ""
    return replace(first, times=f"× {len(each)}", bytes=f"each {first.bytes}", storage=storages)


def kept_by_role(kept: Sequence[tuple[str, str, Chip]]) -> tuple[tuple[str, Chip], ...]:
    """Name for each role the attributes that hold it, those of one node type together."""
    roles: dict[Chip, dict[str, dict[str, None]]] = {}
    for node, attribute, role in kept:
        roles.setdefault(role, {}).setdefault(node, {})[attribute] = None
    return tuple(
        (", ".join(f"{node}.{', '.join(names)}" for node, names in nodes.items()), role)
        for role, nodes in roles.items()
    )


def values_alike(rows: Sequence["ValueRow"]) -> "tuple[ValueRow, ...]":
    """Give values of the same node type and attribute that are the same one row."""
    groups: dict[ValueRow, int] = {}
    for row in rows:
        groups[row] = groups.get(row, 0) + 1
    return tuple(
        replace(row, node=f"{row.node} × {count}") if count > 1 else row
        for row, count in groups.items()
    )
