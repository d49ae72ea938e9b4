"""The body of a record: which samples agree, and what is measured of their representative."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from generator.probe.calls import Call, CallRaisedError, sample_call
from generator.probe.cases import RecordBody
from generator.probe.masks import op_masks
from generator.probe.measure import NotDifferentiableError


def body() -> RecordBody:
    return RecordBody("torch.op", "op", op_masks)


def call(op: Callable[..., Any], text: str = "torch.op(x)", /, **given: Any) -> Call:
    return sample_call(op, text, given, {}, seed=0)


def fields(made: RecordBody) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """Return the cases, and the policies as lists of node types."""
    cases = made.cases()
    table = made.policies()
    types = [[table["nodes"][place]["type"] for place in p] for p in table["policies"]]
    return cases, types


def test_samples_that_agree_are_one_case_and_the_first_speaks_for_them() -> None:
    made = body()
    made.add_sample("op", "float32", call(torch.exp, "first", x=torch.ones(2)), ("x",), None)
    made.add_sample("op", "float32", call(torch.exp, "second", x=torch.ones(5)), ("x",), None)
    double = torch.ones(3, dtype=torch.float64)
    made.add_sample("op", "float64", call(torch.exp, "third", x=double), ("x",), None)
    (case,), _ = fields(made)
    assert case["call"] == "first"
    assert case["samples"] == {"float32": 2, "float64": 1}
    assert case["two_ways"] == {"same": 3}
    assert [argument["shape"] for argument in case["arguments"]] == [[2]]
    assert case["measurements"][0]["logical_bytes"] == 8


def test_a_call_that_raises_the_second_time_was_measured_though_not_in_two_ways() -> None:
    calls: list[Tensor] = []

    def moody(x: Tensor) -> Tensor:
        calls.append(x)
        if len(calls) == 2:
            raise RuntimeError("not twice")
        return x.exp()

    made = body()
    made.add_sample("op", "float32", call(moody, x=torch.ones(2)), ("x",), None)
    (case,), _ = fields(made)
    assert (case["samples"], case["two_ways"]) == ({"float32": 1}, {})
    assert case["measurements"][0]["logical_bytes"] == 8


def test_another_role_or_entry_is_another_case_and_the_largest_comes_first() -> None:
    made = body()
    x, y = torch.ones(2), torch.ones(2)
    made.add_sample("op.a", "float32", call(torch.mul, "square", x=x, y=x), ("x",), None)
    for _ in range(2):
        made.add_sample("op.a", "float32", call(torch.mul, "mul", x=x, y=y), ("x", "y"), None)
    made.add_sample("op.b", "float32", call(torch.mul, "other", x=x, y=y), ("x", "y"), None)
    cases, _ = fields(made)
    assert [(case["entry"], case["call"]) for case in cases] == [
        ("op.a", "mul"),
        ("op.a", "square"),
        ("op.b", "other"),
    ]


def test_every_mask_is_measured_the_samples_own_first() -> None:
    made = body()
    asked = ("y",)
    given: dict[str, Any] = {"x": torch.ones(2), "y": torch.ones(2)}
    made.add_sample("op", "float32", call(torch.mul, **given), asked, None)
    (case,), types = fields(made)
    rows = case["measurements"]
    assert [row["mask"] for row in rows] == [["y"], ["x", "y"], ["x"]]
    assert [row["storage_bytes"] for row in rows] == [8, 16, 8]
    assert [types[row["policy"]] for row in rows] == [["MulBackward0"]] * 3
    assert len({row["policy"] for row in rows}) == 3


def test_a_mask_that_raises_or_has_no_graph_is_a_state() -> None:
    def choosy(x: Tensor, y: Tensor) -> Tensor:
        if y.requires_grad and not x.requires_grad:
            raise RuntimeError("not for y alone")
        return x.exp()

    made = body()
    given: dict[str, Any] = {"x": torch.ones(2), "y": torch.ones(2)}
    row = made.measurement("op sample", call(choosy, **given), ["y"])
    expected = {"mask": ["y"], "state": "raised", "reason": "RuntimeError: not for y alone"}
    assert row == expected
    row = made.measurement("op sample", call(torch.argmax, x=torch.ones(2)), ["x"])
    assert (row["state"], row["reason"]) == ("not differentiable", "no output requires grad")


def test_a_sample_that_cannot_be_measured_leaves_no_case() -> None:
    made = body()
    with pytest.raises(NotDifferentiableError):
        made.add_sample("op", "float32", call(torch.argmax, x=torch.ones(2)), ("x",), None)
    with pytest.raises(CallRaisedError):
        made.add_sample("op", "float32", call(torch.mul, x=torch.ones(2)), ("x",), None)
    assert fields(made) == ([], [])


def test_modes_that_agree_are_one_case_without_a_mode() -> None:
    made = body()
    for mode, op in (("train", torch.exp), ("eval", torch.exp), ("train", torch.sin)):
        made.add_sample("m", "float32", call(op, x=torch.ones(2)), ("x",), mode)
    cases, _ = fields(made)
    assert [case["mode"] for case in cases] == [None, "train"]


def test_sightings_errors_and_backward_types_are_collected() -> None:
    made = body()
    made.add_sample("op", "float32", call(torch.sin, x=torch.ones(2)), ("x",), None)
    made.cases()
    seen = made.sightings.seen
    assert seen["SinBackward0"]["witness"] == {"layer": "op sample", "name": "torch.op"}
    assert "output 0 of Sin," in seen["SinBackward0"]["error"]
    assert seen["CosBackward0"]["witness"]["layer"] == "op double backward"
    assert {"CosBackward0", "MulBackward0"} <= set(made.backward_types())
    assert made.backward_types() == sorted(set(made.backward_types()))
