"""Git in a checkout: one command at a time, and one sentence where it fails."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from generator.errors import TapekeptError

_REASONS = ("fatal:", "error:", "remote: error", "! [")


def git(root: Path, *arguments: str, surroundings: Mapping[str, str] | None = None) -> str:
    """Run git in the checkout at `root` and return what it prints, without the last line's end.

    Raises TapekeptError with git's own reason where it fails.
    """
    return run(root, "git", *arguments, surroundings=surroundings)


def run(
    root: Path, program: str, *arguments: str, surroundings: Mapping[str, str] | None = None
) -> str:
    """Run a program in `root` and return what it prints; raises TapekeptError where it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - programs that the workflows name, no shell
            [program, *arguments],
            cwd=root,
            env={**os.environ, **(surroundings or {})},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise TapekeptError(f"this needs {program}, which is not installed") from error
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "it gave no reason").splitlines()
        # What git says last may be advice that goes on over several lines.
        reason = next((line for line in said if line.strip().startswith(_REASONS)), said[-1])
        raise TapekeptError(f"`{program} {arguments[0]}` failed: {reason.strip()}")
    return done.stdout.rstrip("\n")
