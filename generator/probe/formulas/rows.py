"""What a formula speaks of, and the same read off a live graph, real or fake.

Everything is counted in elements, so that the dtype can vary: bytes are elements × itemsize.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from generator.probe.calls import Run
from generator.probe.measure import call_nodes
from generator.tape.saved import saved_values
from generator.tape.storages import dense_parts, distinct_storages, storages
from generator.tape.walk import type_name

Key = tuple[str, str, int]


class Row(NamedTuple):
    """One saved tensor: where it is kept, its shape, its dtype, and the number of its storage."""

    key: Key
    shape: tuple[Any, ...]
    dtype: torch.dtype
    storage: int


class Stored(NamedTuple):
    """A distinct storage: its bytes, a dtype to count them in, whether it is the graph's alone."""

    bytes: Any
    dtype: torch.dtype
    extra: bool


class Kept(NamedTuple):
    """The saved tensors of one call, in the order of the walk, and the storages behind them."""

    rows: list[Row]
    stored: list[Stored]


class NotStridedError(Exception):
    """A saved tensor has no strides, so that its bytes are not those of its shape."""


def read_kept(run: Run) -> Kept:
    """Read what the graph of a run keeps. Raises NotStridedError."""
    held = distinct_storages([named.tensor for named in run.arguments] + run.outputs)
    rows: list[Row] = []
    numbers: dict[int, int] = {}
    stored: list[Stored] = []
    for node in call_nodes(run):
        for saved in saved_values(node):
            for place, tensor in enumerate(saved.tensors):
                if dense_parts(tensor) != [tensor]:
                    raise NotStridedError
                ((identity, size),) = storages(tensor).items()
                if identity not in numbers:
                    numbers[identity] = len(stored)
                    stored.append(Stored(size, tensor.dtype, identity not in held))
                key = (type_name(node), saved.attribute, place)
                rows.append(Row(key, tuple(tensor.shape), tensor.dtype, numbers[identity]))
    return Kept(rows, stored)
