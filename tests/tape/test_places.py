"""Nodes are found in the module that made them, whatever the modules call in between."""

import torch
from torch import Tensor, nn

from generator.tape.places import OUTSIDE, placed_nodes
from generator.tape.walk import type_name


class Model(nn.Module):
    """Does something itself before, between and after two modules."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.rest = nn.Sequential(nn.Linear(4, 4), nn.Tanh())

    def forward(self, x: Tensor) -> Tensor:
        return torch.exp(self.rest(torch.sin(self.first(torch.cos(x)))))


def test_each_node_is_placed_where_it_was_made() -> None:
    with placed_nodes(model := Model()) as places:
        model(torch.randn(2, 4, requires_grad=True))
    found = {(type_name(node), place) for node, place in places.items()}
    assert {
        ("CosBackward0", OUTSIDE),
        ("AddmmBackward0", "first"),
        ("SinBackward0", OUTSIDE),
        ("AddmmBackward0", "rest.0"),
        ("TanhBackward0", "rest.1"),
        ("ExpBackward0", OUTSIDE),
    } <= found


def test_history_before_the_model_is_outside() -> None:
    before = torch.randn(2, 4, requires_grad=True).sigmoid()
    with placed_nodes(model := Model()) as places:
        model(before)
    assert places[before.grad_fn] == OUTSIDE


def test_a_module_that_is_entered_twice_has_the_nodes_of_both() -> None:
    with placed_nodes(model := nn.Sequential(layer := nn.Linear(4, 4), layer)) as places:
        model(torch.randn(2, 4))
    assert [place for node, place in places.items() if type_name(node) == "AddmmBackward0"] == [
        "0",
        "0",
    ]


def test_the_hooks_are_gone_afterwards() -> None:
    with placed_nodes(model := Model()):
        pass
    assert not model._forward_hooks
    assert not model.first._forward_pre_hooks
