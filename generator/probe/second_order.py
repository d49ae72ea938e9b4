"""Measure what the graph of a call's gradient keeps, when backward is itself differentiable.

The gradient is taken by the program that the page shows. It is run once: the record is read off
the tensors that it made, and what it counted itself is compared with that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import Template
from typing import Any, NamedTuple

import torch
from torch import Tensor

from generator.probe.calls import Call, first_line
from generator.probe.kept import FORWARD, KeptTensors
from generator.probe.measure import Sighting, holders, named_outputs, sight
from generator.probe.program_calls import program_call
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.probe.references import Program
from generator.tape.compat_programs import in_this_release
from generator.tape.roles import Holder, Roles
from generator.tape.saved import saved_values
from generator.tape.storages import weigh
from generator.tape.walk import Node, type_name, walk_nodes

Json = dict[str, Any]
Tensors = dict[str, Tensor]

_MADE = """\
import torch

torch.manual_seed(0)
$setup
$require
$call
"""

_GRADIENT = """
held = $held
inputs = {name: t for name, t in held.items() if t.is_leaf and t.requires_grad}
outputs = {name: t for name, t in held.items() if t.grad_fn is not None}
incoming = {name: t.detach().clone().requires_grad_() for name, t in outputs.items()}
gradients = torch.autograd.grad(
    list(outputs.values()),
    list(inputs.values()),
    list(incoming.values()),
    create_graph=True,
    allow_unused=True,
)
gradients = {name: t for name, t in zip(inputs, gradients) if t is not None}
"""

_COUNT = """
def graph(tensors):
    nodes = list(dict.fromkeys(t.grad_fn for t in tensors.values() if t.grad_fn is not None))
    for node in nodes:
        nodes += {n: 0 for n, _ in node.next_functions if n is not None and n not in nodes}
    return nodes

def saved(node):
    for attribute in dir(node):
        value = getattr(node, attribute) if attribute.startswith("_saved_") else None
        for t in value if isinstance(value, tuple) else [value]:
            if isinstance(t, torch.Tensor):
                yield attribute, t

def address(t):
    return t.untyped_storage().data_ptr()

forward = graph(outputs)
owners = {address(t): "the forward graph" for node in forward for _, t in saved(node)}
owners.update({address(t): f"gradient of {name}" for name, t in gradients.items()})
owners.update({address(t): f"incoming gradient of {name}" for name, t in incoming.items()})
owners.update({address(t): name for name, t in held.items()})
counted, extra = [], {}  # tensors by attribute and bytes; bytes by storage
for node in graph(gradients):
    if node not in forward:
        print(node.name())
        for attribute, t in saved(node):
            owner = owners.get(address(t), "this graph alone")
            print("   ", attribute, "=", tuple(t.shape), t.dtype, "held by", owner)
            counted.append((attribute, t.numel() * t.element_size()))
            if address(t) not in owners:
                extra[address(t)] = t.untyped_storage().nbytes()
print(sum(extra.values()), "extra bytes")
"""

TEMPLATES = {
    "second order": in_this_release(_MADE + _GRADIENT + _COUNT),
}

CONSTANT = "no gradient depends on anything that requires grad"
LARGEST = 40  # distinct nodes whose intermediates are told by shape
NO_GRAPH = "no output depends on an argument through any node"
UNCOUNTED = "the program cannot compare the memory of sparse tensors"
OTHERWISE = "the program counted something else"


def second_order(reference: Json, require: str | None = None) -> Json:
    """Measure the gradient of a reference call; `require` replaces the reference's own.

    What can be foreseen to fail is a state.
    """
    described: Json = {} if require is None else {"require": require}
    parts = {**reference, **described}
    namespace = new_namespace()
    try:
        run_block(Template(TEMPLATES["second order"]).substitute(parts), namespace)
    except ProgramError as error:
        if "gradients" not in namespace:
            return {**described, "state": "raised", "reason": error.message}
    sources = {one["name"]: one.get("source", "input") for one in reference["arguments"]}
    held = namespace["held"]
    measured = _describe(
        holders=[
            Holder(f"{sources[name]} {name}" if name in sources else name, tensor)
            for name, tensor in held.items()
        ],
        differentiated=_Differentiated(
            namespace["inputs"], namespace["outputs"], namespace["incoming"], namespace["gradients"]
        ),
        boundary={},
    )
    if measured["state"] == "measured":
        measured["unconfirmed"] = _disagreement(measured, namespace)
    return {**described, **measured}


def second_order_of_module(reference: Json, program: Program) -> Json:
    """Measure the gradient of a module's reference, its inputs requiring grad besides."""
    call = program_call(reference["setup"], program.call, seed=0)
    arguments, _ = call.prepare(("inputs", "parameters"))
    asked = [one.name for one in arguments if one.source == "input" and one.tensor.requires_grad]
    return second_order(reference, "".join(f"{name}.requires_grad_()\n" for name in asked) or None)


