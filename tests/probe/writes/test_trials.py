"""Which calls have gradients that writes can be told by, and how far two gradients are apart."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as f
from torch import Tensor

from generator.probe.calls import sample_call
from generator.probe.writes.trials import masks_with_gradient, no_verdict, relative_error


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) + 0.25


class _Unwritten(torch.autograd.Function):
    """Doubles its input; its gradient is memory as the allocator gives it."""

    @staticmethod
    def forward(_ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def backward(_ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(grad)


def test_a_gradient_of_memory_as_it_comes_is_no_verdict() -> None:
    function: Callable[..., Any] = _Unwritten.apply
    call = sample_call(function, "call", {"x": numbers(300)}, {}, seed=0, written="anything")
    torch.zeros(300).add_(1)  # another content of that memory than litter
    assert no_verdict(call, ("x",)) == "the gradient differs from run to run without any write"
    steady = sample_call(torch.exp, "call", {"x": numbers(300)}, {}, seed=0, written="anything")
    assert no_verdict(steady, ("x",)) is None


def test_masks_under_which_nothing_has_a_gradient_are_left_out() -> None:
    call = sample_call(
        torch.heaviside, "call", {"a": numbers(3), "b": numbers(3)}, {}, seed=0, written="anything"
    )
    assert masks_with_gradient(call, [("a",), ()]) == [("a",)]
    # soft_margin_loss refuses a target that requires grad
    arguments = {"x": numbers(3), "target": torch.ones(3)}
    call = sample_call(f.soft_margin_loss, "call", arguments, {}, seed=0, written="anything")
    assert masks_with_gradient(call, [("x",), ("target",)]) == [("x",)]


def test_masks_whose_gradient_is_nowhere_finite_are_left_out() -> None:
    """The derivative of (-1) ** x by x is that power times log(-1), which is not a number."""
    arguments = {"input": -torch.ones(3), "exponent": torch.full((3,), 2.0)}
    call = sample_call(torch.pow, "call", arguments, {}, seed=0, written="anything")
    masks = [("input", "exponent"), ("input",), ("exponent",)]
    assert masks_with_gradient(call, masks) == [("input",)]


@pytest.mark.parametrize(
    ("got", "right", "expected"),
    [
        ([2.0, 4.0], [2.0, 4.0], 0),
        ([2.0, 5.0], [2.0, 4.0], 0.25),
        ([1.0, 0.0], [0.0, 0.0], 1),
        ([float("nan"), 1.0], [float("nan"), 1.0], 0),
        ([float("nan"), 1.0], [0.0, 1.0], None),
        ([float("inf")], [torch.finfo(torch.float32).max], None),
        (None, None, 0),
        (None, [1.0], None),
    ],
)
def test_a_relative_error_is_of_the_largest_gradient(
    got: list[float] | None, right: list[float] | None, expected: float | None
) -> None:
    one = None if got is None else torch.tensor(got)
    other = None if right is None else torch.tensor(right)
    assert relative_error([one], [other]) == expected
