"""Outputs read after a write to live calls, against the maths and against torch called by hand."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from generator.probe.calls import sample_call
from generator.probe.masks import op_masks
from generator.probe.writes.reads import read_verdicts

Json = dict[str, Any]

RIGHT = ["correct", "correct", "runs", "runs"]
NOTICED = ["raises", "raises", "raises", "runs"]
REFUSED = ["read raises", "read raises", "read raises", "runs"]
VIEWS_ALONE = ["not read", "not read", "read raises", "runs"]

HIDDEN = ["raises", "not read", "runs", "not read"]

ONE_BY_ONE: dict[str, Callable[[Tensor], Any]] = {
    "view": lambda x: x.view(-1),
    "transpose": lambda x: x.transpose(0, 1),
    "tensor_split": lambda x: x.tensor_split(2),
    "hsplit": lambda x: x.hsplit(2),
    "expand": lambda x: x.expand(2, 4, 4),
    "indexing": lambda x: x[1:],
}
SEVERAL: dict[str, Callable[[Tensor], Any]] = {
    "split": lambda x: x.split(2),
    "chunk": lambda x: x.chunk(2),
    "split_with_sizes": lambda x: x.split_with_sizes([1, 3]),
    "unbind": lambda x: x.unbind(),
}
UNSAFE: dict[str, Callable[[Tensor], Any]] = {
    "unsafe_split": lambda x: x.unsafe_split(2),
    "unsafe_chunk": lambda x: x.unsafe_chunk(2),
    "unsafe_split_with_sizes": lambda x: x.unsafe_split_with_sizes([1, 3]),
}


def numbers(*shape: int) -> Tensor:
    return torch.rand(*shape, generator=torch.Generator().manual_seed(0)) + 0.25


def read(function: Callable[..., Any], *, saved: str | None = None, **arguments: Any) -> Json:
    call = sample_call(function, "call", arguments, {}, seed=0, written="anything")
    masks = op_masks(call)[:1]
    return {
        one["target"]: one for one in read_verdicts(call, masks, {(saved, 0)} if saved else set())
    }


def ends(found: Json) -> dict[str, list[str]]:
    return {target: one["ended"] for target, one in found.items()}


def by_hand(function: Callable[[Tensor], Any], base: Tensor) -> tuple[tuple[Tensor, ...], Tensor]:
    """Return the outputs and what they were made from, which is no leaf."""
    inner = base.clone()
    made = function(inner)
    return (made if isinstance(made, tuple | list) else (made,)), inner


@pytest.mark.parametrize("function", ONE_BY_ONE.values(), ids=ONE_BY_ONE.keys())
def test_views_made_one_by_one_can_be_read_after_a_write_to_their_base(
    function: Callable[[Tensor], Any],
) -> None:
    assert ends(read(function, x=numbers(4, 4)))["input x"] == RIGHT
    leaf = numbers(4, 4).requires_grad_()
    outputs, inner = by_hand(function, leaf)
    inner.mul_(3)  # the maths: each view is of 3x
    sum(one.sum() for one in outputs).backward()
    plain = numbers(4, 4).requires_grad_()
    sum(one.sum() for one in by_hand(function, plain * 3)[0]).backward()
    assert leaf.grad is not None
    assert plain.grad is not None
    assert torch.equal(leaf.grad, plain.grad)


@pytest.mark.parametrize("function", SEVERAL.values(), ids=SEVERAL.keys())
def test_several_views_of_one_op_cannot_be_read_after_it(
    function: Callable[[Tensor], Any],
) -> None:
    found = read(function, x=numbers(4, 4))
    assert found["input x"]["ended"] == REFUSED
    assert found["output 1"]["ended"] == VIEWS_ALONE
    outputs, inner = by_hand(function, numbers(4, 4).requires_grad_())
    inner.mul_(3)
    with pytest.raises(RuntimeError) as caught:
        outputs[0].sum()
    said = f"RuntimeError: {caught.value}".splitlines()[0]
    assert found["input x"]["message"] == said
    assert "Output 0 of" in said


@pytest.mark.parametrize("function", UNSAFE.values(), ids=UNSAFE.keys())
def test_unsafe_splits_give_the_gradient_of_what_is_no_longer_there(
    function: Callable[[Tensor], Any],
) -> None:
    found = read(function, x=numbers(4, 4))
    assert found["input x"]["ended"] == ["silently wrong", "silently wrong", "runs", "runs"]
    assert found["input x"]["relative_error"] > 0
    assert found["output 0"]["ended"] == RIGHT
    leaf = numbers(4, 4).requires_grad_()
    outputs, inner = by_hand(function, leaf)
    inner.mul_(3)
    total = sum(one.sum() for one in outputs)
    assert torch.allclose(torch.as_tensor(total), 3 * numbers(4, 4).sum())
    torch.as_tensor(total).backward()
    assert leaf.grad is not None
    assert torch.equal(leaf.grad, torch.ones(4, 4))  # where the sum of 3x has threes


def test_what_an_op_makes_anew_is_not_reached_by_a_write_to_its_input() -> None:
    assert ends(read(torch.relu, saved="output", x=numbers(4))) == {"output": NOTICED}
    assert ends(read(torch.exp, saved="output", x=numbers(4))) == {"output": NOTICED}
    assert ends(read(torch.sin, saved="input x", x=numbers(4))) == {"output": RIGHT}
    assert ends(read(lambda x: x.split(2)[0] * 2, x=numbers(4))) == {"output": RIGHT}


def test_only_what_is_overwritten_passes_no_gradient_on() -> None:
    found = read(lambda x: (x[:2], x * 2), x=numbers(4))
    assert ends(found) == {"input x": RIGHT, "output 0": RIGHT, "output 1": RIGHT}


def test_a_gradient_that_the_write_should_have_stopped_is_wrong_by_what_it_lets_pass() -> None:
    found = read(lambda x: x.unsafe_split(2)[0], x=numbers(4))
    # What is right is zero everywhere, so that the error is the incoming gradient itself.
    torch.default_generator.manual_seed(0)
    error = torch.randn(2).abs().max().item()
    assert found["input x"]["relative_error"] == float(f"{error:.3g}")


def test_a_view_of_another_type_is_reached_where_its_bytes_are() -> None:
    pairs = torch.view_as_real(torch.complex(numbers(4), numbers(4)))
    found = ends(read(lambda x: torch.view_as_complex(x).unsafe_split(2), x=pairs))
    assert found["input x"][:2] == ["silently wrong", "silently wrong"]
    assert ends(read(torch.view_as_complex, x=pairs)) == {"input x": RIGHT, "output": RIGHT}


def test_elements_without_a_place_of_their_own_are_not_judged() -> None:
    found = read(lambda x: x * 2, x=torch.eye(3).to_sparse())["output"]
    assert found["ended"] == HIDDEN
    leaf = torch.eye(3).to_sparse().requires_grad_()
    output = leaf * 2
    output.copy_(torch.eye(3).to_sparse())
    with pytest.raises(RuntimeError) as caught:
        torch.autograd.grad(output.clone(), leaf, torch.eye(3).to_sparse())
    assert found["message"] == f"RuntimeError: {caught.value}".splitlines()[0]


def test_masks_that_end_alike_share_an_entry() -> None:
    call = sample_call(
        lambda a, b: (a.view(-1), b.view(-1)),
        "call",
        {"a": numbers(2), "b": numbers(2)},
        {},
        seed=0,
        written="anything",
    )
    masks = op_masks(call)
    found = {one["target"]: one["masks"] for one in read_verdicts(call, masks, set())}
    with_a = [place for place, mask in enumerate(masks) if "a" in mask]
    assert found["input a"] == with_a == found["output 0"]
