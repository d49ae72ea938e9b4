"""Storages and their weight, against figures added up by hand from shapes and item sizes."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from generator.tape.saved import saved_values
from generator.tape.storages import (
    dense_parts,
    distinct_storages,
    logical_bytes,
    storages,
    weigh,
)
from generator.tape.walk import walk_nodes


def saved_tensors(output: Tensor) -> list[Tensor]:
    return [
        tensor
        for node in walk_nodes([output])
        for saved in saved_values(node)
        for tensor in saved.tensors
    ]


def test_a_view_shares_the_storage_of_its_base() -> None:
    base = torch.ones(4, 5)
    for view in (base[1:], base.t(), base.view(20), base.detach(), base[2, 3]):
        assert view is not base
        assert storages(view) == storages(base)
        assert list(storages(view).values()) == [80]
    assert storages(base.clone()).keys() != storages(base).keys()


def test_an_expanded_tensor_is_larger_than_its_memory() -> None:
    small = torch.ones(3, 1, dtype=torch.float64)
    large = small.expand(3, 1000)
    assert logical_bytes(large) == 24_000
    assert storages(large) == storages(small)
    assert sum(storages(large).values()) == 24


def test_a_part_of_a_storage_is_smaller_than_its_memory() -> None:
    part = torch.ones(100, dtype=torch.int16)[:3]
    assert logical_bytes(part) == 6
    assert sum(storages(part).values()) == 200


def test_empty_tensors_are_told_apart_without_an_address() -> None:
    one, other = torch.empty(0), torch.empty(0, 7)
    assert one.data_ptr() == other.data_ptr() == 0
    assert distinct_storages([one, other, one[:0]]) == {**storages(one), **storages(other)}
    assert len(distinct_storages([one, other])) == 2
    assert sum(distinct_storages([one, other]).values()) == 0


def test_meta_tensors_are_told_apart_without_memory() -> None:
    one, other = (torch.ones(5, 2, device="meta") for _ in range(2))
    assert len(distinct_storages([one, other, one.t()])) == 2
    assert sum(distinct_storages([one, other]).values()) == 80


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
def test_a_sparse_tensor_weighs_as_its_components() -> None:
    dense = torch.tensor([[0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 5.0]])
    coordinates = dense.to_sparse()
    # 4 elements: two int64 indices and a float32 each
    assert logical_bytes(coordinates) == 4 * (2 * 8 + 4)
    assert sorted(storages(coordinates).values()) == [4 * 4, 2 * 4 * 8]

    # row pointers number one more than rows; a column index and a float32 for each element
    pointers, places = torch.tensor([0, 1, 2, 4]), torch.tensor([1, 0, 1, 2])
    values = torch.tensor([2.0, 3.0, 4.0, 5.0])
    rows = torch.sparse_csr_tensor(pointers, places, values, (3, 3))
    columns = torch.sparse_csc_tensor(pointers, places, values, (3, 3))
    assert torch.equal(rows.to_dense(), dense)
    for compressed in (rows, columns):
        assert logical_bytes(compressed) == 4 * 8 + 4 * 8 + 4 * 4
        assert sorted(storages(compressed).values()) == [16, 32, 32]

    blocks = torch.ones(4, 4).to_sparse_bsr((2, 2))
    assert logical_bytes(blocks) == 3 * 8 + 4 * 8 + 16 * 4


def test_a_sparse_tensors_components_are_the_memory_that_it_has() -> None:
    values = torch.ones(2)
    sparse = torch.sparse_coo_tensor(torch.tensor([[0, 1]]), values, (3,), check_invariants=True)
    assert storages(values).items() <= storages(sparse).items()
    assert [part.layout for part in dense_parts(sparse)] == [torch.strided] * 2


def test_memory_that_cannot_be_told_apart_is_not_guessed() -> None:
    with pytest.raises(NotImplementedError, match=r"torch\._mkldnn"):
        storages(torch.ones(2, 2).to_mkldnn())


def test_one_storage_counts_once_and_in_the_order_seen() -> None:
    one, other = torch.ones(2), torch.ones(3)
    assert list(distinct_storages([other, one, other[1:], one]).values()) == [12, 8]


def test_figures_tell_logical_storage_and_extra_apart() -> None:
    held = torch.ones(10)
    alone = torch.ones(5)
    weight = weigh([held, held[:2], alone, alone.expand(3, 5)], [held.view(2, 5), torch.ones(99)])
    assert weight.logical_bytes == 40 + 8 + 20 + 60
    assert weight.storage_bytes == 40 + 20
    assert weight.extra_bytes == 20


def test_nothing_saved_weighs_nothing() -> None:
    assert weigh([], [torch.ones(3)]) == (0, 0, 0)


MATRIX = 8 * 16 * 4
ROW = 16 * 4
PER_ROW = 8 * 4
OTHER = torch.ones(8, 16, requires_grad=True)
WEIGHT = torch.ones(16, requires_grad=True)


@pytest.mark.parametrize(
    ("op", "logical", "storage", "extra"),
    [
        # both factors, which the caller holds
        (lambda x: x * OTHER, 2 * MATRIX, 2 * MATRIX, 0),
        # one factor twice is one storage
        (lambda x: x * x, 2 * MATRIX, MATRIX, 0),
        # no tensor: sizes are enough
        (lambda _: WEIGHT.expand(8, 16), 0, 0, 0),
        # the result, which the caller holds
        (lambda x: x.log_softmax(-1), MATRIX, MATRIX, 0),
        # the input and, for the graph alone, a mean and a reciprocal deviation a row
        (
            lambda x: functional.layer_norm(x, (16,)),
            MATRIX + 2 * PER_ROW,
            MATRIX + 2 * PER_ROW,
            2 * PER_ROW,
        ),
        # the factors, one of them 16 elements that stand for 128
        (lambda x: x * WEIGHT.expand(8, 16), 2 * MATRIX, MATRIX + ROW, 0),
        # the sine that the cosine keeps is held by nobody else
        (lambda x: x.sin().cos(), 2 * MATRIX, 2 * MATRIX, MATRIX),
    ],
    ids=["mul", "square", "expand", "log_softmax", "layer_norm", "mul expanded", "sin then cos"],
)
def test_figures_of_ops_by_hand(
    op: Callable[[Tensor], Tensor], logical: int, storage: int, extra: int
) -> None:
    x = torch.ones(8, 16, requires_grad=True)
    output = op(x)
    assert weigh(saved_tensors(output), [x, OTHER, WEIGHT, output]) == (logical, storage, extra)
