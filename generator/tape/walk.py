"""Walk a graph from the outputs of a call to the call's own boundary.

The boundary is where the history of the call's arguments begins: the `grad_fn` of an argument
that has one, and the `AccumulateGrad` node of a leaf.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

from torch import Tensor

Node = Any  # torch.autograd.graph.Node is a name of 2.0 and later only
Edge = Union[int, str, None]


def boundary_of(arguments: Iterable[tuple[str, Tensor]]) -> dict[Node, str]:
    """Map the node at which each argument's history begins to that argument's name.

    Leaves are left out: they are found by the variable of their `AccumulateGrad` node.
    """
    boundary: dict[Node, str] = {}
    for name, tensor in arguments:
        if tensor.grad_fn is not None:
            boundary.setdefault(tensor.grad_fn, name)
    return boundary


def walk_nodes(outputs: Iterable[Tensor], boundary: dict[Node, str] | None = None) -> list[Node]:
    """Return the nodes of the graph behind `outputs`, breadth first, boundary nodes left out.

    Leaves' `AccumulateGrad` nodes are boundary nodes whether or not they are listed.
    """
    stop = boundary or {}
    nodes: list[Node] = []
    seen = set()
    waiting = [output.grad_fn for output in outputs]
    while waiting:
        following: list[Node] = []
        for node in waiting:
            if node is None or node in seen or node in stop or is_leaf_node(node):
                continue
            seen.add(node)
            nodes.append(node)
            following.extend(next_node for next_node, _ in node.next_functions)
        waiting = following
    return nodes


def edges(
    node: Node,
    positions: dict[Node, int],
    boundary: dict[Node, str],
    leaves: dict[int, str],
) -> tuple[Edge, ...]:
    """Return where each edge of `node` leads.

    That is a position for a node of the same walk, an argument's name at the boundary (`leaves`
    maps the `id` of leaf arguments to names), `leaf` for a leaf that is no argument, or None.
    """
    return tuple(
        _edge(next_node, positions, boundary, leaves) for next_node, _ in node.next_functions
    )


def type_name(node: Node) -> str:
    """Return the name of a node's type.

    It is the class's own name (`CopySlices`, where `name()` adds a C++ namespace), except that
    all types without a class of their own share `CppFunction`: these go by `name()`.
    """
    name = type(node).__name__
    return str(node.name()) if name == "CppFunction" else name


def is_leaf_node(node: Node) -> bool:
    """Tell whether `node` is where a leaf accumulates its gradient."""
    return type(node).__name__ == "AccumulateGrad"


def _edge(
    node: Node, positions: dict[Node, int], boundary: dict[Node, str], leaves: dict[int, str]
) -> Edge:
    if node is None:
        return None
    if node in positions:
        return positions[node]
    if is_leaf_node(node):
        return leaves.get(id(node.variable), "leaf")
    return boundary[node]
