"""Write into a tensor of a call once the call is made, run backward, and say what that did.

A write is `correct` when the gradients are those without it whatever was written, `silently wrong`
when they are not and nothing was said, `raises` when backward refused, `refused` when the write
itself did, and `not tried` when no other values are known to be valid, or they did not reach the
tensor. Each is tried plainly, with
identity hooks on the saved tensors, and under `save_on_cpu`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Callable, NamedTuple, Optional

import torch
from torch import Tensor

from generator.probe.calls import Call, CallRaisedError, Run, first_line
from generator.probe.measure import call_nodes, holders
from generator.probe.seeds import seed_generators
from generator.tape.compat import (
    PACK_HOOKS,
    READS_COUNTED,
    SAVE_ON_CPU,
    are_equal,
    as_layout,
    times,
    to_dense,
)
from generator.tape.saved import saved_values
from generator.tape.storages import logical_bytes, storages
from generator.tape.versions import version_of
from generator.tape.walk import type_name

Json = dict[str, Any]
Mask = tuple[str, ...]
Write = Callable[[Tensor, Tensor], None]
Change = Callable[[Tensor], Optional[Tensor]]

LITTERED = 8  # blocks of each size
LITTER = 0x47  # four such bytes are a float of 5e4


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
WRITES: list[Write] = [
    _in_place,
    _through_view,
    _under_no_grad,
    _through_data,
]


def _identity(tensor: Tensor) -> Tensor:
    return tensor


HOOKS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "plain": nullcontext,
}
if PACK_HOOKS is not None:
    HOOKS["hooked"] = partial(PACK_HOOKS, _identity, _identity)
if SAVE_ON_CPU is not None:
    HOOKS["on_cpu"] = SAVE_ON_CPU


class _Trial(NamedTuple):
    """One call whose backward can still be run: its run, and where gradients start and end."""

    run: Run
    starts: list[Tensor]
    leaves: list[Tensor]

    def gradients(self) -> list[Tensor | None]:
        seed_generators(0)
        incoming = [_random_like(start) for start in self.starts]
        return list(torch.autograd.grad(self.starts, self.leaves, incoming, allow_unused=True))


def _random_like(start: Tensor) -> Tensor:
    # No release draws random values for a sparse tensor itself.
    if start.layout == torch.strided:
        return torch.randn_like(start)
    return as_layout(torch.randn(start.shape, dtype=start.dtype), start.layout)


class _Outcome(NamedTuple):
    verdict: str
    message: str | None = None
    error: float | None = None


class _Kept(NamedTuple):
    """A saved tensor, who saved it (node type and attribute), and what reads it again."""

    saver: str
    tensor: Tensor
    read: Callable[[], Any]


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
        trial = _trial(call, mask, "plain")
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
        first = _right(call, mask, "plain")
        _litter(first)
        again = _right(call, mask, "plain")
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


def write_verdicts(call: Call, masks: Sequence[Mask]) -> list[Json]:
    """Try every write to every tensor of `call`, under each of `masks`, with hooks and without.

    `call` must have arguments that may be written into. Masks under which writing to a tensor ends
    alike share one entry; the words of the error, up to its hint, and the largest relative error
    of a silently wrong gradient are those of the first. An entry has verdicts under `save_on_cpu`
    where they are not those under identity hooks. Raises NoBackwardError.
    """
    found: dict[str, Json] = {}
    for position, mask in enumerate(masks):
        for ended, details in _under_mask(call, mask):
            key = json.dumps(ended)
            found.setdefault(key, {**ended, "masks": [], **details})["masks"].append(position)
    return list(found.values())


def _under_mask(call: Call, mask: Mask) -> Iterator[tuple[Json, Json]]:
    run = _trial(call, mask, "plain").run
    right = {hooks: _right(call, mask, hooks) for hooks in HOOKS}
    targets = holders(run)
    # All are read before any is written to, since what was written to can no longer be read.
    kept = [_sharing(run, target.tensor) for target in targets]
    for place, target in enumerate(targets):
        # Nothing depends on the values of what is not kept, so that one change shows it.
        changes = CHANGES if kept[place] else CHANGES[:1]
        outcomes = {
            hooks: [
                _outcome(partial(_trial, call, mask, hooks), place, changes, write, right[hooks])
                for write in WRITES
            ]
            for hooks in HOOKS
        }
        verdicts = {hooks: [one.verdict for one in each] for hooks, each in outcomes.items()}
        if verdicts.get("on_cpu") == verdicts.get("hooked", []):
            del verdicts["on_cpu"]
        ended = {
            "target": target.role,
            "saved": bool(kept[place]),
            "savers": list(dict.fromkeys(one.saver for one in kept[place])),
            "uncounted": _is_uncounted(target.tensor, kept[place]),
            **verdicts,
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
    attempt: Callable[[], _Trial],
    place: int,
    changes: Sequence[Change],
    write: Write,
    right: list[Tensor | None],
) -> _Outcome:
    """Write one set of other values after another, each time anew, until one is not `correct`."""
    outcome = _Outcome("not tried")
    for change in changes:
        trial = attempt()
        tensor = holders(trial.run)[place].tensor
        values = change(tensor.detach())
        if values is not None:
            outcome = _written(trial, tensor, values, write, right)
        if outcome.verdict not in ("correct", "not tried"):
            break
    return outcome


def _written(
    trial: _Trial,
    tensor: Tensor,
    values: Tensor,
    write: Write,
    right: list[Tensor | None],
) -> _Outcome:
    try:
        write(tensor, values)
    except RuntimeError as error:
        return _Outcome("refused", _without_hint(error))
    if not _reached(tensor, values):
        return _Outcome("not tried")
    try:
        got = trial.gradients()
    except RuntimeError as error:
        return _Outcome("raises", _without_hint(error))
    wrong = relative_error(got, right)
    return _Outcome("correct") if wrong == 0 else _Outcome("silently wrong", error=wrong)


def _reached(tensor: Tensor, values: Tensor) -> bool:
    # The `.data` of a sparse tensor is another tensor, which is given indices and values anew.
    if tensor.layout == torch.strided:
        return True
    return torch.equal(to_dense(tensor.detach()), to_dense(values))


def _trial(call: Call, mask: Mask, hooks: str) -> _Trial:
    with HOOKS[hooks]():
        run = call.run(mask)
    # A clone saves nothing, and keeps its edge when the output's own history is rewritten.
    starts = [output.clone() for output in run.outputs if output.requires_grad]
    # Each argument is a clone of its leaf, whose graph has these two nodes.
    origins: dict[str, Any] = {name: node for node, name in run.boundary.items()}
    leaves = [origins[name].next_functions[0][0].variable for name in mask]
    return _Trial(run, starts, leaves)


def _sharing(run: Run, tensor: Tensor) -> list[_Kept]:
    """Return the saved tensors that share a storage with `tensor`."""
    own = storages(tensor).keys()
    return [
        _Kept(f"{type_name(node)}.{saved.attribute}", kept, partial(getattr, node, saved.attribute))
        for node in call_nodes(run)
        for saved in saved_values(node)
        for kept in saved.tensors
        if own & storages(kept).keys()
    ]


def _is_uncounted(tensor: Tensor, kept: list[_Kept]) -> bool:
    """Tell whether a write to `tensor` moves the version of none of the tensors in `kept`.

    Where what was read has a counter of its own, reading again tells: it checks the version.
    """
    if not kept:
        return False
    versions = [version_of(one.tensor) for one in kept]
    with torch.no_grad():
        try:
            tensor.copy_(tensor.clone())
        except RuntimeError:
            return False
    if READS_COUNTED:
        return versions == [version_of(one.tensor) for one in kept]
    return all(_can_be_read(one) for one in kept)


def _can_be_read(kept: _Kept) -> bool:
    try:
        kept.read()
    except RuntimeError:
        return False
    return True


def _without_hint(error: RuntimeError) -> str:
    return first_line(error).split(" Hint:")[0]


def scaled(tensor: Tensor) -> Tensor | None:
    """Return other values of the same signs and, roughly, the same size.

    Whole numbers and bools may be indices or masks, and are moved about instead: None where all
    values are equal, since no other is known to be valid.
    """
    if tensor.numel() == 0:
        return None
    if tensor.dtype == torch.bool:
        return tensor.logical_not()
    if not _has_fractions(tensor):
        rolled = tensor.flatten().roll(1).reshape(tensor.shape)
        return None if torch.equal(rolled, tensor) else rolled
    if tensor.layout != torch.strided:
        return times(tensor, 1.5)
    step = torch.arange(1, tensor.numel() + 1, dtype=torch.float64) / tensor.numel()
    return tensor * 1.5 + step.to(tensor.dtype).reshape(tensor.shape)


def negated(tensor: Tensor) -> Tensor | None:
    """Return values of other signs and of another order; None for whole numbers and bools."""
    other = scaled(tensor) if _has_fractions(tensor) else None
    return None if other is None else -other


def shrunk(tensor: Tensor) -> Tensor | None:
    """Return values near zero, or the lowest whole number everywhere; None for bools.

    The lowest index is as valid as any, and lengths that are no longer than before are valid too.
    """
    other = None if tensor.dtype == torch.bool else scaled(tensor)
    if other is None or _has_fractions(tensor):
        return None if other is None else times(other, 0.015625)
    return torch.full_like(tensor, int(tensor.min()))


# A gradient may depend on no more than a sign, an order, a bound or a set of what is written over.
CHANGES: list[Change] = [scaled, negated, shrunk]


def _has_fractions(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


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
