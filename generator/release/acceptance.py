"""Ask a release whether it takes arguments of given shapes, on meta tensors: nothing is allocated.

That needs no more than the release installed: in the environment in which it is measured, or
beside this program. Where it is not, or where it cannot tell, nothing is said.
"""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import msgspec

SECONDS = 60
PACKAGE = Path(__file__).parents[2]


class Answer(msgspec.Struct, frozen=True):
    """The error of the call that was asked for, or why nothing is known of it."""

    refused: str | None
    untold: str | None


def interpreter_of(release: str, environment: Path) -> Path | None:
    """Return a Python that has the release installed, None where there is none."""
    measured = environment / "bin" / "python"
    if measured.exists():
        return measured
    try:
        beside = metadata.version("torch").partition("+")[0]
    except metadata.PackageNotFoundError:
        return None
    return Path(sys.executable) if beside == release else None


def ask(python: Path, question: object) -> Answer:
    """Have the release make a call of meta tensors; see `probe.meta_call` for the question."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    try:
        answer = subprocess.run(
            [python, "-m", "generator.probe.meta_call"],
            cwd=PACKAGE,
            env=environment,
            input=msgspec.json.encode(question),
            capture_output=True,
            check=True,
            timeout=SECONDS,
        )
        return msgspec.json.decode(answer.stdout, type=Answer)
    except (OSError, subprocess.SubprocessError, msgspec.DecodeError) as error:
        return Answer(None, f"the call of meta tensors did not end: {error}")
