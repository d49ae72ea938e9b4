"""Read the outputs of a call after a write that reached their memory, and run backward from there.

Verdicts on writes begin backward at clones of the outputs that were made before the write. Here the
clones are made after it: `read raises` where that is refused, `raises` where backward is, `correct`
where the gradients are those of the program with the write in it, and `silently wrong` where they
are not. Those are known for tracked writes: the same call, unwritten, with each output element that
lies in the memory written to replaced out of place by a constant, which passes no gradient on. What
is written under `no_grad` or by `.data` is not differentiated by anyone's account: there, and where
a layout hides the memory of its elements, `runs` says no more than that nothing was refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from generator.probe.calls import Call
from generator.probe.measure import holders
from generator.probe.writes.other_values import CHANGES, Change
from generator.probe.writes.trials import Mask, Trial, relative_error, try_call
from generator.probe.writes.verdicts import WRITES, Write, reached, without_hint
from generator.tape.storages import storages

Json = dict[str, Any]

# How many of `WRITES`, from the first on, autograd is to differentiate.
TRACKED = 2


class _Ended(NamedTuple):
    state: str
    message: str | None = None
    error: float | None = None


def read_verdicts(call: Call, masks: Sequence[Mask], kept: set[tuple[str, int]]) -> list[Json]:
    """Try every write to every tensor of `call` whose memory a differentiable output shares.

    `kept` has those that the graph keeps, by role and position in `masks`: only there backward may
    depend on what was written. Masks under which reading ends alike share one entry; `message` is
    the first error among the kinds of write, and `relative_error` the largest, under the first of
    them.
    """
    found: dict[str, Json] = {}
    for position, mask in enumerate(masks):
        for place, role in _shared(try_call(call, mask, "plain")):
            changes = CHANGES if (role, position) in kept else CHANGES[:1]
            ended = _of_target(call, mask, place, changes)
            states = [one.state for one in ended]
            said = {
                "message": next((one.message for one in ended if one.message is not None), None),
                "relative_error": max(
                    (one.error for one in ended if one.error is not None), default=None
                ),
            }
            key = json.dumps([role, states])
            new = {"target": role, "masks": [], "ended": states, **said}
            found.setdefault(key, new)["masks"].append(position)
    return list(found.values())


def _shared(trial: Trial) -> Iterator[tuple[int, str]]:
    """Yield place and role of each tensor of the call whose memory a differentiable output has."""
    own = {identity for output in trial.differentiable for identity in storages(output)}
    for place, target in enumerate(holders(trial.run)):
        if own & storages(target.tensor).keys():
            yield place, target.role


def _of_target(call: Call, mask: Mask, place: int, changes: Sequence[Change]) -> list[_Ended]:
    right = _right_gradients(try_call(call, mask, "plain"), place)
    ended = []
    for number, write in enumerate(WRITES):
        attempts = (_attempt(call, mask, place, change) for change in changes)
        ended.append(_of_write(attempts, write, right if number < TRACKED else None))
    return ended


def _attempt(
    call: Call, mask: Mask, place: int, change: Change
) -> tuple[Trial, Tensor, Tensor | None]:
    """Make the call; return it, its tensor at `place`, and what to write there, if anything."""
    trial = try_call(call, mask, "plain")
    tensor = holders(trial.run)[place].tensor
    return trial, tensor, change(tensor.detach())


def _of_write(
    attempts: Iterator[tuple[Trial, Tensor, Tensor | None]],
    write: Write,
    right: list[Tensor | None] | None,
) -> _Ended:
    """Write one set of other values after another, each time anew, until one shows something."""
    ended = _Ended("not read")
    for trial, tensor, values in attempts:
        if values is not None:
            ended = _after(trial, tensor, values, write, right)
        if ended.state not in ("correct", "runs", "not read"):
            break
    return ended


def _right_gradients(trial: Trial, place: int) -> list[Tensor | None] | None:
    """Return the gradients of `trial` with what a write at `place` reaches made a constant.

    None where it cannot be told what it reaches.
    """
    target = holders(trial.run)[place].tensor
    constant = [_written(output, target) for output in trial.differentiable]
    known = [one for one in constant if one is not None]
    return _filled(trial, trial.gradients(known)) if len(known) == len(constant) else None


def _after(
    trial: Trial,
    tensor: Tensor,
    values: Tensor,
    write: Write,
    right: list[Tensor | None] | None,
) -> _Ended:
    try:
        write(tensor, values)
    except RuntimeError:
        return _Ended("not read")
    if not reached(tensor, values):
        return _Ended("not read")
    try:
        starts = [output.clone() for output in trial.differentiable]
    except RuntimeError as error:
        return _Ended("read raises", without_hint(error))
    try:
        got = trial._replace(starts=starts).gradients()
    except RuntimeError as error:
        return _Ended("raises", without_hint(error))
    if right is None:
        return _Ended("runs")
    wrong = relative_error(_filled(trial, got), right)
    return _Ended("correct") if wrong == 0 else _Ended("silently wrong", error=wrong)


def _filled(trial: Trial, gradients: list[Tensor | None]) -> list[Tensor | None]:
    """Return the gradients, zero where a leaf is no longer reached: a constant has been written."""
    return [
        torch.zeros_like(leaf) if one is None else one for leaf, one in zip(trial.leaves, gradients)
    ]


def _written(output: Tensor, target: Tensor) -> Tensor | None:
    """Tell which elements of `output` lie in the memory of `target`.

    None where that cannot be told, or an element lies there in part.
    """
    if output.layout != torch.strided or target.layout != torch.strided:
        return None
    if not storages(output).keys() & storages(target).keys():
        return torch.zeros(output.shape, dtype=torch.bool)
    inside = np.isin(_bytes_of(output), _bytes_of(target))
    whole = inside.all(axis=-1)
    return torch.tensor(whole) if np.array_equal(whole, inside.any(axis=-1)) else None


def _bytes_of(tensor: Tensor) -> Any:
    """Return where in the storage each byte of each element lies, in an array of one axis more."""
    place = np.full(tuple(tensor.shape), tensor.storage_offset())
    for axis, (length, stride) in enumerate(zip(tensor.shape, tensor.stride())):
        steps = np.arange(length) * stride
        place = place + steps.reshape([-1 if axis == one else 1 for one in range(tensor.dim())])
    itemsize = tensor.element_size()
    return place[..., None] * itemsize + np.arange(itemsize)
