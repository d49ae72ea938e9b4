"""Which releases have a record of a name: read off the names alone.

Loading every catalogue whole takes a second each; their lines begin with the record's name.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from generator.catalogue import store
from generator.catalogue.explain.messages import node_said
from generator.errors import quoted

KINDS = ("op", "module", "node", "block")

# The names of records of every release, the oldest first.
Names = Mapping[str, Collection[str]]


def names(root: Path, device: str, *kinds: str) -> dict[str, set[str]]:
    """Return the names of the records of some kinds in each release measured on a device.

    Raises CatalogueError where a file cannot be read.
    """
    line = re.compile(
        rb'^\{"kind":"(?:%s)","name":"([^"]+)"' % "|".join(kinds).encode(), re.MULTILINE
    )
    return {
        release: {
            name.decode()
            for name in line.findall(store.read_file(store.path_of(root, release, device)))
        }
        for release, measured_on in store.releases(root)
        if measured_on == device
    }


def having(known: Names) -> dict[str, tuple[str, ...]]:
    """Return the releases that have each name, the oldest first."""
    found: dict[str, list[str]] = {}
    for release, there in known.items():
        for name in there:
            found.setdefault(name, []).append(release)
    return {name: tuple(releases) for name, releases in found.items()}


def listed(releases: Sequence[str]) -> str:
    """List releases; of more than three, the first and the last, and how many they are."""
    if len(releases) > 3:
        return f"{releases[0]} … {releases[-1]} ({len(releases)} releases)"
    return ", ".join(releases)


def told(root: Path, device: str, text: str) -> str | None:
    """Quote what `text` names and say which releases have it; None where none has.

    `text` is a record's whole name, its ending after a dot, or a message that quotes a node.
    """
    said = node_said(text) or text.strip().strip("`").removesuffix("()")
    found = [
        release
        for release, there in names(root, device, *KINDS).items()
        if said in there or any(name.endswith(f".{said}") for name in there)
    ]
    if not found:
        return None
    return f"{quoted(said)}; it is in torch {listed(found)}: add --release {found[-1]}"
