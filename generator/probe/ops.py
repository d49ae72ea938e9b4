"""Make the record of one op: every sample of its OpInfo entries, every mask, its reference."""

from __future__ import annotations

from typing import Any, Callable

from generator.probe.adapted import OPS
from generator.probe.calls import CallRaisedError, first_line
from generator.probe.cases import RecordBody
from generator.probe.compiled.partition import compiled
from generator.probe.conditions.trials import conditions
from generator.probe.depth import FULL
from generator.probe.evidence import NO_GRAPH, NO_PROGRAM, reference
from generator.probe.formulas.cases import op_formulas
from generator.probe.guard import UNSURVIVED, Guard, StepEndedError
from generator.probe.masks import op_masks
from generator.probe.measure import NotDifferentiableError, arguments
from generator.probe.opinfo import OpSample, entry_dtypes, entry_name, op_samples
from generator.probe.program_calls import program_call
from generator.probe.programs import ProgramError
from generator.probe.second_order import nodes_in_all, second_order, second_order_of_call
from generator.probe.signatures import overloads, parse
from generator.probe.tally import Tally
from generator.probe.variants import variants
from generator.probe.writes.reads_record import reads_after
from generator.probe.writes.record import NOTHING_FINITE, writes_after

Json = dict[str, Any]


def op_record(
    name: str,
    entries: list[Any],
    device: str,
    guard: Guard | None = None,
    depth: str = FULL,
) -> tuple[Json, dict[str, Json]]:
    """Return the record of the op `name` and the node types seen while measuring it.

    An op without `entries`, which OpInfo does not list, rests on its reference program.
    """
    body = RecordBody(name, "op", op_masks, guard)
    described: list[Json] = []
    first: OpSample | None = None
    telling: OpSample | None = None
    for entry in entries:
        outcome, samples = _measure_entry(body, entry, name, device)
        described.append(outcome)
        for sample in samples:
            first = first or sample
            telling = more_telling(telling, sample)
    parsed = parse(name, entries[0].aten_name if entries else None)
    references, unreferenced = _reference(body, name)
    spelled = variants(body, entries[0], name, first, depth) if first is not None else []
    record = {
        "kind": "op",
        "name": name,
        **_state(described, unreferenced),
        "overloads": overloads(parsed),
        "variants": spelled,
        "entries": described,
        "references": references,
        "unreferenced": unreferenced,
        "cases": body.cases(),
    }
    if references or telling is not None:
        shown = references[0] if telling is None else _described(telling)
        record["writes"] = _guarded(body.guard, shown, lambda: writes_after(name, telling, depth))
        if depth == FULL:
            record["reads"] = _reads(body.guard, record["writes"], telling)
    if references and depth == FULL:
        dtypes = sorted({dtype for entry in described for dtype in entry["samples"]})
        record["conditions"] = body.guard.part(lambda: conditions(body, OPS[name], parsed, dtypes))
    if references:
        record["second_order"] = body.guard.part(lambda: second_order(references[0]))
        if depth == FULL:
            nodes = nodes_in_all(record["second_order"])
            record["compiled"] = body.guard.part(lambda: compiled(references, nodes))
    elif first is not None:
        record["second_order"] = body.guard.part(
            lambda: second_order_of_call(first.call, first.asked)
        )
    if depth == FULL:
        record["formulas"] = op_formulas(body, OPS.get(name), references)
    record["double_backward"] = body.backward_types()
    record.update(body.policies())
    return record, body.sightings.seen


def _measure_entry(
    body: RecordBody, entry: Any, name: str, device: str
) -> tuple[Json, list[OpSample]]:
    """Return the entry as measured, with its first sample and its first most telling one."""
    tally = Tally(body, entry_name(entry))
    parsed = parse(name, entry.aten_name, entry.op)
    dtypes = entry_dtypes(entry, device)
    first: OpSample | None = None
    telling: OpSample | None = None
    for dtype in dtypes:
        label = str(dtype).replace("torch.", "")
        for sample in tally.each(op_samples(entry, name, parsed, device, dtype), label):
            if tally.try_sample(label, sample.call, tuple(sample.asked)):
                first = first or sample
                telling = more_telling(telling, sample)
    state = tally.state() if dtypes else _without_dtype(entry, device)
    return tally.as_entry(state), [sample for sample in (first, telling) if sample is not None]


def _without_dtype(entry: Any, device: str) -> Json:
    if entry.supported_dtypes(device):
        reason = f"takes no floating-point or complex dtype on {device}"
        return {"state": "not differentiable", "reason": reason}
    return {"state": "declared only", "reason": f"OpInfo lists no dtype for it on {device}"}


def _state(entries: list[Json], unreferenced: str | None) -> Json:
    # An op is as measured as its reference and the best of its entries.
    if unreferenced is None:
        return {"state": "measured", "reason": None}
    if not entries:
        state = "not differentiable" if unreferenced == NO_GRAPH else "raised"
        return {"state": state, "reason": unreferenced}
    for state in ("measured", "not differentiable", "raised", *UNSURVIVED, "declared only"):
        for entry in entries:
            if entry["state"] == state:
                return {"state": state, "reason": entry.get("reason")}
    raise AssertionError("an entry is in one of these states")


def more_telling(one: OpSample | None, other: OpSample) -> OpSample:
    """Return the sample whose smallest tensor has more elements, counted up to two, or the first.

    Writing over nothing shows nothing, and some ops have no gradient of their own for one number.
    """
    return other if one is None or _fewest(other) > _fewest(one) else one


def _fewest(sample: OpSample) -> int:
    return min([2, *(named.tensor.numel() for named in sample.call.tensors)])


def _described(sample: OpSample) -> Json:
    return {"call": sample.call.text, "arguments": arguments(sample.call)}


def _guarded(guard: Guard, shown: Json, writes: Callable[[], Json | None]) -> Json:
    try:
        tried = guard.step(writes)
        if tried is not None:
            return tried
        reason = NOTHING_FINITE
    except StepEndedError as error:
        reason = str(error)
    except Exception as error:  # of other values, say, that a release cannot compute
        reason = f"the probe failed: {first_line(error)}"
    return {"call": shown["call"], "arguments": shown["arguments"], "masks": [], "reason": reason}


def _reads(guard: Guard, tried: Json, sample: OpSample | None) -> Json | None:
    try:
        return guard.step(lambda: reads_after(tried, sample))
    except StepEndedError as error:
        return {"reason": str(error)}
    except Exception as error:
        return {"reason": f"the probe failed: {first_line(error)}"}


def _reference(body: RecordBody, name: str) -> tuple[list[Json], str | None]:
    if name not in OPS:
        return [], NO_PROGRAM
    program = OPS[name]
    try:
        call = body.guard.step(lambda: program_call(program.setup, program.call, seed=0))
        masks = op_masks(call)
        if not masks:
            return [], NO_GRAPH
        return [body.guard.step(lambda: reference(body, program, call, masks, None))], None
    except NotDifferentiableError:
        return [], NO_GRAPH
    except StepEndedError as error:
        return [], f"its program could not be run to its end: {error}"
    except (CallRaisedError, ProgramError) as error:
        return [], f"its program raised: {error}"
