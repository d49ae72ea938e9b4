"""Where a release's `derivatives.yaml` and its live node types disagree, each with why.

An explanation is never looked up by name: it is derived from the catalogue itself, and where
nothing in the catalogue explains a mismatch, it says `unexplained`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from generator.catalogue.model.recipes import Recipe
from generator.catalogue.model.records import (
    Catalogue,
    DeclaredValue,
    ModuleRecord,
    NodeRecord,
    Observation,
    OpRecord,
)
from generator.catalogue.policies import policy_nodes

Finding = Literal[
    "type not declared",
    "value without attribute",
    "attribute not declared",
    "attribute never read",
    "other kind than declared",
    "other role than declared",
]
Explanation = Literal[
    "class written by hand",
    "C++ type without a Python getter",
    "seen in graphs of backward alone",
    "inner step of an op",
    "output that the op does not return",
    "argument that the op makes itself",
    "hidden memory",
    "unexplained",
]

ATTRIBUTE = "_saved_"
ARGUMENT_ROLES = frozenset({"input", "parameter", "buffer", "wrapped number"})
OUTPUT_ROLES = frozenset({"output"})
INTERMEDIATE = "intermediate"
OPAQUE = "opaque"
OWN_LAYERS = frozenset({"recipe", "synthesized call", "stub"})

_TENSOR_TYPE = re.compile(r"\bat::Tensor(List)?\b")
# `ViewBackward0`, and `ViewBackward0_copy` for the variant that copies.
_NUMBERED = re.compile(r"\d(_copy)?$")


@dataclass(frozen=True)
class Mismatch:
    """One disagreement about one node type.

    `name` is the declared value or the attribute, None where the type as a whole is meant;
    `declared` and `measured` say what each side has, and `evidence` what the explanation rests on.
    """

    node: str
    name: str | None
    finding: Finding
    declared: str
    measured: str
    explanation: Explanation
    evidence: str


@dataclass(frozen=True)
class _Facts:
    """What explanations rest on: counts over the whole catalogue.

    `readable` counts, by C++ type, the declared values that have an attribute, `total` all of
    them; `sizes` lists, by node type, the numbers of nodes of the calls that made it; `numbered`
    tells whether the name of every declared type ends in a number.
    """

    readable: Mapping[str, int]
    total: Mapping[str, int]
    sizes: Mapping[str, list[int]]
    numbered: bool


def mismatches(catalogue: Catalogue) -> list[Mismatch]:
    """List every disagreement, by node type; nothing where the release ships no declarations."""
    declared = [node for node in catalogue.nodes.values() if node.declared]
    if not declared:
        return []
    facts = _facts(catalogue, declared)
    found: list[Mismatch] = []
    for node in catalogue.nodes.values():
        if node.declared:
            found += [*_static(node, facts), *_live(node, facts)]
        elif node.state != "unregistered":
            found.append(_undeclared(node, facts))
    return found


def _facts(catalogue: Catalogue, declared: list[NodeRecord]) -> _Facts:
    values = [(node, value) for node in declared for value, _ in _values(node)]
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
    return _Facts(
        readable=Counter(
            value.type for node, value in values if ATTRIBUTE + value.name in node.attributes
        ),
        total=Counter(value.type for _, value in values),
        sizes=sizes,
        numbered=all(_NUMBERED.search(node.name) for node in declared),
    )


def _values(node: NodeRecord) -> Iterator[tuple[DeclaredValue, frozenset[str]]]:
    """Yield each declared value of a node type with the roles that its side of the call has."""
    for declaration in node.declared:
        for value in declaration.saved_inputs:
            yield value, ARGUMENT_ROLES
        for value in declaration.saved_outputs:
            yield value, OUTPUT_ROLES


def _undeclared(node: NodeRecord, facts: _Facts) -> Mismatch:
    by_hand = facts.numbered and not _NUMBERED.search(node.name)
    return Mismatch(
        node=node.name,
        name=None,
        finding="type not declared",
        declared="nothing",
        measured="a class of the registry",
        explanation="class written by hand" if by_hand else "unexplained",
        evidence="every class made from a declaration is numbered, and this one is not"
        if by_hand
        else "",
    )


def _static(node: NodeRecord, facts: _Facts) -> Iterator[Mismatch]:
    """Compare the declared values of a type with the attributes of its class."""
    values = {ATTRIBUTE + value.name: value for value, _ in _values(node)}
    for attribute, value in values.items():
        if attribute not in node.attributes:
            hidden = not facts.readable[value.type] and not _TENSOR_TYPE.search(value.type)
            yield Mismatch(
                node=node.name,
                name=value.name,
                finding="value without attribute",
                declared=_declared(value),
                measured="no attribute",
                explanation="C++ type without a Python getter" if hidden else "unexplained",
                evidence=_counted(facts.total[value.type], value.type) if hidden else "",
            )
    for attribute in node.attributes:
        if attribute not in values:
            yield Mismatch(
                node=node.name,
                name=attribute,
                finding="attribute not declared",
                declared="nothing",
                measured="an attribute of the class",
                explanation="unexplained",
                evidence="",
            )


def _live(node: NodeRecord, facts: _Facts) -> Iterator[Mismatch]:
    """Compare the declared values of a type with what its nodes held in graphs."""
    if node.witness is None:
        return
    observed = {one.attribute: one for one in node.observed}
    for value, roles in _values(node):
        attribute = ATTRIBUTE + value.name
        if attribute not in node.attributes:
            continue
        if attribute not in observed:
            yield _live_mismatch(node, value, "attribute never read", "nothing")
            continue
        one = observed[attribute]
        if not _kinds_fit(value, one):
            yield _live_mismatch(
                node, value, "other kind than declared", _listed(one.kinds.items())
            )
        elif one.roles and not roles & {role.removeprefix("view of ") for role in one.roles}:
            yield _live_mismatch(
                node,
                value,
                "other role than declared",
                _listed(one.roles.items()),
                _why_role(node, roles, one, facts),
            )


def _live_mismatch(
    node: NodeRecord,
    value: DeclaredValue,
    finding: Finding,
    measured: str,
    why: tuple[Explanation, str] = ("unexplained", ""),
) -> Mismatch:
    return Mismatch(node.name, value.name, finding, _declared(value), measured, *why)


def _kinds_fit(value: DeclaredValue, one: Observation) -> bool:
    """Tell whether tensors were tensors and everything else was readable and none."""
    if _TENSOR_TYPE.search(value.type):
        fitting = {"tensor", "tensor list", "none"}
        given = "optional" in value.type or one.kinds.keys() != {"none"}
        return given and one.kinds.keys() <= fitting
    return one.kinds.keys() <= {"sizes", "scalar", "none"}


def _why_role(
    node: NodeRecord, roles: frozenset[str], one: Observation, facts: _Facts
) -> tuple[Explanation, str]:
    """Explain that a declared argument never was one of the call's, or an output one of its."""
    sizes = facts.sizes.get(node.name, [])
    if not sizes and node.recipe is not None and node.witness and node.witness.layer in OWN_LAYERS:
        return _why_role_in_recipe(roles, one, node.recipe)
    if not sizes:
        return (
            "seen in graphs of backward alone",
            "no call makes it, so its arguments are gradients and what calls saved or returned",
        )
    if min(sizes) > 1:
        return "inner step of an op", f"in each of the {len(sizes)} policies with other nodes"
    if one.roles.keys() == {INTERMEDIATE} and roles == OUTPUT_ROLES:
        return (
            "output that the op does not return",
            "a call's only node, yet the caller holds no such tensor",
        )
    if one.roles.keys() == {INTERMEDIATE}:
        return (
            "argument that the op makes itself",
            "a call's only node, yet the caller gave no such tensor",
        )
    return "unexplained", ""


def _why_role_in_recipe(
    roles: frozenset[str], one: Observation, recipe: Recipe
) -> tuple[Explanation, str]:
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


def _declared(value: DeclaredValue) -> str:
    return f"{value.type}, {value.expression}" if value.expression else value.type


def _counted(total: int, kind: str) -> str:
    return f"none of the {total} declared values of type {kind} has an attribute"


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{what} ({number})" for what, number in sorted(counts))
