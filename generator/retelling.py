"""From the committed catalogues of a device to the history of one record, in words or as JSON."""

from dataclasses import dataclass
from pathlib import Path

from generator.catalogue.history.alone import history_alone
from generator.catalogue.history.timelines import spelling_timeline
from generator.catalogue.links import Paged
from generator.catalogue.lookup import named
from generator.catalogue.model.history import History, Timeline
from generator.catalogue.model.records import ModuleRecord, NodeRecord, OpRecord
from generator.catalogue.names import Resolution, resolve
from generator.catalogue.shelf import Shelf, open_shelf
from generator.errors import CatalogueError, UnknownNameError, quoted

KINDS: dict[type[Paged], str] = {OpRecord: "op", ModuleRecord: "module", NodeRecord: "node"}


@dataclass(frozen=True)
class Retold:
    """What all releases say of a record that was asked for.

    `kind` is that of the record found. Where a spelling of it was named, `spelling` is that one's
    own timeline, which the history need not tell; None where no release called it.
    """

    history: History
    kind: str
    found: Resolution
    spelling: Timeline | None = None


def retell(root: Path, device: str, name: str) -> Retold:
    """Return the history of the record that `name` means.

    Raises CatalogueError where nothing was measured on `device` or a catalogue is damaged, and
    UnknownNameError where no release has such an op, module or node type.
    """
    shelf = open_shelf(root, device)
    if not shelf.releases:
        raise CatalogueError(f"no release was measured on {device}, so there is no history")
    found = _found(shelf, name)
    kind = KINDS.get(type(found.record))
    if kind is None:
        raise UnknownNameError(
            f"{found.record.name} is a block: only ops, modules and node types have a history"
        )
    alone = history_alone(shelf, (kind, found.record.name))
    own = (
        None
        if found.spelling is None
        else spelling_timeline(
            alone.catalogues, alone.history, found.record.name, found.spelling.name
        )
    )
    return Retold(alone.history, kind, found, own)


def _found(shelf: Shelf, name: str) -> Resolution:
    """Find the record in the newest release that has it; what the newest says is said of all.

    Of the record it has no more than what it is named by.
    """
    said: list[str] = []
    nearest: list[Resolution] = []
    for release in reversed(shelf.releases):
        try:
            found = resolve(named(shelf, release), name)
        except UnknownNameError as error:
            said.append(str(error))
            continue
        if not found.nearest:
            return found
        nearest.append(found)
    if nearest:
        return nearest[0]
    raise UnknownNameError(f"no measured release knows {quoted(name)}: {said[0]}")
