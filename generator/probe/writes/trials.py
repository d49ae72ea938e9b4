"""Make a call of which the gradients can be taken, with hooks on what is saved or without.

What is told of writes rests on the gradients without any: they must be finite somewhere, and the
same from run to run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor

from generator.probe.calls import Call, CallRaisedError, Run, first_line
from generator.probe.seeds import seed_generators
from generator.tape.compat import PACK_HOOKS, SAVE_ON_CPU, are_equal, as_layout, to_dense
from generator.tape.storages import logical_bytes

Mask = tuple[str, ...]

LITTERED = 8  # blocks of each size
LITTER = 0x47  # four such bytes are a float of 5e4


def _identity(tensor: Tensor) -> Tensor:
    return tensor


HOOKS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "plain": nullcontext,
}
if PACK_HOOKS is not None:
    HOOKS["hooked"] = partial(PACK_HOOKS, _identity, _identity)
if SAVE_ON_CPU is not None:
    HOOKS["on_cpu"] = SAVE_ON_CPU


class Trial(NamedTuple):
    """One call whose backward can still be run: its run, and where gradients start and end.

    `starts` are clones of the `differentiable` outputs, which are those that require grad.
    """

    run: Run
    differentiable: list[Tensor]
    starts: list[Tensor]
    leaves: list[Tensor]

    def gradients(self, constant: Sequence[Tensor] = ()) -> list[Tensor | None]:
        """Run backward; where elements of the starts are `constant`, none comes in from them.

        Raises RuntimeError where backward does.
        """
        seed_generators(0)
        incoming = [_random_like(start) for start in self.starts]
        for one, elements in zip(incoming, constant):
            one.masked_fill_(elements, 0)
        return list(torch.autograd.grad(self.starts, self.leaves, incoming, allow_unused=True))


def _random_like(start: Tensor) -> Tensor:
    # No release draws random values for a sparse tensor itself.
    if start.layout == torch.strided:
        return torch.randn_like(start)
    return as_layout(torch.randn(start.shape, dtype=start.dtype), start.layout)


class NoBackwardError(Exception):
    """Backward raises without any write; the message is its first line."""


NO_BACKWARD = "backward raises without any write: "
UNSTEADY = "the gradient differs from run to run without any write"


def masks_with_gradient(call: Call, masks: Sequence[Mask]) -> list[Mask]:
    """Return those of `masks` under which the call can be made and its gradients say something.

    A gradient without a single finite number would be the same whatever was written.
    """
    return [mask for mask in masks if _has_gradient(call, mask)]


def _has_gradient(call: Call, mask: Mask) -> bool:
    try:
        trial = try_call(call, mask, "plain")
    except CallRaisedError:
        return False
    if not trial.starts:
        return False
    try:
        gradients = trial.gradients()
    except RuntimeError:
        return True  # that backward raises is an answer of its own
    return all(
        gradient is None or gradient.numel() == 0 or bool(to_dense(gradient).isfinite().any())
        for gradient in gradients
    )


def no_verdict(call: Call, mask: Mask) -> str | None:
    """Say why nothing could be told of writes to the call under `mask`; None where it can.

    Backward may raise without any write, or read memory that nobody has written to.
    """
    try:
        first = right_gradients(call, mask, "plain")
        _litter(first)
        again = right_gradients(call, mask, "plain")
    except NoBackwardError as error:
        return f"{NO_BACKWARD}{error}"
    return None if relative_error(again, first) == 0 else UNSTEADY


def _litter(gradients: list[Tensor | None]) -> None:
    """Fill and free blocks of memory such as gradients take, for who reads memory as it comes."""
    for gradient in gradients:
        if gradient is not None:
            size = logical_bytes(gradient)
            for block in [torch.empty(size, dtype=torch.uint8) for _ in range(LITTERED)]:
                block.fill_(LITTER)


def try_call(call: Call, mask: Mask, hooks: str) -> Trial:
    """Make the call under one of `HOOKS`. Raises CallRaisedError."""
    with HOOKS[hooks]():
        run = call.run(mask)
    # A clone saves nothing, and keeps its edge when the output's own history is rewritten.
    differentiable = [output for output in run.outputs if output.requires_grad]
    starts = [output.clone() for output in differentiable]
    # Each argument is a clone of its leaf, whose graph has these two nodes.
    origins: dict[str, Any] = {name: node for node, name in run.boundary.items()}
    leaves = [origins[name].next_functions[0][0].variable for name in mask]
    return Trial(run, differentiable, starts, leaves)


def right_gradients(call: Call, mask: Mask, hooks: str) -> list[Tensor | None]:
    """Return the gradients without any write. Raises NoBackwardError."""
    try:
        return try_call(call, mask, hooks).gradients()
    except RuntimeError as error:
        raise NoBackwardError(first_line(error)) from error


def relative_error(got: list[Tensor | None], right: list[Tensor | None]) -> float | None:
    """Return the largest relative error of the gradients to three digits, 0 if all are equal.

    None where an error is undefined: a gradient is missing, infinite or not a number.
    """
    errors = [_error(one, other) for one, other in zip(got, right)]
    known = [error for error in errors if error is not None]
    return max(known, default=0.0) if len(known) == len(errors) else None


def _error(got: Tensor | None, right: Tensor | None) -> float | None:
    if got is None or right is None:
        return 0.0 if got is right else None
    got, right = to_dense(got), to_dense(right)
    if are_equal(got, right):
        return 0.0
    scale = right.abs().max().item() or 1.0
    error = (got - right).abs().max().item() / scale
    return float(f"{error:.3g}") if math.isfinite(error) else None
