"""Find a Python on this machine that a release supports.

The running interpreter is asked first, then those on the path by their full names, then pyenv's,
which are often there without being on the path.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.specifiers import SpecifierSet

from generator.errors import ReleaseError
from generator.release.releases import Release

MINORS = range(20, 5, -1)
# Without these modules an interpreter cannot make an environment whose pip reaches an index.
ASK = "import sys, venv, ensurepip, ssl; print('.'.join(map(str, sys.version_info[:3])))"


def find_interpreter(release: Release) -> Path:
    """Return the first interpreter that `release` supports and that can make an environment.

    Raises:
        ReleaseError: there is none on this machine.
    """
    for candidate in candidates():
        if supports(release.python, version_of(candidate)):
            return candidate
    raise ReleaseError(
        f"torch {release.version} needs Python {release.python} and none was found on this"
        " machine; install one with its venv module and put it on the path"
    )


def candidates() -> Iterator[Path]:
    """Yield interpreters in the order of preference; some may not run."""
    yield Path(sys.executable)
    found = (shutil.which(f"python3.{minor}") for minor in MINORS)
    yield from (Path(name) for name in found if name)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob("versions/*/bin/python"), reverse=True)


def version_of(python: Path) -> str | None:
    """Return the version of an interpreter, or None if it does not run or lacks venv or pip."""
    try:
        answer = subprocess.run([python, "-c", ASK], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()


def supports(wanted: SpecifierSet, version: str | None) -> bool:
    """Say whether an interpreter's version is among the wanted ones."""
    return version is not None and version in wanted
