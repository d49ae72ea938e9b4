"""From OpInfo's name of an op to the dotted name under which this project files it.

OpInfo names functions, methods, properties and bare ATen ops alike (`exp`, `T`, `uniform`,
`_batch_norm_with_update`); what a person would type decides the canonical name.
"""

from __future__ import annotations

from typing import Any

import torch

from generator.tape.compat_listings import has_aten


def canonical_name(opinfo_name: str) -> str:
    """Return the dotted name by which a person reaches the op in the running release.

    The first that exists wins: a callable under `torch`, a method or property of `torch.Tensor`,
    its in-place spelling, an ATen op. In-place names (`zero_`) are methods, names that already
    start with `torch.` stay, and an op that nobody can reach by name keeps OpInfo's own.
    """
    if opinfo_name.startswith("torch."):
        return opinfo_name
    if opinfo_name.endswith("_") and not opinfo_name.endswith("__"):
        return f"torch.Tensor.{opinfo_name}"
    if callable(_attribute(torch, opinfo_name)):  # `torch.bool` is a dtype: not the op
        return f"torch.{opinfo_name}"
    for method in (opinfo_name, f"{opinfo_name}_"):
        if hasattr(torch.Tensor, method):
            return f"torch.Tensor.{method}"
    if has_aten(opinfo_name):
        return f"torch.ops.aten.{opinfo_name}"
    return opinfo_name


def is_reachable(name: str) -> bool:
    """Tell whether the running release has what a canonical name leads to."""
    path = name.partition(".")[2]
    if path.startswith("ops.aten."):
        return has_aten(path.split(".")[2])
    return _attribute(torch, path) is not None


def _attribute(root: object, path: str) -> Any:
    """Follow a dotted path from an object; None where it ends early."""
    found: Any = root
    for part in path.split("."):
        found = getattr(found, part, None)
    return found
