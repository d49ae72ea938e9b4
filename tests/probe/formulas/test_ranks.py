"""For how many dimensions the first may stand is what calls with such arguments confirm."""

import pytest

from generator.probe.calls import Call
from generator.probe.formulas.price import price
from generator.probe.masks import op_masks
from generator.probe.program_calls import program_call


def leading(setup: str, text: str) -> list[int]:
    call: Call = program_call(setup, f"output = {text}", seed=0)
    found: list[int] = price(call, op_masks(call))["formula"]["leading"]
    return found


@pytest.mark.parametrize(
    ("setup", "call", "expected"),
    [
        # Element by element.
        ("input = torch.randn(16, 24)", "torch.exp(input)", [0, 2, 3]),
        # Row by row: documented for any number of dimensions before the last.
        (
            "input = torch.randn(16, 24)\nweight = torch.randn(8, 24)\nbias = torch.randn(8)",
            "torch.nn.functional.linear(input, weight, bias)",
            [0, 2, 3],
        ),
        # An image, or a batch of images, and nothing else.
        (
            "input = torch.randn(2, 3, 8, 9)\nweight = torch.randn(4, 3, 3, 3)",
            "torch.nn.functional.conv2d(input, weight)",
            [0],
        ),
        # Matrices alone.
        ("input = torch.randn(16, 24)\nmat2 = torch.randn(24, 8)", "torch.mm(input, mat2)", []),
        # The channels are the second dimension: another there and they are others.
        (
            "input = torch.randn(4, 6, 5)\nweight = torch.ones(6)",
            "torch.nn.functional.group_norm(input, 2, weight)",
            [],
        ),
        # The first dimension comes again as the second.
        ("input = torch.randn(16, 16) + 16 * torch.eye(16)", "torch.linalg.inv(input)", []),
    ],
)
def test_the_ranks_are_those_that_the_op_takes(setup: str, call: str, expected: list[int]) -> None:
    assert leading(setup, call) == expected


def test_a_call_with_indices_is_not_made_at_other_ranks() -> None:
    # Not every kernel looks before it reads.
    setup = "input = torch.randn(16, 24)\nindex = torch.zeros(16, 24, dtype=torch.int64)"
    assert leading(setup, "torch.gather(input, 1, index)") == []
