"""Write into a tensor of a call once the call is made, run backward, and say what that did.

A write is `correct` when the gradients are those without it whatever was written, `silently wrong`
when they are not and nothing was said, `raises` when backward refused, `refused` when the write
itself did, and `not tried` when no other values are known to be valid, or they did not reach the
tensor. Each is tried plainly, with identity hooks on the saved tensors, and under `save_on_cpu`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor

from generator.probe.calls import Call, Run, first_line
from generator.probe.measure import call_nodes, holders
from generator.probe.writes.other_values import CHANGES, Change
from generator.probe.writes.trials import (
    HOOKS,
    Mask,
    Trial,
    relative_error,
    right_gradients,
    try_call,
)
from generator.tape.compat import READS_COUNTED, to_dense
from generator.tape.saved import saved_values
from generator.tape.storages import storages
from generator.tape.versions import version_of
from generator.tape.walk import type_name

Json = dict[str, Any]
Write = Callable[[Tensor, Tensor], None]


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


class _Outcome(NamedTuple):
    verdict: str
    message: str | None = None
    error: float | None = None


class _Kept(NamedTuple):
    """A saved tensor, who saved it (node type and attribute), and what reads it again."""

    saver: str
    tensor: Tensor
    read: Callable[[], Any]


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
    run = try_call(call, mask, "plain").run
    right = {hooks: right_gradients(call, mask, hooks) for hooks in HOOKS}
    targets = holders(run)
    # All are read before any is written to, since what was written to can no longer be read.
    kept = [_sharing(run, target.tensor) for target in targets]
    for place, target in enumerate(targets):
        # Nothing depends on the values of what is not kept, so that one change shows it.
        changes = CHANGES if kept[place] else CHANGES[:1]
        outcomes = {
            hooks: [
                _outcome(partial(try_call, call, mask, hooks), place, changes, write, right[hooks])
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


def _outcome(
    attempt: Callable[[], Trial],
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
    trial: Trial,
    tensor: Tensor,
    values: Tensor,
    write: Write,
    right: list[Tensor | None],
) -> _Outcome:
    try:
        write(tensor, values)
    except RuntimeError as error:
        return _Outcome("refused", without_hint(error))
    if not reached(tensor, values):
        return _Outcome("not tried")
    try:
        got = trial.gradients()
    except RuntimeError as error:
        return _Outcome("raises", without_hint(error))
    wrong = relative_error(got, right)
    return _Outcome("correct") if wrong == 0 else _Outcome("silently wrong", error=wrong)


def reached(tensor: Tensor, values: Tensor) -> bool:
    """Tell whether a write of `values` to `tensor` changed it."""
    # The `.data` of a sparse tensor is another tensor, which is given indices and values anew.
    if tensor.layout == torch.strided:
        return True
    return torch.equal(to_dense(tensor.detach()), to_dense(values))


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


def without_hint(error: RuntimeError) -> str:
    """Return the first line of an error up to its hint."""
    return first_line(error).split(" Hint:")[0]
