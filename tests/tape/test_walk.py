"""Walks of live graphs: which nodes there are, where the walk ends and where edges lead."""

from typing import Any

import pytest
import torch
from torch import Tensor

from generator.tape.walk import boundary_of, edges, is_leaf_node, type_name, walk_nodes


@pytest.fixture
def x() -> Tensor:
    return torch.full((3, 4), 0.5, requires_grad=True)


def types(*outputs: Tensor, stop: dict[Any, str] | None = None) -> list[str]:
    return [type_name(node) for node in walk_nodes(outputs, stop)]


def every_node(node: Any, found: set[Any]) -> set[Any]:
    """Collect all nodes by plain recursion, leaves included."""
    if node is not None and node not in found:
        found.add(node)
        for following, _ in node.next_functions:
            every_node(following, found)
    return found


def test_a_leaf_and_a_tensor_without_history_have_no_nodes(x: Tensor) -> None:
    assert walk_nodes([x, torch.ones(2)]) == []


def test_a_single_op_is_its_grad_fn(x: Tensor) -> None:
    y = x.exp()
    assert walk_nodes([y]) == [y.grad_fn]


def test_nodes_come_from_the_outputs_to_the_inputs(x: Tensor) -> None:
    assert types(x.exp().sin()) == ["SinBackward0", "ExpBackward0"]


def test_a_diamond_is_walked_once_and_breadth_first(x: Tensor) -> None:
    shared = x.exp()
    y = shared.sin() + shared.cos()
    assert types(y) == ["AddBackward0", "SinBackward0", "CosBackward0", "ExpBackward0"]


def test_nested_diamonds_are_walked_in_time_linear_in_nodes(x: Tensor) -> None:
    y = x.exp()
    for _ in range(40):  # 2 to the 40 paths lead through these
        y = y * y
    assert types(y) == ["MulBackward0"] * 40 + ["ExpBackward0"]


def test_a_walk_finds_what_recursion_finds(x: Tensor) -> None:
    weight = torch.ones(4, 4, requires_grad=True)
    y = torch.nn.functional.layer_norm(x @ weight, (4,)).softmax(-1).var()
    everything = every_node(y.grad_fn, set())
    leaves = {node for node in everything if type(node).__name__ == "AccumulateGrad"}
    assert len(leaves) == 2
    walked = walk_nodes([y])
    assert set(walked) == everything - leaves
    assert len(walked) == len(set(walked))
    assert {node for node in everything if is_leaf_node(node)} == leaves


def test_outputs_of_one_call_share_their_node() -> None:
    matrix = torch.eye(3, requires_grad=True)
    values, vectors = torch.linalg.eigh(matrix)
    assert types(values, vectors) == ["LinalgEighBackward0"]


def test_an_output_without_history_adds_nothing(x: Tensor) -> None:
    values, indices = x.sort()
    assert indices.grad_fn is None
    assert types(indices, values) == ["SortBackward0"]


def test_parts_of_a_multi_output_view_share_their_node(x: Tensor) -> None:
    parts = x.unbind()
    assert len(parts) == 3
    assert types(*parts) == ["UnbindBackward0"]


def test_a_view_is_walked_to_its_base(x: Tensor) -> None:
    assert types(x.exp()[0].t()) == ["TBackward0", "SelectBackward0", "ExpBackward0"]


def test_an_in_place_op_stacks_its_node_on_the_former_one(x: Tensor) -> None:
    y = x * 2
    y.add_(1)
    assert types(y) == ["AddBackward0", "MulBackward0"]


def test_a_write_through_a_view_puts_copy_slices_before_the_bases_history(x: Tensor) -> None:
    base = x * 2
    view = base[0]
    view.mul_(3)
    assert types(base) == ["CopySlices", "MulBackward0"]
    assert types(view)[1:] == ["CopySlices", "MulBackward0"]


def test_the_boundary_is_where_an_arguments_history_begins(x: Tensor) -> None:
    given = x.exp()
    boundary = boundary_of([("given", given), ("x", x)])
    assert boundary == {given.grad_fn: "given"}
    assert types(given.sin(), stop=boundary) == ["SinBackward0"]
    assert types(given.sin()) == ["SinBackward0", "ExpBackward0"]


def test_an_argument_that_is_the_history_of_another_ends_the_walk_too(x: Tensor) -> None:
    first = x.exp()
    second = first.sin()
    boundary = boundary_of([("first", first), ("second", second)])
    assert types(first * second, stop=boundary) == ["MulBackward0"]


def test_an_argument_returned_as_it_is_has_no_nodes_of_the_call(x: Tensor) -> None:
    given = x.exp()
    assert walk_nodes([given], boundary_of([("given", given)])) == []


def test_two_arguments_of_one_history_go_by_the_first_name(x: Tensor) -> None:
    given = x.exp()
    assert boundary_of([("one", given), ("other", given)]) == {given.grad_fn: "one"}


def test_edges_lead_to_positions_names_leaves_or_nowhere(x: Tensor) -> None:
    given = x.exp()
    stranger = torch.ones(3, 4, requires_grad=True)
    constant = torch.ones(3, 4)
    boundary = boundary_of([("given", given), ("x", x)])
    y = torch.addcmul(x.sin() * stranger, given, constant)
    nodes = walk_nodes([y], boundary)
    positions = {node: place for place, node in enumerate(nodes)}
    assert [type_name(node) for node in nodes] == [
        "AddcmulBackward0",
        "MulBackward0",
        "SinBackward0",
    ]
    assert [edges(node, positions, boundary, {id(x): "x"}) for node in nodes] == [
        (1, "given", None),
        (2, "leaf"),
        ("x",),
    ]


def test_names_of_types_are_those_of_their_classes(x: Tensor) -> None:
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(_: Any, tensor: Tensor) -> Tensor:
            return tensor * 2

    (listed,) = torch._foreach_exp([x])
    assert type(listed.grad_fn).__name__ == "CppFunction"
    assert type_name(listed.grad_fn) == "ForeachExpBackward0"
    twice = Twice.apply(x)  # type: ignore[no-untyped-call]
    assert type_name(twice.grad_fn) == "TwiceBackward"
    assert types(x.log_softmax(-1)) == ["LogSoftmaxBackward0"]


class Named(torch.autograd.Function):
    """Puts on `ctx` what the node of a leaf has."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor) -> Tensor:
        ctx.variable = tensor
        return tensor * 2


def test_a_custom_function_is_no_leaf_whatever_its_author_called_things(x: Tensor) -> None:
    output = Named.apply(x.exp())  # type: ignore[no-untyped-call]
    assert not is_leaf_node(output.grad_fn)
    assert types(output) == ["NamedBackward", "ExpBackward0"]
