"""Which grad masks a call is measured under."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from generator.probe.calls import Call, accepting_grad, differentiable
from generator.probe.program_calls import is_bias

Mask = tuple[str, ...]

FULL_UP_TO = 4


def op_masks(call: Call) -> list[Mask]:
    """Return the masks for a call of an op: those of `grad_masks`, and one per refusing argument.

    An argument refuses when the call raises because that argument requires grad.
    """
    able = [named.name for named in call.tensors if differentiable(named)]
    accepting = accepting_grad(call, able)
    return grad_masks(accepting) + [(name,) for name in able if name not in accepting]


def grad_masks(names: Sequence[str]) -> list[Mask]:
    """Return the masks over differentiable arguments, all of them first, the empty one left out.

    Up to four arguments that is every subset; beyond, all, all but one, and one alone.
    """
    count = len(names)
    sizes = range(count, 0, -1) if count <= FULL_UP_TO else [count, count - 1, 1]
    return [mask for size in sizes for mask in combinations(names, size)]


def module_masks(call: Call) -> list[Mask]:
    """Return the masks over groups of a module's tensors, as training asks for first.

    The groups are `inputs`, `parameters`, and `biases` where some parameters but not all are such.
    A module without parameters has one mask, and one without differentiable inputs is never frozen.
    """
    able = [named for named in call.tensors if differentiable(named)]
    sources = {named.source for named in able}
    if "parameter" not in sources:
        return [("inputs",)]
    masks: list[Mask] = [("parameters",)]
    if "input" in sources:
        masks += [("inputs", "parameters"), ("inputs",)]
    biases = {is_bias(named.name) for named in able if named.source == "parameter"}
    return [*masks, ("biases",)] if biases == {True, False} else masks
