"""Find saved tensors the second way: by what autograd hands to a pack hook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

from generator.tape.compat import PACK_HOOKS, WITHOUT_HOOKS


@contextmanager
def packed_tensors() -> Iterator[list[Tensor]]:
    """Collect, inside the block, each tensor that autograd packs, in the order of packing.

    The graph is given a detached tensor on the same storage: handing back the tensor itself would
    tie an op that saves its own output into a reference cycle. Raises NotImplementedError where
    the release has no such hooks.
    """
    packed: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        alias = tensor.detach()
        packed.append(alias)
        return alias

    if PACK_HOOKS is None:
        raise NotImplementedError(WITHOUT_HOOKS)
    with PACK_HOOKS(pack, _unpack):
        yield packed


def _unpack(tensor: Tensor) -> Tensor:
    return tensor
