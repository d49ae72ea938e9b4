"""The words of the in-place check, provoked on outputs of known ops."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from generator.probe.writes.overwrite import check_message


@pytest.mark.parametrize(
    ("op", "written"),
    [
        (torch.exp, "[torch.FloatTensor [3]], which is output 0 of Exp,"),
        (torch.sin, "[torch.FloatTensor [3]], which is output 0 of Sin,"),
        (lambda x: x.double() * 2, "[torch.DoubleTensor [3]], which is output 0 of Mul,"),
        (lambda x: x.softmax(0), "[torch.FloatTensor [3]], which is output 0 of Softmax,"),
        (lambda x: torch.frexp(x).mantissa, "which is output 0 of Frexp,"),
    ],
    ids=["exp", "sin", "mul", "softmax", "frexp"],
)
def test_the_message_names_the_op_that_made_the_tensor(
    op: Callable[[Tensor], Tensor], written: str
) -> None:
    output = op(torch.full((3,), 0.5, requires_grad=True))
    message = check_message(output)
    assert message is not None
    assert "has been modified by an inplace operation" in message
    assert written in message
    assert "is at version 1; expected version 0 instead" in message
    assert "\n" not in message


def test_the_write_changes_no_value() -> None:
    x = torch.full((2, 3), 0.5, requires_grad=True)
    assert check_message(x.t()) is not None
    assert torch.equal(x, torch.full((2, 3), 0.5))


def test_no_message_where_nothing_is_checked() -> None:
    assert check_message(torch.ones(3)) is None


def test_a_views_node_is_made_anew_by_the_write() -> None:
    output = torch.ones(2, 3, requires_grad=True).t()
    assert type(output.grad_fn).__name__ == "TBackward0"
    message = check_message(output)
    assert message is not None
    assert "which is output 0 of AsStrided," in message


def test_no_message_where_the_write_is_refused() -> None:
    with torch.inference_mode():
        output = torch.ones(3)
    assert check_message(output) is None
