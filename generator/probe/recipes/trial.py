"""Run a recipe once and read what the node that it is for saved, as what."""

from __future__ import annotations

from string import Template
from textwrap import indent
from typing import Any, NamedTuple

import torch
from torch import Tensor

from generator.probe.calls import named_tensors, tensors_in
from generator.probe.programs import new_namespace, run_block
from generator.probe.recipes.stub import STUB
from generator.probe.recipes.templates import PACKED, RECIPE, STUBBED, TEMPLATES
from generator.probe.registry import node_types
from generator.probe.seeds import seed_generators
from generator.tape.compat import WITHOUT_HOOKS, preserved_dispatch_keys
from generator.tape.hooks import packed_tensors
from generator.tape.roles import Holder, Roles
from generator.tape.saved import Saved, saved_values
from generator.tape.walk import Node, is_leaf_node, type_name, walk_nodes

Json = dict[str, Any]


class Live(NamedTuple):
    """A node that a recipe made: what it saved as what.

    `packed` has the roles of all tensors that hooks saw, for a type outside the registry.
    """

    node: Node
    values: list[tuple[Saved, list[str]]]
    packed: list[str]


class OtherNodesError(Exception):
    """The recipe made no node of the type; the message lists those that it made, if any."""


def run_recipe(name: str, program: str, stubbed: bool) -> Live:
    """Run a recipe for the node type `name`, over a stub or not.

    Raises ProgramError, or OtherNodesError when no node of its graph is of the type.
    """
    text = f"import torch\n{STUB if stubbed else ''}\n{program}"
    namespace = new_namespace()
    seed_generators(0)
    packed: list[Tensor] = []
    with preserved_dispatch_keys():
        if name in node_types() or WITHOUT_HOOKS is not None:
            run_block(text, namespace)
        else:  # a type without attributes shows what it keeps to hooks alone
            with packed_tensors() as packed:
                run_block(text, namespace)
    output = namespace.pop("output")
    outputs = tensors_in(output)
    nodes = walk_nodes(outputs)
    if isinstance(output, torch._C._FunctionBase) or hasattr(output, "next_functions"):
        nodes.append(output)
    nodes += [
        behind
        for node in nodes
        for behind, _ in node.next_functions
        if behind is not None and is_leaf_node(behind)
    ]
    found = [node for node in nodes if type_name(node) == name]
    if not found:
        made = sorted({type_name(node) for node in nodes if not is_leaf_node(node)})
        raise OtherNodesError(", ".join(made))
    roles = Roles(_holders(namespace, outputs))
    values = [
        (saved, [roles.of(tensor) for tensor in saved.tensors]) for saved in saved_values(found[0])
    ]
    return Live(found[0], values, [roles.of(tensor) for tensor in packed])


def recipe_fields(name: str, program: str, stubbed: bool) -> Json:
    """Return the recipe with what its evidence printed. Raises ProgramError."""
    registered = name in node_types()
    told = registered or WITHOUT_HOOKS is not None
    template = STUBBED if stubbed else RECIPE if told else PACKED  # as pages choose it
    filled = {"recipe": program, "indented": indent(program, "    "), "type": name}
    text = Template(TEMPLATES[template]).substitute(filled)
    with preserved_dispatch_keys():
        return {"program": program, "printed": run_block(text, new_namespace())}


def _holders(namespace: dict[str, Any], outputs: list[Tensor]) -> list[Holder]:
    arguments = [
        Holder(f"input {place}", tensor)
        for name, value in namespace.items()
        for place, tensor in named_tensors(name, value)
    ]
    returned = [
        Holder("output" if len(outputs) == 1 else f"output {place}", tensor)
        for place, tensor in enumerate(outputs)
    ]
    # A tensor that was written to and returned is what the call made of it.
    written = {id(holder.tensor) for holder in returned}
    return [*(one for one in arguments if id(one.tensor) not in written), *returned]
