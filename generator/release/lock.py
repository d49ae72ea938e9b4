"""Let one run at a time work in a checkout."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.errors import TapekeptError


@contextmanager
def only_run(path: Path) -> Iterator[None]:
    """Hold the lock file at `path`; the system frees it even if this process is killed.

    Raises:
        TapekeptError: another run holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TapekeptError(
                "another run is at work in this checkout; wait until it has ended"
            ) from None
        yield
