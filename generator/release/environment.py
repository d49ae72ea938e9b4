"""Make the environment in which a release is measured: a virtual environment with that torch.

An environment is whole or absent: its stamp is written last, and what has no stamp is removed
before anything else. A whole one is used again as long as its requirements stay the same.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from generator.errors import ReleaseError
from generator.release.interpreters import find_interpreter
from generator.release.releases import Release

STAMP = "complete.json"
PIP = ("-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--prefer-binary")
UNREACHABLE = ("NewConnectionError", "ConnectTimeoutError", "ReadTimeoutError", "ProxyError")
FULL = "No space left on device"


def ensure_environment(release: Release, folder: Path) -> Path:
    """Return the interpreter of the release's environment at `folder`, made if it is not there.

    Raises:
        ReleaseError: no suitable Python, no such torch version, no network, a full disk, or an
            install that failed for another reason; nothing is left behind then.
    """
    python = folder / "bin" / "python"
    if is_complete(release, folder):
        return python
    interpreter = find_interpreter(release)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        make(release, interpreter, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return python


def is_complete(release: Release, folder: Path) -> bool:
    """Say whether `folder` holds a finished environment for exactly this release."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(stamp == {"requires": list(release.requires)}) and runs(folder / "bin" / "python")


def runs(python: Path) -> bool:
    """Say whether the interpreter still starts: the one that it was made from may be gone."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make(release: Release, interpreter: Path, folder: Path) -> None:
    """Make the environment at `folder` and write its stamp; see `ensure_environment`."""
    made = subprocess.run(
        [interpreter, "-m", "venv", folder], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise ReleaseError(explain(release, made.stdout + made.stderr))
    done = subprocess.run(
        [folder / "bin" / "python", *PIP, *release.requires],
        env=pip_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ReleaseError(explain(release, done.stdout))
    stamp = json.dumps({"requires": list(release.requires)})
    (folder / STAMP).write_text(stamp + "\n", encoding="utf-8")


def pip_environment() -> dict[str, str]:
    """Return the variables under which pip runs: the user's indexes, but nobody's constraints.

    A machine may cap torch by a constraints file; the release that was asked for is what counts.
    An empty variable would not replace a configured file, an empty file does.
    """
    return {**os.environ, "PIP_CONSTRAINT": os.devnull, "PYTHONPATH": ""}


def explain(release: Release, output: str) -> str:
    """Turn what a failed install printed into one sentence."""
    if FULL in output:
        return (
            f"the disk is full, so torch {release.version} could not be installed;"
            " free some space and run the same command again"
        )
    if any(sign in output for sign in UNREACHABLE):
        return (
            f"the package index cannot be reached, so torch {release.version} could not be"
            " installed; check the network and run the same command again"
        )
    if f"No matching distribution found for torch=={release.version}" in output:
        return f"there is no torch {release.version} for this Python and platform{newest(output)}"
    return (
        f"torch {release.version} could not be installed: {complaint(output)};"
        " run the same command again, or change the release's entry in"
        " generator/release/releases.toml"
    )


def newest(output: str) -> str:
    """Name the newest version that pip found, if it says so."""
    listed = re.search(r"\(from versions: ([^)]*)\)", output)
    versions = listed.group(1).split(", ") if listed else []
    return f"; the newest one is {versions[-1]}" if versions and versions[-1] != "none" else ""


def complaint(output: str) -> str:
    """Pick the line that says what went wrong: pip's last error, or else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["no reason was given"])[-1].rstrip(".")
