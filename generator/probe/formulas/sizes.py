"""Other sizes for a call: which to try, and its arguments cut or repeated to them.

Values are taken over from the arguments as given, so that probabilities stay probabilities,
indices indices, and a leading block of a positive definite matrix positive definite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import torch
from torch import Tensor

from generator.probe.calls import Call, Named

# Parts of a size, one for each dimension in turn, so that no two become alike.
_PARTS = (0.75, 0.5, 0.625, 0.375, 0.875, 0.25)
_SMALL = (5, 7, 4, 6, 3, 8, 9, 10, 11, 12)
_COARSE = 8
_MODERATE = 12
MOVES = 12
_INTERNAL = re.compile(r"torch\.(ops\.|_|native_)")
PAIRS = 15


def held_out(sizes: dict[str, int]) -> Iterator[dict[str, int]]:
    """Yield sizes other than the given ones, none of them 1, the likelier to be accepted first."""
    yield from _distinct(
        sizes,
        [
            _parts(sizes, 0),
            _small(sizes, 0),
            _parts(sizes, 3),
            _small(sizes, 4),
            _grown(sizes, 1),
            _grown(sizes, 2),
            *changed(sizes),
            *_alike(sizes),
            *_moved(sizes),
            # Of a single dimension most of these are the same.
            *(_small(sizes, turn) for turn in range(1, len(_SMALL))),
        ],
    )


def changed(sizes: dict[str, int]) -> list[dict[str, int]]:
    """Return sizes in which one dimension is another, or two that were equal."""
    names = list(sizes)
    alone = [(name,) for name in names]
    pairs = [pair for pair in combinations(names, 2) if sizes[pair[0]] == sizes[pair[1]]]
    return [
        {**sizes, **{name: _half(sizes[name]) for name in together}}
        for together in [*alone, *pairs[:PAIRS]]
    ]


def with_one(sizes: dict[str, int], name: str) -> Iterator[dict[str, int]]:
    """Yield sizes in which the dimension `name` is 1, with others changed and then as given."""
    yield {**_parts(sizes, 1), name: 1}
    yield {**sizes, name: 1}
    for other, size in sizes.items():
        if other != name:
            # What a view takes from one dimension it can give to another.
            yield {**sizes, name: 1, other: size * sizes[name]}


def unresizable(named: Named) -> str | None:
    """Return why an argument cannot be had at other sizes, None where it can."""
    tensor = named.tensor
    if tensor.layout != torch.strided:
        return f"the argument {named.name} is sparse"
    if not tensor.permute(_order(tensor)).is_contiguous():
        return f"the argument {named.name} does not fill its memory"
    if 0 in tensor.shape:
        return f"the argument {named.name} is empty"
    return None


def resized(call: Call, shapes: Sequence[Sequence[int]], dtype: torch.dtype | None) -> list[Tensor]:
    """Return a call's arguments in other shapes, and those of floating point in `dtype`."""
    return [
        _converted(_fitted(named.tensor, shape), dtype)
        for named, shape in zip(call.tensors, shapes)
    ]


def bounded(tensors: Sequence[Tensor], given: Sequence[Tensor]) -> Iterator[list[Tensor]]:
    """Yield resized arguments whose indices are within ever larger bounds, the safest first.

    Not every kernel looks whether an index, an offset or a length is within its bounds. 0 is
    within any, so that comes first; those that were cut out of larger arguments are never used as
    they were `given`. Matrices that were grown come a second time with an inverse.
    """
    if not any(whole(tensor) for tensor in tensors):
        yield list(tensors)
        if any(map(_repeats_rows, tensors, given)):
            yield [
                _regular(tensor) if _repeats_rows(tensor, old) else tensor
                for tensor, old in zip(tensors, given)
            ]
        return
    sizes = sorted({size for tensor in tensors for size in tensor.shape if size > 1})
    smaller = any(new < old for t, g in zip(tensors, given) for new, old in zip(t.shape, g.shape))
    for bound in (1, *sizes):
        yield [_below(tensor, bound) if whole(tensor) else tensor for tensor in tensors]
    if not smaller:
        yield list(tensors)


