"""Which releases there are, when each appeared and what it needs, as `releases.toml` says.

A release that the file does not name gets the file's defaults for its age, so that any published
version can be measured by name.
"""

import datetime as dt
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from generator.catalogue.model.records import Depth
from generator.errors import ReleaseError, quoted

TABLE = Path(__file__).with_name("releases.toml")


@dataclass(frozen=True)
class Release:
    """A release, what pip has to be asked for, and how deep the release is measured.

    `requires` holds torch itself first. `date` is the day on which its wheels were published, None
    where `releases.toml` does not name the release.
    """

    version: str
    python: SpecifierSet
    requires: tuple[str, ...]
    depth: Depth = "full"
    date: dt.date | None = None


def find_release(version: str) -> Release:
    """Say what the release `version` needs.

    Raises:
        ReleaseError: `version` is not the number of a release, or of one that is too old.
    """
    number = _number(version)
    table = _table()
    if number < Version(table["oldest"]):
        raise ReleaseError(
            f"torch {version} does not say what its nodes keep: {table['oldest']} is the first"
            " release that does"
        )
    entry = table["releases"].get(version)
    if entry is None:
        entry = next(one for one in table["defaults"] if number < Version(one["below"]))
    return Release(
        version=version,
        python=SpecifierSet(entry["python"]),
        requires=(f"torch=={version}", *entry["requires"]),
        depth=entry.get("depth", "full"),
        date=entry.get("date"),
    )


def known_releases() -> tuple[Release, ...]:
    """Return the releases that the file names, oldest first."""
    return in_order(find_release(version) for version in _table()["releases"])


def in_order(releases: Iterable[Release]) -> tuple[Release, ...]:
    """Return each of the releases once, oldest first."""
    by_version = {one.version: one for one in releases}
    return tuple(by_version[version] for version in sorted(by_version, key=Version))


def release_dates() -> dict[str, dt.date]:
    """Return the day on which each of them was published, by version, oldest first."""
    return {one.version: one.date for one in known_releases() if one.date is not None}


def default_release() -> str:
    """Return the release that is measured when none is named; the guides are written for it."""
    return str(_table()["default"])


def _number(version: str) -> Version:
    try:
        number = Version(version)
    # A number of thousands of digits is no InvalidVersion to the library: it fails to count it.
    except (InvalidVersion, ValueError):
        number = None
    if number is None or number.base_version != version or len(number.release) != 3:
        raise ReleaseError(
            f"{quoted(version)} is not the number of a PyTorch release; give all three parts,"
            f" such as {default_release()}"
        )
    return number


@cache
def _table() -> dict[str, Any]:
    try:
        return tomllib.loads(TABLE.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ReleaseError(f"{TABLE} cannot be read ({error}); restore it") from error
