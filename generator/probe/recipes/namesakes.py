"""Which overloads may make a node type, told by names, where the release has not declared it.

The code generator names a type after the operator whose derivative it is: `SliceScatterBackward0`
is that of one of the overloads of `slice_scatter`. Which of them, if any, a call shows.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import torch

from generator.probe.signatures import overload_name
from generator.tape.compat_listings import is_overload, is_written

Json = dict[str, Any]

# `ViewBackward0_copy` is the variant of a view that copies, `…BackwardAutogradCUDA0` is of one key.
_TYPE = re.compile(r"(\w+?)Backward(Autograd[A-Za-z]+)?\d*(_copy)?")


def namesakes(node_type: str) -> list[Json]:
    """Return the overloads of the operators that `node_type` is named after, sorted.

    Each has the fields of a declaration that a search asks for, `overload` and `dispatch`.
    """
    match = _TYPE.fullmatch(node_type)
    if match is None:
        return []
    stem, dispatch, copy = match.groups()
    named = _overloads_by_stem().get((stem, bool(copy)), [])
    return [{"overload": name, "dispatch": dispatch or "Default"} for name in named]


@cache
def _overloads_by_stem() -> dict[tuple[str, bool], list[str]]:
    found: dict[tuple[str, bool], list[str]] = {}
    for schema in torch._C._jit_get_all_schemas():
        name = overload_name(schema)
        if (
            name.startswith("aten::")
            and not _returns_what_it_is_given(schema)
            and is_overload(name)
        ):
            base = schema.name.partition("::")[2]
            found.setdefault((_stem(base), False), []).append(name)
            if base.endswith("_copy"):
                found.setdefault((_stem(base[: -len("_copy")]), True), []).append(name)
    return {stem: sorted(names) for stem, names in found.items()}


def _returns_what_it_is_given(schema: Any) -> bool:
    """Tell whether results are written into keyword arguments: that has no derivative."""
    return any(one.kwarg_only and is_written(schema, one) for one in schema.arguments)


def _stem(base: str) -> str:
    return re.sub("Forward$", "", "".join(word.title() for word in base.split("_")))
