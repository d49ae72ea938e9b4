"""A probe that is interrupted and begun again writes what one that was left alone writes."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.catalogue import codec
from generator.probe.__main__ import main
from generator.release.transcript import read_transcript
from tests.fixtures.probing import NAMES, probe

Stop = Callable[["subprocess.Popen[str]"], None]


def children(process: int) -> set[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return {int(one) for one in listed.split()}


def is_there(process: int) -> bool:
    """Tell whether a process runs: one that is only waiting to be collected does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state.split()[0] != "Z"


def interrupt(process: "subprocess.Popen[str]") -> None:
    """Press Ctrl-C: all processes of the terminal get it."""
    os.killpg(process.pid, signal.SIGINT)


def stopped(out: Path, finished: int, stop: Stop) -> tuple[int, list[str]]:
    """Stop a probe that has finished so many tasks; return its exit code and what it said."""
    said: list[str] = []
    with probe(out, "--resume", "--workers", "2") as process:
        for line in process.stderr or ():
            said.append(line)
            if sum(one[0].isdigit() for one in said) == finished:
                break
        workers = children(process.pid)
        assert workers
        stop(process)
        said += process.stderr or ()
    until = time.monotonic() + 20
    while any(map(is_there, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(is_there, workers))
    return process.returncode, said


def test_interrupted_and_killed_and_cut_it_continues_to_the_same_bytes(
    tmp_path: Path, runs: dict[int, tuple[list[str], str]]
) -> None:
    out = tmp_path / "interrupted"
    code, said = stopped(out, 1, interrupt)
    assert code == 130
    assert not any("Traceback" in line for line in said)

    before = closed(out)
    code, said = stopped(out, 1, lambda process: process.kill())
    assert code == -signal.SIGKILL
    assert said[0] == f"note: {len(before)} of 6 were measured before an interruption\n"
    assert said[1].startswith(f"{len(before) + 1} 6 ")

    after = closed(out)
    assert after[: len(before)] == before
    with out.open("ab") as file:
        file.write(out.read_bytes().splitlines()[1][:100])
    process = probe(out, "--resume", "--workers", "1")
    _, text = process.communicate()
    assert process.returncode == 0
    assert len(text.splitlines()) == 1 + len(NAMES) - len(after)
    alone = tmp_path / "alone"
    alone.write_text("\n".join(runs[1][0]), encoding="utf-8")
    assert sorted(closed(out)) == sorted(closed(alone))
    assert catalogue(out) == catalogue(alone)


def catalogue(out: Path) -> bytes:
    return codec.encode(read_transcript(out, "2.13.0"))


def closed(out: Path) -> list[str]:
    lines = [json.loads(line) for line in out.read_bytes().splitlines() if line.endswith(b"}")]
    return [line["task"] for line in lines if line["kind"] == "done"]


def test_a_full_disk_has_an_exit_code_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing can be written to this device, as to a disk that is full."""
    assert main(["--out", "/dev/full", "--only", "torch.exp"]) == 3
    assert capsys.readouterr().err == "/dev/full\n"


def test_a_folder_that_is_not_there_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "nowhere" / "out"
    assert main(["--out", str(out), "--only", "torch.exp"]) == 2
    assert capsys.readouterr().err == f"{out} could not be written: No such file or directory\n"
