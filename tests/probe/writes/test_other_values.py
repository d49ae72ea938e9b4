"""Other values for a tensor: they differ everywhere, and stay as valid as those they replace."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from generator.probe.writes.other_values import CHANGES, negated, scaled, shrunk


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.complex64])
def test_other_values_differ_everywhere(
    change: Callable[[Tensor], Tensor | None], dtype: torch.dtype
) -> None:
    for tensor in (torch.zeros(3, 2), torch.randn(3, 2), torch.tensor(0.5)):
        other = change(tensor.to(dtype))
        assert other is not None
        assert (other.dtype, other.shape) == (dtype, tensor.shape)
        assert (other != tensor.to(dtype)).all()


def test_whole_numbers_stay_within_their_values() -> None:
    tensor = torch.tensor([[3, 1], [2, 3]])
    other = scaled(tensor)
    assert other is not None
    assert sorted(other.flatten().tolist()) == sorted(tensor.flatten().tolist())
    assert not torch.equal(other, tensor)
    assert scaled(torch.full((4,), 7)) is None
    assert negated(tensor) is None
    lowest = shrunk(tensor)
    assert lowest is not None
    assert lowest.tolist() == [[1, 1], [1, 1]]
    assert shrunk(torch.full((4,), 7)) is None
    assert negated(torch.tensor([True])) is None
