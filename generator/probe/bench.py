"""Time the probe against itself: the same calls bare, and with everything recorded."""

from __future__ import annotations

import time
from typing import Any

import torch

from generator.probe.cases import RecordBody
from generator.probe.masks import op_masks
from generator.probe.opinfo import OpSample, entry_name, op_samples, ops
from generator.probe.signatures import parse
from generator.probe.tally import Tally

STRIDE = 10


def bench_recording(device: str) -> dict[str, Any]:
    """Call every tenth op's float32 samples, first bare and then recorded.

    Returns processor seconds for both and the number of samples.
    """
    bodies = [
        (RecordBody(name, "op", op_masks), entry_name(entry), _samples(entry, name, device))
        for name, entries in list(ops().items())[::STRIDE]
        for entry in entries
    ]
    bare = time.process_time()
    for _, _, samples in bodies:
        for sample in samples:
            sample.call.run(sample.asked)
    recorded = time.process_time()
    for body, entry, samples in bodies:
        tally = Tally(body, entry)
        for sample in samples:
            tally.try_sample("float32", sample.call, tuple(sample.asked))
    end = time.process_time()
    return {
        "bare_seconds": recorded - bare,
        "recorded_seconds": end - recorded,
        "samples": sum(len(samples) for _, _, samples in bodies),
    }


def _samples(entry: Any, name: str, device: str) -> list[OpSample]:
    if torch.float32 not in entry.supported_dtypes(device) or not entry.supports_autograd:
        return []
    return list(
        op_samples(entry, name, parse(name, entry.aten_name, entry.op), device, torch.float32)
    )
