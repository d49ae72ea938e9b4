"""Tell storages apart and weigh them.

Two tensors hold the same memory when they share a storage: not when they are the same Python
object (views are not) and not when their addresses agree (empty and meta tensors have none).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor

from generator.tape.compat import layouts, storage_bytes, storage_of


class Weight(NamedTuple):
    """Three figures in bytes for one set of saved tensors; see `weigh`."""

    logical_bytes: int
    storage_bytes: int
    extra_bytes: int


def logical_bytes(tensor: Tensor) -> int:
    """Return numel × itemsize in bytes; for a sparse tensor, those of its components."""
    if tensor.layout is torch.strided:
        return tensor.numel() * tensor.element_size()
    return sum(part.numel() * part.element_size() for part in dense_parts(tensor))


def dense_parts(tensor: Tensor) -> list[Tensor]:
    """Return the strided tensors that hold the memory of `tensor`: itself, in most layouts.

    Raises NotImplementedError where the memory is hidden, as MKL-DNN's is.
    """
    if tensor.layout == torch.strided:
        return [tensor]
    if tensor.layout == torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout in _ROW_COMPRESSED:
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    if tensor.layout in _COLUMN_COMPRESSED:
        return [tensor.ccol_indices(), tensor.row_indices(), tensor.values()]
    if tensor.layout in _JAGGED:
        jagged: Any = tensor
        return [jagged._values, jagged._offsets]
    raise NotImplementedError(f"the memory behind layout {tensor.layout} cannot be told apart")


def storages(tensor: Tensor) -> dict[int, int]:
    """Map the identity of each storage behind `tensor` to its bytes.

    The identity is the address of the release's own storage object. It is only meaningful while
    some tensor keeps that storage alive.
    """
    if tensor.layout is torch.strided:
        own = storage_of(tensor)
        return {own._cdata: storage_bytes(own)}
    parts = map(storage_of, dense_parts(tensor))
    return {storage._cdata: storage_bytes(storage) for storage in parts}


def distinct_storages(tensors: Iterable[Tensor]) -> dict[int, int]:
    """Map each distinct storage behind `tensors` to its bytes, in first-seen order."""
    distinct: dict[int, int] = {}
    for tensor in tensors:
        distinct.update(storages(tensor))
    return distinct


def weigh(saved: Iterable[Tensor], held: Iterable[Tensor]) -> Weight:
    """Weigh the `saved` tensors, given the tensors that are `held` outside the graph anyway.

    Logical bytes count every saved tensor in full, storage bytes each distinct storage once, and
    extra bytes only the storages that no held tensor shares.
    """
    saved = list(saved)
    return weigh_storages(sum(map(logical_bytes, saved)), distinct_storages(saved), held)


def weigh_storages(logical: int, distinct: dict[int, int], held: Iterable[Tensor]) -> Weight:
    """Weigh saved tensors of which the logical bytes and the distinct storages are known."""
    alive = distinct_storages(held)
    return Weight(
        logical_bytes=logical,
        storage_bytes=sum(distinct.values()),
        extra_bytes=sum(size for identity, size in distinct.items() if identity not in alive),
    )


_ROW_COMPRESSED = layouts("sparse_csr", "sparse_bsr")
_COLUMN_COMPRESSED = layouts("sparse_csc", "sparse_bsc")
_JAGGED = layouts("jagged")
