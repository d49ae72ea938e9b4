"""Arguments at other sizes keep their values, their order in memory, and indices in range."""

import torch

from generator.probe.calls import Named
from generator.probe.formulas.sizes import bounded, held_out, resized, unresizable, with_one
from generator.probe.program_calls import program_call


def named(tensor: torch.Tensor) -> Named:
    return Named("input", "input", tensor)


def test_smaller_arguments_are_cut_and_larger_ones_repeated() -> None:
    call = program_call("input = torch.arange(6.).reshape(2, 3)", "output = input + 1", seed=0)
    (cut,) = resized(call, [(1, 2)], None)
    (repeated,) = resized(call, [(3, 4)], torch.float64)
    assert cut.tolist() == [[0, 1]]
    assert repeated.tolist() == [[0, 1, 2, 0], [3, 4, 5, 3], [0, 1, 2, 0]]
    assert repeated.dtype == torch.float64


def test_the_order_in_memory_is_kept() -> None:
    call = program_call("input = torch.randn(6, 4).T", "output = input + 1", seed=0)
    (smaller,) = resized(call, [(3, 5)], None)
    assert smaller.shape == (3, 5)
    assert smaller.stride() == (1, 3)


def test_indices_stay_within_the_smallest_size_first() -> None:
    given = [torch.randn(8, 8), torch.tensor([7, 2])]
    found = [one[1].tolist() for one in bounded([torch.randn(3, 8), torch.tensor([7, 2])], given)]
    assert found == [[0, 0], [1, 1], [2, 2], [7, 2]]


def test_pivots_count_from_one() -> None:
    pivots = torch.tensor([4, 4, 4, 4], dtype=torch.int32)
    (first, *_) = bounded([torch.randn(1, 1), pivots[:1]], [torch.randn(4, 4), pivots])
    assert first[1].tolist() == [1]


def test_what_has_no_other_size_says_so() -> None:
    assert unresizable(named(torch.randn(3, 4).T)) is None
    assert unresizable(named(torch.randn(3, 4)[:, ::2])) is not None
    assert unresizable(named(torch.randn(3, 4).to_sparse())) == "the argument input is sparse"
    assert unresizable(named(torch.randn(0, 4))) == "the argument input is empty"


def test_held_out_sizes_are_others_and_none_of_them_is_one() -> None:
    sizes = {"N": 256, "C": 512, "M": 256}
    found = list(held_out(sizes))
    assert sizes not in found
    assert all(size > 1 for one in found for size in one.values())
    assert len({tuple(one.values()) for one in found}) == len(found)


def test_one_dimension_is_one() -> None:
    found = list(with_one({"N": 4, "C": 6}, "C"))
    assert all(one["C"] == 1 for one in found)
    assert {"N": 24, "C": 1} in found
