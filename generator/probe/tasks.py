"""List what there is to measure, as tasks that know nothing of each other, and make one.

A kind of task is an entry of `MAKERS`: what it makes are records for the catalogue, none or more,
and the node types that it met, which the records of nodes are put together from at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

import torch

from generator.probe.adapted import MODULES, OPS
from generator.probe.bills import block_record
from generator.probe.depth import FULL
from generator.probe.guard import Ended, Guard
from generator.probe.modules import module_record
from generator.probe.names import is_reachable
from generator.probe.opinfo import modules, ops
from generator.probe.ops import op_record
from generator.probe.recipes.layer import recipe_names, recipe_sighting, unmade
from generator.probe.references.blocks import BLOCKS
from generator.probe.registry import node_types
from generator.probe.unseen.trial import KINDS, write_record

Json = dict[str, Any]


PLURALS = {"recipe": "nodes", "block": "blocks"}


class Task(NamedTuple):
    """Something to measure: its kind, its name and what it is made from."""

    kind: str
    name: str
    source: Any
    depth: str = FULL


class Made(NamedTuple):
    """What came of a task."""

    records: list[Json]
    sightings: dict[str, Json]


def _op(task: Task, device: str, guard: Guard) -> Made:
    record, sightings = op_record(task.name, task.source, device, guard, task.depth)
    return Made([record], sightings)


def _module(task: Task, device: str, guard: Guard) -> Made:
    record, sightings = module_record(task.name, task.source, device, guard, task.depth)
    return Made([record], sightings)


def _block(task: Task, _device: str, guard: Guard) -> Made:
    return Made([block_record(task.name, guard)], {})


def _write(task: Task, _device: str, _guard: Guard) -> Made:
    return Made([write_record(task.name)], {})


def _recipe(task: Task, _device: str, guard: Guard) -> Made:
    return Made([], recipe_sighting(task.name, guard))


MAKERS: dict[str, Callable[[Task, str, Guard], Made]] = {
    "op": _op,
    "module": _module,
    "block": _block,
    "write": _write,
    "recipe": _recipe,
}


def make(task: Task, guard: Guard, device: str) -> Made:
    """Make what there is to make of a task."""
    return MAKERS[task.kind](task, device, guard)


def given_up(task: Task, ended: Ended) -> Made:
    """Return what stands for a task that could not be made."""
    if task.kind == "recipe" and task.name not in node_types():
        return Made([], {})  # nothing says that the release has such a type
    if task.kind == "recipe":
        return Made([], unmade(task.name, f"{ended.state}: {ended.reason}"))
    record = {"kind": task.kind, "name": task.name, **ended._asdict()}
    if task.kind in ("op", "module"):
        record["unreferenced"] = f"the probe did not come to it: {ended.reason}"
    return Made([record], {})


def listed_tasks(only: Sequence[str] | None, depth: str = FULL) -> list[Task]:
    """Return the tasks for `only` these ops, modules and node types, or for all there are.

    `nodes` among the names stands for all node types, and `blocks` for all blocks.

    The longest are modules: begun first, they leave no worker waiting at the end.
    """
    listed = modules()
    more = {name for name in MODULES if hasattr(torch.nn, name.split(".")[-1])}
    tasks = [Task("module", name, listed.get(name), depth) for name in sorted({*listed, *more})]
    if depth == FULL:
        tasks += [Task("block", name, None) for name in BLOCKS]
    tasks += [Task("write", name, None) for name in KINDS]
    # A function may be older than its entry in OpInfo: then it rests on its reference program.
    entries = {**{name: [] for name in OPS if is_reachable(name)}, **ops()}
    tasks += [Task("op", name, entries[name], depth) for name in sorted(entries)]
    tasks += [Task("recipe", name, None) for name in recipe_names()]
    asked = {*(only or ())}
    return [one for one in tasks if only is None or {one.name, PLURALS.get(one.kind)} & asked]
