"""A program's numbers that are sizes of its arguments are taken from them."""

from generator.probe.formulas.programs import with_own_sizes
from generator.probe.program_calls import program_call


def test_sizes_are_taken_from_the_arguments_and_counts_are_left() -> None:
    call = program_call("input = torch.randn(16, 24)", "output = input.view(16, 2, 12)", seed=0)
    assert with_own_sizes("output = input.view(16, 2, 12)", call.tensors) == (
        "output = input.view(input.shape[-2], 2, 12)"
    )


def test_small_numbers_and_flags_are_no_sizes() -> None:
    call = program_call("input = torch.randn(2, 4)", "output = input.sum(1, True)", seed=0)
    text = "output = input.sum(1, True)"
    assert with_own_sizes(text, call.tensors) == text
