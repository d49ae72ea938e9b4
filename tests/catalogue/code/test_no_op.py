"""What is said to make no node makes none in live torch."""

import pytest
import torch

from generator.catalogue.code.no_op import statement, what_it_is

SITE = "https://x/"
# What makes no tensor, or none that a graph holds.
VALUES = [
    *("len(x)", "float(n)", "int(n)", "bool(n)", "x.shape", "x.size(0)", "x.dim()", "x.dtype"),
    *("x.is_leaf", "x.requires_grad", "d.numpy()", "d.tolist()", "not n", "n in x", "n is x"),
    *("x.numel()", "x.device", "print(n)", "lambda: x * 2"),
]


@pytest.mark.parametrize("text", VALUES)
def test_what_is_said_to_make_no_tensor_makes_none(text: str) -> None:
    x = torch.rand(3, requires_grad=True)
    made = eval(text, {"x": x, "n": x[0].detach(), "d": x.detach()})  # noqa: S307 - as above
    assert not isinstance(made, torch.Tensor)
    assert what_it_is(text, SITE) is not None


@pytest.mark.parametrize(
    "text", ["x.grad = None", "y = x", "x.requires_grad = True", "import torch", "n and n", "del y"]
)
def test_what_is_said_to_make_no_node_leaves_the_tensor_as_it_was(text: str) -> None:
    x = torch.rand(3, requires_grad=True)
    known = {"x": x, "y": x, "n": x[0].detach()}
    exec(text, known)  # noqa: S102 - the texts above
    assert what_it_is(text, SITE) is not None
    assert x.grad_fn is None


@pytest.mark.parametrize("text", ["x.data[0] = 1", "x.data += 1", "x.data.mul_(2)", "x.data = y"])
def test_a_write_past_autograd_makes_no_node_and_counts_no_version(text: str) -> None:
    x = torch.rand(3, requires_grad=True) * 1
    before = (x.grad_fn, x._version)
    exec(text, {"x": x, "y": torch.rand(3)})  # noqa: S102 - the texts above
    assert (x.grad_fn, x._version) == before
    assert "writes through .data" in str(what_it_is(text, SITE))


@pytest.mark.parametrize(
    "text", ["-" * 5000 + "x", "+".join("x" * 3000), "x" + "[0]" * 3000, "x" + ".y" * 3000]
)
def test_what_nests_too_deep_to_be_read_is_no_statement(text: str) -> None:
    assert statement(text) is None
    assert what_it_is(text, SITE) is None


@pytest.mark.parametrize(
    "text", ["x * 2", "x.exp()", "x[0] = 1", "relu", "x.item()", "y = x.data * 2", "x.data.exp()"]
)
def test_what_may_make_a_node_is_left_alone(text: str) -> None:
    assert what_it_is(text, SITE) is None


@pytest.mark.parametrize("text", ["for row in x", "with torch.no_grad():", "if x > 0"])
def test_the_first_line_of_a_block_is_a_statement(text: str) -> None:
    assert statement(text) is not None


@pytest.mark.parametrize("text", ["x y", "x = 1; y = 2", "", "\x00", "output 0 of Exp"])
def test_what_is_not_one_statement_is_none(text: str) -> None:
    assert statement(text) is None
