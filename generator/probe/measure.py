"""Make one call under one grad mask and describe what its graph keeps.

The result is a pair of plain values: a policy (node types, edges, attributes, roles) and a
measurement (shapes, dtypes, bytes), in the form that the catalogue's model defines.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from torch import Tensor

from generator.probe.calls import Call, Named, Run, printed
from generator.tape.hooks import packed_tensors
from generator.tape.roles import Holder, Roles
from generator.tape.saved import Saved, saved_values
from generator.tape.storages import distinct_storages, logical_bytes, storages, weigh_storages
from generator.tape.walk import Node, edges, is_leaf_node, type_name, walk_nodes

Json = dict[str, Any]


Sighting = tuple[Node, list[tuple[Saved, list[str]]]]


class Observed(NamedTuple):
    """One call's graph: its policy, its figures, and the live nodes with what they saved as what.

    The sightings include the leaves at the boundary, which are no part of the policy.
    """

    policy: list[Json]
    figures: Json
    nodes: list[Node]
    sightings: list[Sighting]
    run: Run

    @property
    def edges(self) -> list[list[Any]]:
        """Where the edges of each node lead: it may differ from mask to mask."""
        positions = {node: position for position, node in enumerate(self.nodes)}
        leaves = {id(named.tensor): named.name for named in self.run.arguments}
        return [list(edges(node, positions, self.run.boundary, leaves)) for node in self.nodes]

    @property
    def values(self) -> list[str]:
        """What was saved besides tensors, as it reads: it differs from call to call."""
        return [
            printed(saved.value)
            for _, values in self.sightings
            for saved, _ in values
            if saved.kind in ("sizes", "scalar", "unreadable")
        ]


class NotDifferentiableError(Exception):
    """No output of the call requires grad."""


def observe(call: Call, mask: Sequence[str]) -> Observed:
    """Make `call` under `mask` and read what its graph keeps.

    Raises NotDifferentiableError when no output requires grad, and whatever the call itself raises.
    """
    run = call.run(mask)
    nodes = call_nodes(run)
    if not any(output.requires_grad for output in run.outputs):
        raise NotDifferentiableError
    sightings = sight(nodes, Roles(holders(run)))
    return Observed(
        policy=[
            {
                "type": type_name(node),
                "saved": [[saved.attribute, saved.kind, roles] for saved, roles in values],
            }
            for node, values in sightings
        ],
        figures=_figures(run, sightings),
        nodes=nodes,
        sightings=sightings + [(leaf, []) for leaf in _leaves(nodes)],
        run=run,
    )


def sight(nodes: Iterable[Node], roles: Roles) -> list[Sighting]:
    """Read what each node saved, with the role of each saved tensor."""
    return [
        (
            node,
            [
                (saved, [roles.of(tensor) for tensor in saved.tensors])
                for saved in saved_values(node)
            ],
        )
        for node in nodes
    ]


def call_nodes(run: Run) -> list[Node]:
    """Return the nodes of a run's graph, from its outputs to its boundary."""
    return walk_nodes(run.outputs, run.boundary)


def holders(run: Run) -> list[Holder]:
    """Return the tensors of a run that live outside its graph, with the roles that they give.

    Arguments come first, unless the call wrote into one: then what it returned is that argument.
    """
    arguments = [Holder(f"{named.source} {named.name}", named.tensor) for named in run.arguments]
    outputs = [Holder(name, tensor) for name, tensor in named_outputs(run)]
    return outputs + arguments if run.wrote else arguments + outputs


def named_outputs(run: Run) -> list[tuple[str, Tensor]]:
    """Return the outputs by role: `output` when there is one, else `output 0` and so on."""
    if len(run.outputs) == 1:
        return [("output", run.outputs[0])]
    return [(f"output {position}", tensor) for position, tensor in enumerate(run.outputs)]


def two_ways(call: Call, mask: Sequence[str]) -> list[str]:
    """Compare, for one call, the storages that attributes hold with those that a hook sees.

    Returns what the sample counts as: `same`, `attributes_only` or `hooks_only`, and with the last
    of these `let_go` where all that a hook alone saw is gone when the call returns. A call where
    each way sees something that the other does not counts as `hooks_only`, the graver of the two.
    """
    with packed_tensors() as packed:
        run = call.run(mask)
    by_hook = distinct_storages(packed).keys()
    by_attribute = {
        identity
        for node in call_nodes(run)
        for saved in saved_values(node)
        for tensor in saved.tensors
        for identity in storages(tensor)
    }
    if by_hook - by_attribute:
        return ["hooks_only", "let_go"] if _let_go(packed, by_attribute) else ["hooks_only"]
    return ["attributes_only" if by_attribute - by_hook else "same"]


def _let_go(packed: list[Tensor], held: set[int]) -> bool:
    """Clear `packed`, and tell whether nobody else has the tensors of it whose memory isn't held.

    Nodes hold what they packed until backward frees it, or until they are freed themselves.
    """
    alone = [weakref.ref(tensor) for tensor in packed if storages(tensor).keys() - held]
    packed.clear()
    return all(tensor() is None for tensor in alone)


def argument(named: Named) -> Json:
    """Describe a tensor argument by shape, dtype and bytes."""
    return {"name": named.name, "source": named.source, **_facts(named.tensor)}


def arguments(call: Call) -> list[Json]:
    """Describe all arguments of a call, tensors first."""
    literals = [{"name": name, "literal": text} for name, text in call.literals]
    return [argument(named) for named in call.tensors] + literals


def outputs(run: Run) -> list[Json]:
    """Describe the output tensors of a run."""
    return [{"name": name, **_facts(tensor)} for name, tensor in named_outputs(run)]


def _facts(tensor: Tensor) -> Json:
    return {
        "shape": list(tensor.shape),
        "dtype": _name(tensor.dtype),
        "bytes": logical_bytes(tensor),
    }


@cache
def _name(constant: Any) -> str:
    return str(constant).replace("torch.", "")


def _leaves(nodes: list[Node]) -> list[Node]:
    behind = dict.fromkeys(behind for node in nodes for behind, _ in node.next_functions)
    return [node for node in behind if node is not None and is_leaf_node(node)]


def _figures(run: Run, sightings: list[Sighting]) -> Json:
    tensors = [tensor for _, values in sightings for saved, _ in values for tensor in saved.tensors]
    behind = [storages(tensor) for tensor in tensors]
    weights = [logical_bytes(tensor) for tensor in tensors]
    distinct = {identity: size for each in behind for identity, size in each.items()}
    order = {identity: place for place, identity in enumerate(distinct)}
    held = [named.tensor for named in run.arguments] + run.outputs
    return {
        "tensors": [
            [
                list(tensor.shape),
                _name(tensor.dtype),
                weight,
                min(map(order.__getitem__, identities)),
                _name(tensor.layout),
            ]
            for tensor, identities, weight in zip(tensors, behind, weights)
        ],
        **weigh_storages(sum(weights), distinct, held)._asdict(),
    }
