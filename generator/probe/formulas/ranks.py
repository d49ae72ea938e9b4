"""Hold a formula against real calls whose arguments have more dimensions, or one less.

The first dimension then stands for the product of several, or is left out: an op that treats its
elements, its rows or its images one by one keeps as much for N as for as many in another shape.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

from torch import Tensor

from generator.probe.calls import Call
from generator.probe.formulas.check import (
    Confirmed,
    Sizes,
    all_sizes,
    compare,
    kept_of,
    tensors_at,
    value,
)
from generator.probe.formulas.sizes import unchecked
from generator.probe.formulas.symbolic import Derived
from generator.tape.compat_tracing import symbolic_sizes

# For each number of dimensions, two shapes, one of them with a dimension of 1 if it has any.
_LEADING = {0: ((), ()), 2: ((2, 3), (3, 1)), 3: ((2, 3, 2), (2, 1, 3))}


def leading(call: Call, confirmed: Confirmed, mask: Sequence[str]) -> list[int]:
    """Return for how many dimensions, besides one, the first may stand, as real calls confirm."""
    derived = confirmed.derived
    name = _first(derived)
    if name is None or unchecked(call):
        return []
    return [
        number
        for number, shapes in _LEADING.items()
        if all(
            _fits(call, confirmed, {**sizes, name: math.prod(shape)}, shape, mask)
            for shape, (sizes, _) in zip(shapes, confirmed.points)
        )
    ]


def _first(derived: Derived) -> str | None:
    """Return the first dimension of the arguments, if it comes first wherever it comes at all."""
    name = next((shape[0] for shape in derived.arguments.values() if shape), None)
    if not isinstance(name, str) or name in derived.computed:
        return None
    later = [one for shape in derived.arguments.values() for one in shape[1:]]
    return None if name in later else name


def _fits(
    call: Call, confirmed: Confirmed, sizes: Sizes, shape: tuple[int, ...], mask: Sequence[str]
) -> bool:
    derived = confirmed.derived
    tensors = tensors_at(call, derived, sizes, None)
    known = all_sizes(derived, sizes)
    if tensors is None or not all(value(text, known) for text in confirmed.where):
        return False
    first = _first(derived)
    given = [
        _in_shape(tensor, shape) if derived.arguments[named.name][:1] == [first] else tensor
        for named, tensor in zip(call.tensors, tensors)
    ]
    # A kernel may take another dimension for the channels, say, and read past the end of a weight.
    kept = kept_of(call, given, mask) if _accepted_by_fakes(call, given, mask) else None
    return kept is not None and compare(derived, derived.terms, sizes, kept)


def _accepted_by_fakes(call: Call, tensors: Sequence[Tensor], mask: Sequence[str]) -> bool:
    symbolic = symbolic_sizes()
    if symbolic is None:
        return False
    mode = symbolic.mode()
    mode.cache_enabled = False  # no call is made twice, and what to look for costs a part of it
    logging.disable(logging.CRITICAL)
    try:
        fakes = [mode.from_tensor(tensor, static_shapes=True) for tensor in tensors]
        with mode:
            call.remake(fakes).run(mask)
    except Exception:  # whatever a fake kernel stumbles over
        return False
    finally:
        logging.disable(logging.NOTSET)
    return True


def _in_shape(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    return tensor.reshape((*shape, *tensor.shape[1:]))
