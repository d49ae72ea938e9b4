"""Canonical names against live torch: what the name says is there, and no two ops share one."""

from functools import reduce

import pytest
import torch

from generator.probe.names import canonical_name, is_reachable


@pytest.mark.parametrize(
    ("opinfo_name", "name"),
    [
        ("exp", "torch.exp"),
        ("nn.functional.relu", "torch.nn.functional.relu"),
        ("masked.amax", "torch.masked.amax"),
        ("bool", "torch.Tensor.bool"),
        ("expand", "torch.Tensor.expand"),
        ("T", "torch.Tensor.T"),
        ("__radd__", "torch.Tensor.__radd__"),
        ("zero_", "torch.Tensor.zero_"),
        ("resize_as_", "torch.Tensor.resize_as_"),
        ("uniform", "torch.Tensor.uniform_"),
        ("slice", "torch.ops.aten.slice"),
        ("_upsample_bilinear2d_aa", "torch.ops.aten._upsample_bilinear2d_aa"),
        ("torch.ops.aten._safe_softmax.default", "torch.ops.aten._safe_softmax.default"),
        ("jiterator_unary", "jiterator_unary"),
    ],
)
def test_canonical_name(opinfo_name: str, name: str) -> None:
    assert canonical_name(opinfo_name) == name


def test_canonical_names_exist_and_are_distinct() -> None:
    from torch.testing._internal.common_methods_invocations import op_db

    by_name = {entry.name: canonical_name(entry.name) for entry in op_db}
    assert len(set(by_name.values())) == len(by_name)
    reachable = [name.split(".")[1:] for name in by_name.values() if name.startswith("torch.")]
    assert all(reduce(getattr, path, torch) is not None for path in reachable)
    nameless = {name for name in by_name.values() if not name.startswith("torch.")}
    assert all(name.startswith("jiterator_") for name in nameless)


@pytest.mark.parametrize(
    "name",
    ["torch.exp", "torch.nn.functional.conv3d", "torch.Tensor.T", "torch.ops.aten.slice"],
)
def test_names_of_what_the_release_has_are_reachable(name: str) -> None:
    assert is_reachable(name)
    assert is_reachable("torch.ops.aten._safe_softmax.default")
    assert not is_reachable(f"{name}_of_tomorrow")
