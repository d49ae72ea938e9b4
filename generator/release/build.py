"""Ask the torch of an environment whether it is the release it should be, and reaches a device."""

import subprocess
from pathlib import Path

from generator.errors import ReleaseError

ASK = """
import sys
import torch
print(torch.__version__.partition("+")[0])
torch.empty(1, device=sys.argv[1])
"""


def check_build(python: Path, version: str, device: str) -> None:
    """Check that `python` imports torch `version`, and that a tensor can be put on `device`.

    Raises:
        ReleaseError: torch does not import, is another version, or cannot reach the device.
    """
    answer = subprocess.run(
        [python, "-c", ASK, device], capture_output=True, text=True, check=False
    )
    found, complaint = answer.stdout.strip(), last_line(answer.stderr)
    if not found:
        raise ReleaseError(
            f"torch {version} is installed but does not import ({complaint});"
            f" remove {python.parent.parent} and run the same command again"
        )
    if found != version:
        raise ReleaseError(
            f"{python.parent.parent} holds torch {found} instead of {version};"
            " remove it and run the same command again"
        )
    if answer.returncode:
        raise ReleaseError(
            f"this build of torch {version} cannot reach the device {device!r} ({complaint});"
            " name another device"
        )


def why_no_import(python: Path) -> str | None:
    """Return what `python` says where it cannot import torch, None where it can."""
    answer = subprocess.run(
        [python, "-c", "import torch"], capture_output=True, text=True, check=False
    )
    if answer.returncode < 0:
        return f"it ended by signal {-answer.returncode}"
    return last_line(answer.stderr) if answer.returncode else None


def last_line(text: str) -> str:
    """Return the last line that says something, without its full stop."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "no reason was given"
