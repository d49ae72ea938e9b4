"""Which releases of PyTorch were published after those that are known here.

A package index tells it through its JSON API. Only what could be measured counts: final versions
that were not withdrawn and that have a wheel.
"""

import datetime as dt
import json
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packaging.version import InvalidVersion, Version

from generator.errors import ReleaseError, quoted

TIMEOUT = 30.0  # seconds


@dataclass(frozen=True)
class Published:
    """A release as an index lists it: its number, the day of its first wheel, which Pythons."""

    version: str
    date: dt.date
    python: str


def newer_releases(address: str, known: Iterable[str]) -> list[Published]:
    """Return the newest patch of each minor release that is newer than all known, oldest first.

    `address` is that of the index's JSON for the package. Raises ReleaseError where it cannot be
    read or is not what such an index answers.
    """
    newest = max(map(Version, known))
    found: dict[tuple[int, ...], Published] = {}
    for one in sorted(_published(address), key=lambda each: Version(each.version)):
        if Version(one.version) > newest:
            found[Version(one.version).release[:2]] = one
    return list(found.values())


def find_published(address: str, version: str) -> Published:
    """Return what the index says of one release; raises ReleaseError where it lists none such."""
    for one in _published(address):
        if one.version == version:
            return one
    raise ReleaseError(f"{address} lists no wheel of torch {version}")


def _published(address: str) -> Iterator[Published]:
    listed = _read(address)
    try:
        for version, files in listed["releases"].items():
            wheels = [one for one in files if _is_usable(one)]
            if _is_final(version) and wheels:
                first = min(one["upload_time_iso_8601"] for one in wheels)
                python = wheels[0].get("requires_python") or ""
                yield Published(version, dt.datetime.fromisoformat(first).date(), python)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ReleaseError(f"{address} answers no list of releases that is understood") from error


def _read(address: str) -> Mapping[str, Any]:
    if not address:
        raise ReleaseError(
            "no package index was named: give its address with --index, or to the workflow as the"
            " repository's variable INDEX"
        )
    if not address.startswith(("http://", "https://")):
        raise ReleaseError(
            f"{quoted(address)} is no address of an index; it has to begin with https:// or http://"
        )
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:  # noqa: S310 - checked above
            listed: Mapping[str, Any] = json.load(answer)
    except (OSError, ValueError) as error:
        raise ReleaseError(f"{address} could not be read: {error}") from error
    return listed


def _is_usable(file: Mapping[str, Any]) -> bool:
    return file["packagetype"] == "bdist_wheel" and not file["yanked"]


def _is_final(version: str) -> bool:
    try:
        number = Version(version)
    except InvalidVersion:
        return False
    return number.base_version == version and len(number.release) == 3
