"""Describe tensors that something keeps, each once: by its role, and by shape where that is new."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from generator.tape.roles import INTERMEDIATE, WRAPPED_NUMBER
from generator.tape.storages import logical_bytes

Json = dict[str, Any]
FORWARD = "forward intermediate"
_UNKNOWN = ("view of ", INTERMEDIATE, WRAPPED_NUMBER, FORWARD)


class KeptTensors:
    """The distinct tensors that are kept, in the order in which they are met.

    What is an argument, an output or a gradient has its shape there already, so its role is all
    that is said of it. Unless `shapes` are wanted it is all that is said of any.
    """

    def __init__(self, *, shapes: bool = True) -> None:
        self._shapes = shapes
        self._places: dict[str | tuple[Any, ...], int] = {}

    def position(self, tensor: Tensor, role: str) -> int:
        """Return the position of a tensor in `rows`, adding it where it is new."""
        row: str | tuple[Any, ...] = role
        if self._shapes and role.startswith(_UNKNOWN):
            row = (role, tuple(tensor.shape), _plain(tensor.dtype), logical_bytes(tensor))
        return self._places.setdefault(row, len(self._places))

    def rows(self) -> list[Any]:
        """Return a row for each distinct tensor: its role alone, or with shape, dtype and bytes."""
        return [row if isinstance(row, str) else list(row) for row in self._places]


def _plain(constant: Any) -> str:
    return str(constant).replace("torch.", "")
