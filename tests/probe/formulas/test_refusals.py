"""What a call refuses is what its documentation asks for, and what it accepts is no refusal."""

from typing import Any

import pytest

from generator.probe.formulas.check import value
from generator.probe.formulas.price import price
from generator.probe.masks import op_masks
from generator.probe.program_calls import program_call

Json = dict[str, Any]


def priced(setup: str, text: str) -> Json:
    call = program_call(setup, f"output = {text}", seed=0)
    found: Json = price(call, op_masks(call))["formula"]
    return found


def refused(formula: Json, sizes: dict[str, int]) -> bool:
    known = dict(sizes)
    for name, text in formula["computed"].items():
        known[name] = value(text, known)
    return not all(value(condition, known) for condition, _ in formula["refuses"])


def test_a_half_of_an_odd_number_is_refused() -> None:
    formula = priced("input = torch.randn(16, 24)", "torch.nn.functional.glu(input)")
    assert refused(formula, {"N": 3, "C": 5})
    assert not refused(formula, {"N": 3, "C": 6})
    ((_, error),) = formula["refuses"]
    assert "must be even" in error


def test_channels_that_groups_do_not_divide_are_refused() -> None:
    setup = "input = torch.randn(4, 8, 5)\nweight = torch.ones(8)\nbias = torch.zeros(8)"
    formula = priced(setup, "torch.nn.functional.group_norm(input, 4, weight, bias)")
    assert refused(formula, {"N": 2, "C": 6, "L": 5})
    assert not refused(formula, {"N": 2, "C": 12, "L": 7})


def test_a_kernel_larger_than_its_image_is_refused() -> None:
    setup = "input = torch.randn(2, 3, 16, 20)\nweight = torch.randn(4, 3, 3, 3)"
    formula = priced(setup, "torch.nn.functional.conv2d(input, weight, padding=1)")
    sizes = {"N": 1, "C": 1, "H": 8, "W": 8, "O": 1, "Kh": 3, "Kw": 3}
    assert not refused(formula, sizes)
    assert not refused(formula, {**sizes, "Kh": 10})
    assert refused(formula, {**sizes, "Kh": 11})
    assert refused(formula, {**sizes, "Kw": 11})


@pytest.mark.parametrize("call", ["torch.exp(input)", "torch.sum(input)"])
def test_what_takes_any_sizes_refuses_none(call: str) -> None:
    assert priced("input = torch.randn(16, 24)", call)["refuses"] == []
