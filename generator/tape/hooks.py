"""Find saved tensors the second way: by what autograd hands to a pack hook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor


@contextmanager
def packed_tensors() -> Iterator[list[Tensor]]:
    """Collect, inside the block, each tensor that autograd packs, in the order of packing.

    The graph is given a detached tensor on the same storage: handing back the tensor itself would
    tie an op that saves its own output into a reference cycle.
    """
    packed: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        alias = tensor.detach()
        packed.append(alias)
        return alias

    with torch.autograd.graph.saved_tensors_hooks(pack, _unpack):
        yield packed


def _unpack(tensor: Tensor) -> Tensor:
    return tensor
