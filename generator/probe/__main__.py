"""`python -m generator.probe --out FILE`: measure the release that this interpreter imports.

FILE gets a line about the build, a line a record, and a closing line with their number; progress
(`done total name`) goes to stderr, one line a finished record.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import torch

from generator.probe.bench import bench_recording
from generator.probe.build import describe_build
from generator.probe.declared import load_declared
from generator.probe.evidence import TEMPLATES
from generator.probe.guard import Guard
from generator.probe.modules import module_record
from generator.probe.nodes import node_records
from generator.probe.opinfo import modules, ops
from generator.probe.ops import op_record
from generator.probe.pool import Outcome, run_tasks
from generator.probe.references import MODULES
from generator.probe.sightings import merge
from generator.probe.write_program import TEMPLATES as WRITE_TEMPLATES

Json = dict[str, Any]


class Task(NamedTuple):
    """One record to make: its kind, its name and the entries it is made from."""

    kind: str
    name: str
    source: Any


def main(arguments: Sequence[str]) -> int:
    """Probe, and return the exit code."""
    parser = argparse.ArgumentParser(prog="generator.probe", description=__doc__)
    parser.add_argument("--out", required=True, help="the file to write the records to")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--release", help="refuse to measure any other release")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", nargs="*", help="ops and modules to measure, by name")
    parser.add_argument("--bench", action="store_true", help="time recording; write JSON instead")
    options = parser.parse_args(arguments)
    if options.release not in (None, _release()):
        sys.stderr.write(f"asked for {options.release}, but torch {_release()} is here\n")
        return 2
    prepare_process()
    if options.bench:
        Path(options.out).write_text(json.dumps(bench_recording(options.device)), encoding="utf-8")
        return 0
    with Path(options.out).open("w", encoding="utf-8") as out:
        _write(
            out,
            {
                "kind": "build",
                "release": _release(),
                "build": describe_build(options.device),
                "evidence": {**TEMPLATES, **WRITE_TEMPLATES},
            },
        )
        written = _probe(out, _tasks(options.only), options.workers, options.device)
        _write(out, {"kind": "end", "records": written})
    return 0


def prepare_process() -> None:
    """Make calls repeatable: one thread, no warnings on the channel for progress."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")


def make_record(task: Task, guard: Guard, device: str) -> tuple[Json, dict[str, Json]]:
    """Make one op's or module's record, and the node types seen on the way."""
    if task.kind == "op":
        return op_record(task.name, task.source, device, guard)
    return module_record(task.name, task.source, device, guard)


def _probe(out: TextIO, tasks: list[Task], workers: int, device: str) -> int:
    seen: dict[str, dict[str, Json]] = {}
    written = 0
    outcomes = run_tasks(partial(make_record, device=device), tasks, workers)
    for done, outcome in enumerate(outcomes, start=1):
        task = tasks[outcome.task]
        record, sightings = _record(task, outcome)
        seen[task.name] = sightings
        _write(out, record)
        written += 1
        sys.stderr.write(f"{done} {len(tasks)} {task.name}\n")
        sys.stderr.flush()
    sightings = merge(seen[name] for name in sorted(seen))
    for record in node_records(load_declared(), sightings, device):
        _write(out, record)
        written += 1
    return written


def _record(task: Task, outcome: Outcome) -> tuple[Json, dict[str, Json]]:
    if outcome.state is not None:
        failed = {"kind": task.kind, "name": task.name}
        return {**failed, "state": outcome.state, "reason": outcome.reason}, {}
    record, sightings = outcome.result
    return record, sightings


def _tasks(only: Any) -> list[Task]:
    # The longest tasks are modules: started first, they leave no worker waiting at the end.
    listed = modules()
    more = {name for name in MODULES if hasattr(torch.nn, name.split(".")[-1])}
    tasks = [Task("module", name, listed.get(name)) for name in sorted({*listed, *more})]
    tasks += [Task("op", name, entries) for name, entries in ops().items()]
    return [task for task in tasks if only is None or task.name in only]


def _release() -> str:
    return str(torch.__version__).split("+")[0]


def _write(out: TextIO, record: Json) -> None:
    out.write(json.dumps(record) + "\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
