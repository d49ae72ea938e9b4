"""Samples counted by what became of them."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from generator.probe.calls import Call, sample_call
from generator.probe.cases import RecordBody
from generator.probe.masks import op_masks
from generator.probe.tally import Tally


def tally() -> Tally:
    return Tally(RecordBody("torch.op", "op", op_masks), "op.variant")


def call(function: Callable[..., Any]) -> Call:
    return sample_call(function, "torch.op(x)", {"x": torch.ones(2)}, {}, seed=0)


def fail(_: torch.Tensor) -> torch.Tensor:
    raise ValueError("no such thing\nand more")


def test_samples_are_counted_by_dtype() -> None:
    counted = tally()
    for dtype in ("float32", "float64", "float32"):
        assert counted.try_sample(dtype, call(torch.exp), ("x",))
    assert counted.state() == {"state": "measured"}
    assert counted.as_entry(counted.state()) == {
        "name": "op.variant",
        "state": "measured",
        "samples": {"float32": 2, "float64": 1},
        "failures": [],
    }


def test_failures_are_counted_by_reason_and_leave_the_state_alone() -> None:
    counted = tally()
    assert counted.try_sample("float32", call(torch.exp), ("x",))
    for _ in range(2):
        assert not counted.try_sample("float32", call(fail), ("x",))
    assert not counted.try_sample("float32", call(torch.argmax), ("x",))
    entry = counted.as_entry(counted.state())
    assert (entry["state"], entry["samples"]) == ("measured", {"float32": 1})
    assert entry["failures"] == [
        {"state": "not differentiable", "reason": "no output requires grad", "samples": 1},
        {"state": "raised", "reason": "ValueError: no such thing", "samples": 2},
    ]


def test_samples_that_all_raise_are_an_entry_that_raised() -> None:
    counted = tally()
    counted.try_sample("float32", call(fail), ("x",))
    counted.try_sample("float32", call(torch.argmax), ("x",))
    assert counted.state() == {"state": "raised", "reason": "ValueError: no such thing"}


def test_samples_without_a_graph_are_not_differentiable() -> None:
    counted = tally()
    counted.try_sample("float32", call(torch.argmax), ("x",))
    counted.try_sample("float32", call(torch.exp), ())
    state = counted.state()
    assert state["state"] == "not differentiable"
    assert "2 samples" in state["reason"]
    reasons = [failure["reason"] for failure in counted.as_entry(state)["failures"]]
    assert reasons == [
        "no output requires grad",
        "the sample has no argument that requires grad",
    ]


def test_a_sample_that_cannot_be_made_ends_the_samples() -> None:
    def samples() -> Iterator[int]:
        yield 1
        yield 2
        raise RuntimeError("cannot make the third")

    counted = tally()
    assert list(counted.each(samples(), "float16")) == [1, 2]
    (failure,) = counted.as_entry(counted.state())["failures"]
    assert failure == {
        "state": "raised",
        "reason": "float16 samples: RuntimeError: cannot make the third",
        "samples": 1,
    }
