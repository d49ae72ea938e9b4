"""Make the record of one `nn.Module`: every sample of its ModuleInfo, in train and eval mode."""

from __future__ import annotations

from functools import partial
from typing import Any

from generator.probe.adapted import MODULES
from generator.probe.calls import CallRaisedError
from generator.probe.cases import RecordBody
from generator.probe.compiled.partition import compiled
from generator.probe.conditions.trials import module_conditions
from generator.probe.depth import FULL
from generator.probe.evidence import NO_GRAPH, NO_PROGRAM, reference
from generator.probe.guard import Guard, StepEndedError
from generator.probe.masks import module_masks
from generator.probe.measure import NotDifferentiableError
from generator.probe.opinfo import DTYPES, module_calls
from generator.probe.program_calls import program_call
from generator.probe.programs import ProgramError
from generator.probe.second_order import nodes_in_all, second_order_of_module
from generator.probe.tally import Tally
from generator.tape.compat_listings import module_dtypes

Json = dict[str, Any]

MODES = ("train", "eval")
# What two references of one program must have in common to be one.
MEASURED = ("arguments", "outputs", "measurements", "edges", "values", "printed")


def module_record(
    name: str, entry: Any, device: str, guard: Guard | None = None, depth: str = FULL
) -> tuple[Json, dict[str, Json]]:
    """Return the record of the module `name` and the node types seen while measuring it.

    A module that ModuleInfo does not list has no `entry` (None), and rests on its reference.
    """
    body = RecordBody(name, "module", module_masks, guard)
    entries = [] if entry is None else [_measure_entry(body, entry, name, device)]
    references, unreferenced = _references(body, name)
    if references or not entries:
        state: Json = {"state": "measured" if references else "raised", "reason": unreferenced}
    else:
        state = {key: entries[0].get(key) for key in ("state", "reason")}
    record = {
        "kind": "module",
        "name": name,
        **state,
        "entries": entries,
        "references": references,
        "unreferenced": unreferenced,
        "cases": body.cases(),
    }
    if references and depth == FULL:
        dtypes = sorted({dtype for each in entries for dtype in each["samples"]})
        record["conditions"] = body.guard.part(
            lambda: module_conditions(body, MODULES[name], dtypes)
        )
    if references:
        record["second_order"] = body.guard.part(
            lambda: second_order_of_module(references[0], MODULES[name])
        )
        if depth == FULL:
            nodes = nodes_in_all(record["second_order"])
            asked = record["second_order"].get("require") or ""
            record["compiled"] = body.guard.part(lambda: compiled(references, nodes, asked))
    record["double_backward"] = body.backward_types()
    record.update(body.policies())
    return record, body.sightings.seen


def _measure_entry(body: RecordBody, entry: Any, name: str, device: str) -> Json:
    tally = Tally(body, str(entry.name))
    for dtype in [dtype for dtype in DTYPES if dtype in module_dtypes(entry)]:
        label = str(dtype).replace("torch.", "")
        for mode in MODES:
            calls = module_calls(entry, name, device, dtype, training=mode == "train")
            for call in tally.each(calls, label):
                tally.try_sample(label, call, module_masks(call)[0], mode)
    return tally.as_entry(tally.state())


def _references(body: RecordBody, name: str) -> tuple[list[Json], str | None]:
    """Return the references of both modes, one for both where they say the same."""
    made, unreferenced = _in_both_modes(body, name)
    if len(made) == len(MODES) and all(made[0][field] == made[1][field] for field in MEASURED):
        made = [{**made[0], "mode": None}]
    return made, unreferenced


def _in_both_modes(body: RecordBody, name: str) -> tuple[list[Json], str | None]:
    if name not in MODULES:
        return [], NO_PROGRAM
    program = MODULES[name]
    made = []
    for mode in MODES:
        setup = program.setup if mode == "train" else f"{program.setup}\nmodule.eval()"
        try:
            call = body.guard.step(partial(program_call, setup, program.call, seed=0))
            in_mode = program._replace(setup=setup)
            measure = partial(reference, body, in_mode, call, module_masks(call), mode)
            made.append(body.guard.step(measure))
        except NotDifferentiableError:
            return made, NO_GRAPH
        except StepEndedError as error:
            return made, f"its program could not be run to its end: {error}"
        except (CallRaisedError, ProgramError) as error:
            return made, f"its program raised: {error}"
    return made, None
