"""Seed what the calls draw from, by the text that names them."""

from __future__ import annotations

import random
import zlib
from typing import Any

import numpy as np
import torch


def seed_of(*parts: Any) -> int:
    """Return a seed that depends on nothing but the parts' text."""
    return zlib.crc32("/".join(map(str, parts)).encode())


def seed_generators(seed: int) -> None:
    """Seed torch's CPU generator, those of CUDA once it is in use, NumPy's and Python's.

    OpInfo draws tensors from torch, and some numbers and choices from the other two.

    `torch.manual_seed` would also queue a call, with its stack, for each backend that is not
    initialised: 1 ms a call, in a probe that makes 100,000 calls.
    """
    torch.default_generator.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002  # the generator that OpInfo draws from
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]  # typed in no release
        torch.cuda.manual_seed_all(seed)
