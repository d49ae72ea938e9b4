"""Write into a tensor of a call once the call is made, run backward, and say what that did.

A write is `correct` when the gradients are those without it, `silently wrong` when they are not
and nothing was said, `raises` when backward refused, `refused` when the write itself did, and
`not tried` when no other values are known to be valid. Each is tried plainly and with identity
hooks on the saved tensors.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor

from generator.probe.calls import Call, Run, first_line
from generator.probe.measure import call_nodes, holders
from generator.probe.seeds import seed_generators
from generator.tape.saved import saved_values
from generator.tape.storages import storages

Json = dict[str, Any]
Mask = tuple[str, ...]


def _in_place(tensor: Tensor, values: Tensor) -> None:
    tensor.copy_(values)


def _through_view(tensor: Tensor, values: Tensor) -> None:
    tensor.view_as(tensor).copy_(values)


def _under_no_grad(tensor: Tensor, values: Tensor) -> None:
    with torch.no_grad():
        tensor.copy_(values)


def _through_data(tensor: Tensor, values: Tensor) -> None:
    tensor.data.copy_(values)


# In the order of the fields of the model's `Verdicts`.
WRITES: list[Callable[[Tensor, Tensor], None]] = [
    _in_place,
    _through_view,
    _under_no_grad,
    _through_data,
]


def _identity(tensor: Tensor) -> Tensor:
    return tensor


HOOKS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "plain": nullcontext,
    "hooked": lambda: torch.autograd.graph.saved_tensors_hooks(_identity, _identity),
}


class _Trial(NamedTuple):
    """One call whose backward can still be run: its run, and where gradients start and end."""

    run: Run
    starts: list[Tensor]
    leaves: list[Tensor]

    def gradients(self) -> list[Tensor | None]:
        seed_generators(0)
        incoming = [torch.randn_like(start) for start in self.starts]
        return list(torch.autograd.grad(self.starts, self.leaves, incoming, allow_unused=True))


class _Outcome(NamedTuple):
    verdict: str
    message: str | None = None
    error: float | None = None


class NoBackwardError(Exception):
    """Backward raises without any write; the message is its first line."""


def write_verdicts(call: Call, masks: Sequence[Mask]) -> list[Json]:
    """Try every write to every tensor of `call`, under each of `masks`, plainly and hooked.

    `call` must have arguments that may be written into. Masks under which writing to a tensor ends
    alike share one entry; the words of the error, up to its hint, and the largest relative error
    of a silently wrong gradient are those of the first. Raises NoBackwardError.
    """
    found: dict[str, Json] = {}
    for position, mask in enumerate(masks):
        for ended, details in _under_mask(call, mask):
            key = json.dumps(ended)
            found.setdefault(key, {**ended, "masks": [], **details})["masks"].append(position)
    return list(found.values())


def _under_mask(call: Call, mask: Mask) -> Iterator[tuple[Json, Json]]:
    trial = _trial(call, mask, "plain")
    right = {hooks: _right(call, mask, hooks) for hooks in HOOKS}
    for place, target in enumerate(holders(trial.run)):
        outcomes = {
            hooks: [
                _outcome(_trial(call, mask, hooks), place, write, right[hooks]) for write in WRITES
            ]
            for hooks in HOOKS
        }
        ended = {
            "target": target.role,
            "saved": _is_saved(trial.run, target.tensor),
            **{hooks: [one.verdict for one in each] for hooks, each in outcomes.items()},
        }
        yield ended, _details(outcomes)


def _details(outcomes: dict[str, list[_Outcome]]) -> Json:
    errors = [one.error for each in outcomes.values() for one in each if one.error is not None]
    return {
        "message": outcomes["plain"][0].message,
        "relative_error": max(errors, default=None),
    }


def _right(call: Call, mask: Mask, hooks: str) -> list[Tensor | None]:
    try:
        return _trial(call, mask, hooks).gradients()
    except RuntimeError as error:
        raise NoBackwardError(first_line(error)) from error


def _outcome(
    trial: _Trial,
    place: int,
    write: Callable[[Tensor, Tensor], None],
    right: list[Tensor | None],
) -> _Outcome:
    tensor = holders(trial.run)[place].tensor
    values = other_values(tensor.detach())
    if values is None:
        return _Outcome("not tried")
    try:
        write(tensor, values)
    except RuntimeError as error:
        return _Outcome("refused", _without_hint(error))
    try:
        got = trial.gradients()
    except RuntimeError as error:
        return _Outcome("raises", _without_hint(error))
    wrong = relative_error(got, right)
    return _Outcome("correct") if wrong == 0 else _Outcome("silently wrong", error=wrong)


def _trial(call: Call, mask: Mask, hooks: str) -> _Trial:
    with HOOKS[hooks]():
        run = call.run(mask)
    # A clone saves nothing, and keeps its edge when the output's own history is rewritten.
    starts = [output.clone() for output in run.outputs if output.requires_grad]
    leaves = [_leaf(named.tensor) for named in run.arguments if named.name in mask]
    return _Trial(run, starts, leaves)


def _leaf(given: Tensor) -> Tensor:
    # `given` is a clone of the leaf, whose graph has these two nodes.
    clone: Any = given.grad_fn
    leaf: Tensor = clone.next_functions[0][0].variable
    return leaf


def _is_saved(run: Run, tensor: Tensor) -> bool:
    own = storages(tensor).keys()
    return any(
        own & storages(kept).keys()
        for node in call_nodes(run)
        for saved in saved_values(node)
        for kept in saved.tensors
    )


def _without_hint(error: RuntimeError) -> str:
    return first_line(error).split(" Hint:")[0]


def other_values(tensor: Tensor) -> Tensor | None:
    """Return other values for a tensor, of the same range where it may hold indices.

    None where all its values are equal and no other is known to be valid.
    """
    if tensor.dtype == torch.bool:
        return tensor.logical_not() if tensor.numel() else None
    if tensor.is_floating_point() or tensor.is_complex():
        step = torch.arange(1, tensor.numel() + 1, dtype=torch.float64) / max(1, tensor.numel())
        return tensor * 1.5 + step.to(tensor.dtype).reshape(tensor.shape)
    rolled = tensor.flatten().roll(1).reshape(tensor.shape)
    return None if torch.equal(rolled, tensor) else rolled


def relative_error(got: list[Tensor | None], right: list[Tensor | None]) -> float | None:
    """Return the largest relative error of the gradients to three digits, 0 if bit for bit right.

    None where an error is undefined: a gradient is missing, infinite or not a number.
    """
    errors = [_error(one, other) for one, other in zip(got, right)]
    known = [error for error in errors if error is not None]
    return max(known, default=0.0) if len(known) == len(errors) else None


def _error(got: Tensor | None, right: Tensor | None) -> float | None:
    if got is None or right is None:
        return 0.0 if got is right else None
    got, right = got.to_dense(), right.to_dense()
    if torch.equal(torch.nan_to_num(got), torch.nan_to_num(right)):
        return 0.0
    scale = right.abs().max().item() or 1.0
    error = (got - right).abs().max().item() / scale
    return float(f"{error:.3g}") if math.isfinite(error) else None
