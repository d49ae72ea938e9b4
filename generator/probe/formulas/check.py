"""Hold a formula against real tensors at sizes that it was not derived from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from types import CodeType
from typing import Any, NamedTuple

import torch
from torch import Tensor

from generator.probe.calls import Call, CallRaisedError
from generator.probe.formulas.rows import Kept, NotStridedError, Row, read_kept
from generator.probe.formulas.sizes import bounded, resized
from generator.probe.formulas.symbolic import Derived, Term, itemsize

Sizes = dict[str, int]
_ALLOWED: dict[str, Any] = {"__builtins__": {}, "min": min, "max": max}

# An argument gets at most so many elements, or as many as the largest that was given.
ROOM = 16384


class Confirmed(NamedTuple):
    """A formula that real calls confirmed.

    `points` are the sizes at which they did, with what the calls kept there; `where` are the
    conditions that had to hold; the call `refused` or the formula failed (`wrong`) where one of
    these dimensions was 1.
    """

    derived: Derived
    points: list[tuple[Sizes, Kept]]
    where: list[str]
    refused: list[str]
    wrong: list[str]


def value(text: str, sizes: dict[str, int]) -> int:
    """Evaluate an expression that `formula_symbolic` wrote."""
    if text.isdigit():
        return int(text)
    return int(eval(_compiled(text), _ALLOWED, sizes))  # noqa: S307 - written by this room alone


@cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<formula>", "eval")


def all_sizes(derived: Derived, sizes: dict[str, int]) -> dict[str, int]:
    """Return the sizes of the dimensions together with those that the call computes."""
    known = dict(sizes)
    for name, text in derived.computed.items():
        known[name] = value(text, known)
    return known


def call_at(
    call: Call,
    derived: Derived,
    sizes: dict[str, int],
    dtype: torch.dtype | None,
    mask: Sequence[str],
) -> Kept | None:
    """Make the real call at other sizes; None where no values are found that it accepts."""
    return first_kept(call, attempts_at(call, derived, sizes, dtype), mask)


def attempts_at(
    call: Call, derived: Derived, sizes: Sizes, dtype: torch.dtype | None
) -> Iterator[list[Tensor]]:
    """Yield a call's arguments at other sizes, with values that it accepts the likelier first."""
    tensors = tensors_at(call, derived, sizes, dtype)
    if tensors is not None:
        yield from bounded(tensors, [named.tensor for named in call.tensors])


def first_kept(
    call: Call, attempts: Iterable[Sequence[Tensor]], mask: Sequence[str]
) -> Kept | None:
    """Return what a call keeps of the first of such arguments that it accepts; None if of none."""
    return next((kept for given in attempts if (kept := kept_of(call, given, mask))), None)


def tensors_at(
    call: Call, derived: Derived, sizes: dict[str, int], dtype: torch.dtype | None
) -> list[Tensor] | None:
    """Return a call's arguments at other sizes; None where they would be too large, or none are."""
    known = all_sizes(derived, sizes)
    shapes = [
        [known[one] if isinstance(one, str) else one for one in derived.arguments[named.name]]
        for named in call.tensors
    ]
    largest = max([ROOM, *(named.tensor.numel() for named in call.tensors)])
    if any(math.prod(shape) > largest for shape in shapes):
        return None
    try:
        return resized(call, shapes, dtype)
    except RuntimeError:
        return None


def kept_of(call: Call, given: Sequence[Tensor], mask: Sequence[str]) -> Kept | None:
    """Make the real call of other tensors; None where it raises, or where nothing is kept."""
    try:
        run = call.remake(given).run(mask)
        return read_kept(run) if any(output.requires_grad for output in run.outputs) else None
    except (CallRaisedError, NotStridedError, RuntimeError):
        return None


def compare(derived: Derived, terms: Sequence[Term], sizes: dict[str, int], kept: Kept) -> bool:
    """Tell whether the terms give exactly what was kept: where, how much, and the three totals.

    Itemsizes are those of what was kept, so that this holds for any dtype.
    """
    known = all_sizes(derived, sizes)
    if [row.key for row in kept.rows] != [term.key for term in terms]:
        return False
    itemsizes = [itemsize(row.dtype) for row in kept.rows]
    predicted = [value(term.elements, known) * item for term, item in zip(terms, itemsizes)]
    if predicted != [elements(row) * item for row, item in zip(kept.rows, itemsizes)]:
        return False
    return totals(derived, terms, known, itemsizes) == (
        sum(predicted),
        sum(one.bytes for one in kept.stored),
        sum(one.bytes for one in kept.stored if one.extra),
    )


def totals(
    derived: Derived, terms: Sequence[Term], known: dict[str, int], itemsizes: Sequence[int]
) -> tuple[int, int, int]:
    """Return logical, storage and extra bytes as the terms give them."""
    logical = storage = extra = 0
    counted = set()
    for term, item in zip(terms, itemsizes):
        logical += value(term.elements, known) * item
        if term.storage not in counted:
            counted.add(term.storage)
            memory = derived.memories[term.storage]
            size = value(memory.elements, known) * item
            storage += size
            extra += size if memory.extra else 0
    return logical, storage, extra


def pick(bag: Sequence[Term], kept: Kept, known: dict[str, int]) -> list[int] | None:
    """Choose the term of each kept tensor, by where it is kept and its elements."""
    left = list(range(len(bag)))
    chosen = []
    for row in kept.rows:
        fitting = [
            place
            for place in left
            if bag[place].key == row.key and value(bag[place].elements, known) == elements(row)
        ]
        if not fitting:
            return None
        chosen.append(fitting[0])
        left.remove(fitting[0])
    return chosen


def elements(row: Row) -> int:
    """Return the elements of a saved tensor."""
    number = 1
    for size in row.shape:
        number *= size
    return number
