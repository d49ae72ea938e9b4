"""Expressions are read, worked out and written as mathematics says, and nothing else is read."""

import pytest

from generator.catalogue.formulas.expressions import evaluate, factors, names_in, shown, steps
from generator.errors import CatalogueError

SIZES = {"N": 7, "C": 3, "H": 10}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("2*N*C", 42),
        ("(N*(N - 1) // 2)", 21),
        ("((H - 3) // 2 + 1)", 4),
        ("((C - N) // 2)", -2),
        ("min(C, N, 5)", 3),
        ("max(C, N)", 7),
        ("N**2 - -1", 50),
        ("H % C", 1),
        ("(H >= 3)", 1),
        ("N == C", 0),
    ],
)
def test_an_expression_has_its_value(text: str, value: int) -> None:
    assert evaluate(text, SIZES) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "N +",
        "__import__('os')",
        "N.real",
        "abs(N)",
        "[N]",
        "N or C",
        "1.5",
        "True",
        "N/2",
    ],
)
def test_nothing_else_is_read(text: str) -> None:
    with pytest.raises(CatalogueError, match="no expression"):
        steps(text)


def test_a_name_without_a_size_is_refused() -> None:
    with pytest.raises(CatalogueError, match="speaks of K"):
        evaluate("N*K", SIZES)


def test_a_division_by_zero_is_refused() -> None:
    with pytest.raises(CatalogueError, match="divides by zero"):
        evaluate("N // (C - 3)", SIZES)


def test_steps_are_those_of_a_machine_with_a_stack() -> None:
    assert steps("2*N + 1") == (2, "N", "*", 1, "+")


def test_the_names_of_an_expression_are_its_dimensions() -> None:
    assert names_in("min(N, C)*N + H") == ("N", "C", "H")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4096*N*C", "4,096·N·C"),
        ("((H - 3) // 2 + 1)", "⌊(H - 3) / 2⌋ + 1"),
        ("(N - (C - 1))*2", "(N - (C - 1))·2"),
        ("(N >= 25)", "N ≥ 25"),
        ("min(N, C)", "min(N, C)"),
    ],
)
def test_an_expression_is_written_as_people_do(text: str, written: str) -> None:
    assert shown(text) == written


def test_a_product_has_factors_and_a_sum_has_none() -> None:
    assert factors("2*N*C") == (2, ("N", "C"))
    assert factors("1") == (1, ())
    assert factors("N + 1") is None
