"""From the committed catalogues of a device to the history of one record, in words or as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.catalogue import store
from generator.catalogue.history import history, spelling_timeline
from generator.catalogue.links import Paged
from generator.catalogue.model import Catalogue, ModuleRecord, NodeRecord, OpRecord
from generator.catalogue.model_history import History, Timeline
from generator.catalogue.names import Resolution, resolve
from generator.errors import CatalogueError, UnknownNameError, quoted

KINDS: dict[type[Paged], str] = {OpRecord: "op", ModuleRecord: "module", NodeRecord: "node"}


@dataclass(frozen=True)
class Retold:
    """The history of all releases, and what was asked for in it.

    `kind` is that of the record found. Where a spelling of it was named, `spelling` is that one's
    own timeline, which the history need not tell; None where no release called it.
    """

    history: History
    kind: str
    found: Resolution
    spelling: Timeline | None = None


def retell(root: Path, device: str, name: str) -> Retold:
    """Return the history of all releases, and the kind and record that `name` means in it.

    Raises CatalogueError where nothing was measured on `device` or a catalogue is damaged, and
    UnknownNameError where no release has such an op, module or node type.
    """
    catalogues = store.load_all(root, device)
    if not catalogues:
        raise CatalogueError(f"no release was measured on {device}, so there is no history")
    found = _found(catalogues, name)
    kind = KINDS.get(type(found.record))
    if kind is None:
        raise UnknownNameError(
            f"{found.record.name} is a block: only ops, modules and node types have a history"
        )
    told = history(catalogues)
    named = found.spelling
    own = (
        None
        if named is None
        else spelling_timeline(catalogues, told, found.record.name, named.name)
    )
    return Retold(told, kind, found, own)


def _found(catalogues: Sequence[Catalogue], name: str) -> Resolution:
    """Find the record in the newest release that has it; what the newest says is said of all."""
    said: list[str] = []
    for catalogue in reversed(catalogues):
        try:
            return resolve(catalogue, name)
        except UnknownNameError as error:
            said.append(str(error))
    raise UnknownNameError(f"no measured release knows {quoted(name)}: {said[0]}")
