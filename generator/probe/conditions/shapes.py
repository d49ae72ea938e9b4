"""Compare what a call keeps under conditions with what it keeps plainly, and foretell pairs.

What a condition changes by itself is left out: the weight of the argument that it is about, and
dtypes that follow it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from generator.probe.conditions.steps import DTYPES, Step
from generator.probe.measure import Observed

SINGLE = "float32"  # the dtype of the reference calls
COMPLEX = {"float16": "complex32", SINGLE: "complex64", "float64": "complex128"}

Facts = tuple[Any, ...]


class Kept(NamedTuple):
    """A kept tensor that is no argument: shape and layout, and its dtype."""

    facts: Facts
    dtype: str


class Shape(NamedTuple):
    """What must be the same for a condition to have changed nothing.

    `nodes` has a text for each node, and one for each of its attributes, with its roles beside it.
    `extra_bytes` is None where they follow from what the condition itself changes.
    """

    nodes: list[tuple[str, str]]
    tensors: list[Kept]
    extra_bytes: int | None


def shape_of(observed: Observed, step: Step) -> Shape:
    """Describe what was observed, save for what the step changes by itself."""
    conditions = {condition for condition, _ in step.applied}
    empty = "empty" in conditions
    roles = [role for node in observed.policy for _, _, each in node["saved"] for role in each]
    return Shape(
        [
            (text, _same_tensor(each, step))
            for node in observed.policy
            for text, each in _texts(node)
        ],
        [
            Kept(() if empty else (tuple(shape), layout), dtype)
            for role, (shape, dtype, _, _, layout) in zip(roles, observed.figures["tensors"])
            if not role.startswith("input ")
        ],
        # Bytes follow from shapes and dtypes where only these are others.
        None if empty or conditions.intersection(DTYPES) else observed.figures["extra_bytes"],
    )


def _texts(node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    name = node["type"]
    yield name, ""
    for attribute, kind, roles in node["saved"]:
        yield f"{name}.{attribute} {kind}", ", ".join(roles)


def _same_tensor(roles: str, step: Step) -> str:
    for condition, argument in step.applied:
        if condition == "same tensor":
            line = next(one for one in step.lines.splitlines() if one.startswith(f"{argument} = "))
            roles = roles.replace(f"input {argument}", f"input {line.rpartition(' = ')[2]}")
    return roles


def alike(plain: Shape, now: Shape, step: Step) -> bool:
    """Tell whether a condition changed nothing but what it changes by itself."""
    if (plain.nodes, plain.extra_bytes) != (now.nodes, now.extra_bytes):
        return False
    own = next((condition for condition, _ in step.applied if condition in DTYPES), SINGLE)
    return len(plain.tensors) == len(now.tensors) and all(
        was.facts == is_now.facts and _follows(was.dtype, is_now.dtype, own)
        for was, is_now in zip(plain.tensors, now.tensors)
    )


def _follows(plain: str, now: str, own: str) -> bool:
    """Tell whether a saved tensor's dtype is what it was, or follows the arguments' `own`."""
    if plain == SINGLE:
        return now == own
    return now == plain or (plain == COMPLEX[SINGLE] and now == COMPLEX.get(own))


def foretold(plain: Shape, one: Shape, other: Shape, both: Shape, step: Step) -> bool:
    """Tell whether what two conditions do together follows from what each does.

    That is how often there is each node, attribute and tensor, roles aside and dtypes that a
    condition sets, and the extra bytes. Each of these is to be what one of the two makes of it
    where the other leaves it as it is, and else what one of them makes of it or what both add and
    take away; or all of them as one of the two makes them.
    """
    own = {condition for condition, _ in step.applied if condition in DTYPES}
    own |= {"bfloat16" for condition, _ in step.applied if condition == "autocast"}
    was, first, second, now = (_counted(shape, own) for shape in (plain, one, other, both))
    if now in (first, second):
        return True
    return all(
        _adds_up(was.get(key, 0), first.get(key, 0), second.get(key, 0), now.get(key, 0))
        for key in {*was, *first, *second, *now}
    )


def _adds_up(plain: int, one: int, other: int, both: int) -> bool:
    changed = {number for number in (one, other) if number != plain} or {plain}
    return both in changed or both == max(0, one + other - plain)


def _counted(shape: Shape, own: set[str]) -> dict[str, int]:
    """Count nodes, attributes and tensors, with one word for all dtypes that the conditions set."""
    following = {SINGLE, *own} if own else set()
    counts = Counter(text for text, _ in shape.nodes)
    counts.update(
        f"{kept.facts} {'own' if kept.dtype in following else kept.dtype}" for kept in shape.tensors
    )
    return {**counts, "extra bytes": shape.extra_bytes or 0}
