"""Why what a node saved never was the argument or the output of a call that its release declares.

Nothing is looked up by name: an explanation rests on which of the catalogue's graphs have such
nodes, on what else is in these, and on which calls made them.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generator.catalogue.claim_nouns import join
from generator.catalogue.clones import cloned_values
from generator.catalogue.model.recipes import Recipe
from generator.catalogue.model.records import (
    Catalogue,
    ModuleRecord,
    NodeRecord,
    Observation,
    OpRecord,
)
from generator.catalogue.policies import policy_nodes

RoleExplanation = Literal[
    "seen in graphs of backward alone",
    "inner step of an op",
    "output that the op does not return",
    "argument that the op makes itself",
    "hidden clone of an in-place spelling",
    "hidden memory",
    "unexplained",
]
Why = tuple[RoleExplanation, str]

ARGUMENT_ROLES = frozenset({"input", "parameter", "buffer", "wrapped number"})
OUTPUT_ROLES = frozenset({"output"})
INTERMEDIATE = "intermediate"
OPAQUE = "opaque"
OWN_LAYERS = frozenset({"recipe", "synthesized call", "stub"})


@dataclass(frozen=True)
class Graphs:
    """What the graphs of all ops and modules tell of node types.

    `sizes` lists, by node type, the numbers of nodes of the graphs that have it; `cloned` names, by
    node type and attribute, the in-place spellings whose clone it holds, if it does in all of them.
    """

    sizes: Mapping[str, list[int]]
    cloned: Mapping[tuple[str, str], tuple[str, ...]]


def graphs(catalogue: Catalogue) -> Graphs:
    """Read every graph of the catalogue once; graphs that are alike in a record are one."""
    sizes: dict[str, list[int]] = defaultdict(list)
    records: list[OpRecord | ModuleRecord] = [
        *catalogue.ops.values(),
        *catalogue.modules.values(),
    ]
    for record in records:
        for position in range(len(record.policies)):
            nodes = policy_nodes(record, position)
            for name in {node.type for node in nodes}:
                sizes[name].append(len(nodes))
    return Graphs(sizes, _cloned_alone(catalogue, sizes))


def _cloned_alone(
    catalogue: Catalogue, sizes: Mapping[str, list[int]]
) -> dict[tuple[str, str], tuple[str, ...]]:
    holding: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    spellings: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for op in catalogue.ops.values():
        for spelling in op.variants:
            for position, name, attribute in cloned_values(op, spelling):
                holding[name, attribute].add((op.name, position))
                spellings[name, attribute][spelling.name] = None
    return {
        (name, attribute): tuple(spellings[name, attribute])
        for (name, attribute), among in holding.items()
        if len(among) == len(sizes[name])
    }


def why_role(node: NodeRecord, roles: frozenset[str], one: Observation, found: Graphs) -> Why:
    """Explain that a declared argument never was one of the call's, or an output one of its.

    `roles` are those of the declared side.
    """
    sizes = found.sizes.get(node.name, [])
    if not sizes and node.recipe is not None and node.witness and node.witness.layer in OWN_LAYERS:
        return _why_in_recipe(roles, one, node.recipe)
    if not sizes:
        return (
            "seen in graphs of backward alone",
            "no call makes it, so its arguments are gradients and what calls saved or returned",
        )
    cloning = found.cloned.get((node.name, one.attribute))
    if cloning and one.roles.keys() == {INTERMEDIATE}:
        return "hidden clone of an in-place spelling", _cloned(cloning)
    if min(sizes) > 1:
        return "inner step of an op", _among_others(len(sizes), roles)
    return _why_alone(roles, one)


def _cloned(spellings: tuple[str, ...]) -> str:
    return (
        f"made in place alone, by {join(spellings)}: saved is a copy of the argument, taken before"
        " it is overwritten"
    )


def _among_others(count: int, roles: frozenset[str]) -> str:
    side = "outputs" if roles == OUTPUT_ROLES else "arguments"
    where = f"all {count} graphs that have it" if count > 1 else "the one graph that has it"
    return f"one of several nodes in {where}, so that its {side} need not be those of the call"


def _why_alone(roles: frozenset[str], one: Observation) -> Why:
    """Explain the roles of a type that is the only node of some call."""
    if one.roles.keys() != {INTERMEDIATE}:
        return "unexplained", ""
    if roles == OUTPUT_ROLES:
        return (
            "output that the op does not return",
            "a call's only node, yet the caller holds no such tensor",
        )
    return (
        "argument that the op makes itself",
        "a call's only node, yet the caller gave no such tensor",
    )


def _why_in_recipe(roles: frozenset[str], one: Observation, recipe: Recipe) -> Why:
    """Explain the roles of a type that only its own recipe makes."""
    if one.roles.keys() == {OPAQUE}:
        return "hidden memory", "the layout of these tensors gives no access to what is behind them"
    if one.roles.keys() != {INTERMEDIATE}:
        return "unexplained", ""
    if "create_graph=True" in recipe.program:
        return "seen in graphs of backward alone", "its recipe asks for the graph of a gradient"
    if roles == OUTPUT_ROLES:
        return "output that the op does not return", "the call in its recipe returns no such tensor"
    return "argument that the op makes itself", "its recipe gives the call no such tensor"
