"""Hidden clones of in-place spellings under every grad mask, against the maths and against hooks.

An op in place overwrites its first argument, so what backward needs of that argument is cloned:
where the derivative by an argument that requires grad speaks of it, and nowhere else.
"""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from generator.probe.adapted import OPS
from generator.probe.cases import RecordBody
from generator.probe.depth import FULL, HISTORY
from generator.probe.masks import op_masks
from generator.probe.opinfo import op_samples, ops
from generator.probe.signatures import parse
from generator.probe.variants import variants

ALWAYS, NEVER = {"*"}, set[str]()
F = "torch.nn.functional"
# Each spelling, its op, and the arguments whose derivative speaks of what is overwritten.
NEEDING: dict[str, tuple[str, set[str]]] = {
    # d(ab)/db = a
    "torch.Tensor.mul_": ("torch.mul", {"other"}),
    "torch.Tensor.multiply_": ("torch.mul", {"other"}),
    # d(a/b)/db = -a/b²
    "torch.Tensor.div_": ("torch.div", {"other"}),
    # a less b times the whole part of a/b, by b
    "torch.Tensor.fmod_": ("torch.fmod", {"other"}),
    # d(a + w(b - a))/dw = b - a
    "torch.Tensor.lerp_": ("torch.lerp", {"weight"}),
    # a/√(a² + b²) by a, and b/√(a² + b²) by b, where the root is the result
    "torch.Tensor.hypot_": ("torch.hypot", {"input"}),
    # b/(a² + b²) by a, and -a/(a² + b²) by b
    "torch.Tensor.atan2_": ("torch.atan2", ALWAYS),
    # s + ab
    "torch.Tensor.addcmul_": ("torch.addcmul", NEVER),
    "torch.Tensor.add_": ("torch.add", NEVER),
    # By the result alone
    "torch.Tensor.exp_": ("torch.exp", NEVER),
    "torch.Tensor.sigmoid_": ("torch.sigmoid", NEVER),
    f"{F}.relu_": (f"{F}.relu", NEVER),
    # By the input alone: whether it lay between the bounds, x·sigmoid(x), cos(x), 1/x
    "torch.Tensor.clamp_": ("torch.clamp", ALWAYS),
    f"{F}.silu(inplace=True)": (f"{F}.silu", ALWAYS),
    f"{F}.hardtanh_": (f"{F}.hardtanh", ALWAYS),
    "torch.Tensor.sin_": ("torch.sin", ALWAYS),
    "torch.Tensor.log_": ("torch.log", ALWAYS),
}
IMAGE = 256 * 512 * 4


def measured(op: str, depth: str) -> dict[str, dict[str, Any]]:
    entry = ops()[op][0]
    sample = next(op_samples(entry, op, parse(op, entry.aten_name, entry.op), "cpu", torch.float32))
    made = variants(RecordBody(op, "op", op_masks), entry, op, sample, depth)
    return {one["name"]: one for one in made}


@pytest.fixture(scope="module")
def known() -> dict[str, dict[str, dict[str, Any]]]:
    return {op: measured(op, FULL) for op in dict.fromkeys(op for op, _ in NEEDING.values())}


def packed_alone(op: str, call: str, mask: list[str]) -> int:
    """Return the bytes of storages that a pack hook saw, and neither argument nor output has."""
    names: dict[str, Any] = {"torch": torch}
    torch.manual_seed(0)
    exec(OPS[op].setup, names)  # noqa: S102 - a reference program of our own
    arguments = {name: one for name, one in names.items() if isinstance(one, Tensor)}
    for name in mask:
        arguments[name].requires_grad_()
    first = next(iter(arguments))
    names[first] = arguments[first] = arguments[first].clone()
    packed: list[Tensor] = []
    with saved_tensors_hooks(lambda one: packed.append(one) or one, lambda one: one):
        exec(call, names)  # noqa: S102 - a reference call of our own
    held = {one.untyped_storage().data_ptr() for one in (*arguments.values(), names["output"])}
    alone = {
        one.untyped_storage().data_ptr(): one.untyped_storage().nbytes()
        for one in packed
        # Hooks see a number that the call made a tensor of, which no attribute holds.
        if one.dim() and one.untyped_storage().data_ptr() not in held
    }
    return sum(alone.values())


@pytest.mark.parametrize("spelling", NEEDING)
def test_a_clone_is_kept_where_a_derivative_speaks_of_what_is_overwritten(
    known: dict[str, dict[str, dict[str, Any]]], spelling: str
) -> None:
    op, needing = NEEDING[spelling]
    one = known[op][spelling]
    rows = [one["measurement"], *one["further"]]
    arguments = max(rows, key=lambda row: len(row["mask"]))["mask"]
    assert len(rows) == len({tuple(row["mask"]) for row in rows}) == 2 ** len(arguments) - 1
    for row in rows:
        clones = needing == ALWAYS or bool(needing & {*row["mask"]})
        assert row["extra_bytes"] == (IMAGE if clones else 0), row["mask"]
        assert row["extra_bytes"] == packed_alone(op, one["call"], row["mask"]), row["mask"]
    assert "printed" not in one


def test_a_number_never_requires_grad_so_that_no_clone_is_kept_of_what_it_multiplies() -> None:
    """What `x *= 2` keeps is what `mul_` does under the mask of `input` alone: no clone."""
    call = "output = torch.Tensor.mul_(input, 2.0)"
    assert packed_alone("torch.mul", call, ["input"]) == 0


def test_history_has_the_first_mask_alone(known: dict[str, dict[str, dict[str, Any]]]) -> None:
    shallow = measured("torch.mul", HISTORY)
    assert {one["measurement"]["mask"] == ["input", "other"] for one in shallow.values()} == {True}
    assert not any(one["further"] for one in shallow.values())
    assert shallow.keys() == known["torch.mul"].keys()
    for name, one in shallow.items():
        assert (
            one["measurement"]["extra_bytes"]
            == (known["torch.mul"][name]["measurement"]["extra_bytes"])
        )
