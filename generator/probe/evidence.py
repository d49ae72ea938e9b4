"""Turn a reference program into the record's reference: measurements, and a program that shows them.

The evidence is plain PyTorch: it makes the call, walks the graph and prints what each node saved
and whose memory that is. It is run here, and what it printed is recorded beside it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch
from torch import Tensor

from generator.probe.calls import Call, assigned_names, differentiable, named_tensors
from generator.probe.cases import RecordBody
from generator.probe.measure import arguments, outputs
from generator.probe.programs import new_namespace, run_block
from generator.probe.references import Program

Json = Dict[str, Any]

SHOW_MEMORY = '''
held = {held}
memory = {{t.untyped_storage().data_ptr(): name for name, t in held.items()}}

def show(value):
    if isinstance(value, torch.Tensor):
        owner = memory.get(value.untyped_storage().data_ptr(), "the graph alone")
        return f"{{tuple(value.shape)}} {{value.dtype}}, held by {{owner}}"
    return [show(item) for item in value] if isinstance(value, tuple) else value
'''

# A sparse tensor has no storage of its own to compare.
SHOW_SHAPES = '''
def show(value):
    if isinstance(value, torch.Tensor):
        return f"{{tuple(value.shape)}} {{value.dtype}} {{value.layout}}"
    return [show(item) for item in value] if isinstance(value, tuple) else value
'''

WALK = '''
nodes = [{grad_fns}]
for node in nodes:
    print(node.name())
    for attribute in dir(node):
        if attribute.startswith("_saved_"):
            print("   ", attribute, "=", show(getattr(node, attribute)))
    nodes += [n for n, _ in node.next_functions if n is not None and n not in nodes]
'''

MANY_OUTPUTS = 8
LINE = 88


def reference(
    body: RecordBody,
    program: Program,
    call: Call,
    masks: Sequence[Tuple[str, ...]],
    mode: Optional[str],
) -> Json:
    """Measure a reference program under each mask and run its evidence.

    Raises NotDifferentiable when the first mask gives no graph.
    """
    rows, run = body.all_masks("reference", call, masks)
    evidence, printed = run_evidence(program, call, masks[0])
    return {
        "family": program.family,
        "mode": mode,
        "setup": program.setup,
        "call": program.call,
        "evidence": evidence,
        "printed": printed,
        "arguments": arguments(call),
        "outputs": outputs(run),
        "measurements": rows,
    }


def run_evidence(program: Program, call: Call, mask: Sequence[str]) -> Tuple[str, str]:
    """Return the program that shows what the reference call keeps under `mask`, and its output."""
    lines = ["import torch", "", "torch.manual_seed(0)", *program.setup.splitlines()]
    lines += [f"{name}.requires_grad_()" for name in _requiring(call, mask)]
    if any(n.source == "parameter" for n in call.tensors) and "parameters" not in mask:
        lines.append("module.requires_grad_(False)")
    made = "\n".join([*lines, "", program.call]) + "\n"
    namespace = new_namespace()
    run_block(made, namespace)
    places = [
        pair for name in assigned_names(program.call) for pair in named_tensors(name, namespace[name])
    ]
    held = [(n.name, n.name) for n in call.tensors if n.source == "input"]
    strided = all(
        tensor.layout == torch.strided
        for tensor in [named.tensor for named in call.tensors] + [tensor for _, tensor in places]
    )
    show = SHOW_MEMORY if strided else SHOW_SHAPES
    evidence = made + show.format(held=_held(call, held, places)) + WALK.format(grad_fns=_grad_fns(places))
    return evidence, run_block(evidence, new_namespace())


def _requiring(call: Call, mask: Sequence[str]) -> List[str]:
    inputs = [named for named in call.tensors if named.source == "input" and differentiable(named)]
    return [named.name for named in inputs if "inputs" in mask or named.name in mask]


def _held(call: Call, held: List[Tuple[str, str]], places: List[Tuple[str, Tensor]]) -> str:
    entries = [f'"{name}": {expression}' for name, expression in held]
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


def _grad_fns(places: List[Tuple[str, Tensor]]) -> str:
    first: Dict[Any, str] = {}
    for place, tensor in places:
        if tensor.grad_fn is not None:
            first.setdefault(tensor.grad_fn, f"{place}.grad_fn")
    return ", ".join(first.values())
