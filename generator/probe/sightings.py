"""Remember which node types were seen live, in which call first, and what they saved as what."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from generator.tape.saved import Saved, attributes_of
from generator.tape.walk import Node, type_name

Json = dict[str, Any]
Values = list[tuple[Saved, list[str]]]

LAYERS = [
    "op sample",
    "op variant",
    "reference",
    "module sample",
    "op double backward",
    "module double backward",
    "recipe",
    "synthesized call",
    "stub",
]


# What a sighting holds beside, where a recipe was run for the type.
FROM_RECIPES = ("recipe", "packed", "unmade")


class Sightings:
    """The node types seen while one record was made; `merge` joins those of several."""

    def __init__(self) -> None:
        self.seen: dict[str, Json] = {}

    def add(self, layer: str, record: str, nodes: Iterable[tuple[Node, Values]]) -> None:
        """Count one graph, met in `layer` while `record` was measured."""
        witness = {"layer": layer, "name": record}
        for node, values in nodes:
            name = type_name(node)
            sighting = self.seen.get(name)
            if sighting is None:
                sighting = self.seen[name] = {
                    "attributes": list(attributes_of(node)),
                    "witness": witness,
                    "observed": {},
                    "error": None,
                }
            elif _rank(witness) < _rank(sighting["witness"]):
                sighting["witness"] = witness
            for saved, roles in values:
                observed = sighting["observed"].get(saved.attribute)
                if observed is None:
                    observed = sighting["observed"][saved.attribute] = {"kinds": {}, "roles": {}}
                _count(observed["kinds"], saved.kind)
                for role in roles:
                    _count(observed["roles"], role_class(role))

    def knows(self, node: Node) -> bool:
        """Tell whether the node's type was seen."""
        return type_name(node) in self.seen

    def has_error(self, node: Node) -> bool:
        """Tell whether the node's type has its message of the in-place check already."""
        return self.seen[type_name(node)]["error"] is not None

    def set_error(self, node: Node, message: str) -> None:
        """Keep the message that names the node's type."""
        self.seen[type_name(node)]["error"] = message


def merge(parts: Iterable[dict[str, Json]]) -> dict[str, Json]:
    """Join the sightings of several records, given in a fixed order.

    What a stub showed counts only where no real kernel showed the type.
    """
    joined: dict[str, Json] = {}
    for part in parts:
        for name, sighting in part.items():
            known = joined.get(name)
            if known is None or _grade(sighting) < _grade(known):
                joined[name] = sighting
            elif _grade(sighting) == _grade(known):
                _add(known, sighting)
    return joined


def _add(known: Json, sighting: Json) -> None:
    """Add what one record saw of a node type to what others saw."""
    known.update({one: sighting[one] for one in FROM_RECIPES if one in sighting})
    if sighting["witness"] is None:
        return
    known["witness"] = min(known["witness"], sighting["witness"], key=_rank)
    known["error"] = known["error"] or sighting["error"]
    for attribute, observed in sighting["observed"].items():
        target = known["observed"].setdefault(attribute, {"kinds": {}, "roles": {}})
        for field in ("kinds", "roles"):
            for key, count in observed[field].items():
                target[field][key] = target[field].get(key, 0) + count


@cache
def role_class(role: str) -> str:
    """Return a role without its name: `view of input x` is of class `view of input`."""
    view = role.startswith("view of ")
    bare = role[len("view of ") :] if view else role
    first = bare if bare in ("wrapped number", "incoming gradient") else bare.split(" ")[0]
    return f"view of {first}" if view else first


def _grade(sighting: Json) -> int:
    """Return 0 for a type seen over a real kernel, 1 over a stub, 2 for one not seen."""
    if sighting["witness"] is None:
        return 2
    return int(sighting["witness"]["layer"] == "stub")


def _count(counts: dict[str, int], key: str) -> None:
    counts[key] = counts.get(key, 0) + 1


def _rank(witness: Json) -> tuple[int, str]:
    return LAYERS.index(witness["layer"]), witness["name"]
