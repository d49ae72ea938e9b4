import datetime as dt
from pathlib import Path

import pytest

from generator.errors import ReleaseError
from generator.release import releases
from generator.release.releases import (
    default_release,
    find_release,
    known_releases,
    release_dates,
)

# The newest patch of each minor since nodes have `_saved_*` attributes, and the day of its wheels.
NEWEST_PATCHES = {
    "1.9.1": "2021-09-20",
    "1.10.2": "2022-01-27",
    "1.11.0": "2022-03-10",
    "1.12.1": "2022-08-05",
    "1.13.1": "2022-12-15",
    "2.0.1": "2023-05-08",
    "2.1.2": "2023-12-14",
    "2.2.2": "2024-03-27",
    "2.3.1": "2024-06-05",
    "2.4.1": "2024-09-04",
    "2.5.1": "2024-10-29",
    "2.6.0": "2025-01-29",
    "2.7.1": "2025-06-04",
    "2.8.0": "2025-08-06",
    "2.9.1": "2025-11-12",
    "2.10.0": "2026-01-21",
    "2.11.0": "2026-03-23",
    "2.12.1": "2026-06-17",
    "2.13.0": "2026-07-08",
    "2.14.1": "2026-09-30",
    "2.15.0": "2026-10-28",
}


def test_the_default_release_is_written_out_with_exact_pins() -> None:
    release = find_release(default_release())
    assert release.version == "2.13.0"
    assert all("==" in one for one in release.requires)
    assert release.requires[0] == "torch==2.13.0"
    assert "3.11.2" in release.python
    assert "3.10.13" not in release.python


# PyTorch's own wheels: which Python versions each release was published for, at both ends.
@pytest.mark.parametrize(
    ("version", "fits", "does_not"),
    [
        ("1.9.1", "3.9.18", "3.10.13"),
        ("1.12.1", "3.10.13", "3.11.7"),
        ("1.13.1", "3.11.7", "3.12.1"),
        ("2.1.2", "3.11.7", "3.12.1"),
        ("2.2.2", "3.12.1", "3.13.0"),
        ("2.6.0", "3.13.0", "3.8.18"),
        ("2.15.0", "3.13.0", "3.9.18"),
    ],
)
def test_another_release_gets_the_python_of_its_age(version: str, fits: str, does_not: str) -> None:
    python = find_release(version).python
    assert fits in python
    assert does_not not in python


@pytest.mark.parametrize(
    ("version", "numpy"),
    [
        ("1.13.1", "numpy==1.26.4"),
        ("2.2.2", "numpy==1.26.4"),
        ("2.2.1", "numpy<2"),
        ("2.3.0", "numpy"),
        ("2.3.1", "numpy==2.4.6"),
    ],
)
def test_numpy_2_comes_with_torch_2_3(version: str, numpy: str) -> None:
    assert numpy in find_release(version).requires


@pytest.mark.parametrize("version", NEWEST_PATCHES)
def test_the_newest_patch_of_each_minor_is_pinned(version: str) -> None:
    assert all("==" in one for one in find_release(version).requires)


def test_the_releases_are_known_with_their_dates_oldest_first() -> None:
    days = {version: dt.date.fromisoformat(day) for version, day in NEWEST_PATCHES.items()}
    assert list(release_dates().items()) == list(days.items())
    assert [one.version for one in known_releases()] == list(days)


def test_a_release_that_is_not_named_has_no_date() -> None:
    assert find_release("2.2.1").date is None


@pytest.mark.parametrize(
    "version", ["", "latest", "2.13", "2", "v2.13.0", "2.13.0+cpu", "2.13.0rc1", "9" * 5000]
)
def test_what_is_no_release_number_is_refused(version: str) -> None:
    with pytest.raises(ReleaseError, match="is not the number of a PyTorch release"):
        find_release(version)


def test_a_damaged_table_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "releases.toml"
    table.write_text("default = ")
    monkeypatch.setattr(releases, "TABLE", table)
    releases._table.cache_clear()
    try:
        with pytest.raises(ReleaseError, match=r"releases\.toml cannot be read .*; restore it$"):
            find_release("2.13.0")
    finally:
        releases._table.cache_clear()


def test_a_release_without_saved_attributes_is_refused() -> None:
    assert find_release("1.9.0").version == "1.9.0"
    with pytest.raises(ReleaseError, match=r"^torch 1\.8\.1 does not say what its nodes keep"):
        find_release("1.8.1")
