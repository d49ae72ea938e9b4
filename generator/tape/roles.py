"""Say what a saved tensor is to the call: an argument, an output, a view of one, or neither."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import Tensor

from generator.tape.compat import is_nested
from generator.tape.saved import is_wrapped_number
from generator.tape.storages import storages

INTERMEDIATE = "intermediate"
WRAPPED_NUMBER = "wrapped number"
OPAQUE = "opaque"


class Holder(NamedTuple):
    """A tensor that lives outside the graph, and the role of a saved tensor that equals it."""

    role: str
    tensor: Tensor


class Roles:
    """The roles of one call, decided by storage; earlier holders win over later ones.

    The holders' tensors must stay alive as long as this object is used.
    """

    def __init__(self, holders: Iterable[Holder]) -> None:
        self._holders: list[tuple[Holder, frozenset[int]]] = [
            (holder, _memory(holder.tensor)) for holder in holders
        ]
        self._on: dict[int, list[int]] = {}
        for place, (_, memory) in enumerate(self._holders):
            for identity in memory:
                self._on.setdefault(identity, []).append(place)

    def of(self, tensor: Tensor) -> str:
        """Return the role of a saved tensor.

        It is the role of a holder with the same storage, shape and strides, else `view of` the
        role of a holder that shares storage, else `wrapped number` or `intermediate`. A tensor
        whose memory is hidden is the holder that is the same object, else `opaque`.
        """
        own = _memory(tensor)
        if not own:
            same = (holder.role for holder, _ in self._holders if holder.tensor is tensor)
            return next(same, OPAQUE)
        sharing = [
            self._holders[place]
            for place in sorted({place for one in own for place in self._on.get(one, ())})
        ]
        for holder, memory in sharing:
            if memory == own and _same_view(holder.tensor, tensor):
                return holder.role
        if sharing:
            return f"view of {sharing[0][0].role}"
        return WRAPPED_NUMBER if is_wrapped_number(tensor) else INTERMEDIATE


def _memory(tensor: Tensor) -> frozenset[int]:
    try:
        return frozenset(storages(tensor))
    except NotImplementedError:
        return frozenset()


def _same_view(one: Tensor, other: Tensor) -> bool:
    """Tell whether two tensors on the same memory show it alike."""
    if one.layout != other.layout or one.dtype != other.dtype or is_nested(one) != is_nested(other):
        return False
    # A nested tensor of strided layout has no shape and no strides that could be asked for.
    nested = is_nested(one) and one.layout == torch.strided
    if not nested and one.shape != other.shape:
        return False
    if nested:
        return True
    try:
        return one.stride() == other.stride() and one.storage_offset() == other.storage_offset()
    except (RuntimeError, NotImplementedError):
        # A sparse tensor has no strides of its own; its components are the same storages.
        return True
