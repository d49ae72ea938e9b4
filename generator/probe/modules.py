"""Make the record of one `nn.Module`: every sample of its ModuleInfo, in train and eval mode."""

from __future__ import annotations

from typing import Any

from generator.probe.calls import program_call
from generator.probe.cases import RecordBody, first_line
from generator.probe.evidence import reference
from generator.probe.masks import module_masks
from generator.probe.opinfo import DTYPES, module_calls
from generator.probe.references import MODULES
from generator.probe.tally import Tally

Json = dict[str, Any]


def module_record(name: str, entry: Any, device: str) -> tuple[Json, dict[str, Json]]:
    """Return the record of the module `name` and the node types seen while measuring it."""
    body = RecordBody(name, "module", module_masks)
    tally = Tally(body, str(entry.name))
    for dtype in [dtype for dtype in DTYPES if dtype in entry.dtypes]:
        label = str(dtype).replace("torch.", "")
        for mode in ("train", "eval"):
            try:
                for call in module_calls(entry, name, device, dtype, training=mode == "train"):
                    tally.try_sample(label, call, module_masks(call)[0], mode)
            except Exception as error:  # noqa: PERF203  # the samples cannot be made
                tally.fail("raised", f"{label} samples: {first_line(error)}")
    state = tally.state()
    record = {
        "kind": "module",
        "name": name,
        **state,
        "entries": [tally.as_entry(state)],
        "references": _references(body, name),
        "cases": body.cases(),
    }
    record["double_backward"] = body.backward_types()
    record.update(body.policies())
    return record, body.sightings.seen


def _references(body: RecordBody, name: str) -> list[Json]:
    if name not in MODULES:
        return []
    program = MODULES[name]
    made = []
    for mode in ("train", "eval"):
        setup = program.setup if mode == "train" else f"{program.setup}\nmodule.eval()"
        call = program_call(setup, program.call, seed=0)
        made.append(reference(body, program._replace(setup=setup), call, module_masks(call), mode))
    return made
