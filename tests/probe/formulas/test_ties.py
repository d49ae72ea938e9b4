"""Dimensions that a call only accepts as equal become one, and the formula with them."""

from generator.probe.formulas.symbolic import derive
from generator.probe.formulas.ties import inseparable, tied
from generator.probe.program_calls import program_call


def test_dimensions_that_never_differ_are_one() -> None:
    sizes = {"N": 8, "C": 4, "M": 8, "K": 8}
    points = [{"N": 4, "C": 4, "M": 4, "K": 8}, {"N": 8, "C": 2, "M": 8, "K": 8}]
    assert inseparable(sizes, points) == {"M": "N"}
    assert inseparable(sizes, []) == {"M": "N", "K": "N"}


def test_a_name_takes_the_place_of_another() -> None:
    setup = "input = torch.randn(8, 4)\nother = torch.randn(8, 6)"
    call = program_call(setup, "output = input[:, :1] * other[:1]", seed=0)
    derived = derive(call, ("input", "other"))
    found = tied(derived, {"M": "N"})
    assert found.arguments == {"input": ["N", "C"], "other": ["N", "K"]}
    assert found.sizes == {"N": 8, "C": 4, "K": 6}
