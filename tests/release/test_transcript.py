from pathlib import Path

import pytest

from generator.catalogue import codec
from generator.errors import ProbeError
from generator.release.transcript import read_transcript
from tests.fixtures import tiny, transcripts


@pytest.fixture
def lines() -> list[bytes]:
    return transcripts.lines_of(tiny.catalogue())


def written(folder: Path, lines: list[bytes]) -> Path:
    path = folder / "lines.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def test_complete_lines_become_the_catalogue(tmp_path: Path, lines: list[bytes]) -> None:
    read = read_transcript(written(tmp_path, lines), tiny.RELEASE)
    assert codec.encode(read) == codec.encode(tiny.catalogue())


@pytest.mark.parametrize("cut", [slice(0, -1), slice(1, None), slice(0, 0)])
def test_a_missing_end_or_beginning_is_refused(
    tmp_path: Path, lines: list[bytes], cut: slice
) -> None:
    with pytest.raises(ProbeError, match="incomplete"):
        read_transcript(written(tmp_path, lines[cut]), tiny.RELEASE)


def test_a_missing_record_is_refused(tmp_path: Path, lines: list[bytes]) -> None:
    del lines[3]
    with pytest.raises(ProbeError, match="incomplete"):
        read_transcript(written(tmp_path, lines), tiny.RELEASE)


def test_a_damaged_line_is_refused_by_number(tmp_path: Path, lines: list[bytes]) -> None:
    lines[2] = lines[2][:20]
    with pytest.raises(ProbeError, match="line 3 of the probe's records is damaged"):
        read_transcript(written(tmp_path, lines), tiny.RELEASE)


def test_another_release_is_refused(tmp_path: Path, lines: list[bytes]) -> None:
    with pytest.raises(ProbeError, match=r"measured torch 2\.13\.0 instead of 2\.12\.1"):
        read_transcript(written(tmp_path, lines), "2.12.1")


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProbeError, match="left no records"):
        read_transcript(tmp_path / "nothing", tiny.RELEASE)
