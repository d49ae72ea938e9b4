"""Time the probe layer by layer: what PyTorch's own calls take, and what all of it takes."""

from __future__ import annotations

import builtins
import resource
import sys
import time
from typing import Any

import torch

from generator.probe import modules, ops
from generator.probe.bills import block_record
from generator.probe.calls import Call
from generator.probe.cases import RecordBody
from generator.probe.condition_trials import conditions, module_conditions
from generator.probe.declared import load_declared
from generator.probe.depth import FULL
from generator.probe.formula_cases import op_formulas
from generator.probe.guard import Guard
from generator.probe.partition import compiled
from generator.probe.pool import run_tasks
from generator.probe.recipes.layer import recipe_sighting
from generator.probe.second_order import (
    second_order,
    second_order_of_call,
    second_order_of_module,
)
from generator.probe.stopwatch import Function, timing
from generator.probe.tally import draw
from generator.probe.tasks import Task, listed_tasks, make
from generator.probe.unseen import write_record
from generator.probe.variants import variants
from generator.probe.written import writes_after

Json = dict[str, Any]

STRIDE = 20
LAYERS: dict[str, list[Function]] = {
    "making the samples": [draw],
    "samples": [ops._measure_entry, modules._measure_entry],
    "masks of the cases": [RecordBody.cases],
    "references": [ops._reference, modules._references],
    "spellings": [variants],
    "writes": [writes_after],
    "conditions": [conditions, module_conditions],
    "double backward": [second_order, second_order_of_call, second_order_of_module],
    "compiled": [compiled],
    "formulas": [op_formulas],
    "blocks": [block_record],
    "kinds of write": [write_record],
    "recipes": [recipe_sighting],
}
# What runs PyTorch, and programs, which are the calls of the layers that show one.
PYTORCH: list[Function] = [Call.run, torch.autograd.grad, builtins.exec]


def bench_recording(device: str, workers: int, depth: str = FULL) -> Json:
    """Make every twentieth task of each kind, first timed by layer, then by `workers`.

    Returns processor seconds by layer, the seconds of the second pass by the wall clock and by
    processors, and the most memory that one process held, in bytes.
    """
    everything = listed_tasks(None, depth)
    tasks = chosen(everything)
    # What a process does but once (reading declarations, importing a compiler) is no layer's cost.
    load_declared()
    for kind in dict.fromkeys(task.kind for task in tasks):
        make(next(task for task in tasks if task.kind == kind), Guard(), device)
    with timing(LAYERS, PYTORCH) as watch:
        for task in tasks:
            make(task, Guard(), device)
    start, spent = time.perf_counter(), _spent()
    for _ in run_tasks(lambda task, guard: make(task, guard, device), tasks, workers):
        pass
    return {
        "tasks": len(tasks),
        "of_tasks": len(everything),
        "layers": [
            {"name": name, "bare_seconds": watch.bare[name], "full_seconds": watch.full[name]}
            for name in LAYERS
            if name in watch.full
        ],
        "workers": workers,
        "wall_seconds": time.perf_counter() - start,
        "worker_seconds": _spent() - spent,
        "peak_bytes": max(map(_peak, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))),
    }


def chosen(tasks: list[Task]) -> list[Task]:
    """Return every twentieth task of each kind, the first among them."""
    kinds = dict.fromkeys(task.kind for task in tasks)
    return [one for kind in kinds for one in [t for t in tasks if t.kind == kind][::STRIDE]]


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak(who: int) -> int:
    # In KiB, but on macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(who).ru_maxrss * unit
