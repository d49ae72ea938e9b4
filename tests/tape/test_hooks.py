"""What pack hooks see, against what the same nodes' attributes hold."""

import gc
import weakref
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from generator.tape.hooks import packed_tensors


@pytest.fixture
def x() -> Tensor:
    return torch.full((3, 4), 0.5, requires_grad=True)


@pytest.fixture
def _no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def held_by_node(output: Tensor) -> set[int]:
    node = output.grad_fn
    names = [name for name in dir(node) if name.startswith("_saved_")]
    values = [getattr(node, name) for name in names]
    return {value.untyped_storage()._cdata for value in values if isinstance(value, Tensor)}


@pytest.mark.parametrize(
    ("op", "count"),
    [
        (torch.sin, 1),
        (torch.exp, 1),
        (lambda x: x * x, 2),
        (torch.neg, 0),
        (lambda x: x.softmax(-1), 1),
        (lambda x: functional.layer_norm(x, (4,)), 3),
        (lambda x: x.atan2(x.detach() + 1), 2),
        (lambda x: x.max(dim=1).values, 1),
    ],
    ids=["sin", "exp", "square", "neg", "softmax", "layer_norm", "atan2", "max"],
)
def test_hooks_see_the_tensors_that_attributes_hold(
    op: Callable[[Tensor], Tensor], count: int, x: Tensor
) -> None:
    with packed_tensors() as packed:
        y = op(x)
    assert len(packed) == count
    assert {tensor.untyped_storage()._cdata for tensor in packed} == held_by_node(y)


def test_a_python_number_is_not_packed(x: Tensor) -> None:
    with packed_tensors() as packed:
        y = x * 2
    assert packed == []
    assert len(held_by_node(y)) == 1


def test_an_unreachable_branch_is_packed_all_the_same(x: Tensor) -> None:
    with packed_tensors() as packed:
        y = x.sin()
        x.cos()
    assert len(packed) == 2
    assert len(held_by_node(y)) == 1


def test_nothing_is_collected_outside_the_block(x: Tensor) -> None:
    with packed_tensors() as packed:
        pass
    x.exp()
    assert packed == []


def test_the_gradient_stays_right(x: Tensor) -> None:
    with packed_tensors():
        y = x.exp()
    torch.autograd.backward(y.sum())
    assert x.grad is not None
    assert torch.equal(x.grad, x.detach().exp())


@pytest.mark.usefixtures("_no_collector")
@pytest.mark.parametrize("op", [torch.exp, torch.sin, torch.sigmoid])
def test_nothing_outlives_the_graph(op: Callable[[Tensor], Tensor], x: Tensor) -> None:
    """An op that saves its output would, with a hook that returns its argument, hold itself."""
    with packed_tensors() as packed:
        y = op(x)
    storage = weakref.ref(packed[0])
    output = weakref.ref(y)
    del packed, y
    assert (output(), storage()) == (None, None)
