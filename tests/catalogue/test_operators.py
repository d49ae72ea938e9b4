"""Operators and special methods lead to the op that live torch calls for them."""

import pytest
import torch

from generator.catalogue.model.records import Catalogue
from generator.catalogue.names import resolve
from generator.catalogue.operators import operator_name

# What is typed, and the first node of the graph that it makes in live torch.
EXPRESSIONS = ["x * y", "x ** 2", "x @ y", "x + y", "x - y", "x / y", "-x", "x[m]", "x * 2"]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_leads_to_the_op_that_makes_its_node(committed: Catalogue, text: str) -> None:
    x, y = (torch.rand(3, 3, requires_grad=True) for _ in range(2))
    made = eval(text, {"x": x, "y": y, "m": x > 0.5})  # noqa: S307 - the texts above
    found = resolve(committed, text).record
    assert hasattr(found, "nodes")
    assert made.grad_fn.name() in {node.type for node in found.nodes}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@", "torch.matmul"),
        ("*", "torch.mul"),
        ("+=", "torch.Tensor.add_"),
        ("x *= 2", "torch.Tensor.mul_"),
        ("__mul__", "torch.mul"),
        ("torch.Tensor.__imul__", "torch.Tensor.mul_"),
        ("torch.Tensor.__truediv__", "torch.div"),
        ("a * b + c", None),
        ("f(x)", None),
        ("relu", None),
        ("x[0] = 1", None),
        ("x >", None),
    ],
)
def test_what_is_one_operator_and_what_is_not(text: str, expected: str | None) -> None:
    assert operator_name(text) == expected


def test_a_method_without_a_record_leads_to_the_node_that_its_recipe_makes(
    committed: Catalogue,
) -> None:
    """In live torch the node of `x.copy_(y)` is CopyBackwards, and no op is called copy_."""
    target = torch.rand(3, requires_grad=True) * 1
    made = target.copy_(torch.rand(3, requires_grad=True)).grad_fn
    assert made is not None
    assert resolve(committed, "copy_").record.name == made.name().rpartition("::")[2]
    assert resolve(committed, "torch.Tensor.copy_").record.name == "CopyBackwards"


def test_an_underscore_means_in_place_where_no_method_is_called_so(committed: Catalogue) -> None:
    """Live torch has no public `silu_`: people mean `silu(x, inplace=True)` by it."""
    assert not hasattr(torch.Tensor, "silu_")
    found = resolve(committed, "silu_")
    assert found.spelling is not None
    assert found.spelling.name == "torch.nn.functional.silu(inplace=True)"
    relu = resolve(committed, "relu_").spelling
    assert relu is not None
    assert relu.name.endswith("relu_")
