"""Tie dimensions that the derivation left free and the real call wants equal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from generator.probe.formulas.symbolic import Derived, product_text

Pair = dict[str, str]
Sizes = dict[str, int]


def inseparable(sizes: Sizes, points: Sequence[Sizes]) -> Pair:
    """Return which dimensions to put in the place of which: those that never differ.

    Dimensions of one size in the call that was made may be meant to be equal. `points` are the
    sizes that the call accepted; two dimensions that are equal in all of them are taken as one.
    """
    found: Pair = {}
    for first, second in combinations(sizes, 2):
        if first in found or second in found or sizes[first] != sizes[second]:
            continue
        if all(point[first] == point[second] for point in points):
            found[second] = first
    return found


def tied(derived: Derived, pair: Pair) -> Derived:
    """Return the formula with one name in the place of another."""

    def one(text: str) -> str:
        return re.sub(r"[A-Za-z]\w*", lambda found: pair.get(found[0], found[0]), text)

    sizes = {name: size for name, size in derived.sizes.items() if name not in pair}
    computed = {name: one(text) for name, text in derived.computed.items()}
    order = [*sizes, *computed]

    def product(text: str) -> str:
        parts = one(text).split("*")
        if not all(part.isalnum() for part in parts):
            return one(text)
        number = 1
        for part in parts:
            number *= int(part) if part.isdigit() else 1
        return product_text(number, [part for part in parts if not part.isdigit()], order)

    def shape(sizes: list[int | str]) -> list[int | str]:
        return [pair.get(size, size) if isinstance(size, str) else size for size in sizes]

    return derived._replace(
        arguments={name: shape(sizes) for name, sizes in derived.arguments.items()},
        sizes=sizes,
        computed=computed,
        terms=[term._replace(elements=product(term.elements)) for term in derived.terms],
        memories=[held._replace(elements=product(held.elements)) for held in derived.memories],
        conditions=[one(text) for text in derived.conditions],
        meant={},
    )
