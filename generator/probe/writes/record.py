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
from generator.probe.calls import Call, CallRaisedError
from generator.probe.depth import FULL
from generator.probe.masks import op_masks
from generator.probe.measure import arguments
from generator.probe.opinfo import OpSample
from generator.probe.program_calls import program_call
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.probe.small_calls import smaller
from generator.probe.writes.program import program_parts, shown_masks, templates
from generator.probe.writes.trials import HOOKS, UNSTEADY, masks_with_gradient, no_verdict
from generator.probe.writes.verdicts import write_verdicts

Json = dict[str, Any]
Mask = tuple[str, ...]

NOTHING_FINITE = "no gradient of this call has a finite number"


def writes_after(name: str, sample: OpSample | None, depth: str = FULL) -> Json | None:
    """Try writes after the reference call of the op `name`, or else after `sample`.

    At depth `history` the program is run under the first mask alone.

    None where no gradient of the reference call is finite and there is no sample.
    """
    for program in (smaller(OPS[name]), OPS[name]) if name in OPS else ():
        try:
            call = program_call(program.setup, program.call, seed=0, written="anything")
            masks = op_masks(call)
        except CallRaisedError:
            continue
        if masks_with_gradient(call, masks[:1]):
            return _with_program(program, call, masks, depth)
    if sample is None:
        return None
    asked = tuple(sample.asked)
    others = [mask for mask in op_masks(sample.call) if mask != asked]
    return _tried(sample.writable(), [asked, *others])


def _tried(call: Call, masks: list[Mask]) -> Json:
    tried = masks_with_gradient(call, masks)
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


def _with_program(program: Program, call: Call, masks: list[Mask], depth: str) -> Json:
    """Add the setup that makes the call, and what its program printed if that is not the same."""
    tried = _tried(call, masks)
    if tried.get("reason") == UNSTEADY:  # which a program would show on some runs alone
        return tried
    tried = {"setup": program.setup, **tried}
    parts = program_parts(tried)
    known = templates(depth)
    by_mask = "writes by mask" in known
    template = "writes by mask" if by_mask else "writes"
    text = known[template if "trials" in tried else "no backward"]
    namespace = new_namespace()
    try:
        printed = run_block(Template(text).substitute(parts), namespace)
    except ProgramError as error:
        return {**tried, "printed": str(error)}
    if "reason" in tried:
        agrees = printed == tried["reason"] + "\n"
    else:
        agrees = _agrees(tried, namespace["found"], by_mask=by_mask)
    return tried if agrees else {**tried, "printed": printed}


def _agrees(tried: Json, found: dict[Any, tuple[Any, ...]], *, by_mask: bool) -> bool:
    """Tell whether the program came to the verdicts of the trials under each mask that it tried.

    Under the first mask it must come to their words and error too.
    """
    expected: dict[Any, tuple[Any, ...]] = {}
    for mask in shown_masks(tried) if by_mask else [()]:
        place = tried["masks"].index(mask) if by_mask else 0
        for trial in tried["trials"]:
            if place in trial["masks"]:
                name = trial["target"].split("input ", 1)[-1]
                told = (trial["message"], trial["relative_error"]) if place == 0 else ()
                expected[(mask, name) if by_mask else name] = (
                    trial["plain"],
                    *([trial["hooked"]] if "hooked" in HOOKS else []),
                    *([trial.get("on_cpu", trial["hooked"])] if "on_cpu" in HOOKS else []),
                    *told,
                )
    return expected.keys() == found.keys() and all(
        found[key][: len(ended)] == ended for key, ended in expected.items()
    )
