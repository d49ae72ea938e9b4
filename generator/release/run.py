"""Run the probe with a release's own interpreter and read what it left in a file.

The file is the only channel: its first line says which build was measured, each following line is
one record, and its last line counts them, so that a probe that died is never taken for a complete
one. What the probe writes to stderr is progress, a note, or the reason why it stopped.
"""

import os
import re
import subprocess
from collections import deque
from collections.abc import Callable
from pathlib import Path

from generator.errors import FullDiskError, ProbeError

Progress = Callable[[int, int, str], None]
Note = Callable[[str], None]
NOTE = "note: "
# Exit codes of a probe that says what keeps it from its work: a sentence, or what is full.
UNABLE = 2
FULL = 3
PROGRESS = re.compile(r"(\d+) (\d+) (.+)\n?")


def run_probe(
    python: Path, root: Path, arguments: tuple[str, ...], progress: Progress, note: Note
) -> None:
    """Run `python -m generator.probe` at `root`; relay its progress as (done, total, name).

    What it has to say about the run goes to `note`, a line each. It ends when this process does.

    Raises:
        ProbeError: the probe could not be started, or ended with an error; the sentence holds the
            last line that it wrote.
        FullDiskError: there was no space for what it measured; what it wrote by then is kept.
    """
    command = [str(python), "-m", "generator.probe", "--end-with", str(os.getpid()), *arguments]
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    # PyTorch's tests draw some arguments from sets of strings, whose order follows this seed.
    environment["PYTHONHASHSEED"] = "0"
    said: deque[str] = deque(["no reason was given"], maxlen=1)
    with subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdout=subprocess.DEVNULL,  # where some releases and backends talk to themselves
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as probe:
        try:
            for line in probe.stderr or ():
                step = PROGRESS.fullmatch(line)
                if step:
                    progress(int(step[1]), int(step[2]), step[3])
                elif line.startswith(NOTE):
                    note(line[len(NOTE) :].strip())
                elif line.strip():
                    said.append(line.strip())
        except BaseException:
            probe.terminate()
            raise
    if probe.returncode == FULL:
        raise FullDiskError(f"{said[0]} could not be written; what was measured is kept")
    if probe.returncode == UNABLE:
        raise ProbeError(said[0])
    if probe.returncode:
        raise ProbeError(f"the probe stopped ({ending(probe.returncode)}): {said[0].rstrip('.')}")


def ending(code: int) -> str:
    """Say how a process ended: with an exit code, or by which signal."""
    return f"signal {-code}" if code < 0 else f"exit code {code}"