def unchecked(call: Call) -> bool:
    """Tell whether a call may read past the end where its arguments' sizes do not fit.

    Not every kernel looks whether indices, offsets and lengths do, and what is not meant to be
    called by people leaves that to its caller.
    """
    return any(whole(named.tensor) for named in call.tensors) or bool(_INTERNAL.search(call.text))


def whole(tensor: Tensor) -> bool:
    """Tell whether a tensor holds whole numbers, such as indices."""
    return tensor.dtype in (torch.int64, torch.int32)


def _repeats_rows(tensor: Tensor, given: Tensor) -> bool:
    square = tensor.dim() > 1 and tensor.shape[-1] == tensor.shape[-2] > given.shape[-1]
    return square and (tensor.is_floating_point() or tensor.is_complex())


def _regular(tensor: Tensor) -> Tensor:
    # A matrix with a row twice has no inverse; with a heavy diagonal it has one.
    size = tensor.shape[-1]
    return tensor + size * tensor.abs().max() * torch.eye(size, dtype=tensor.dtype)


def _below(tensor: Tensor, bound: int) -> Tensor:
    # Only LAPACK's pivots are 32 bits wide, and they count from 1.
    if tensor.dtype == torch.int32:
        return tensor.clamp(min=1, max=bound)
    return tensor.clamp(min=-1 if bound > 1 else 0, max=bound - 1)


def _order(tensor: Tensor) -> list[int]:
    strides = tensor.stride()
    return sorted(range(tensor.dim()), key=lambda place: -strides[place])


def _fitted(tensor: Tensor, shape: Sequence[int]) -> Tensor:
    order = _order(tensor)
    fitted = tensor.detach()
    # What shrinks comes first, or what grows would grow all that is cut off later.
    for place in sorted(range(len(shape)), key=lambda place: shape[place] - tensor.shape[place]):
        size = shape[place]
        if fitted.shape[place] != size:
            fitted = fitted.index_select(place, torch.arange(size) % fitted.shape[place])
    if order == sorted(order):
        return fitted.contiguous()
    back = sorted(range(len(order)), key=order.__getitem__)
    return fitted.permute(order).contiguous().permute(back)


def _converted(tensor: Tensor, dtype: torch.dtype | None) -> Tensor:
    able = tensor.dtype.is_floating_point or tensor.dtype.is_complex
    return tensor.to(dtype) if able and dtype is not None else tensor


def _distinct(
    sizes: dict[str, int], candidates: Sequence[dict[str, int]]
) -> Iterator[dict[str, int]]:
    seen = [sizes]
    for candidate in candidates:
        if candidate not in seen:
            seen.append(candidate)
            yield candidate


def _parts(sizes: dict[str, int], turn: int) -> dict[str, int]:
    return {
        name: _part(size, _PARTS[(place + turn) % len(_PARTS)])
        for place, (name, size) in enumerate(sizes.items())
    }


def _part(size: int, part: float) -> int:
    if size < _MODERATE:
        return max(2, size + 1 if part > 0.5 else size - 1)
    wished = int(size * part)
    # Sizes that were divisible stay so: groups and heads divide them.
    return wished - wished % _COARSE if size % _COARSE == 0 and wished > _COARSE else wished


def _small(sizes: dict[str, int], turn: int) -> dict[str, int]:
    return {name: _SMALL[(place + turn) % len(_SMALL)] for place, name in enumerate(sizes)}


def _grown(sizes: dict[str, int], times: int) -> dict[str, int]:
    return {name: size + times * (place + 1) for place, (name, size) in enumerate(sizes.items())}


def _alike(sizes: dict[str, int]) -> Iterator[dict[str, int]]:
    # What was equal stays equal, and what was more stays more.
    order = sorted(set(sizes.values()))
    for start, step in ((3, 2), (4, 3)):
        yield {name: start + step * order.index(size) for name, size in sizes.items()}
    yield {name: 2 * size for name, size in sizes.items()}
    yield {name: _half(size) for name, size in sizes.items()}


def _half(size: int) -> int:
    return size // 2 if size > 3 else size + 1


def _moved(sizes: dict[str, int]) -> list[dict[str, int]]:
    # The same number of elements in another shape, for views.
    return [
        {**sizes, one: size // factor, other: sizes[other] * factor}
        for factor in (2, 4)
        for one, size in sizes.items()
        for other in sizes
        if one != other and size % factor == 0 and size > factor
    ][:MOVES]
