"""How the dtypes of saved tensors follow the dtype of a call's arguments."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from generator.probe.calls import Call

# What a call of float32, or of complex64, is tried with besides.
OTHERS = {
    torch.float32: [torch.bfloat16, torch.float16, torch.float64, torch.complex64],
    torch.complex64: [torch.complex128],
}
_REAL = {torch.complex64: torch.float32, torch.complex128: torch.float64}
_HALF = (torch.bfloat16, torch.float16)
_COMPLEX = {torch.float32: torch.complex64, torch.float64: torch.complex128}


def base_dtype(call: Call) -> torch.dtype | None:
    """Return the dtype that the call's arguments of floating point share, if there is one."""
    found = {named.tensor.dtype for named in call.tensors}
    able = {one for one in found if one.is_floating_point or one.is_complex}
    return able.pop() if len(able) == 1 else None


def following(rule: str, dtype: torch.dtype) -> torch.dtype | None:
    """Return the dtype of a saved tensor, by its rule, in a call of `dtype`.

    The rules are `same` as the call's, the `real` one of a complex call, the `complex` one of a
    real call, `float32 at least`, or a dtype that stays what it is.
    """
    if rule == "same":
        return dtype
    if rule == "real":
        return _REAL.get(dtype, dtype)
    if rule == "complex":
        return _COMPLEX.get(dtype, dtype) if not dtype.is_complex else dtype
    if rule == "float32 at least":
        return torch.float32 if dtype in _HALF else dtype
    fixed = getattr(torch, rule)
    return fixed if isinstance(fixed, torch.dtype) else None


def rules_for(seen: Sequence[tuple[torch.dtype, torch.dtype]]) -> list[str]:
    """Return the rules that explain each (dtype of the call, dtype of the saved tensor)."""
    fixed = str(seen[0][1]).replace("torch.", "")
    rules = ["same", fixed, "real", "float32 at least", "complex"]
    return [rule for rule in rules if all(following(rule, call) == saved for call, saved in seen)]
