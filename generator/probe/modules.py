"""Make the record of one `nn.Module`: every sample of its ModuleInfo, in train and eval mode."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import torch

from generator.probe.calls import program_call
from generator.probe.cases import RecordBody, first_line
from generator.probe.evidence import reference
from generator.probe.masks import module_masks
from generator.probe.measure import NotDifferentiable
from generator.probe.opinfo import DTYPES, module_calls
from generator.probe.references import MODULES

Json = Dict[str, Any]


def module_record(name: str, entry: Any, device: str) -> Tuple[Json, Dict[str, Json]]:
    """Return the record of the module `name` and the node types seen while measuring it."""
    body = RecordBody(name, "module")
    samples: Dict[str, int] = {}
    failures: Dict[Tuple[str, str], int] = {}
    for dtype in [dtype for dtype in DTYPES if dtype in entry.dtypes]:
        label = str(dtype).replace("torch.", "")
        for mode in ("train", "eval"):
            try:
                for call in module_calls(entry, name, device, dtype, training=mode == "train"):
                    masks = module_masks(call.tensors)
                    body.add_sample(str(entry.name), mode, label, call, masks[0], masks)
                    samples[label] = samples.get(label, 0) + 1
            except NotDifferentiable:
                key = ("not differentiable", "no output requires grad")
                failures[key] = failures.get(key, 0) + 1
            except Exception as error:  # the error of a sample is its result
                key = ("raised", f"{label}: {first_line(error)}")
                failures[key] = failures.get(key, 0) + 1
    state: Json = {"state": "measured"}
    if not samples:
        (worst, reason), _ = sorted(failures.items())[-1]
        state = {"state": worst, "reason": reason}
    outcome = {
        "name": str(entry.name),
        **state,
        "samples": samples,
        "failures": [
            {"state": state_, "reason": reason, "samples": count}
            for (state_, reason), count in sorted(failures.items())
        ],
    }
    record = {
        "kind": "module",
        "name": name,
        **state,
        "entries": [outcome],
        "references": _references(body, name),
        "cases": body.cases(),
    }
    record["double_backward"] = body.backward_types()
    record["policies"] = body.policies()
    return record, body.sightings.seen


def _references(body: RecordBody, name: str) -> List[Json]:
    if name not in MODULES:
        return []
    program = MODULES[name]
    made = []
    for mode in ("train", "eval"):
        setup = program.setup if mode == "train" else f"{program.setup}\nmodule.eval()"
        call = program_call(setup, program.call, seed=0)
        made.append(
            reference(body, program._replace(setup=setup), call, module_masks(call.tensors), mode)
        )
    return made
