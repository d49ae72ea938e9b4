"""Describe the build that is being measured."""

from __future__ import annotations

import platform
import sys
from typing import Any

import torch

from generator.probe.opinfo import unimported
from generator.tape.compat import WITHOUT_HOOKS, cpu_capability

STOOD_IN = "arguments made from ATen schemas, since PyTorch's own tests could not be imported"


def describe_build(device: str) -> dict[str, Any]:
    """Return version, git sha, device, Python, platform, and the processor's kernel class.

    The class (`AVX2`, `AVX512`…) is what the release's CPU kernels were chosen by: some of what
    is saved depends on it.
    """
    return {
        "version": str(torch.__version__),
        "git": str(torch.version.git_version),
        "device": device,
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "platform": f"{platform.system()} {platform.machine()}",
        "processor": cpu_capability(),
        **({"without_hooks": WITHOUT_HOOKS} if WITHOUT_HOOKS else {}),
        **({"samples": f"{STOOD_IN} ({unimported})"} if unimported else {}),
    }
