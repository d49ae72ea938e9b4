"""The file of a run: what it holds already is kept, what is missing is added.

First comes a line about the build and the run, then for each finished task its records and a line
that closes it, at last the records of nodes and a line that counts all records. What no line closes
was cut off by an interruption: the next run of the same kind makes it anew.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Sightings = dict[str, Json]

ROOMS = ("probe", "tape")
END = b'{"kind": "end"'
FULL = {os.strerror(one).encode(): one for one in (errno.ENOSPC, errno.EDQUOT)}


class BusyError(Exception):
    """Another probe writes to the same file."""


class Transcript:
    """The file of the run that `first` describes; see `open_transcript`.

    `done` maps each task that is finished to the node types that it met, `records` counts the
    records that the file holds, and `found` tells what it held before: `nothing`, `a finished run`,
    `another run`, or `this run`, which alone is continued.
    """

    def __init__(self, file: FileIO, first: Json, *, resume: bool) -> None:
        self.done: dict[str, Sightings] = {}
        self.records = 0
        self.found = "nothing"
        self._file = file
        begin = _line(first)
        kept = self._read(file.read().splitlines(keepends=True), begin) if resume else 0
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # and no device
            file.truncate(kept)
        if kept == 0:
            self._write(begin)

    def close_task(self, task: str, records: Iterable[Json], sightings: Sightings) -> None:
        """Add the records of a finished task.

        Raises OSError where the file cannot be written, and for a call that a full disk made fail:
        that says nothing about the call.
        """
        closing = {"kind": "done", "task": task, "sightings": sightings}
        lines = [_line(record) for record in records]
        for words, code in FULL.items():
            if any(words in line for line in lines):
                raise OSError(code, words.decode(), tempfile.gettempdir())
        self._write(b"".join(lines) + _line(closing))
        self.done[task] = sightings
        self.records += len(lines)

    def end(self, records: Iterable[Json]) -> None:
        """Add the records that no task makes, and the line that ends the file."""
        lines = [_line(record) for record in records]
        self.records += len(lines)
        self._write(b"".join(lines) + _line({"kind": "end", "records": self.records}))

    def _read(self, lines: list[bytes], begin: bytes) -> int:
        """Read what an earlier run left behind; return how many bytes of it are to be kept."""
        if not lines:
            return 0
        if lines[-1].startswith(END):
            self.found = "a finished run"
            return 0
        if lines[0] != begin:
            self.found = "another run"
            return 0
        self.found = "this run"
        place = kept = len(begin)
        waiting = 0
        for line in lines[1:]:
            try:
                read = json.loads(line)
            except ValueError:  # half a line, or what a full disk left
                break
            place += len(line)
            waiting += 1
            if read["kind"] == "done":
                self.done[read["task"]] = read["sightings"]
                self.records += waiting - 1
                waiting, kept = 0, place
        return kept

    def _write(self, lines: bytes) -> None:
        rest = memoryview(lines)
        while rest:
            rest = rest[self._file.write(rest) :]


@contextmanager
def open_transcript(path: Path, first: Json, *, resume: bool) -> Iterator[Transcript]:
    """Open the file at `path`; with `resume`, keep what such a run left in it.

    Raises BusyError, and OSError where the file cannot be read or written.
    """
    # Without a buffer, so that nothing is left over to be written once a disk is full.
    with path.open("a+b", buffering=0) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(f"another probe is writing {path}; wait until it has ended") from None
        file.seek(0)
        yield Transcript(file, first, resume=resume)


def describe_run(tasks: Iterable[str]) -> str:
    """Return a digest of the tasks and of the sources that would make them.

    Runs of the same build under the same digest make the same records.
    """
    digest = hashlib.sha256("\n".join(sorted(tasks)).encode())
    package = Path(__file__).parents[1]
    for source in sorted(path for room in ROOMS for path in (package / room).rglob("*.py")):
        digest.update(f"\n{source.relative_to(package).as_posix()}\n".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _line(value: Json) -> bytes:
    return json.dumps(value).encode() + b"\n"
