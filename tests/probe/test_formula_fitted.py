"""Sizes are fitted to plain expressions, from points that tell them apart."""

import pytest

from generator.probe.formula_fitted import _expression
from generator.probe.formula_symbolic import UnderivedError

POINTS = [{"N": 16, "C": 24}, {"N": 12, "C": 12}, {"N": 5, "C": 7}, {"N": 10, "C": 15}]


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
