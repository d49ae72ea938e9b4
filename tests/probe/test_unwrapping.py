"""The call of an op inside a function of its own, against functions that are written here."""

from typing import Any

import pytest
import torch
from torch import Tensor

from generator.probe.opinfo import entry_dtypes, entry_name, op_samples, ops
from generator.probe.signatures import parse
from generator.probe.unwrapping import inner_call


def test_arguments_that_a_wrapper_computes_are_those_of_the_op() -> None:
    first, second = torch.rand(3, 2), torch.rand(3, 2)
    found = inner_call(
        lambda a, b: torch.linalg.pinv(a @ b.mT), torch.linalg.pinv, [first, second], {}
    )
    assert found is not None
    (given,) = found.arguments
    assert torch.equal(given, first @ second.mT)


def test_a_function_written_in_python_is_found_by_its_frame_less_its_defaults() -> None:
    matrix = torch.rand(4, 3)
    found = inner_call(
        lambda a, q: torch.svd_lowrank(a, q=q, niter=2), torch.svd_lowrank, [matrix], {"q": 2}
    )
    assert found is not None
    assert found.arguments == ()
    assert found.keywords.keys() == {"A", "q"}
    assert found.keywords["A"] is matrix


def test_the_order_is_that_of_the_op() -> None:
    weight, index = torch.rand(4, 3), torch.tensor([1, 2])
    embedding = torch.nn.functional.embedding
    found = inner_call(lambda w, i: embedding(i, w), embedding, [weight, index], {})
    assert found is not None
    assert [id(one) for one in found.arguments] == [id(index), id(weight)]


def test_the_call_itself_is_not_made() -> None:
    ones = torch.ones(2)
    found = inner_call(lambda x: x.zero_(), torch.Tensor.zero_, [ones], {})
    assert found is not None
    assert torch.equal(ones, torch.ones(2))


@pytest.mark.parametrize("wrapper", [lambda x: x, lambda x: x.no_such_attribute])
def test_nothing_is_found_where_the_op_is_not_reached(wrapper: Any) -> None:
    assert inner_call(wrapper, torch.linalg.pinv, [torch.ones(2)], {}) is None


@pytest.mark.filterwarnings("ignore")  # OpInfo's own samples warn
@pytest.mark.parametrize(
    "name",
    [
        "torch.linalg.pinv",
        "torch.nn.functional.fractional_max_pool2d",
        "torch.pca_lowrank",
        "torch.svd_lowrank",
        "torch.where",
    ],
)
def test_samples_are_calls_that_can_be_made(name: str) -> None:
    """The text of a sample, run with its tensors by name, is a call of the op itself."""
    for entry in ops()[name]:
        parsed = parse(name, entry.aten_name, entry.op)
        for sample in op_samples(entry, name, parsed, "cpu", entry_dtypes(entry, "cpu")[0]):
            names: dict[str, Any] = {one.name: one.tensor for one in sample.call.tensors}
            made = eval(sample.call.text, {"torch": torch}, names)  # noqa: S307  # our own text
            outputs = sample.call.run([]).outputs
            shapes = [one.shape for one in ([made] if isinstance(made, Tensor) else made)]
            assert [one.shape for one in outputs] == shapes, entry_name(entry)
