"""Which grad masks a call is measured under."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from generator.probe.calls import Named, differentiable

FULL_UP_TO = 4


def grad_masks(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the masks over differentiable arguments, all of them first, the empty one left out.

    Up to four arguments that is every subset; beyond, all, all but one, and one alone.
    """
    count = len(names)
    sizes = range(count, 0, -1) if count <= FULL_UP_TO else [count, count - 1, 1]
    return [mask for size in sizes for mask in combinations(names, size)]


def module_masks(tensors: Sequence[Named]) -> list[tuple[str, ...]]:
    """Return the masks over the groups `inputs` and `parameters`, as training asks for first.

    A module without parameters has one mask, and one without differentiable inputs too.
    """
    able = [named for named in tensors if differentiable(named)]
    groups = {
        "parameters": any(named.source == "parameter" for named in able),
        "inputs": any(named.source == "input" for named in able),
    }
    if groups["parameters"] and groups["inputs"]:
        return [("parameters",), ("inputs", "parameters"), ("inputs",)]
    return [(group,) for group, present in groups.items() if present]
