"""The nodes of backward itself, against gradients worked out by hand."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from generator.probe.calls import Run, sample_call
from generator.probe.double_backward import backward_graphs
from generator.tape.walk import type_name

Roles = dict[str, list[str]]


def run_of(op: Callable[[Tensor], Tensor]) -> Run:
    return sample_call(op, "", {"x": torch.full((3,), 0.5)}, {}, seed=0).run(["x"])


def graphs(op: Callable[[Tensor], Tensor]) -> list[list[tuple[str, Roles]]]:
    return [
        [
            (type_name(node), {s.attribute: roles for s, roles in values if roles})
            for node, values in g
        ]
        for g in backward_graphs(run_of(op))
    ]


def test_the_gradient_of_exp_is_a_product_with_its_output() -> None:
    first, second = graphs(torch.exp)
    assert first == [
        (
            "MulBackward0",
            {"_saved_self": ["incoming gradient"], "_saved_other": ["output"]},
        )
    ]
    # differentiating grad * exp(x) gives products and the exponential's product once more
    assert {name for name, _ in second} <= {"MulBackward0", "AddBackward0"}
    assert "MulBackward0" in {name for name, _ in second}


def test_the_gradient_of_sin_makes_a_cosine() -> None:
    first, second = graphs(torch.sin)
    assert [name for name, _ in first] == ["MulBackward0", "CosBackward0"]
    assert dict(first)["CosBackward0"] == {"_saved_self": ["input x"]}
    # and the cosine's own gradient a sine
    assert "SinBackward0" in {name for name, _ in second}


def test_no_node_is_told_twice() -> None:
    run = run_of(torch.tanh)
    nodes = [node for graph in backward_graphs(run) for node, _ in graph]
    assert len(set(nodes)) == len(nodes)
    assert run.outputs[0].grad_fn not in nodes


@pytest.mark.parametrize("op", [torch.sigmoid, torch.tanh, lambda x: x.softmax(0), torch.logsumexp])
def test_the_first_graph_is_what_create_graph_builds(op: Callable[..., Tensor]) -> None:
    def call(x: Tensor) -> Tensor:
        return op(x, 0) if op is torch.logsumexp else op(x)

    x = torch.full((3,), 0.5, requires_grad=True)
    y = call(x)
    incoming = torch.ones_like(y, requires_grad=True)
    (gradient,) = torch.autograd.grad(y, x, incoming, create_graph=True)
    found: list[object] = []
    waiting = [gradient.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in found or node is y.grad_fn:
            continue
        if type(node).__name__ != "AccumulateGrad":
            found.append(node)
            waiting += [following for following, _ in node.next_functions]
    first = graphs(call)[0]
    assert sorted(name for name, _ in first) == sorted(type(node).__name__ for node in found)


class Once(torch.autograd.Function):
    """Refuses to be differentiated twice."""

    @staticmethod
    def forward(_: object, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(_: object, gradient: Tensor) -> Tensor:
        return gradient * 2


def test_a_backward_that_cannot_be_differentiated_ends_the_graphs() -> None:
    def once(x: Tensor) -> Tensor:
        return Once.apply(x)  # type: ignore[no-untyped-call, no-any-return]

    assert len(backward_graphs(run_of(once))) <= 1


def test_a_linear_op_has_a_gradient_of_the_incoming_one_alone() -> None:
    (first, *_) = graphs(torch.neg)
    assert first == [("NegBackward0", {})]
