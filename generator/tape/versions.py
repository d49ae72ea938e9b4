"""Read version counters: how many in-place writes autograd has seen to a tensor's memory."""

from __future__ import annotations

from torch import Tensor


def version_of(tensor: Tensor) -> int | None:
    """Return the version counter, or None for an inference tensor, which has none."""
    try:
        return tensor._version
    except RuntimeError:
        return None
