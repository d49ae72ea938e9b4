"""Sizes are fitted to plain expressions, from points that tell them apart."""

import pytest

from generator.probe.calls import Call
from generator.probe.formulas.fitted import _expression
from generator.probe.formulas.price import price
from generator.probe.formulas.symbolic import UnderivedError
from generator.probe.program_calls import program_call

POINTS = [{"N": 16, "C": 24}, {"N": 12, "C": 12}, {"N": 5, "C": 7}, {"N": 10, "C": 15}]


def call_of(setup: str, text: str) -> Call:
    return program_call(setup, f"output = {text}", seed=0)


@pytest.mark.parametrize(
    "text",
    ["8", "N", "C", "N*C", "min(N, C)", "(N // 2 + 1)", "(2*C - 3)", "(N*(N - 1) // 2)", "(N + C)"],
)
def test_what_the_sizes_follow_is_found(text: str) -> None:
    seen = [eval(text, {"min": min}, point) for point in POINTS]  # noqa: S307
    found = _expression(seen, POINTS)
    assert [eval(found, {"min": min}, point) for point in POINTS] == seen  # noqa: S307


def test_what_follows_nothing_plain_has_no_expression() -> None:
    with pytest.raises(UnderivedError, match="no plain expression"):
        _expression([3, 1, 4, 1], POINTS)


def test_a_complex_storage_of_real_parts_is_twice_one_of_them() -> None:
    call = call_of("input = torch.randn(6, 9, dtype=torch.complex64)", "torch.corrcoef(input)")
    formula = price(call, [("input",)])["formula"]
    kept = {(elements, dtype) for elements, dtype, _ in formula["tensors"]}
    assert ("N*N", "real") in kept
    assert ["2*N*N", True] in formula["storages"]
