"""The layer of the probe that runs recipes: what came of each node type, as its sighting."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from generator.probe.declared import Declared, load_declared
from generator.probe.guard import Guard
from generator.probe.programs import ProgramError
from generator.probe.recipes import RECIPES
from generator.probe.recipes.namesakes import namesakes
from generator.probe.recipes.search import search
from generator.probe.recipes.trial import recipe_fields
from generator.probe.registry import node_types
from generator.probe.sightings import Sightings

Json = dict[str, Any]


def recipe_names() -> list[str]:
    """Return the node types that recipes are tried for: the registry, and what is known beyond.

    Reads what the release declares, too, so that workers forked afterwards need not.
    """
    declarations()
    return sorted({*node_types(), *RECIPES})


def recipe_sighting(name: str, guard: Guard) -> dict[str, Json]:
    """Return the node type `name` as its recipe showed it, or the reason why nothing did.

    A type that no registry lists and no recipe makes is left out: nothing says that it exists.
    """
    release = declarations()
    declared = release.by_type.get(name, []) if release.shipped else namesakes(name)
    found, reason = search(name, declared, guard)
    if found is None:
        if name not in node_types():
            return {}
        return unmade(name, reason)
    sightings = Sightings()
    sightings.add(found.layer, name, [(found.live.node, found.live.values)])
    sighting = sightings.seen[name]
    stubbed = found.layer == "stub"
    try:
        made = partial(recipe_fields, name, found.program, found.live, stubbed)
        sighting["recipe"] = guard.step(made)
    except ProgramError as error:  # what it saved cannot be read
        return unmade(name, f"its program cannot show it: {error}")
    if found.live.packed is not None:
        sighting["packed"] = found.live.packed
    if reason is not None:
        sighting["unmade"] = reason
    return {name: sighting}


def unmade(name: str, reason: str | None) -> dict[str, Json]:
    """Return the sighting of a type that nothing made, for the reason given."""
    unseen: Json = {"attributes": [], "witness": None, "error": None, "observed": {}}
    return {name: {**unseen, "unmade": reason}}


@cache
def declarations() -> Declared:
    """Return what the release declares, read once."""
    return load_declared()
