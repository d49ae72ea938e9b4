"""Under which masks a case's formula is held against real calls: those of its measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generator.probe.calls import Call
from generator.probe.cases import Mask

Json = dict[str, Any]


def has_all(call: Call, mask: Sequence[str]) -> bool:
    """Tell whether a call has the arguments of a mask: samples of one case may differ in theirs."""
    return {named.name for named in call.tensors}.issuperset(mask)


def by_mask(priced: Json, masks: Sequence[Mask]) -> Json:
    """Say for every mask of a case which tensors are kept, also where each keeps them all.

    The measurements of a case's further masks list no tensors, so that its formula has to.
    """
    formula = priced.get("formula")
    if formula is None or formula["masks"] is not None or len(masks) == 1:
        return priced
    every = list(range(len(formula["tensors"])))
    return {**priced, "formula": {**formula, "masks": [every] * len(masks)}}
