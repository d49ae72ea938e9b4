"""Make `.venv` with what a target needs, before anything of the project can be imported.

The Makefile runs this file with whatever `python3` there is, so it uses the standard library and
syntax of Python 3.6 only. It looks for a Python that is new enough, and leaves a stamp file, which
Make compares with `pyproject.toml`, when everything is installed.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
NEWEST = (3, 14)
EXTRAS = {"ready-site": "", "ready-test": "[test]"}


class SetUpError(Exception):
    """Set-up cannot go on; the message is one sentence for the user."""


def version_of(python: str) -> "tuple[int, ...]":
    """Return the version of the interpreter at `python`, or `()` if it does not run."""
    ask = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.check_output([python, "-c", ask], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(int(part) for part in answer.split())


def find_python() -> str:
    """Return an interpreter of Python 3.11 or newer: the running one, or one on the path.

    Raises:
        SetUpError: there is none.
    """
    names = [f"python3.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1)]
    candidates = [sys.executable] + [found for found in map(shutil.which, names) if found]
    for python in candidates:
        if version_of(python) >= OLDEST:
            return python
    running = ".".join(map(str, sys.version_info[:3]))
    raise SetUpError(
        f"Python {running} is too old and no newer one is on the path: install Python 3.11 or"
        " newer, or name it with `make PYTHON=/path/to/python3.11 …`."
    )


def install(environment: Path, extra: str) -> None:
    """Install this checkout, in editable form, with an extra, into a virtual environment.

    Raises:
        SetUpError: the environment cannot be made, or pip gave up.
    """
    python = environment / "bin" / "python"
    if version_of(str(python)) < OLDEST:
        bare = [find_python(), "-m", "venv", "--clear", "--without-pip", str(environment)]
        run(bare, "Making .venv")
        # Asked for pip, `venv` keeps to itself why there is none.
        run([str(python), "-m", "ensurepip", "--upgrade", "--default-pip"], "Making .venv")
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check"]
    run([*command, "--editable", f".{extra}"], "Installing", shown=sys.stdout.isatty())


def run(command: "list[str]", doing: str, *, shown: bool = False) -> None:
    """Run one step of the set-up, shown or not, and turn its failure into a sentence."""
    output = None if shown else subprocess.PIPE
    try:
        done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, check=False)
    except OSError as error:
        raise SetUpError(f"{doing} failed: {error}.") from error
    if done.returncode:
        said = (done.stdout or b"") + done.stderr
        raise SetUpError(f"{doing} failed: {reason(said.decode(errors='replace'))}")


def reason(complaint: str) -> str:
    """Turn what a failed step wrote to stderr into one sentence that says what to do."""
    if "No space left" in complaint:
        return "the disk is full; free some space and run the same command again."
    if "No module named ensurepip" in complaint or "ensurepip is disabled" in complaint:
        return "this Python has no ensurepip; install it (Debian: apt-get install python3-venv)."
    if any(sign in complaint for sign in ("NewConnectionError", "name resolution", "TimeoutError")):
        return "the package index cannot be reached; check the network and try again."
    lines = [line for line in complaint.splitlines() if line.strip()]
    return (lines[-1].strip() if lines else "it gave no reason") + "."


def set_up(stamp: Path) -> None:
    """Make the environment that `stamp` lies in, and write the stamp, one process at a time."""
    environment = stamp.parent
    extra = EXTRAS[stamp.name]
    print(f"Setting up {environment} (once; it takes a minute or two)", flush=True)
    with Path(f"{environment}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        install(environment, extra)
        # Everything that the site needs is among what the tests need.
        for name in EXTRAS if extra else [stamp.name]:
            (environment / name).touch()


def main() -> None:
    """Set up for the stamp that the command line names; exit 2 with one sentence if it fails."""
    os.chdir(str(Path(__file__).resolve().parent.parent))
    try:
        set_up(Path(sys.argv[1]))
    except SetUpError as error:
        sys.stderr.write("tapekept: {}\n".format(str(error).rstrip(".")))
        sys.exit(2)
    except OSError as error:
        sys.stderr.write(f"tapekept: .venv cannot be written ({error.strerror}).\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
