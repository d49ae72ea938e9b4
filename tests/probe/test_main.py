"""The probe as a command: what it writes, and that it writes the same however it is run."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.catalogue.model.records import ModuleRecord, NodeRecord, OpRecord
from generator.probe.__main__ import main
from tests.fixtures.probing import NAMES

TYPES = 658


@pytest.fixture(scope="module")
def records(runs: dict[int, tuple[list[str], str]]) -> list[Any]:
    lines = [json.loads(line) for line in runs[1][0]]
    return [line for line in lines if line["kind"] != "done"]


def test_the_number_of_workers_changes_no_byte(runs: dict[int, tuple[list[str], str]]) -> None:
    assert sorted(runs[1][0]) == sorted(runs[2][0])


def test_the_first_line_tells_the_build_and_the_last_counts(records: list[Any]) -> None:
    first, *between, last = records
    assert (first["kind"], first["release"]) == ("build", "2.13.0")
    assert first["build"]["git"] == "cf30153c4c131c8164ee7798e5022d810682e2cb"
    assert last == {"kind": "end", "records": len(between)}
    assert len(between) == len(NAMES) + TYPES


def test_each_record_is_one_of_the_catalogues(runs: dict[int, tuple[list[str], str]]) -> None:
    decoder = msgspec.json.Decoder(OpRecord | ModuleRecord | NodeRecord)
    lines = [line for line in runs[1][0][1:-1] if not line.startswith('{"kind": "done"')]
    decoded = [decoder.decode(line) for line in lines]
    assert {record.name for record in decoded if not isinstance(record, NodeRecord)} == set(NAMES)
    assert sum(isinstance(record, NodeRecord) for record in decoded) == TYPES
    assert all(record.state for record in decoded)


def test_states_tell_what_was_measured(records: list[Any]) -> None:
    states = {record["name"]: record["state"] for record in records[1:-1]}
    assert states["torch.exp"] == states["torch.nn.Linear"] == "measured"
    assert states["torch.argmax"] == "not differentiable"
    assert states["ExpBackward0"] == "witnessed"
    assert states["CudnnBatchNormBackward0"] == "declared"


def test_no_line_holds_an_address_or_a_path(runs: dict[int, tuple[list[str], str]]) -> None:
    for line in runs[1][0]:
        assert not re.search(r"0x[0-9a-f]{6}|object at|site-packages|/tmp/", line)


def test_progress_counts_finished_records(runs: dict[int, tuple[list[str], str]]) -> None:
    for _, progress in runs.values():
        lines = [line.split(" ", 2) for line in progress.splitlines()]
        assert [line[0] for line in lines] == [str(n + 1) for n in range(len(NAMES))]
        assert {line[1] for line in lines} == {str(len(NAMES))}
        assert {line[2] for line in lines} == set(NAMES)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--workers", "0"], "--workers must be 1 or more, not 0\n"),
        (["--device", "cuda"], "this build cannot reach the device 'cuda': "),
        (["--only", "torch.exp", "nosuch"], "--only: torch 2.13.0 has no op, module or node type"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], says: str
) -> None:
    out = tmp_path / "lines.jsonl"
    assert main(["--out", str(out), *options]) == 2
    said = capsys.readouterr().err
    assert said.startswith(says)
    assert said.count("\n") == 1
    assert not out.exists()


def test_another_release_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["--out", str(out), "--release", "1.13.1"]) == 2
    assert capsys.readouterr().err == "asked for 1.13.1, but torch 2.13.0 is here\n"
    assert not out.exists()
