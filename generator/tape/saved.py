"""Read what one node saved: each `_saved_*` attribute, or a custom Function's `saved_tensors`."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from generator.tape.walk import Node


class Saved(NamedTuple):
    """One saved value: its attribute, its kind, its tensors, and any other value as it reads.

    `kind` is `tensor`, `tensor list`, `sizes`, `scalar`, `none` or `unreadable`; `tensors` is
    empty unless it holds tensors (None entries of a tensor list are left out), and `value` is
    None if it does. For `unreadable`, `value` is the error's first line.
    """

    attribute: str
    kind: str
    tensors: tuple[Tensor, ...] = ()
    value: Any = None


def saved_values(node: Node) -> list[Saved]:
    """Return what `node` saved, by attribute name.

    A custom `autograd.Function` has one value, `saved_tensors`; what its author put on `ctx`
    directly is not autograd's and is not listed.
    """
    return [_read(node, attribute) for attribute in attributes_of(node)]


def attributes_of(node: Node) -> tuple[str, ...]:
    """Return the attributes of a node that hold saved values, sorted."""
    node_type: type = type(node)
    return saved_attributes(node_type)


@cache
def saved_attributes(node_type: type) -> tuple[str, ...]:
    """Return the attributes of a node type that hold saved values, sorted."""
    if issubclass(node_type, torch._C._FunctionBase):
        return (FUNCTION_ATTRIBUTE,)
    return tuple(name for name in sorted(dir(node_type)) if name.startswith("_saved_"))


def is_wrapped_number(tensor: Tensor) -> bool:
    """Tell whether `tensor` stands for a Python number.

    Type promotion shows it: a number's tensor gives way to a 0-dim tensor of a narrower dtype of
    the same category, where a real 0-dim tensor does not.
    """
    narrower = _NARROWER.get(tensor.dtype)
    if tensor.dim() != 0 or narrower is None:
        return False
    return torch.result_type(tensor, torch.zeros((), dtype=narrower)) == narrower


FUNCTION_ATTRIBUTE = "saved_tensors"
_NARROWER = {
    torch.int64: torch.int8,
    torch.float64: torch.float16,
    torch.complex128: torch.complex64,
}
_WRAPPED_MINUS = 2**63


def _read(node: Node, attribute: str) -> Saved:
    try:
        value = getattr(node, attribute)
    except (RuntimeError, AttributeError, TypeError, ValueError) as error:
        return Saved(attribute, "unreadable", value=str(error).splitlines()[0])
    if value is None:
        return Saved(attribute, "none")
    if isinstance(value, Tensor):
        return Saved(attribute, "tensor", tensors=(value,))
    if isinstance(value, (tuple, list)):
        if attribute == FUNCTION_ATTRIBUTE or any(isinstance(item, Tensor) for item in value):
            present = tuple(item for item in value if item is not None)
            return Saved(attribute, "tensor list", tensors=present)
        return Saved(attribute, "sizes", value=tuple(map(_signed, value)))
    return Saved(attribute, "scalar", value=_signed(value))


def _signed(value: Any) -> Any:
    # A negative dim reads back as an unsigned 64-bit integer in every release.
    if isinstance(value, int) and value >= _WRAPPED_MINUS:
        return value - 2**64
    return value
