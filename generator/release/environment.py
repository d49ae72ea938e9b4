"""Make the environment in which a release is measured: a virtual environment with that torch.

An environment is whole or absent: its stamp is written last, and what has no stamp is removed
before anything else. A whole one is used again as long as its requirements stay the same.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

from generator.errors import ReleaseError
from generator.release.build import why_no_import
from generator.release.interpreters import find_interpreter, version_of
from generator.release.refusals import explain, explain_missing, is_missing, yanked
from generator.release.releases import Release

STAMP = "complete.json"
PYTHON = Path("bin", "python")
# Compiling every module ahead takes half of an install's time, and few of them are imported.
OPTIONS = ("--no-compile", "--no-cache-dir", "--prefer-binary")
# An install ends with whoever asked for it: one that goes on alone would write into the
# environment that the next run makes.
PIP = """
import os, runpy, sys, threading, time

asked = int(sys.argv.pop(1))

def end():
    while os.getppid() == asked:
        time.sleep(0.2)
    os._exit(1)

threading.Thread(target=end, daemon=True).start()
sys.argv[0] = "pip"
runpy.run_module("pip", run_name="__main__")
"""

Answer = subprocess.CompletedProcess[str]


def ensure_environment(release: Release, folder: Path) -> Path:
    """Return the interpreter of the release's environment at `folder`, made if it is not there.

    Raises:
        ReleaseError: no suitable Python, no such torch version or no wheel of it for this machine,
            a yanked one, no network, a full disk, a torch that does not import, or an install that
            failed for another reason; nothing is left behind then.
    """
    if is_complete(release, folder):
        return folder / PYTHON
    interpreter = find_interpreter(release)
    remove(folder)
    try:
        create(release, interpreter, folder)
        install(release, folder)
        (folder / STAMP).write_text(stamp(release), encoding="utf-8")
    except BaseException:
        remove(folder)
        raise
    return folder / PYTHON


def is_complete(release: Release, folder: Path) -> bool:
    """Say whether `folder` holds a finished environment for exactly this release."""
    try:
        found = (folder / STAMP).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    return found == stamp(release) and runs(folder / PYTHON)


def stamp(release: Release) -> str:
    """Return what a finished environment says of itself."""
    return json.dumps({"requires": list(release.requires)}) + "\n"


def runs(python: Path) -> bool:
    """Say whether the interpreter still starts: the one that it was made from may be gone."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def remove(folder: Path) -> None:
    """Remove an environment, its stamp first: what is left half-way is no whole one."""
    (folder / STAMP).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def create(release: Release, interpreter: Path, folder: Path) -> None:
    """Make an environment that holds nothing but pip; raises ReleaseError where that fails."""
    made = subprocess.run(
        [interpreter, "-m", "venv", folder], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise ReleaseError(explain(release, made.stdout + made.stderr))


def install(release: Release, folder: Path) -> None:
    """Install what a release requires, and see that its torch imports.

    Raises ReleaseError where either fails, and for a release that was yanked.
    """
    done = run_pip(folder, *OPTIONS, *release.requires)
    if done.returncode and is_missing(release, done.stdout):
        # Only under `-vv` does pip name the wheels that it passed over.
        seen = run_pip(folder, "-vv", "--no-deps", release.requires[0])
        raise ReleaseError(explain_missing(release, seen.stdout, version_of(folder / PYTHON)))
    if done.returncode:
        raise ReleaseError(explain(release, done.stdout))
    if reason := yanked(done.stdout):
        raise ReleaseError(
            f"torch {release.version} was yanked by its publishers ({reason});"
            " measure another patch of it"
        )
    if complaint := why_no_import(folder / PYTHON):
        raise ReleaseError(
            f"torch {release.version} installs but does not import here ({complaint})"
        )


def run_pip(folder: Path, *arguments: str) -> Answer:
    """Run `pip install` in an environment, and return its exit code with all that it printed."""
    scratch = folder / "tmp"
    scratch.mkdir(exist_ok=True)
    options = ("--no-input", "--disable-pip-version-check", *arguments)
    done = subprocess.run(
        [folder / PYTHON, "-c", PIP, str(os.getpid()), "install", *options],
        env=pip_environment(scratch),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    shutil.rmtree(scratch, ignore_errors=True)
    return done


def pip_environment(scratch: Path) -> dict[str, str]:
    """Return the variables under which pip runs: the user's indexes, but nobody's constraints.

    A machine may cap torch by a constraints file; the release that was asked for is what counts.
    An empty variable would not replace a configured file, an empty file does. What pip unpacks
    lies in `scratch`, so that whatever ends it leaves nothing elsewhere.
    """
    mine = {"PIP_CONSTRAINT": os.devnull, "PYTHONPATH": "", "TMPDIR": str(scratch)}
    return {**os.environ, **mine}
