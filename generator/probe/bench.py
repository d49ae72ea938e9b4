"""Time the probe layer by layer: what PyTorch's own calls take, and what all of it takes."""

from __future__ import annotations

import builtins
import resource
import sys
import time
from functools import partial
from operator import add, sub
from typing import Any, NamedTuple

import torch

from generator.probe import modules, ops
from generator.probe.bills import block_record
from generator.probe.calls import Call
from generator.probe.cases import RecordBody
from generator.probe.compiled.partition import compiled
from generator.probe.conditions.trials import conditions, module_conditions
from generator.probe.declared import load_declared
from generator.probe.depth import FULL
from generator.probe.formulas.cases import op_formulas
from generator.probe.guard import Guard
from generator.probe.pool import run_tasks
from generator.probe.recipes.layer import recipe_sighting
from generator.probe.second_order import (
    second_order,
    second_order_of_call,
    second_order_of_module,
)
from generator.probe.stopwatch import Function, Stopwatch, timing
from generator.probe.tally import draw
from generator.probe.tasks import Task, listed_tasks, make
from generator.probe.unseen.trial import write_record
from generator.probe.variants import variants
from generator.probe.writes.reads_record import reads_after
from generator.probe.writes.record import writes_after

Json = dict[str, Any]

STRIDE = 20

LAYERS: dict[str, list[Function]] = {
    "making the samples": [draw],
    "samples": [ops._measure_entry, modules._measure_entry],
    "masks of the cases": [RecordBody.cases],
    "references": [ops._reference, modules._references],
    "spellings": [variants],
    "writes": [writes_after],
    "reads after writes": [reads_after],
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


class Layer(NamedTuple):
    """Processor seconds of a layer: in PyTorch's own calls, and in all of it."""

    bare: float
    full: float


NOTHING = Layer(0.0, 0.0)


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
    layers: dict[str, Layer] = {}
    with timing(LAYERS, PYTORCH) as watch:
        # In a worker, since a call may kill its process: what it cost until then is not counted.
        for outcome in run_tasks(partial(_timed, watch, device), tasks, 1):
            for name, (bare, full) in (outcome.result or {}).items():
                layers[name] = Layer(*map(add, layers.get(name, NOTHING), (bare, full)))
    start, spent = time.perf_counter(), _spent()
    for _ in run_tasks(lambda task, guard: make(task, guard, device), tasks, workers):
        pass
    return {
        "tasks": len(tasks),
        "of_tasks": len(everything),
        "layers": [
            {"name": name, "bare_seconds": layers[name].bare, "full_seconds": layers[name].full}
            for name in LAYERS
            if name in layers
        ],
        "workers": workers,
        "wall_seconds": time.perf_counter() - start,
        "worker_seconds": _spent() - spent,
        "peak_bytes": max(map(_peak, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))),
    }


def _timed(watch: Stopwatch, device: str, task: Task, guard: Guard) -> dict[str, Layer]:
    """Make a task, and return what it cost by layer."""
    before = {name: Layer(watch.bare[name], full) for name, full in watch.full.items()}
    make(task, guard, device)
    return {
        name: Layer(*map(sub, (watch.bare[name], full), before.get(name, NOTHING)))
        for name, full in watch.full.items()
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
