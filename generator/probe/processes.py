"""What the probe asks of the system for its processes: limits, and an end with their parent."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

try:
    import resource
except ImportError:  # a system without such limits, where an allocation has only the machine's
    resource = None  # type: ignore[assignment]

# What one worker may allocate beyond what it starts with, in bytes.
MEMORY_BYTES = 6 * 2**30
_SET_PDEATHSIG = 1


def prepare_worker(parent: int) -> None:
    """Limit this process, forked off `parent`, and let it end with that one.

    A keyboard's interrupt goes to all processes of a terminal at once: the parent alone answers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with(parent)
    limit_memory(MEMORY_BYTES)


def end_with(parent: int) -> None:
    """Let the system kill this process when `parent`, which started it, is gone.

    Linux alone offers that; elsewhere a worker ends when it finds nobody to answer to.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was gone before the system was asked
        os.kill(os.getpid(), signal.SIGKILL)


def limit_memory(extra: int) -> None:
    """Let an allocation fail once this process holds `extra` bytes more than it does now.

    Counted is what it may write to and shares with nobody (RLIMIT_DATA), so that neither libraries
    nor the address space that an allocator sets aside use it up. Only Linux counts so. The core of
    a process that dies would fill the disk, so none is written.
    """
    if resource is None or sys.platform != "linux":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = _data_bytes() + extra
    resource.setrlimit(resource.RLIMIT_DATA, (limit if most < 0 else min(limit, most), most))


def cause_of_death(exit_code: int | None) -> str:
    """Say how a process ended: by a signal, or with an exit code."""
    if exit_code is not None and exit_code < 0:
        return f"the process was ended by {signal.Signals(-exit_code).name}"
    return f"the process ended with exit code {exit_code}"


def _data_bytes() -> int:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData:"))
