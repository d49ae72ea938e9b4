"""Find out which sizes a call refuses: what the derivation took for granted, broken on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from torch import Tensor

from generator.probe.calls import Call, CallRaisedError
from generator.probe.formulas.check import Confirmed, all_sizes, tensors_at, value
from generator.probe.formulas.sizes import unchecked

WANTED = 2
_STEPS = (1, -1, 2, -2, 3, -3)
_BEYOND = 16


def refusals(call: Call, confirmed: Confirmed, mask: Sequence[str]) -> list[list[str]]:
    """Return conditions on sizes, each with the error that calls raise where it does not hold.

    Up to two calls break each condition and none of those before it, and every one raised.
    """
    if unchecked(call):
        return []
    found: list[list[str]] = []
    for condition in confirmed.derived.conditions:
        if condition in confirmed.where or not _granted(confirmed, condition):
            continue
        others = [*confirmed.where, *(known for known, _ in found)]
        calls = islice(_breaking(call, confirmed, condition, others), WANTED)
        errors = [_error(call.remake(tensors), mask) for tensors in calls]
        if errors and None not in errors:
            found.append([condition, str(errors[0])])
    return found


def _granted(confirmed: Confirmed, condition: str) -> bool:
    points = [confirmed.derived.sizes, *(sizes for sizes, _ in confirmed.points)]
    return all(value(condition, all_sizes(confirmed.derived, sizes)) for sizes in points)


def _breaking(
    call: Call, confirmed: Confirmed, condition: str, others: Sequence[str]
) -> Iterator[list[Tensor]]:
    """Yield arguments whose sizes break a condition and none of the others, one size at a time."""
    derived = confirmed.derived
    spoken = set(re.findall(r"[A-Za-z]\w*", condition))
    names = [name for name in derived.sizes if name in spoken]
    for name in names:
        size = derived.sizes[name]
        near = [size + step for step in _STEPS] + [size // 2, 2, 3]
        # A window is refused where it is larger than an image with its padding.
        beyond = [derived.sizes[one] + _BEYOND for one in names if one != name]
        for other in dict.fromkeys(near + beyond):
            sizes = {**derived.sizes, name: other}
            known = all_sizes(derived, sizes)
            if other < 2 or value(condition, known) or not all(value(o, known) for o in others):
                continue
            tensors = tensors_at(call, derived, sizes, None)
            if tensors is not None:
                yield tensors


def _error(call: Call, mask: Sequence[str]) -> str | None:
    try:
        call.run(mask)
    except CallRaisedError as error:
        return str(error)
    return None
