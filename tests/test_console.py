"""What a run prints while it works, on a terminal and elsewhere."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from generator import console

ROOT = Path(__file__).parents[1]
CODE = """
from generator.console import progress
with progress("Probe") as done:
    for number in range(1, 41):
        done(number, 40, f"torch.op{number}")
"""
NESTED = """
from generator.console import progress, say, steps
with steps("Releases") as tell:
    tell(0, 2, "2.15.0")
    with progress("Probe") as done:
        done(7, 40, "torch.exp")
    say("Measured torch 2.15.0")
    tell(1, 2, "2.14.1, about 9 min to go")
"""


def test_elsewhere_a_line_stands_for_every_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress("Probe") as done:
        for number in range(1, 41):
            done(number, 40, f"torch.op{number}")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Probe: 1 of 40 (torch.op1)"
    assert lines[1] == "Probe: 4 of 40 (torch.op4)"
    assert lines[-1] == "Probe: 40 of 40 (torch.op40)"
    assert len(lines) == 11


def test_elsewhere_each_long_step_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    with console.steps("Releases") as tell:
        tell(0, 2, "2.15.0")
        tell(1, 2, "2.14.1")
        tell(2, 2, "")
    assert capsys.readouterr().out.splitlines() == [
        "Releases: 0 of 2 done, now 2.15.0",
        "Releases: 1 of 2 done, now 2.14.1",
        "Releases: 2 of 2 done",
    ]


def on_a_terminal(code: str) -> str:
    """What is drawn where the standard output of `code` is a terminal."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=True,
    )
    os.close(theirs)
    drawn = os.read(ours, 65536).decode()
    os.close(ours)
    assert done.stderr == b""
    return drawn


def test_a_terminal_gets_a_bar() -> None:
    drawn = on_a_terminal(CODE)
    assert "40/40" in drawn
    assert "Probe: 4 of 40" not in drawn


def test_a_bar_for_long_steps_holds_the_bar_of_the_step_at_work() -> None:
    drawn = on_a_terminal(NESTED)
    for part in ("0/2", "2.15.0", "7/40", "torch.exp", "Measured torch 2.15.0", "1/2", "9 min"):
        assert part in drawn
