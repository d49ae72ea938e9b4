"""Run a recipe once and read what the node that it is for saved, as what."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
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
from generator.tape.saved import Saved, saved_attributes, saved_values
from generator.tape.storages import distinct_storages, storages
from generator.tape.walk import Node, is_leaf_node, type_name, walk_nodes

Json = dict[str, Any]


class Live(NamedTuple):
    """A node that a recipe made: what it saved as what.

    `packed` has the roles of the tensors that hooks alone show, for a type without attributes: all
    that they saw for one outside the registry. It is None where attributes show everything.
    """

    node: Node
    values: list[tuple[Saved, list[str]]]
    packed: list[str] | None


class OtherNodesError(Exception):
    """The recipe made no node of the type; the message lists those that it made, if any."""


def run_recipe(name: str, program: str, stubbed: bool) -> Live:
    """Run a recipe for the node type `name`, over a stub or not.

    Raises ProgramError, or OtherNodesError when no node of its graph is of the type.
    """
    text = f"import torch\n{STUB if stubbed else ''}\n{program}"
    namespace = new_namespace()
    seed_generators(0)
    hooked = not stubbed and WITHOUT_HOOKS is None and _is_silent(name)
    hooks: AbstractContextManager[list[Tensor]] = packed_tensors() if hooked else nullcontext([])
    with preserved_dispatch_keys(), hooks as packed:
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
    registered = name in node_types()
    hidden = _hidden(packed, nodes) if registered else packed
    shown = not hooked or (registered and not hidden)
    return Live(found[0], values, None if shown else [roles.of(tensor) for tensor in hidden])


def recipe_fields(name: str, program: str, live: Live, stubbed: bool) -> Json:
    """Return the recipe with what its evidence printed. Raises ProgramError."""
    # As pages choose it.
    template = STUBBED if stubbed else RECIPE if live.packed is None else PACKED
    filled = {"recipe": program, "indented": indent(program, "    "), "type": name}
    text = Template(TEMPLATES[template]).substitute(filled)
    with preserved_dispatch_keys():
        return {"program": program, "printed": run_block(text, new_namespace())}


def _is_silent(name: str) -> bool:
    """Tell whether a type shows what it keeps to hooks alone."""
    registered = node_types().get(name)
    return registered is None or not saved_attributes(registered)


def _hidden(packed: list[Tensor], nodes: list[Node]) -> list[Tensor]:
    """Return the packed tensors whose memory no attribute of the graph's nodes holds.

    None of them where some layout hides its memory, as MKL-DNN's does: they cannot be told apart.
    """
    shown = [tensor for node in nodes for saved in saved_values(node) for tensor in saved.tensors]
    try:
        held = distinct_storages(shown).keys()
        return [tensor for tensor in packed if storages(tensor).keys() - held]
    except NotImplementedError:
        return []


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
