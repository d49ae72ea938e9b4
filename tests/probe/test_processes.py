import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.probe.processes import cause_of_death

ROOT = Path(__file__).parents[2]
CHILD = """
import os, sys, time
from generator.probe.processes import end_with
end_with(int(sys.argv[1]))
print(os.getpid(), flush=True)
time.sleep(600)
"""
# A parent that starts a child, which shares its stdout, and waits for ever.
PARENT = """
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[1], str(os.getpid())])
time.sleep(600)
"""


def test_a_process_ends_with_the_one_that_started_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, CHILD], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = Path("/proc") / parent.stdout.readline().strip()
        assert child.exists()
        parent.kill()
        # The pipe is closed once nobody holds its other end.
        assert parent.stdout.read() == ""
    until = time.monotonic() + 20
    while child.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not child.exists()


def test_a_process_whose_parent_is_gone_already_ends_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, "1"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (-11, "the process was ended by SIGSEGV"),
        (-9, "the process was ended by SIGKILL"),
        (3, "the process ended with exit code 3"),
        (None, "the process ended with exit code None"),
    ],
)
def test_how_a_process_ended_is_told(code: int | None, said: str) -> None:
    assert cause_of_death(code) == said
