"""Make the environment in which a release is measured: a virtual environment with that torch.

An environment is whole or absent: its stamp is written last, and what has no stamp is removed
before anything else. A whole one is used again as long as its requirements stay the same.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from generator.errors import ReleaseError
from generator.release.build import why_no_import
from generator.release.interpreters import find_interpreter, version_of
from generator.release.refusals import failure, why_not_offered, yanked, yanked_and_installed
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
            a yanked one, no network, a torch that does not import, or an install that failed for
            another reason.
        FullDiskError: there is no space for it.

    Nothing is left behind then.
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
    """Make an environment that holds nothing but pip; raises what `failure` says it means."""
    made = run([interpreter, "-m", "venv", "--without-pip", folder], os.environ)
    if not made.returncode:
        # Asked for pip, `venv` keeps to itself why there is none.
        with scratch(folder) as place:
            pip = ("-m", "ensurepip", "--upgrade", "--default-pip")
            made = run([folder / PYTHON, *pip], pip_environment(place))
    if made.returncode:
        raise failure(release, made.stdout)


def install(release: Release, folder: Path) -> None:
    """Install what a release requires, and see that its torch imports.

    Raises ReleaseError where either fails, and for a release that is not offered or was yanked,
    which is known before anything of it is downloaded; FullDiskError where there is no space.
    """
    listing = run_pip(folder, "index", "versions", "torch", "-vv").stdout
    if refusal := why_not_offered(release, listing, version_of(folder / PYTHON)):
        raise ReleaseError(refusal)
    done = run_pip(folder, "install", *OPTIONS, *release.requires)
    if done.returncode:
        raise failure(release, done.stdout)
    if (reason := yanked_and_installed(done.stdout)) is not None:
        raise ReleaseError(yanked(release, reason))
    if complaint := why_no_import(folder / PYTHON):
        raise ReleaseError(
            f"torch {release.version} installs but does not import here ({complaint})"
        )


def run_pip(folder: Path, *arguments: str) -> Answer:
    """Run pip in an environment, and return its exit code with all that it printed."""
    given = ("-c", PIP, str(os.getpid()), *arguments, "--no-input", "--disable-pip-version-check")
    with scratch(folder) as place:
        return run([folder / PYTHON, *given], pip_environment(place))


def run(command: Sequence[str | Path], environment: Mapping[str, str]) -> Answer:
    """Run a program, and return its exit code with all that it printed, as its `stdout`."""
    return subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


@contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """Yield a folder in an environment for what is unpacked there, and remove it afterwards."""
    place = folder / "tmp"
    place.mkdir(exist_ok=True)
    yield place
    shutil.rmtree(place, ignore_errors=True)


def pip_environment(place: Path) -> dict[str, str]:
    """Return the variables under which pip runs: the user's indexes, but nobody's constraints.

    A machine may cap torch by a constraints file; the release that was asked for is what counts.
    An empty variable would not replace a configured file, an empty file does. What pip unpacks
    lies in `place`, so that whatever ends it leaves nothing elsewhere.
    """
    mine = {"PIP_CONSTRAINT": os.devnull, "PYTHONPATH": "", "TMPDIR": str(place)}
    return {**os.environ, **mine}
