"""A release added to a copy of the table of releases."""

import datetime as dt
import shutil
import tomllib
from pathlib import Path

import pytest

from generator.errors import ReleaseError
from generator.release import releases
from generator.release.additions import add_release
from generator.release.upstream import Published

NEXT = Published("9.0.0", dt.date(2030, 1, 2), ">=3.12,<3.19")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return Path(shutil.copy(releases.TABLE, tmp_path))


def test_it_is_added_and_all_else_stays(table: Path) -> None:
    before = table.read_text()
    add_release(table, NEXT)
    after = table.read_text()
    added = "".join(line for line in after.splitlines(keepends=True) if "9.0.0" in line)
    assert added == '[releases."9.0.0"]\n'
    was, now = tomllib.loads(before), tomllib.loads(after)
    assert {**now, "releases": None} == {**was, "releases": None}
    assert {name: one for name, one in now["releases"].items() if name != "9.0.0"} == was[
        "releases"
    ]


def test_it_gets_what_the_newest_gets(table: Path) -> None:
    was = tomllib.loads(table.read_text())["releases"]
    add_release(table, NEXT)
    entry = tomllib.loads(table.read_text())["releases"]["9.0.0"]
    newest = max(was, key=lambda version: tuple(map(int, version.split("."))))
    assert entry == {
        "date": dt.date(2030, 1, 2),
        "python": ">=3.12,<3.19",
        "requires": was[newest]["requires"],
        "depth": "history",
    }


def test_one_that_is_there_is_refused(table: Path) -> None:
    before = table.read_bytes()
    with pytest.raises(ReleaseError, match=r"2\.13\.0 already"):
        add_release(table, Published("2.13.0", dt.date(2026, 7, 8), ""))
    assert table.read_bytes() == before
