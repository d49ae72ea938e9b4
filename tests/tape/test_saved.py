"""Saved values by kind: what live nodes hold, and what stands for a Python number."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from generator.tape.saved import Saved, is_wrapped_number, saved_attributes, saved_values


@pytest.fixture
def x() -> Tensor:
    return torch.full((3, 4), 0.5, requires_grad=True)


def saved(output: Tensor) -> dict[str, Saved]:
    values = saved_values(output.grad_fn)
    assert [value.attribute for value in values] == sorted(value.attribute for value in values)
    return {value.attribute: value for value in values}


def test_a_tensor(x: Tensor) -> None:
    y = x.exp()
    (value,) = saved_values(y.grad_fn)
    assert (value.attribute, value.kind, value.value) == ("_saved_result", "tensor", None)
    (tensor,) = value.tensors
    assert tensor.data_ptr() == y.data_ptr()


def test_a_list_of_tensors_leaves_none_out(x: Tensor) -> None:
    columns = torch.tensor([0, 2])
    y = x[:, columns]
    assert y.grad_fn is not None
    assert y.grad_fn._saved_indices[0] is None  # type: ignore[attr-defined]
    value = saved(y)["_saved_indices"]
    assert value.kind == "tensor list"
    assert [tensor.tolist() for tensor in value.tensors] == [[0, 2]]


def test_sizes_are_plain_tuples(x: Tensor) -> None:
    assert saved(x.expand(2, 3, 4)) == {
        "_saved_self_sym_sizes": Saved("_saved_self_sym_sizes", "sizes", value=(3, 4))
    }


def test_a_negative_dim_reads_as_it_was_given(x: Tensor) -> None:
    softmax, total = x.softmax(-1), x.sum((0, -1))
    assert softmax.grad_fn is not None
    assert softmax.grad_fn._saved_dim == 2**64 - 1  # type: ignore[attr-defined]
    assert saved(softmax)["_saved_dim"] == Saved("_saved_dim", "scalar", value=-1)
    assert saved(total)["_saved_dim"] == Saved("_saved_dim", "sizes", value=(0, -1))


@pytest.mark.parametrize(
    ("op", "attribute", "value"),
    [
        (lambda x: x.pow(3), "_saved_exponent", 3),
        (lambda x: x.pow(0.25), "_saved_exponent", 0.25),
        (lambda x: x.sum(0, keepdim=True), "_saved_keepdim", True),
        (lambda x: functional.gelu(x, approximate="tanh"), "_saved_approximate", "tanh"),
        (lambda x: x.diagonal(-2), "_saved_offset", -2),
    ],
    ids=["int", "float", "bool", "str", "negative int"],
)
def test_a_scalar_keeps_value_and_type(
    op: Callable[[Tensor], Tensor], attribute: str, value: Any, x: Tensor
) -> None:
    read = saved(op(x))[attribute]
    assert read == Saved(attribute, "scalar", value=value)
    assert type(read.value) is type(value)


def test_none_is_a_kind_of_its_own(x: Tensor) -> None:
    values = saved(functional.layer_norm(x, (4,)))
    assert values["_saved_weight"] == Saved("_saved_weight", "none")
    assert values["_saved_normalized_shape"].value == (4,)
    assert saved(x.clamp(min=0.0))["_saved_max"] == Saved("_saved_max", "none")


def test_a_node_without_saved_values(x: Tensor) -> None:
    assert saved_values(x.neg().grad_fn) == []


def test_freed_tensors_are_unreadable_and_say_why(x: Tensor) -> None:
    y = x.exp()
    torch.autograd.backward(y.sum())
    (value,) = saved_values(y.grad_fn)
    assert (value.attribute, value.kind, value.tensors) == ("_saved_result", "unreadable", ())
    assert value.value.startswith("Trying to backward through the graph a second time")
    assert "\n" not in value.value


def test_an_overwritten_tensor_is_unreadable_and_names_the_write(x: Tensor) -> None:
    y = x.exp()
    node = y.grad_fn
    y.add_(1)
    (value,) = saved_values(node)
    assert value.kind == "unreadable"
    assert "modified by an inplace operation" in value.value


class Product(torch.autograd.Function):
    """Saves its two arguments and, between them, nothing; keeps a third tensor on `ctx`."""

    @staticmethod
    def forward(ctx: Any, one: Tensor, other: Tensor) -> Tensor:
        ctx.save_for_backward(one, None, other)
        ctx.beside = torch.ones(1)
        return one * other

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        one, _, other = ctx.saved_tensors
        return gradient * other, gradient * one


def test_a_custom_function_has_its_saved_tensors_alone(x: Tensor) -> None:
    other = torch.ones(3, 4)
    output = Product.apply(x, other)  # type: ignore[no-untyped-call]
    (value,) = saved_values(output.grad_fn)
    assert (value.attribute, value.kind) == ("saved_tensors", "tensor list")
    assert [tensor.data_ptr() for tensor in value.tensors] == [x.data_ptr(), other.data_ptr()]


class Keepless(torch.autograd.Function):
    """Saves nothing, or nothing but None."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, none: bool) -> Tensor:
        if none:
            ctx.save_for_backward(None)
        return x * 2


@pytest.mark.parametrize("none", [False, True])
def test_a_custom_function_without_tensors_has_an_empty_list(none: bool, x: Tensor) -> None:
    output = Keepless.apply(x, none)  # type: ignore[no-untyped-call]
    assert saved_values(output.grad_fn) == [Saved("saved_tensors", "tensor list")]


def test_attributes_are_those_of_the_class() -> None:
    types = vars(torch._C._functions)
    assert saved_attributes(types["ExpBackward0"]) == ("_saved_result",)
    assert saved_attributes(types["MulBackward0"]) == ("_saved_other", "_saved_self")
    assert saved_attributes(types["NegBackward0"]) == ()


@pytest.mark.parametrize("number", [2, 2.5, 2j], ids=["int", "float", "complex"])
def test_a_python_number_is_told_from_a_real_tensor(number: complex, x: Tensor) -> None:
    real = torch.tensor(number, dtype=torch.tensor(number).dtype)
    wrapped = saved(x * number)["_saved_other"].tensors[0]
    given = saved(x * real)["_saved_other"].tensors[0]
    assert wrapped.dim() == given.dim() == 0
    assert is_wrapped_number(wrapped)
    assert not is_wrapped_number(given)


@pytest.mark.parametrize(
    "real",
    [
        torch.tensor(2),
        torch.tensor(2, dtype=torch.int8),
        torch.tensor(2.0, dtype=torch.float64),
        torch.tensor(2.0, dtype=torch.float16),
        torch.tensor(2j, dtype=torch.complex128),
        torch.tensor(True),  # noqa: FBT003 - the value of a tensor
        torch.tensor([2.0], dtype=torch.float64),
    ],
    ids=lambda tensor: f"{tensor.dtype}-{tensor.dim()}",
)
def test_real_tensors_are_no_numbers(real: Tensor) -> None:
    assert not is_wrapped_number(real)
