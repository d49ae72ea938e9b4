"""Tie dimensions that the derivation left free and the real call wants equal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from generator.probe.formula_symbolic import Derived, product_text

Pair = dict[str, str]


def ties(derived: Derived) -> Iterator[Pair]:
    """Yield which dimensions to put in the place of which: one pair, then all that are alike.

    Only dimensions of one size in the call that was made can be meant to be equal. Those that are
    documented as one come first, since a kernel may trust them to be, and read past the end.
    """
    if derived.meant:
        yield derived.meant
    alike = [
        (first, second)
        for first, second in combinations(derived.sizes, 2)
        if derived.sizes[first] == derived.sizes[second]
    ]
    for first, second in alike:
        yield {second: first}
    first_of: dict[int, str] = {}
    for name, size in derived.sizes.items():
        first_of.setdefault(size, name)
    yield {name: first_of[size] for name, size in derived.sizes.items() if first_of[size] != name}


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
        outputs=[shape(sizes) for sizes in derived.outputs],
        terms=[term._replace(elements=product(term.elements)) for term in derived.terms],
        memories=[held._replace(elements=product(held.elements)) for held in derived.memories],
        conditions=[one(text) for text in derived.conditions],
        meant={},
    )
