"""How the dtypes of saved tensors follow the dtype of a call's arguments."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from generator.probe.calls import Call
from generator.probe.formulas.check import Sizes, call_at, compare
from generator.probe.formulas.rows import Kept
from generator.probe.formulas.symbolic import Derived

# A mask, and the positions of the tensors that are kept under it.
Under = tuple[Sequence[str], Sequence[int]]
Pair = tuple[torch.dtype, torch.dtype]

# What a call of each dtype is tried with besides.
OTHERS = {
    torch.float32: [torch.bfloat16, torch.float16, torch.float64, torch.complex64],
    torch.bfloat16: [torch.float16],
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


def dtypes_held(
    call: Call,
    derived: Derived,
    points: Sequence[tuple[Sizes, Kept]],
    places: Sequence[tuple[Sequence[str], Sequence[int] | None]],
) -> tuple[list[str], list[str]]:
    """Return the dtypes for which a formula holds, the call's own first, and each tensor's rule.

    Real calls in each dtype confirm it at two sizes, under the first mask and under those that
    keep more than the masks before them.
    """
    base = base_dtype(call)
    if base is None:
        return [], [str(term.dtype).replace("torch.", "") for term in derived.terms]
    telling = _telling(places)
    held = [str(base).replace("torch.", "")]
    seen: list[list[Pair]] = [[(base, term.dtype)] for term in derived.terms]
    for dtype in OTHERS.get(base, []):
        more = _seen_in(dtype, call, derived, [points[0][0], points[-1][0]], telling)
        if more is None:
            continue
        joined = [[*known, *more.get(place, [])] for place, known in enumerate(seen)]
        if all(map(rules_for, joined)):
            held.append(str(dtype).replace("torch.", ""))
            seen = joined
    return held, [rules_for(known)[0] for known in seen]


def _telling(places: Sequence[tuple[Sequence[str], Sequence[int] | None]]) -> list[Under]:
    telling: list[Under] = []
    known: set[int] = set()
    for mask, kept in places:
        if kept is not None and (not telling or not known.issuperset(kept)):
            telling.append((mask, kept))
            known.update(kept)
    return telling


def _seen_in(
    dtype: torch.dtype,
    call: Call,
    derived: Derived,
    points: Sequence[Sizes],
    telling: Sequence[Under],
) -> dict[int, list[Pair]] | None:
    """Return the dtypes of the kept tensors, None where a call in `dtype` keeps anything else."""
    seen: dict[int, list[Pair]] = {}
    for mask, places in telling:
        terms = [derived.terms[place] for place in places]
        for sizes in points:
            kept = call_at(call, derived, sizes, dtype, mask)
            if kept is None or not compare(derived, terms, sizes, kept):
                return None
            for place, row in zip(places, kept.rows):
                seen.setdefault(place, []).append((dtype, row.dtype))
    return seen
