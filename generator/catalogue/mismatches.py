"""Where a release's `derivatives.yaml` and its live node types disagree, each with why.

An explanation is never looked up by name: it is derived from the catalogue itself, and where
nothing in the catalogue explains a mismatch, it says `unexplained`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from generator.catalogue.mismatched_roles import (
    ARGUMENT_ROLES,
    OUTPUT_ROLES,
    Graphs,
    RoleExplanation,
    graphs,
    why_role,
)
from generator.catalogue.model.records import Catalogue, DeclaredValue, NodeRecord, Observation

Finding = Literal[
    "type not declared",
    "value without attribute",
    "attribute not declared",
    "attribute never read",
    "other kind than declared",
    "other role than declared",
]
Explanation = (
    Literal["class written by hand", "C++ type without a Python getter", "unexplained"]
    | RoleExplanation
)

ATTRIBUTE = "_saved_"

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
    """What explanations rest on: counts over the whole catalogue, and its graphs.

    `readable` counts, by C++ type, the declared values that have an attribute, `total` all of
    them; `numbered` tells whether the name of every declared type ends in a number.
    """

    readable: Mapping[str, int]
    total: Mapping[str, int]
    graphs: Graphs
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
    return _Facts(
        readable=Counter(
            value.type for node, value in values if ATTRIBUTE + value.name in node.attributes
        ),
        total=Counter(value.type for _, value in values),
        graphs=graphs(catalogue),
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
                evidence=_counted(facts.total[value.type]) if hidden else "",
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
                why_role(node, roles, one, facts.graphs),
            )


def _live_mismatch(
    node: NodeRecord,
    value: DeclaredValue,
    finding: Finding,
    measured: str,
    why: tuple[RoleExplanation, str] = ("unexplained", ""),
) -> Mismatch:
    return Mismatch(node.name, value.name, finding, _declared(value), measured, *why)


def _kinds_fit(value: DeclaredValue, one: Observation) -> bool:
    """Tell whether tensors were tensors and everything else was readable and none."""
    if _TENSOR_TYPE.search(value.type):
        fitting = {"tensor", "tensor list", "none"}
        given = "optional" in value.type or one.kinds.keys() != {"none"}
        return given and one.kinds.keys() <= fitting
    return one.kinds.keys() <= {"sizes", "scalar", "none"}


def _declared(value: DeclaredValue) -> str:
    return f"{value.type}, {value.expression}" if value.expression else value.type


def _counted(total: int) -> str:
    if total == 1:
        return "no other declared value is of this type, and this one has none"
    return f"none of the {total} declared values of this type has one"


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{what} ({number})" for what, number in sorted(counts))
