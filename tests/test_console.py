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


def test_elsewhere_a_line_stands_for_every_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress("Probe") as done:
        for number in range(1, 41):
            done(number, 40, f"torch.op{number}")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Probe: 1 of 40 (torch.op1)"
    assert lines[1] == "Probe: 4 of 40 (torch.op4)"
    assert lines[-1] == "Probe: 40 of 40 (torch.op40)"
    assert len(lines) == 11


def test_a_terminal_gets_a_bar() -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", CODE],
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
    assert "40/40" in drawn
    assert "Probe: 4 of 40" not in drawn