def second_order_of_call(call: Call, mask: Sequence[str]) -> Json:
    """Measure the gradient of a call that no reference program makes."""
    described = {"call": call.text, "mask": list(mask)}
    run = call.run(mask)
    inputs = {named.name: named.tensor for named in run.arguments if named.tensor.requires_grad}
    outputs = {name: tensor for name, tensor in named_outputs(run) if tensor.grad_fn is not None}
    incoming = {name: one.detach().clone().requires_grad_() for name, one in outputs.items()}
    try:
        gradients = _gradients(outputs, inputs, incoming)
    except (RuntimeError, NotImplementedError) as error:
        return {**described, "state": "raised", "reason": first_line(error)}
    made = _Differentiated(inputs, outputs, incoming, gradients)
    return {**described, **_describe(holders(run), made, run.boundary)}


def nodes_in_all(found: Json | None) -> int:
    """Count the nodes of the gradient's graph in what `second_order` returned."""
    nodes = (found or {}).get("nodes", [])
    return sum(1 if isinstance(node, str) else node[1] for node in nodes)


class _Differentiated(NamedTuple):
    """What a gradient was taken of and by, and the gradients; each by name."""

    inputs: Tensors
    outputs: Tensors
    incoming: Tensors
    gradients: Tensors


def _gradients(outputs: Tensors, inputs: Tensors, incoming: Tensors) -> Tensors:
    found = torch.autograd.grad(
        list(outputs.values()),
        list(inputs.values()),
        list(incoming.values()),
        create_graph=True,
        allow_unused=True,
    )
    return {name: tensor for name, tensor in zip(inputs, found) if tensor is not None}


def _describe(
    holders: list[Holder], differentiated: _Differentiated, boundary: dict[Node, str]
) -> Json:
    inputs, outputs, incoming, gradients = differentiated
    if not outputs:
        return {"state": "not differentiable", "reason": NO_GRAPH}
    differentiable = {name: one for name, one in gradients.items() if one.requires_grad}
    if not differentiable:
        return {"state": "not differentiable", "reason": CONSTANT}
    forward = walk_nodes(outputs.values(), boundary)
    kept_anyway = [
        tensor for node in forward for saved in saved_values(node) for tensor in saved.tensors
    ]
    held = [
        *holders,
        *(Holder(f"incoming {_gradient_of(name)}", one) for name, one in incoming.items()),
        *(Holder(f"gradient of {name}", one) for name, one in gradients.items()),
        *(Holder(FORWARD, tensor) for tensor in kept_anyway),
    ]
    known = set(forward)
    nodes = [node for node in walk_nodes(differentiable.values(), boundary) if node not in known]
    sightings = sight(nodes, Roles(held))
    tensors = [tensor for _, values in sightings for saved, _ in values for tensor in saved.tensors]
    rows = KeptTensors()
    if len(_interned(sightings, rows)) > LARGEST:
        rows = KeptTensors(shapes=False)
    return {
        "state": "measured",
        "nodes": _interned(sightings, rows),
        "tensors": rows.rows(),
        **weigh(tensors, [holder.tensor for holder in held])._asdict(),
        "again": _error_of_differentiating(differentiable, {**inputs, **incoming}),
    }


def _gradient_of(output: str) -> str:
    return output.replace("output", "gradient")


def _interned(sightings: list[Sighting], rows: KeptTensors) -> list[Any]:
    """Return each distinct node once, in the order in which they are met."""
    counted = Counter(
        (
            type_name(node),
            tuple(
                (saved.attribute, rows.position(tensor, role))
                for saved, roles in values
                for tensor, role in zip(saved.tensors, roles)
            ),
        )
        for node, values in sightings
    )
    return [
        [name, number, saved] if saved or number > 1 else name
        for (name, saved), number in counted.items()
    ]


def _error_of_differentiating(gradients: Tensors, inputs: Tensors) -> str | None:
    incoming = {name: one.detach().clone() for name, one in gradients.items()}
    try:
        _gradients(gradients, inputs, incoming)
    except (RuntimeError, NotImplementedError) as error:
        return first_line(error)
    return None


def _disagreement(measured: Json, namespace: dict[str, Any]) -> str | None:
    """Compare what the program counted with the record: saved tensors by attribute, and bytes."""
    if "extra" not in namespace:
        return UNCOUNTED
    recorded = Counter(
        attribute
        for node in measured["nodes"]
        if not isinstance(node, str)
        for attribute, _ in node[2] * node[1]
    )
    counted = Counter(attribute for attribute, _ in namespace["counted"])
    logical = sum(weight for _, weight in namespace["counted"])
    extra = sum(namespace["extra"].values())
    same = (logical, extra) == (measured["logical_bytes"], measured["extra_bytes"])
    return None if same and recorded == counted else OTHERWISE
