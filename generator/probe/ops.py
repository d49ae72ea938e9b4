"""Make the record of one op: every sample of its OpInfo entries, every mask, its reference."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import torch

from generator.probe.calls import differentiable, program_call
from generator.probe.cases import RecordBody, first_line
from generator.probe.evidence import reference
from generator.probe.masks import grad_masks
from generator.probe.measure import NotDifferentiable
from generator.probe.opinfo import OpSample, entry_dtypes, entry_name, op_samples, seed_of
from generator.probe.references import OPS
from generator.probe.signatures import ParsedName, overloads, parse
from generator.probe.variants import variants

Json = Dict[str, Any]
NOT_DIFFERENTIABLE = "no output of its {samples} samples requires grad"


def op_record(name: str, entries: List[Any], device: str) -> Tuple[Json, Dict[str, Json]]:
    """Return the record of the op `name` and the node types seen while measuring it."""
    parsed = parse(name, entries[0].aten_name)
    body = RecordBody(name, "op")
    described: List[Json] = []
    first: Optional[OpSample] = None
    for entry in entries:
        outcome, sample = _measure_entry(body, entry, name, parsed, device)
        described.append(outcome)
        first = first or sample
    references = []
    if name in OPS and first is not None:
        references = _reference(body, name)
    record = {
        "kind": "op",
        "name": name,
        **_state(described),
        "overloads": overloads(parsed),
        "variants": variants(body, entries[0], name, first) if first is not None else [],
        "entries": described,
        "references": references,
        "cases": body.cases(),
    }
    record["double_backward"] = body.backward_types()
    record["policies"] = body.policies()
    return record, body.sightings.seen


def _measure_entry(
    body: RecordBody, entry: Any, name: str, parsed: ParsedName, device: str
) -> Tuple[Json, Optional[OpSample]]:
    dtypes = entry_dtypes(entry, device)
    samples: Dict[str, int] = {}
    failures: Dict[Tuple[str, str], int] = {}
    first: Optional[OpSample] = None
    for dtype in dtypes:
        label = str(dtype).replace("torch.", "")
        try:
            for sample in op_samples(entry, name, parsed, device, dtype):
                state, reason = _try_sample(body, entry, label, sample)
                if state == "measured":
                    samples[label] = samples.get(label, 0) + 1
                    first = first or sample
                else:
                    failures[state, reason] = failures.get((state, reason), 0) + 1
        except Exception as error:  # the samples themselves could not be made
            key = ("raised", f"{label} samples: {first_line(error)}")
            failures[key] = failures.get(key, 0) + 1
    outcome = {"name": entry_name(entry), **_entry_state(entry, device, dtypes, samples, failures)}
    outcome["samples"] = samples
    outcome["failures"] = [
        {"state": state, "reason": reason, "samples": count}
        for (state, reason), count in sorted(failures.items())
    ]
    return outcome, first


def _try_sample(body: RecordBody, entry: Any, dtype: str, sample: OpSample) -> Tuple[str, str]:
    if not sample.asked:
        return "not differentiable", "the sample has no argument that requires grad"
    names = [named.name for named in sample.call.tensors if differentiable(named)]
    try:
        body.add_sample(
            entry_name(entry), None, dtype, sample.call, sample.asked, grad_masks(names)
        )
    except NotDifferentiable:
        return "not differentiable", "no output requires grad"
    except Exception as error:  # the error of a sample is its result
        return "raised", first_line(error)
    return "measured", ""


def _entry_state(
    entry: Any,
    device: str,
    dtypes: List[torch.dtype],
    samples: Dict[str, int],
    failures: Dict[Tuple[str, str], int],
) -> Json:
    if samples:
        return {"state": "measured"}
    if not dtypes:
        if entry.supported_dtypes(device):
            reason = f"takes no floating-point or complex dtype on {device}"
            return {"state": "not differentiable", "reason": reason}
        reason = f"OpInfo lists no dtype for it on {device}"
        return {"state": "declared only", "reason": reason}
    raised = sorted(reason for state, reason in failures if state == "raised")
    if raised:
        return {"state": "raised", "reason": raised[0]}
    tried = sum(failures.values())
    return {"state": "not differentiable", "reason": NOT_DIFFERENTIABLE.format(samples=tried)}


def _state(entries: List[Json]) -> Json:
    # An op is as measured as the best of its entries.
    for state in ("measured", "not differentiable", "raised", "declared only"):
        for entry in entries:
            if entry["state"] == state:
                return {"state": state, "reason": entry.get("reason")}
    raise AssertionError("an op has at least one entry")


def _reference(body: RecordBody, name: str) -> List[Json]:
    program = OPS[name]
    try:
        call = program_call(program.setup, program.call, seed=0)
        names = [named.name for named in call.tensors if differentiable(named)]
        return [reference(body, program, call, grad_masks(names), None)]
    except NotDifferentiable:
        return []
