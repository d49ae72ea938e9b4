"""Record what writes into the tensors of an op's call do, and run the program that shows it.

The call is the op's reference program with fewer elements, or as it is where it cannot have fewer,
and a sample where there is no such program or no gradient of it is finite. The evidence is plain
PyTorch: it tries what was tried here under the first mask, in its own words, and must come to the
same verdicts.
"""

from __future__ import annotations

from string import Template
from typing import Any

from generator.probe.adapted import OPS, Program
from generator.probe.calls import Call, CallRaisedError, program_call
from generator.probe.masks import op_masks
from generator.probe.measure import arguments
from generator.probe.opinfo import OpSample
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.probe.small_calls import smaller
from generator.probe.verdicts import (
    HOOKS,
    UNSTEADY,
    masks_with_gradient,
    no_verdict,
    write_verdicts,
)
from generator.probe.write_program import TEMPLATES, program_parts

Json = dict[str, Any]
Mask = tuple[str, ...]

TRIED_MASKS = 7
NOTHING_FINITE = "no gradient of this call has a finite number"


def writes_after(name: str, sample: OpSample | None) -> Json | None:
    """Try writes after the reference call of the op `name`, or else after `sample`.

    None where no gradient of the reference call is finite and there is no sample.
    """
    for program in (smaller(OPS[name]), OPS[name]) if name in OPS else ():
        try:
            call = program_call(program.setup, program.call, seed=0, written="anything")
            masks = op_masks(call)
        except CallRaisedError:
            continue
        if masks_with_gradient(call, masks[:1]):
            return _with_program(program, call, masks)
    if sample is None:
        return None
    asked = tuple(sample.asked)
    others = [mask for mask in op_masks(sample.call) if mask != asked]
    return _tried(sample.writable(), [asked, *others])


def _tried(call: Call, masks: list[Mask]) -> Json:
    tried = masks_with_gradient(call, masks[:TRIED_MASKS])
    described = {
        "call": call.text,
        "arguments": arguments(call),
        "masks": tried,
        "on_cpu": "on_cpu" in HOOKS,
    }
    if not tried:
        return {**described, "reason": NOTHING_FINITE}
    # A formula may have a derivative for some of its arguments alone.
    untold = {mask: no_verdict(call, mask) for mask in tried}
    rest = [mask for mask in tried if untold[mask] is None]
    reason = next((why for why in untold.values() if why is not None), None)
    if not rest:
        return {**described, "reason": reason}
    left_out = {} if reason is None else {"left_out": reason}
    return {**described, "masks": rest, **left_out, "trials": write_verdicts(call, rest)}


def _with_program(program: Program, call: Call, masks: list[Mask]) -> Json:
    """Add the setup that makes the call, and what its program printed if that is not the same."""
    tried = _tried(call, masks)
    if tried.get("reason") == UNSTEADY:  # which a program would show on some runs alone
        return tried
    tried = {"setup": program.setup, **tried}
    parts = program_parts(tried)
    template = "writes" if "trials" in tried else "no backward"
    namespace = new_namespace()
    try:
        printed = run_block(Template(TEMPLATES[template]).substitute(parts), namespace)
    except ProgramError as error:
        return {**tried, "printed": str(error)}
    return tried if _agrees(tried, namespace, printed) else {**tried, "printed": printed}


def _agrees(tried: Json, namespace: Json, printed: str) -> bool:
    """Tell whether the program came to the verdicts, words and error of the first mask's trials."""
    if "reason" in tried:
        return bool(printed == tried["reason"] + "\n")
    expected = {
        trial["target"].split("input ", 1)[-1]: (
            trial["plain"],
            *([trial["hooked"]] if "hooked" in HOOKS else []),
            *([trial.get("on_cpu", trial["hooked"])] if "on_cpu" in HOOKS else []),
            trial["message"],
            trial["relative_error"],
        )
        for trial in tried["trials"]
        if 0 in trial["masks"]
    }
    return bool(expected == namespace["found"])
