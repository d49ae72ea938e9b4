"""The bill of a forward pass: every distinct storage that its graph keeps, and who keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from torch import Tensor

from generator.tape.places import OUTSIDE
from generator.tape.roles import Holder, Roles
from generator.tape.saved import saved_values
from generator.tape.storages import Weight, logical_bytes, storages, weigh
from generator.tape.walk import Node, type_name, walk_nodes

VIEW = "view of "


class Keeper(NamedTuple):
    """A saved value that holds a storage: the module that made the node, its type, its attribute.

    `place` is the module's name inside the model, empty for the model itself.
    """

    place: str
    node: str
    attribute: str


class Item(NamedTuple):
    """One distinct storage, or `times` that are alike in everything.

    `bytes` are those of each storage; `shape` (in elements) and `dtype` are of the largest saved
    tensor on it, and `role` is that of a tensor that is no view, where there is one.
    """

    role: str
    bytes: int
    shape: tuple[int, ...]
    dtype: str
    keepers: tuple[Keeper, ...]
    times: int = 1


class Bill(NamedTuple):
    """All items, the largest first, with the figures of `storages.weigh` and two counts."""

    items: tuple[Item, ...]
    weight: Weight
    tensors: int
    nodes: int


def itemize(
    outputs: Iterable[Tensor],
    held: Iterable[Holder],
    places: Mapping[Node, str] | None = None,
) -> Bill:
    """Itemize what the graph behind `outputs` keeps.

    `held` are the tensors that live outside it anyway, with their roles; `places` tells the module
    that made a node, as `places.placed_nodes` finds it. Items that are alike are one, counted.
    """
    made_in = places or {}
    outside = list(held)
    roles = Roles(outside)
    nodes = walk_nodes(outputs)
    saved: list[Tensor] = []
    found: dict[int, _Entry] = {}
    for node in nodes:
        for value in saved_values(node):
            keeper = Keeper(made_in.get(node, OUTSIDE), type_name(node), value.attribute)
            for tensor in value.tensors:
                saved.append(tensor)
                for identity, size in storages(tensor).items():
                    entry = found.setdefault(identity, _Entry(size, tensor))
                    entry.add(tensor, roles.of(tensor), keeper)
    counted: dict[Item, int] = {}
    for entry in found.values():
        item = entry.item()
        counted[item] = counted.get(item, 0) + 1
    items = [item._replace(times=times) for item, times in counted.items()]
    items.sort(key=lambda one: -one.bytes * one.times)
    weight = weigh(saved, [holder.tensor for holder in outside])
    return Bill(tuple(items), weight, len(saved), len(nodes))


class _Entry:
    """Collects what is known of one storage."""

    def __init__(self, size: int, tensor: Tensor) -> None:
        self._size = size
        self._largest = tensor
        self._roles: list[str] = []
        self._keepers: dict[Keeper, None] = {}

    def add(self, tensor: Tensor, role: str, keeper: Keeper) -> None:
        """Note one saved tensor on the storage."""
        if logical_bytes(tensor) > logical_bytes(self._largest):
            self._largest = tensor
        self._roles.append(role)
        self._keepers.setdefault(keeper)

    def item(self) -> Item:
        """Return the storage as an item."""
        whole = [role for role in self._roles if not role.startswith(VIEW)]
        return Item(
            role=(whole or self._roles)[0].replace(VIEW, "", 1),
            bytes=self._size,
            shape=tuple(self._largest.shape),
            dtype=str(self._largest.dtype).replace("torch.", ""),
            keepers=tuple(self._keepers),
        )
