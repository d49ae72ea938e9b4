"""Differentiate a call's gradients once more, twice over, to meet the nodes of backward itself."""

from __future__ import annotations

import torch
from torch import Tensor

from generator.probe.calls import Run
from generator.probe.measure import Sighting, call_nodes, holders, sight
from generator.tape.roles import Holder, Roles
from generator.tape.walk import Node, walk_nodes

DEPTH = 2


def backward_graphs(run: Run) -> list[list[Sighting]]:
    """Return what the graphs that `create_graph=True` builds for the run saved, one per depth.

    Each holds only the nodes that no graph before it held. Ends early where a backward
    pass raises or no gradient requires grad.
    """
    graphs: list[list[Sighting]] = []
    known: set[Node] = set(call_nodes(run))
    held = holders(run)
    inputs = [named.tensor for named in run.arguments if named.tensor.requires_grad]
    outputs = [tensor for tensor in run.outputs if tensor.requires_grad]
    for _ in range(DEPTH):
        incoming, gradients = _gradients(outputs, inputs)
        if not gradients:
            break
        held = (
            held
            + [Holder("incoming gradient", tensor) for tensor in incoming]
            + [Holder("gradient", tensor) for tensor in gradients]
        )
        nodes = [node for node in walk_nodes(gradients, run.boundary) if node not in known]
        known.update(nodes)
        graphs.append(sight(nodes, Roles(held)))
        inputs, outputs = inputs + incoming, gradients
    return graphs


def _gradients(outputs: list[Tensor], inputs: list[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
    try:
        incoming = [torch.ones_like(output).requires_grad_() for output in outputs]
        gradients = torch.autograd.grad(
            outputs, inputs, incoming, create_graph=True, allow_unused=True
        )
    except (RuntimeError, NotImplementedError):
        # Not every formula can be differentiated: then there is no such graph.
        return [], []
    return incoming, [grad for grad in gradients if grad is not None and grad.grad_fn is not None]
