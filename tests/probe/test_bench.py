"""The timing of the probe: both passes make the same calls, whatever time they take."""

import pytest
import torch

from generator.probe import bench
from generator.probe.opinfo import ops


def test_both_passes_make_every_sample_of_every_tenth_op(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["torch.exp", *["torch.add"] * (bench.STRIDE - 1), "torch.argmax", "torch.sin"]
    everything = ops()
    listed = {f"{place:02}": everything[name] for place, name in enumerate(names)}
    monkeypatch.setattr(bench, "ops", lambda: listed)
    made = bench.bench_recording("cpu")
    (exp,) = everything["torch.exp"]
    # the eleventh is not differentiable, the others are passed over
    assert made["samples"] == len(list(exp.sample_inputs("cpu", torch.float32)))
    assert made.keys() == {"bare_seconds", "recorded_seconds", "samples"}
