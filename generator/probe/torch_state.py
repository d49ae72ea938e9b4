"""Read the settings of the process that one call could leave behind for the next."""

from __future__ import annotations

import os
from typing import Any, Callable

import torch

from generator.tape.compat import autocast_reader, depth_of, dispatch_keys, setting_of

SETTINGS: dict[str, Callable[[], Any]] = {
    "the default dtype": torch.get_default_dtype,
    "the grad mode": torch.is_grad_enabled,
    "the inference mode": torch.is_inference_mode_enabled,
    "autocast": autocast_reader(),
    "the use of deterministic algorithms": torch.are_deterministic_algorithms_enabled,
    "anomaly detection": torch.is_anomaly_enabled,
    "the precision of float32 products": setting_of("get_float32_matmul_precision"),
    "the number of threads": torch.get_num_threads,
    # A default device is such a mode, too.
    "the stack of function modes": depth_of("_len_torch_function_stack"),
    "the stack of dispatch modes": depth_of("_len_torch_dispatch_stack"),
    "the dispatch keys": dispatch_keys,
    "the working folder": os.getcwd,
}


def read_settings() -> list[Any]:
    """Return what each of `SETTINGS` is now."""
    return [read() for read in SETTINGS.values()]


def changed_setting(before: list[Any], after: list[Any]) -> str | None:
    """Name the first setting that differs."""
    for name, old, new in zip(SETTINGS, before, after):
        if old != new:
            return name
    return None
