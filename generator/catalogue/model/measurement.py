"""A call's arguments, and what it keeps under one grad mask, in figures: most others hold these."""

from typing import Literal

from generator.catalogue.model.frozen import Frozen

State = Literal[
    "measured",
    "declared only",
    "not differentiable",
    "raised",
    "crashed",
    "timed out",
    "corrupted",
]


class SavedTensor(Frozen, frozen=True, array_like=True):
    """One saved tensor of a measurement. `storage` numbers the distinct storages of that call."""

    shape: tuple[int, ...]
    dtype: str
    bytes: int
    storage: int
    layout: str = "strided"


class Measurement(Frozen, frozen=True, kw_only=True):
    """One call under one grad mask.

    `mask` names the arguments that required grad; for a module it names groups, `inputs`,
    `parameters` and `biases`. `policy` is a position in the record's `policies`; it is None unless
    `state` is `measured`. `tensors` has one entry for each role of the policy, in its order.

    `logical_bytes` adds up numel × itemsize of each saved tensor, `storage_bytes` the sizes of
    the distinct storages behind them, `extra_bytes` those of the storages that no input,
    parameter, buffer or output of the call holds.
    """

    mask: tuple[str, ...]
    state: State = "measured"
    reason: str | None = None
    policy: int | None = None
    tensors: tuple[SavedTensor, ...] = ()
    logical_bytes: int = 0
    storage_bytes: int = 0
    extra_bytes: int = 0


class Argument(Frozen, frozen=True, kw_only=True):
    """An argument of a call: a tensor by shape and dtype, or any other value as Python prints it.

    Tensors inside a list are arguments of their own, named `tensors[0]`, `tensors[1]`.
    """

    name: str
    source: Literal["input", "parameter", "buffer"] = "input"
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    bytes: int | None = None
    literal: str | None = None
