"""Lists of sizes in a sample are those of its tensor only where real calls take them so."""

from typing import Any

import pytest
import torch

from generator.probe.calls import Call, sample_call
from generator.probe.formulas.lists import price_sample
from generator.probe.masks import op_masks

Json = dict[str, Any]


def priced(text: str, function: Any, shape: tuple[int, ...], *rest: Any, **keywords: Any) -> Json:
    given = {"input": torch.randn(shape), **{f"rest{n}": one for n, one in enumerate(rest)}}
    call: Call = sample_call(function, text, given, keywords, seed=0)
    return price_sample(call, op_masks(call))


def test_the_normalized_shape_is_that_of_the_input() -> None:
    text = "torch.nn.functional.layer_norm(input, (5, 6))"
    found = priced(text, torch.nn.functional.layer_norm, (4, 5, 6), (5, 6))
    assert found["call"] == "torch.nn.functional.layer_norm(input, (C, L))"
    assert dict(found["formula"]["arguments"]) == {"input": ["N", "C", "L"]}
    # A mean and a deviation for each of the N that are normalized.
    assert sorted(one[0] for one in found["formula"]["tensors"]) == ["N", "N", "N*C*L"]


def test_a_size_that_is_broadcast_stays_a_number() -> None:
    text = "torch.broadcast_to(input, (7, 5, 6))"
    found = priced(text, torch.broadcast_to, (5, 6), (7, 5, 6))
    assert found["call"] == "torch.broadcast_to(input, (7, N, C))"


def test_a_stride_that_looks_like_a_size_is_left_where_the_call_varies_as_it_is() -> None:
    text = "torch.nn.functional.avg_pool2d(input, (4, 4))"
    found = priced(text, torch.nn.functional.avg_pool2d, (3, 8, 9), (4, 4))
    assert found["call"] == text
    assert dict(found["formula"]["arguments"]) == {"input": ["N", "C", "L"]}


@pytest.mark.parametrize("text", ["torch.exp(input)", "input called as in a book"])
def test_a_call_without_lists_is_priced_as_it_is(text: str) -> None:
    assert priced(text, torch.exp, (4, 5))["call"] == text
