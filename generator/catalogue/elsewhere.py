"""Which other releases have a record that one release lacks, read off the names alone.

Reading every catalogue whole takes a second each; their lines begin with the record's name.
"""

import re
from pathlib import Path

from generator.catalogue import store
from generator.catalogue.explain.messages import node_said
from generator.catalogue.explain.others import listed
from generator.errors import quoted

_NAME = re.compile(rb'^\{"kind":"(?:op|module|node|block)","name":"([^"]+)"', re.MULTILINE)
_NODE = re.compile(rb'^\{"kind":"node","name":"([^"]+)"', re.MULTILINE)


def told(root: Path, device: str, text: str) -> str | None:
    """Quote what `text` names and say which releases have it; None where none has.

    `text` is a record's whole name, its ending after a dot, or a message that quotes a node.
    """
    said = node_said(text) or text.strip().strip("`").removesuffix("()")
    having = [
        release
        for release, measured_on in store.releases(root)
        if measured_on == device and _has(store.path_of(root, release, device), said)
    ]
    if not having:
        return None
    return f"{quoted(said)}; it is in torch {listed(having)}: add --release {having[-1]}"


def node_names(root: Path, device: str) -> dict[str, set[str]]:
    """Return the names of the node types of each release measured on a device, oldest first."""
    return {
        release: {
            name.decode()
            for name in _NODE.findall(store.path_of(root, release, device).read_bytes())
        }
        for release, measured_on in store.releases(root)
        if measured_on == device
    }


def _has(path: Path, said: str) -> bool:
    names = {name.decode() for name in _NAME.findall(path.read_bytes())}
    return said in names or any(name.endswith(f".{said}") for name in names)
