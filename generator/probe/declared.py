"""What the release's own `derivatives.yaml` declares of each node type.

The wheel ships the file and the loader that its code generator uses; releases that ship neither
have nothing declared, and their nodes are catalogued by observation alone.
"""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, NamedTuple, Set

Json = Dict[str, Any]


class Declared(NamedTuple):
    """Declarations by node type name, and the kernels that the release declares by overload."""

    by_type: Dict[str, List[Json]]
    kernels: Dict[str, List[str]]


def load_declared() -> Declared:
    """Load the declarations of the running release; nothing where it ships none."""
    try:
        import torchgen
        from torchgen.gen import parse_native_yaml
        from torchgen.packaged.autograd.load_derivatives import load_derivatives
    except ImportError:
        return Declared({}, {})
    packaged = os.path.join(os.path.dirname(torchgen.__file__), "packaged")
    derivatives = os.path.join(packaged, "autograd", "derivatives.yaml")
    native = os.path.join(packaged, "ATen", "native", "native_functions.yaml")
    tags = os.path.join(packaged, "ATen", "native", "tags.yaml")
    if not all(map(os.path.exists, (derivatives, native, tags))):
        return Declared({}, {})
    infos, _ = load_derivatives(derivatives, native, tags)
    lines = _entry_lines(derivatives)
    by_type: Dict[str, List[Json]] = {}
    for functions in infos.values():
        for dispatch, info in functions.items():
            if info.op is not None:
                by_type.setdefault(info.op, []).append(_declaration(dispatch, info, lines))
    for declarations in by_type.values():
        declarations.sort(key=lambda item: (item["overload"], item["dispatch"]))
    return Declared(by_type, _kernels(parse_native_yaml(native, tags)))


def _declaration(dispatch: str, info: Any, lines: Dict[str, int]) -> Json:
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


def _values(attributes: Any) -> List[Json]:
    values = [
        {"name": str(a.nctype.name), "type": str(a.nctype.type.cpp_type()), "expression": a.expr}
        for a in attributes
    ]
    for value in values:
        if value["expression"] == value["name"]:
            del value["expression"]
    return sorted(values, key=lambda value: value["name"])


def _entry_lines(path: str) -> Dict[str, int]:
    lines: Dict[str, int] = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            entry = re.match(r"- name: +([\w.]+)\(", line)
            if entry:
                lines.setdefault(entry.group(1), number)
    return lines


def _kernels(parsed: Any) -> Dict[str, List[str]]:
    kernels: Dict[str, Set[str]] = {}
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
