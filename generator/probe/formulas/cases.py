"""Price an op: its reference call, and of each of its cases the sample that leaves most room."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Callable

from generator.probe.cases import RecordBody
from generator.probe.formulas.lists import price_sample
from generator.probe.formulas.masks import by_mask
from generator.probe.formulas.price import price_program
from generator.probe.program_calls import program_call
from generator.probe.references import Program

Json = dict[str, Any]


def op_formulas(
    body: RecordBody, program: Program | None, references: Sequence[Json]
) -> list[Json]:
    """Price an op's reference call and each of its cases, every one by calls of its own."""
    priced = []
    if program is not None and references:
        call = program_call(program.setup, program.call, seed=0)
        masks = [one["mask"] for one in references[0]["measurements"]]
        priced.append(_guarded(body, lambda: price_program(program, call, masks)))
    for case, call in enumerate(body.roomiest()):
        masks = body.masks_of(case)
        found = _guarded(body, functools.partial(price_sample, call, masks))
        priced.append({"case": case, "call": call.text, **by_mask(found, masks)})
    return priced


def _guarded(body: RecordBody, pricing: Callable[[], Json]) -> Json:
    priced = body.guard.part(pricing)
    if priced is not None and priced["state"] in ("symbolic", "fitted", "none"):
        return priced
    return {"state": "none", "reason": priced["reason"] if priced else None}
