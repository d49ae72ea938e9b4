"""What two catalogues of different depth have in common: the layers that both of them measured.

What only one side measured is neither added nor removed: it cannot be compared, and that is said
once, of the whole catalogue.
"""

from collections.abc import Iterator

import msgspec

from generator.catalogue.compare.changes import Change, LayersNotCompared
from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord

# What a catalogue of depth `history` leaves out.
LAYERS = (
    *("reads after writes", "conditions", "formulas", "compiled", "blocks"),
    "spellings under further masks",
)


def compare_depth(old: Catalogue, new: Catalogue) -> Iterator[Change]:
    """Yield that layers were measured on one side alone, where that is so."""
    before, after = old.header.depth, new.header.depth
    if before != after:
        yield LayersNotCompared(
            subject="header", name=new.header.name, layers=LAYERS, old=before, new=after
        )


def at_common_depth(old: Catalogue, new: Catalogue) -> tuple[Catalogue, Catalogue]:
    """Leave out of both what one of them has not measured."""
    if old.header.depth == new.header.depth:
        return old, new
    return _at_history(old), _at_history(new)


def _at_history(catalogue: Catalogue) -> Catalogue:
    if catalogue.header.depth == "history":
        return catalogue
    return msgspec.structs.replace(
        catalogue,
        ops={name: _bare(op) for name, op in catalogue.ops.items()},
        modules={name: _bare_module(one) for name, one in catalogue.modules.items()},
        blocks={},
    )


def _bare(op: OpRecord) -> OpRecord:
    variants = tuple(msgspec.structs.replace(one, further=()) for one in op.variants)
    return msgspec.structs.replace(
        op, variants=variants, reads=None, conditions=None, formulas=(), compiled=None
    )


def _bare_module(module: ModuleRecord) -> ModuleRecord:
    return msgspec.structs.replace(module, conditions=None, compiled=None)
