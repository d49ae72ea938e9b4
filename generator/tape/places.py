"""Tell in which module of a model each node of its graph was made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from generator.tape.walk import Node, walk_nodes

OUTSIDE = ""


@contextmanager
def placed_nodes(module: torch.nn.Module) -> Iterator[dict[Node, str]]:
    """Map, for forward passes made inside the block, each node to the module that made it.

    Modules go by their name inside `module` (`layers.0.linear1`); what `module` itself makes, and
    what was there before, is in `OUTSIDE`. A module entered twice has the nodes of both passes.
    """
    places: dict[Node, str] = {}
    within: list[str] = [OUTSIDE]

    def claim(values: Any) -> None:
        # Whatever lies behind these tensors and was made by no one yet is of the current module.
        for node in walk_nodes(_tensors(values), places):
            places[node] = within[-1]

    def enter(name: str) -> Any:
        def hook(_: torch.nn.Module, inputs: Any) -> None:
            claim(inputs)
            within.append(name)

        return hook

    def leave(_: torch.nn.Module, __: Any, outputs: Any) -> None:
        claim(outputs)
        within.pop()

    handles = []
    for name, inner in module.named_modules():
        handles.append(inner.register_forward_pre_hook(enter(name)))
        handles.append(inner.register_forward_hook(leave))
    try:
        yield places
    finally:
        for handle in handles:
            handle.remove()


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _tensors(item)]
    return []
