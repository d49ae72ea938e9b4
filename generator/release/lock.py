"""Let one run at a time work in a checkout, and leave nothing where the run made nothing."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from generator.errors import TapekeptError


@contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Hold the lock file at `path`; the system frees it even if this process is killed.

    The file goes with the run, and so do the folders beside it, and its own, that are empty then.

    Raises:
        TapekeptError: another run holds it.
    """
    made = not path.parent.exists()
    with _held(path):
        try:
            yield
        finally:
            _leave_nothing(path, own_folder=made)


@contextmanager
def _held(path: Path) -> Iterator[None]:
    while True:
        with _opened(path) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise TapekeptError(
                    "another run is at work in this checkout; wait until it has ended"
                ) from None
            if _is_still(path, lock):
                yield
                return
        # A run that ended meanwhile took this file with it.


def _opened(path: Path) -> TextIO:
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # it took the folder too
            return path.open("w")


def _is_still(path: Path, lock: TextIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(lock.fileno()))
    except FileNotFoundError:
        return False


def _leave_nothing(path: Path, *, own_folder: bool) -> None:
    folder = path.parent
    with suppress(OSError):  # the run says what it could not do; this is no part of it
        for one in folder.iterdir():
            if one.is_dir():
                with suppress(OSError):  # it holds something
                    one.rmdir()
        path.unlink(missing_ok=True)
        if own_folder:
            folder.rmdir()
