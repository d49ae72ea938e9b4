"""Describe the build that is being measured."""

from __future__ import annotations

import platform
import sys
from typing import Any

import torch

from generator.probe.opinfo import unimported

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
        "processor": _capability(),
        **({"samples": f"{STOOD_IN} ({unimported})"} if unimported else {}),
    }


def _capability() -> str:
    # `get_cpu_capability` came with 2.1; older releases print it among their build settings.
    backend = getattr(torch.backends, "cpu", None)
    if backend is not None:
        return str(backend.get_cpu_capability())
    for line in torch.__config__.show().splitlines():
        if "CPU capability usage:" in line:
            return line.split(":")[1].strip()
    return "unknown"
