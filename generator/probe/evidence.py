"""Turn a reference program into measurements and a longer program that shows what they say.

The evidence is plain PyTorch: it makes the call, walks the graph and prints what each node saved
and whose memory that is. It is run here, and what it printed is recorded beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Any

import torch
from torch import Tensor

from generator.probe import bill_program, second_order
from generator.probe.calls import Call, named_tensors
from generator.probe.cases import RecordBody
from generator.probe.compiled import program as partition_program
from generator.probe.conditions import steps as conditions
from generator.probe.depth import FULL
from generator.probe.program_calls import assigned_names
from generator.probe.programs import new_namespace, run_block
from generator.probe.references import Program
from generator.tape.compat_programs import in_this_release

Json = dict[str, Any]

_MADE = """\
import torch

torch.manual_seed(0)
$setup
$require
$call
"""

_SHOW_MEMORY = """
held = $held
memory = {t.untyped_storage().data_ptr(): name for name, t in held.items()}

def show(value):
    if isinstance(value, torch.Tensor):
        owner = memory.get(value.untyped_storage().data_ptr(), "the graph alone")
        return f"{tuple(value.shape)} {value.dtype}, held by {owner}"
    return [show(item) for item in value] if isinstance(value, tuple) else value
"""

_SHOW_SHAPES = """
def show(value):
    if isinstance(value, torch.Tensor):
        return f"{tuple(value.shape)} {value.dtype} {value.layout}"
    return [show(item) for item in value] if isinstance(value, tuple) else value
"""

_WALK = """
nodes = [$grad_fns]
for node in nodes:
    print(node.name())
    for attribute in dir(node):
        if attribute.startswith("_saved_"):
            print("   ", attribute, "=", show(getattr(node, attribute)))
    nodes += [n for n, _ in node.next_functions if n is not None and n not in nodes]
"""

# A sparse tensor has no storage of its own to compare, so its program shows layouts instead.
TEMPLATES = {
    "memory": in_this_release(_MADE + _SHOW_MEMORY + _WALK),
    "layouts": _MADE + _SHOW_SHAPES + _WALK,
    **conditions.TEMPLATES,
    bill_program.NAME: bill_program.TEMPLATE,
    **second_order.TEMPLATES,
    **partition_program.TEMPLATES,
}

# What records of depth `history` have no use for, and their headers have never had.
_OF_FULL_DEPTH = {
    *(f"condition {name}" for name in ("nan", "empty", "eval", "frozen")),
    partition_program.OF_MODULE,
}


def templates(depth: str) -> dict[str, str]:
    """Return the templates that a header of that depth holds."""
    left_out = set() if depth == FULL else _OF_FULL_DEPTH
    return {name: text for name, text in TEMPLATES.items() if name not in left_out}


NO_PROGRAM = "no reference program calls it"
NO_GRAPH = "its reference program makes no output that requires grad"
MANY_OUTPUTS = 8
LINE = 88


def reference(
    body: RecordBody,
    program: Program,
    call: Call,
    masks: Sequence[tuple[str, ...]],
    mode: str | None,
) -> Json:
    """Measure a reference program under each mask and run its evidence.

    Raises NotDifferentiableError when the first mask gives no graph.
    """
    measured = body.all_masks("reference", call, masks)
    return {
        "family": program.family,
        "mode": mode,
        **_evidence(program, call, masks[0]),
        **measured,
    }


def _evidence(program: Program, call: Call, mask: Sequence[str]) -> Json:
    requiring = [f"{name}.requires_grad_()\n" for name in _requiring(call, mask)]
    if any(n.source == "parameter" for n in call.tensors) and "parameters" not in mask:
        requiring.append("module.requires_grad_(False)\n")
    parts = {"setup": program.setup, "require": "".join(requiring), "call": program.call}
    namespace = new_namespace()
    run_block(Template(_MADE).substitute(parts), namespace)
    places = [
        pair
        for name in assigned_names(program.call)
        for pair in named_tensors(name, namespace[name])
    ]
    tensors = [named.tensor for named in call.tensors] + [tensor for _, tensor in places]
    strided = all(tensor.layout == torch.strided for tensor in tensors)
    template = "memory" if strided else "layouts"
    parts.update(held=_held(call, places), grad_fns=_grad_fns(places))
    printed = run_block(Template(TEMPLATES[template]).substitute(parts), new_namespace())
    return {**parts, "template": template, "printed": printed}


def _requiring(call: Call, mask: Sequence[str]) -> list[str]:
    arguments, _ = call.prepare(mask)
    return [n.name for n in arguments if n.source == "input" and n.tensor.requires_grad]


def _held(call: Call, places: list[tuple[str, Tensor]]) -> str:
    entries = [f'"{n.name}": {n.name}' for n in call.tensors if n.source == "input"]
    if len(places) == 1:
        entries.append(f'"output": {places[0][0]}')
    elif len(places) <= MANY_OUTPUTS:
        entries += [f'"output {i}": {place}' for i, (place, _) in enumerate(places)]
    else:
        name = places[0][0].split("[")[0]
        entries.append(f'**{{f"output {{i}}": t for i, t in enumerate({name})}}')
    for source, method in (("parameter", "named_parameters"), ("buffer", "named_buffers")):
        if any(named.source == source for named in call.tensors):
            entries.append(f"**dict(module.{method}())")
    line = "{" + ", ".join(entries) + "}"
    return line if len(line) < LINE else "{\n    " + ",\n    ".join(entries) + ",\n}"


def _grad_fns(places: list[tuple[str, Tensor]]) -> str:
    first: dict[Any, str] = {}
    for place, tensor in places:
        if tensor.grad_fn is not None:
            first.setdefault(tensor.grad_fn, f"{place}.grad_fn")
    return ", ".join(first.values())
