import errno
import json
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from generator.probe.transcript import BusyError, Transcript, describe_run, open_transcript

FIRST = {"kind": "build", "run": "one"}
EXP: list[dict[str, Any]] = [{"kind": "op", "name": "torch.exp"}]
SEEN = {"ExpBackward0": {"count": 2}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lines.jsonl"


def begun(
    path: Path, first: dict[str, Any] = FIRST, *, resume: bool = True
) -> AbstractContextManager[Transcript]:
    return open_transcript(path, first, resume=resume)


def one_task(path: Path) -> bytes:
    with begun(path) as transcript:
        transcript.close_task("op torch.exp", EXP, SEEN)
    return path.read_bytes()


def test_a_whole_run_is_lines_and_their_number(path: Path) -> None:
    with begun(path) as transcript:
        assert (transcript.found, transcript.done) == ("nothing", {})
        transcript.close_task("op torch.exp", EXP, SEEN)
        transcript.close_task("recipe", [], {})
        transcript.end([{"kind": "node"}])
    assert [json.loads(line) for line in path.read_bytes().splitlines()] == [
        FIRST,
        *EXP,
        {"kind": "done", "task": "op torch.exp", "sightings": SEEN},
        {"kind": "done", "task": "recipe", "sightings": {}},
        {"kind": "node"},
        {"kind": "end", "records": 2},
    ]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_call_that_a_full_disk_made_fail_is_no_measurement(path: Path, code: int) -> None:
    whole = one_task(path)
    failed = {"kind": "write", "state": "raised", "reason": f"OSError: {os.strerror(code)}: '/tmp'"}
    with begun(path) as transcript, pytest.raises(OSError, match=os.strerror(code)) as raised:
        transcript.close_task("write numpy", [failed], {})
    assert raised.value.errno == code
    assert path.read_bytes() == whole
    with begun(path) as transcript:
        assert [*transcript.done] == ["op torch.exp"]


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        b'{"kind": "op", "name": "torch.mul"}\n',
        b'{"kind": "op", "na',
        b'{"kind": "op", "name": "torch.mul"}\n{"kind": "done", "task": "op torch.mul", "si',
        b"\0\0\0\0",
        b'{"kind": "node"}\n',
    ],
)
def test_what_no_line_closes_is_dropped(path: Path, rest: bytes) -> None:
    whole = one_task(path)
    path.write_bytes(whole + rest)
    with begun(path) as transcript:
        assert transcript.found == "this run"
        assert transcript.done == {"op torch.exp": SEEN}
        assert transcript.records == 1
        assert path.read_bytes() == whole
        transcript.close_task("op torch.mul", [{}], {})
    assert path.read_bytes().startswith(whole + b"{}\n")


def test_a_run_of_another_kind_is_replaced(path: Path) -> None:
    one_task(path)
    with begun(path, {**FIRST, "run": "other"}) as transcript:
        pass
    assert (transcript.found, transcript.done, transcript.records) == ("another run", {}, 0)
    assert path.read_bytes() == b'{"kind": "build", "run": "other"}\n'


def test_a_finished_run_is_replaced(path: Path) -> None:
    with begun(path) as transcript:
        transcript.close_task("op torch.exp", EXP, SEEN)
        transcript.end([])
    with begun(path) as again:
        pass
    assert (again.found, again.done, again.records) == ("a finished run", {}, 0)
    assert path.read_bytes() == b'{"kind": "build", "run": "one"}\n'


def test_nothing_is_kept_unless_asked(path: Path) -> None:
    one_task(path)
    with begun(path, resume=False) as transcript:
        assert transcript.done == {}
    assert path.read_bytes() == b'{"kind": "build", "run": "one"}\n'


def test_two_cannot_write_at_once(path: Path) -> None:
    with begun(path), pytest.raises(BusyError, match="another probe is writing"), begun(path):
        pass
    with begun(path) as transcript:
        assert transcript.found == "this run"


def test_a_run_is_told_by_its_tasks_and_by_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    one = describe_run(["op torch.exp", "op torch.mul"])
    assert one == describe_run(["op torch.mul", "op torch.exp"])
    assert one != describe_run(["op torch.exp"])
    changed = Path.read_bytes

    def read(path: Path) -> bytes:
        return changed(path) + (b" " if path.name == "saved.py" else b"")

    monkeypatch.setattr(Path, "read_bytes", read)
    assert one != describe_run(["op torch.exp", "op torch.mul"])
