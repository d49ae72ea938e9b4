"""Writing generated files: only what changed, atomically, and stale ones removed.

A generated page carries a mark in its front matter; only files with the mark are ever removed, so
a hand-written page next to generated ones is safe. Downloads carry none: their folder is all made.
"""

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

MARK = "generated_by: tapekept"
_MARK_WITHIN = 400


@dataclass
class RenderReport:
    """How many files a rendering wrote, found unchanged, and removed."""

    written: int = 0
    unchanged: int = 0
    removed: int = 0
    paths: set[Path] = field(default_factory=set)


def write_if_changed(path: Path, content: bytes, report: RenderReport) -> None:
    """Write `content` to `path` unless it is there already, by renaming a finished file."""
    report.paths.add(path)
    if path.is_file() and path.read_bytes() == content:
        report.unchanged += 1
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:
        # A write that fails does not say of which file.
        error.filename = error.filename or str(path)
        raise
    finally:
        Path(name).unlink(missing_ok=True)
    report.written += 1


def remove_stale(folders: Iterable[Path], report: RenderReport) -> None:
    """Remove the generated pages of `folders` that this rendering did not make."""
    for folder in folders:
        for path in sorted(folder.glob("*.md")):
            if path not in report.paths and is_generated(path):
                path.unlink()
                report.removed += 1


def remove_others(folder: Path, report: RenderReport) -> None:
    """Remove the files of a folder, all of it generated, that this rendering did not make."""
    for path in sorted(folder.iterdir()):
        if path not in report.paths:
            path.unlink()
            report.removed += 1


def is_generated(path: Path) -> bool:
    """Say whether a page carries the mark of generated ones in its front matter."""
    with path.open(encoding="utf-8") as file:
        return MARK in file.read(_MARK_WITHIN)
