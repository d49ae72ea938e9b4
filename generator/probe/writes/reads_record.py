"""Record what reading the outputs after a write does, and run the program that shows it.

The call, its masks and the tensors are those of the record of the writes.
"""

from __future__ import annotations

from string import Template
from typing import Any

from generator.probe.calls import Call
from generator.probe.opinfo import OpSample
from generator.probe.program_calls import program_call
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.probe.writes.reads import read_verdicts
from generator.probe.writes.reads_program import TEMPLATE, reads_parts

Json = dict[str, Any]


def reads_after(tried: Json, sample: OpSample | None) -> Json | None:
    """Read the outputs after each of the writes that `tried` records; None where there are none.

    `sample` made the call where no setup is recorded.
    """
    call = _call(tried, sample)
    if call is None or "trials" not in tried:
        return None
    kept = {
        (one["target"], mask) for one in tried["trials"] for mask in one["masks"] if one["saved"]
    }
    trials = read_verdicts(call, tried["masks"], kept)
    found = {"trials": trials}
    if "setup" not in tried or not trials:
        return found
    namespace = new_namespace()
    try:
        printed = run_block(Template(TEMPLATE).substitute(reads_parts(tried, trials)), namespace)
    except ProgramError as error:
        return {**found, "printed": str(error)}
    return found if _agrees(trials, namespace["found"]) else {**found, "printed": printed}


def _call(tried: Json, sample: OpSample | None) -> Call | None:
    if "setup" in tried:
        return program_call(tried["setup"], tried["call"], seed=0, written="anything")
    return sample.writable() if sample is not None else None


def _agrees(trials: list[Json], found: dict[str, tuple[Any, ...]]) -> bool:
    expected = {
        one["target"].split("input ", 1)[-1]: (
            one["ended"],
            one["message"],
            one["relative_error"],
        )
        for one in trials
        if 0 in one["masks"]
    }
    return expected == found
