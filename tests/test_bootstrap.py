"""The set-up of a fresh machine: which Python is taken, and what is said when it cannot go on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator import bootstrap

ROOT = Path(__file__).parents[1]


def fake(folder: Path, name: str, version: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)
    return str(path)


def test_a_python_that_is_new_enough_is_taken() -> None:
    assert bootstrap.find_python() == sys.executable


def test_a_newer_one_on_the_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", fake(tmp_path, "python3", "3 9"))
    wanted = fake(tmp_path, "python3.13", "3 13")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.find_python() == wanted


def test_a_python_too_old_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", fake(tmp_path, "python3", "3 9"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(bootstrap.SetUpError, match="too old and no newer one is on the path"):
        bootstrap.find_python()


def test_what_does_not_run_has_no_version(tmp_path: Path) -> None:
    assert bootstrap.version_of(str(tmp_path / "nothing")) == ()


def test_it_is_written_for_a_python_too_old_to_go_on() -> None:
    """Python 3.6 has to read both files, if only to say that it is too old."""
    import ast

    for name in ("bootstrap.py", "cleaning.py"):
        ast.parse((ROOT / "generator" / name).read_text(), feature_version=(3, 6))


@pytest.mark.parametrize(
    ("complaint", "said"),
    [
        ("ERROR: [Errno 28] No space left on device", "the disk is full"),
        ("/x/bin/python: No module named ensurepip", "python3-venv"),
        ("ensurepip is disabled in Debian/Ubuntu for the system python.", "python3-venv"),
        ("WARNING: Retrying after NewConnectionError", "check the network"),
        ("ERROR: one\nERROR: two\n", "ERROR: two"),
        ("", "no reason"),
    ],
)
def test_a_failed_step_is_explained(complaint: str, said: str) -> None:
    assert said in bootstrap.reason(complaint)


def test_a_failure_is_one_sentence_and_leaves_no_stamp(tmp_path: Path) -> None:
    """A checkout without `pyproject.toml` cannot be installed; pip says so, once."""
    (tmp_path / "generator").mkdir()
    script = tmp_path / "generator" / "bootstrap.py"
    script.write_text((ROOT / "generator" / "bootstrap.py").read_text())
    done = subprocess.run(
        [sys.executable, str(script), ".venv/ready-site"],
        env={**os.environ, "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("tapekept: Installing failed: ")
    assert not (tmp_path / ".venv" / "ready-site").exists()
