"""Call a function in a process of its own, for what leaves threads or registrations behind."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from typing import Any, Callable

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
    if answer is None:
        return {"state": "timed out", "reason": f"took longer than {limit:g} seconds"}
    if not answer.endswith(b"\n"):
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
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
