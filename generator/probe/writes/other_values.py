"""Other values for a tensor of a call, which the call may be given just as well.

A gradient may depend on no more than a sign, an order, a bound or a set of what is written over.
"""

from __future__ import annotations

from typing import Callable, Optional

import torch
from torch import Tensor

from generator.tape.compat import times

Change = Callable[[Tensor], Optional[Tensor]]


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


CHANGES: list[Change] = [scaled, negated, shrunk]


def _has_fractions(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()
