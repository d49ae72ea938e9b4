"""Call a function in a process of its own, for what leaves threads or registrations behind.

That is a fork, or a new interpreter where a release runs no backward in the fork of a process that
has run one.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any, Callable

import torch

from generator.probe.processes import cause_of_death

Json = dict[str, Any]
LIMIT_SECONDS = 100.0


def apart(function: Callable[[], Json], limit: float = LIMIT_SECONDS) -> Json:
    """Return `function()`, called in a fork of this process, or how that process ended.

    `limit` is in seconds. What ended without an answer is the state `crashed` or `timed out`.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(writing, json.dumps(function()).encode() + b"\n")
        finally:
            os._exit(0)
    os.close(writing)
    answer = _line(reading, time.monotonic() + limit)
    os.close(reading)
    if answer is None:
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return _answered(answer, code, limit)


def afresh(module: str, name: str, limit: float = LIMIT_SECONDS) -> Json:
    """Return the JSON in the first line that `python -m MODULE NAME` prints, or how it ended."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", module, name]
    root = Path(__file__).parents[2]
    with subprocess.Popen(  # noqa: S603  # this interpreter, and a module of ours
        command, stdout=writing, stderr=subprocess.DEVNULL, cwd=root
    ) as process:
        os.close(writing)
        answer = _line(reading, time.monotonic() + limit)
        os.close(reading)
        if answer is None:
            process.kill()
        code = process.wait()
    return _answered(answer, code, limit)


@cache
def forks_run_backward() -> bool:
    """Tell whether the fork of a process that has run backward can run it too."""
    _backward()
    return apart(_backward)["ran"] is True


def _backward() -> Json:
    one = torch.ones(1, requires_grad=True)
    try:
        torch.autograd.backward(one * one)
    except RuntimeError:
        return {"ran": False}
    return {"ran": True}


def _answered(answer: bytes | None, code: int, limit: float) -> Json:
    if answer is None:
        return {"state": "timed out", "reason": f"took longer than {limit:g} seconds"}
    if not answer.endswith(b"\n"):
        return {"state": "crashed", "reason": cause_of_death(code)}
    made: Json = json.loads(answer)
    return made


def _line(reading: int, deadline: float) -> bytes | None:
    """Read up to a line's end, since a process that the other one started may hold the pipe too."""
    answer = b""
    while not answer.endswith(b"\n"):
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        part = os.read(reading, 65536)
        if not part:
            break
        answer += part
    return answer
