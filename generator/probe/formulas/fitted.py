"""Fit what a call keeps to its arguments' dimensions, from real calls at several sizes.

This is for calls that fake tensors cannot make. A kept tensor's size is looked for among numbers,
dimensions, and plain expressions of one or two dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Callable, NamedTuple

from generator.probe.calls import Call, CallRaisedError
from generator.probe.formulas.check import call_at, value
from generator.probe.formulas.names import dimension_names, outcome_name
from generator.probe.formulas.rows import Kept, NotStridedError, read_kept
from generator.probe.formulas.sizes import held_out
from generator.probe.formulas.symbolic import (
    Derived,
    Memory,
    RefusedError,
    Term,
    UnderivedError,
    product_text,
)

WANTED = 3
Sizes = dict[str, int]


class Fitted(NamedTuple):
    """A formula that was fitted to real calls at these sizes."""

    derived: Derived
    used: list[Sizes]


def fit(call: Call, mask: Sequence[str], tie: Callable[[Derived], Derived]) -> Fitted:
    """Return what `call` keeps under `mask` as fitted, with the sizes that it was fitted to.

    `tie` puts one name in the place of dimensions that the call wants equal. Raises
    UnderivedError.
    """
    try:
        own = read_kept(call.run(mask))
    except NotStridedError as error:
        raise UnderivedError("it keeps a sparse tensor") from error
    except CallRaisedError as error:
        raise UnderivedError(str(error)) from error
    draft = tie(_untied(call))
    measured = [(draft.sizes, own), *_measured(call, draft, mask)]
    if len(measured) <= WANTED:
        raise RefusedError
    return Fitted(_fitted(draft, measured), [sizes for sizes, _ in measured])


def _untied(call: Call) -> Derived:
    ids: list[tuple[str, list[int | None]]] = []
    hints: list[int] = []
    for named in call.tensors:
        row: list[int | None] = []
        for size in named.tensor.shape:
            row.append(len(hints) if size > 1 else None)
            hints += [size] if size > 1 else []
        ids.append((named.name, row))
    names, _ = dimension_names(ids)
    return Derived(
        arguments={
            named.name: [
                size if one is None else names[one] for size, one in zip(named.tensor.shape, row)
            ]
            for named, (_, row) in zip(call.tensors, ids)
        },
        sizes={names[place]: hint for place, hint in enumerate(hints)},
        computed={},
        terms=[],
        memories=[],
        conditions=[],
        meant={},
    )


def _measured(call: Call, draft: Derived, mask: Sequence[str]) -> list[tuple[Sizes, Kept]]:
    tried = ((sizes, call_at(call, draft, sizes, None, mask)) for sizes in held_out(draft.sizes))
    return list(islice(((sizes, kept) for sizes, kept in tried if kept is not None), WANTED))


def _fitted(draft: Derived, measured: list[tuple[Sizes, Kept]]) -> Derived:
    first = measured[0][1]
    keys = [row.key for row in first.rows]
    shared = [row.storage for row in first.rows]
    for _, kept in measured:
        if [row.key for row in kept.rows] != keys or [r.storage for r in kept.rows] != shared:
            raise UnderivedError("at other sizes it keeps other tensors")
    points = [sizes for sizes, _ in measured]
    computed: dict[str, str] = {}
    terms = []
    for place, row in enumerate(first.rows):
        shapes = [kept.rows[place].shape for _, kept in measured]
        if len({len(shape) for shape in shapes}) != 1:
            raise UnderivedError("at other sizes it keeps tensors of another rank")
        number, names = 1, []
        for seen in zip(*shapes):
            found = _expression(list(seen), points)
            if found.isdigit():
                number *= int(found)
            elif found in draft.sizes:
                names.append(found)
            else:
                names.append(_computed(found, draft, computed))
        text = product_text(number, names, [*draft.sizes, *computed])
        terms.append(Term(row.key, text, row.dtype, row.storage))
    memories = [_memory(number, terms, measured, computed) for number in range(len(first.stored))]
    return draft._replace(computed=computed, terms=terms, memories=memories)


def _memory(
    number: int, terms: list[Term], measured: list[tuple[Sizes, Kept]], computed: dict[str, str]
) -> Memory:
    """Say how large a storage is: as one of its tensors is, or a multiple of that."""
    held = [kept.stored[number] for _, kept in measured]
    if len({one.extra for one in held}) != 1:
        raise UnderivedError("at other sizes other storages are extra")
    counts = [one.bytes // one.dtype.itemsize for one in held]
    own = [term for term in terms if term.storage == number]
    for term in [*own, *terms]:
        found = [_value(term.elements, sizes, computed) for sizes, _ in measured]
        if found == counts:
            return Memory(term.elements, held[0].extra)
    for term in own:
        found = [_value(term.elements, sizes, computed) for sizes, _ in measured]
        times = counts[0] // max(found[0], 1)
        # A complex number is two real ones, each of which may be kept by itself.
        if [times * one for one in found] == counts:
            one = term.elements
            return Memory(str(counts[0]) if one.isdigit() else f"{times}*{one}", held[0].extra)
    return Memory(_expression(counts, [sizes for sizes, _ in measured]), held[0].extra)


def _value(text: str, sizes: Sizes, computed: dict[str, str]) -> int:
    known = dict(sizes)
    for name, definition in computed.items():
        known[name] = value(definition, known)
    return value(text, known)


def _computed(text: str, draft: Derived, computed: dict[str, str]) -> str:
    for name, definition in computed.items():
        if definition == text:
            return name
    used = [name for name in draft.sizes if name in text]
    name = outcome_name(used[0] if len(used) == 1 else None, [*draft.sizes, *computed])
    computed[name] = text
    return name


def _expression(seen: Sequence[int], points: list[Sizes]) -> str:
    """Return the plainest expression that has these values at these sizes."""
    if len(set(seen)) == 1:
        return str(seen[0])
    for text in _candidates(list(points[0]), seen, points):
        if [value(text, sizes) for sizes in points] == list(seen):
            return text
    raise UnderivedError("a size that it keeps is no plain expression of its dimensions")


def _candidates(names: list[str], seen: Sequence[int], points: list[Sizes]) -> Iterator[str]:
    yield from names
    for one, two in combinations(names, 2):
        yield f"min({one}, {two})"
        yield f"max({one}, {two})"
        yield f"{one}*{two}"
    for name in names:
        yield from _lines(name, seen, points)
        yield f"({name}*({name} - 1) // 2)"
        yield f"({name}*({name} + 1) // 2)"
        yield f"{name}*{name}"
        yield from (f"({name} // {number})" for number in range(2, 9))
        yield f"({name} // 2 + 1)"
    for one, two in combinations(names, 2):
        yield from (f"({one} {sign} {two})" for sign in "+-")
        yield f"({two} - {one})"
        yield f"({one} + {two} - 1)"
    for one, two, three in combinations(names, 3):
        yield f"{one}*{two}*{three}"


def _lines(name: str, seen: Sequence[int], points: list[Sizes]) -> Iterator[str]:
    """Yield the straight line through the first two different sizes, if it is one of integers."""
    pairs = list(zip((sizes[name] for sizes in points), seen))
    (x, y), *rest = pairs
    for other, result in rest:
        if other != x and (result - y) % (other - x) == 0:
            slope = (result - y) // (other - x)
            offset = y - slope * x
            product = name if slope == 1 else f"{slope}*{name}"
            if slope > 0:
                sign = "+" if offset > 0 else "-"
                yield f"({product} {sign} {abs(offset)})" if offset else product
            return
