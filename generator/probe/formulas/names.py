"""Name the dimensions of a call as people do: an input is N × C, an image N × C × H × W."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_Names = dict[int, tuple[str, ...]]

_BY_RANK: _Names = {
    1: ("N",),
    2: ("N", "C"),
    3: ("N", "C", "L"),
    4: ("N", "C", "H", "W"),
    5: ("N", "C", "D", "H", "W"),
}
# What the documentation of these arguments calls their dimensions.
_BY_ARGUMENT: dict[str, _Names] = {
    "query": {4: ("B", "H", "L", "E"), 3: ("L", "N", "E")},
    "key": {4: ("B", "H", "S", "E"), 3: ("S", "N", "E")},
    "value": {4: ("B", "H", "S", "V"), 3: ("S", "N", "V")},
    "attn_mask": {4: ("B", "H", "L", "S"), 2: ("L", "S")},
    "weight": {
        1: ("D",),
        2: ("D", "C"),
        3: ("O", "I", "K"),
        4: ("O", "I", "Kh", "Kw"),
        5: ("O", "I", "Kd", "Kh", "Kw"),
    },
    "A": {2: ("N", "M"), 3: ("B", "N", "M")},
    "B": {2: ("N", "K"), 3: ("B", "N", "K")},
    "batch1": {3: ("B", "N", "M")},
    "batch2": {3: ("B", "M", "P")},
    "mat1": {2: ("N", "K")},
    "mat2": {2: ("K", "M"), 3: ("B", "K", "M")},
    "target": {1: ("N",)},
    "pivots": {1: ("N",), 2: ("N", "C"), 3: ("N", "C", "L")},
    "LU_pivots": {1: ("N",), 2: ("N", "C"), 3: ("N", "C", "L")},
}
_SPARE = ("M", "K", "P", "Q", "R", "S", "T", "U", "V", "G", "F", "E", "D", "B", "A")


def dimension_names(
    shapes: Iterable[tuple[str, Sequence[int | None]]],
) -> tuple[dict[int, str], dict[str, str]]:
    """Name each dimension of the arguments' shapes.

    A shape gives an id for each free dimension, equal where two are tied, and None for a fixed
    one. The first argument that has a dimension names it, unless the name is taken. Returned
    besides are the names that stand for what the documentation calls by another argument's name:
    the length of `value` is that of `key`, whether or not the call looks.
    """
    names: dict[int, str] = {}
    meant: dict[str, str] = {}
    for argument, ids in shapes:
        documented = argument in _BY_ARGUMENT
        otherwise = _BY_RANK if not names else {}
        wished = _BY_ARGUMENT.get(argument, otherwise).get(len(ids), ())
        for place, one in enumerate(ids):
            if one is None or one in names:
                continue
            wish = wished[place] if place < len(wished) else None
            names[one] = _free(wish, names)
            if documented and wish is not None and names[one] != wish:
                meant[names[one]] = wish
    return names, meant


def _free(wish: str | None, names: dict[int, str]) -> str:
    taken = set(names.values())
    if wish is not None and wish not in taken:
        return wish
    for spare in _SPARE:
        if spare not in taken:
            return spare
    return f"X{len(taken)}"


def outcome_name(base: str | None, taken: Iterable[str]) -> str:
    """Name a size that the call computes: of one dimension H it is `Hout`, else it is `Z`."""
    wish = f"{base}out" if base else "Z"
    name, number = wish, 2
    while name in taken:
        name, number = f"{wish}{number}", number + 1
    return name
