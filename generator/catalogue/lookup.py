"""Look a record up on a shelf: found by its name among all others, then read whole and checked.

Of other ops and modules only what they are found by is read.
"""

from dataclasses import replace

import msgspec

from generator.catalogue.checks import violations_of
from generator.catalogue.model.records import Catalogue, ModuleRecord, NodeRecord, OpRecord
from generator.catalogue.names import NAMED_BY, Resolution, resolve
from generator.catalogue.shelf import CALLED, EVERYTHING, Shelf
from generator.errors import CatalogueError


def named(shelf: Shelf, release: str) -> Catalogue:
    """Make a catalogue to look names up in: of ops and modules no more than they are found by."""
    return shelf.catalogue(
        release,
        {key: NAMED_BY if key[0] in CALLED else EVERYTHING for key in shelf.keys(release)},
    )


def look_up(shelf: Shelf, known: Catalogue, text: str) -> Resolution:
    """Return the whole record that `text` names in a catalogue that `named` made.

    Raises UnknownNameError as `resolve` does, and CatalogueError where the record is damaged or
    contradicts itself or others.
    """
    return whole(shelf, known, resolve(known, text))


def whole(shelf: Shelf, known: Catalogue, found: Resolution) -> Resolution:
    """Return what was found in a catalogue that `named` made with its record whole and checked.

    Raises CatalogueError as `look_up` does.
    """
    record = found.record
    witness = record.witness if isinstance(record, NodeRecord) else None
    names = (record.name, witness.name if witness else record.name)
    release = known.header.release
    read = shelf.catalogue(
        release, {key: EVERYTHING for key in shelf.keys(release, *CALLED) if key[1] in names}
    )
    if isinstance(record, OpRecord):
        record = read.ops[record.name]
    elif isinstance(record, ModuleRecord):
        record = read.modules[record.name]
    about = msgspec.structs.replace(known, ops=read.ops, modules=read.modules)
    wrong = violations_of(about, record)
    if wrong:
        raise CatalogueError(
            f"the catalogue {known.header.name} contradicts itself: {wrong[0].record}"
            f" {wrong[0].message}; measure it again"
        )
    return replace(found, record=record)
