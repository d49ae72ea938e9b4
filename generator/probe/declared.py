"""What the release's own `derivatives.yaml` declares of each node type.

The wheel ships the file and the loader that its code generator uses; releases that ship neither
have nothing declared, and their nodes are catalogued by observation alone.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.tape.compat_listings import packaged_declarations

Json = dict[str, Any]


class Declared(NamedTuple):
    """Declarations by node type name, and the kernels that the release declares by overload.

    Both are empty where the release has not `shipped` its declarations.
    """

    by_type: dict[str, list[Json]]
    kernels: dict[str, list[str]]
    shipped: bool


@cache
def load_declared() -> Declared:
    """Load the declarations of the running release; nothing where it ships none.

    That takes seconds, so it is done once, and before the workers are forked.
    """
    packaged = packaged_declarations()
    if packaged is None:
        return Declared({}, {}, shipped=False)
    # The loader keeps parsed files by their path, so it wants text.
    native, tags = str(packaged.native), str(packaged.tags)
    infos, _ = packaged.loader.load_derivatives(str(packaged.derivatives), native, tags)
    lines = _entry_lines(packaged.derivatives)
    by_type: dict[str, list[Json]] = {}
    for functions in infos.values():
        for dispatch, info in functions.items():
            if info.op is not None:
                by_type.setdefault(info.op, []).append(_declaration(dispatch, info, lines))
    for declarations in by_type.values():
        declarations.sort(key=lambda item: (item["overload"], item["dispatch"]))
    kernels = _kernels(packaged.generation.parse_native_yaml(native, tags))
    return Declared(by_type, kernels, shipped=True)


def _declaration(dispatch: str, info: Any, lines: dict[str, int]) -> Json:
    overload = str(info.func.func.name)
    return {
        "overload": f"aten::{overload}",
        "dispatch": dispatch,
        "line": lines.get(overload, lines.get(_view_of(overload))),
        "formulas": [
            {"inputs": list(derivative.var_names), "formula": derivative.original_formula}
            for derivative in info.derivatives
        ],
        "saved_inputs": _values(info.all_saved_inputs),
        "saved_outputs": _values(info.all_saved_outputs),
    }


def _view_of(overload: str) -> str:
    # The loader derives the entry of `select_copy.int` from that of `select.int`.
    return re.sub(r"_copy(?=\.|$)", "", overload)


def _values(attributes: Any) -> list[Json]:
    values = [
        {"name": str(a.nctype.name), "type": str(a.nctype.type.cpp_type()), "expression": a.expr}
        for a in attributes
    ]
    for value in values:
        if value["expression"] == value["name"]:
            del value["expression"]
    return sorted(values, key=lambda value: value["name"])


def _entry_lines(path: Path) -> dict[str, int]:
    lines: dict[str, int] = {}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            entry = re.match(r"- name: +([\w.]+)\(", line)
            if entry:
                lines.setdefault(entry.group(1), number)
    return lines


def _kernels(parsed: Any) -> dict[str, list[str]]:
    kernels: dict[str, set[str]] = {}
    for key, index in parsed.backend_indices.items():
        for name in index.index:
            kernels.setdefault(f"aten::{name}", set()).add(key.name)
    for function in parsed.native_functions:
        if function.has_composite_implicit_autograd_kernel:
            kernels.setdefault(f"aten::{function.func.name}", set()).add(
                "CompositeImplicitAutograd"
            )
        if function.structured_delegate is not None:
            delegate = kernels.get(f"aten::{function.structured_delegate}", set())
            kernels.setdefault(f"aten::{function.func.name}", set()).update(delegate)
    return {name: sorted(keys) for name, keys in kernels.items()}
