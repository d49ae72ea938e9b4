"""Repeatable calls: fresh arguments each time, the mask that was asked for, the same seed."""

import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from generator.probe.calls import (
    Call,
    Named,
    differentiable,
    named_tensors,
    printed,
    sample_call,
    tensors_in,
)


def call_of(function: Callable[..., Any], **arguments: Any) -> Call:
    return sample_call(function, "the call", arguments, {}, seed=7)


def test_the_mask_says_which_arguments_require_grad() -> None:
    x, y = torch.ones(2), torch.ones(2)
    call = call_of(torch.mul, x=x, y=y)
    for mask in (["x"], ["y"], ["x", "y"], []):
        run = call.run(mask)
        assert [named.name for named in run.arguments] == ["x", "y"]
        assert [n.name for n in run.arguments if n.tensor.requires_grad] == mask
        (output,) = run.outputs
        assert output.requires_grad == bool(mask)
    assert not x.requires_grad
    assert not y.requires_grad


def test_each_run_has_tensors_of_its_own_with_the_same_values() -> None:
    x = torch.randn(3, requires_grad=True)
    call = call_of(torch.exp, x=x)
    first, second = call.run(["x"]), call.run(["x"])
    tensors = [x, first.arguments[0].tensor, second.arguments[0].tensor]
    assert len({id(tensor) for tensor in tensors}) == 3
    assert all(torch.equal(tensor, x) for tensor in tensors)
    torch.autograd.backward(first.outputs[0].sum())
    assert tensors[1].grad is not None
    assert tensors[2].grad is None
    assert x.grad is None


def test_one_tensor_given_twice_is_one_argument() -> None:
    x = torch.ones(2)
    met: list[bool] = []

    def product(one: Tensor, other: Tensor) -> Tensor:
        met.append(one is other)
        return one * other

    call = call_of(product, x=x, y=x)
    assert [named.name for named in call.tensors] == ["x"]
    run = call.run(["x"])
    assert met == [True]
    node: Any = run.outputs[0].grad_fn
    (leaf,) = {following for following, _ in node.next_functions}
    assert leaf.variable is run.arguments[0].tensor


def test_the_same_call_draws_the_same_numbers() -> None:
    x = torch.ones(1000)
    call = call_of(functional.dropout, x=x)
    first, again = (call.run(["x"]).outputs[0] for _ in range(2))
    torch.manual_seed(7)
    assert torch.equal(first, again)
    assert torch.equal(first, functional.dropout(x))
    other = call._replace(seed=8).run(["x"]).outputs[0]
    assert not torch.equal(first, other)


def test_tensors_in_a_list_are_named_by_their_place() -> None:
    tensors = [torch.ones(1), torch.ones(2)]
    call = call_of(torch.cat, tensors=tensors, dim=0)
    assert [named.name for named in call.tensors] == ["tensors[0]", "tensors[1]"]
    assert call.literals == [("dim", "0")]
    run = call.run(["tensors[1]"])
    assert [named.tensor.requires_grad for named in run.arguments] == [False, True]
    assert run.outputs[0].shape == (3,)


def test_nested_values_keep_their_types() -> None:
    pair = namedtuple("pair", ["left", "right"])  # noqa: PYI024 - one without types is meant
    given: list[Any] = []

    def take(*values: Any) -> Tensor:
        given.extend(values)
        return torch.ones(1)

    x, y = torch.ones(1), torch.ones(1)
    nested = [x, (y, "text"), pair(x, 3)]
    assert [name for name, _ in named_tensors("a", nested)] == ["a[0]", "a[1][0]", "a[2][0]"]
    call_of(take, a=nested, b=2).run([])
    (a, b) = given
    assert [type(item) for item in a] == [Tensor, tuple, pair]
    assert (a[1][1], a[2].right, b) == ("text", 3, 2)
    assert a[2].left is a[0]
    assert a[0] is not x


def test_an_in_place_call_writes_into_a_clone() -> None:
    x = torch.full((2,), 0.5)
    call = sample_call(torch.Tensor.exp_, "", {"x": x}, {}, seed=0, written="first")
    run = call.run(["x"])
    assert run.wrote
    assert x.tolist() == [0.5, 0.5]
    assert run.outputs[0] is run.arguments[0].tensor
    assert type(run.outputs[0].grad_fn).__name__ == "ExpBackward0"
    # read before the call, the boundary is the clone's node, not the one that the op gave it
    assert [(type(n).__name__, name) for n, name in run.boundary.items()] == [
        ("CloneBackward0", "x")
    ]


def test_arguments_that_will_be_written_into_are_all_clones() -> None:
    x, y = torch.ones(2), torch.ones(2)
    call = sample_call(torch.mul, "", {"x": x, "y": y}, {}, seed=0, written="anything")
    run = call.run(["x", "y"])
    with torch.no_grad():
        for named in run.arguments:
            assert not named.tensor.is_leaf
            named.tensor.zero_()
    assert (x.tolist(), y.tolist()) == ([1, 1], [1, 1])
    assert list(run.boundary.values()) == ["x", "y"]


def test_a_call_that_writes_nothing_says_so() -> None:
    assert not call_of(torch.exp, x=torch.ones(2)).run(["x"]).wrote


def test_outputs_are_the_tensors_of_whatever_is_returned() -> None:
    x, y, z = torch.ones(1), torch.ones(2), torch.ones(3)
    assert tensors_in({"a": x, "b": [y, (z, None, 3)]}) == [x, y, z]
    assert tensors_in("text") == []
    assert len(call_of(torch.sort, x=x).run(["x"]).outputs) == 2


@pytest.mark.parametrize(
    ("dtype", "source", "able"),
    [
        (torch.float16, "input", True),
        (torch.complex64, "parameter", True),
        (torch.int64, "input", False),
        (torch.bool, "input", False),
        (torch.float32, "buffer", False),
    ],
)
def test_what_can_require_grad(dtype: torch.dtype, source: str, able: bool) -> None:
    assert differentiable(Named("x", source, torch.ones(1, dtype=dtype))) == able


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1, 2.5), "(1, 2.5)"),
        ((3,), "(3,)"),
        ([True, None, "s"], "[True, None, 's']"),
        ({"a": [1]}, "{'a': [1]}"),
        (-math.inf, "float('-inf')"),
        (torch.float64, "torch.float64"),
        (slice(1, None), "slice(1, None, None)"),
        (torch.zeros(2, 3, dtype=torch.int8), "int8[2, 3]"),
        (torch.exp, "exp"),
        (object(), "object"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_values_are_printed_without_addresses(value: Any, text: str) -> None:
    assert printed(value).endswith(text)
    assert "0x" not in printed(value)
