"""What differs of some records between two releases, from those records alone that decide it.

It is what `catalogue.difference.told` says of them among all others. Besides the records themselves
that takes: every node type; which records came to no conclusion; and where node types of their
graphs or the attributes of these were renamed, the calls that show it (`difference.renamed`).
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from generator.catalogue.compare.changes import CONCLUSIVE
from generator.catalogue.difference.findings import Difference
from generator.catalogue.difference.renamed import CALLS, Step, types_of
from generator.catalogue.difference.told import difference
from generator.catalogue.model.records import Catalogue
from generator.catalogue.sharing import Key
from generator.catalogue.shelf import CALLED, EVERYTHING, Shelf

_STATE = ("state",)
_REST = dict.fromkeys(("node", "block", "write"), EVERYTHING)

Fields = dict[Key, tuple[str, ...]]


def difference_alone(
    shelf: Shelf, old: str, new: str, *, only: Sequence[str], with_changes: bool = False
) -> Difference:
    """Say what differs from `old` to `new` of the records named in `only`, and their node types.

    Raises CatalogueError where what is read of a catalogue is damaged.
    """
    step = Step(shelf, *(without_calls(shelf, release, _REST) for release in (old, new)))
    asked = dict.fromkeys(
        key for release in (old, new) for key in shelf.keys(release, *CALLED) if key[1] in only
    )
    types = {*only}.union(*(types_of(shelf, key, (old, new)) for key in asked))
    picked: Fields = {
        **dict.fromkeys(step.showing(types), CALLS),
        **dict.fromkeys(asked, EVERYTHING),
    }
    sides = (with_records(shelf, one, picked) for one in (step.old, step.new))
    return difference(*sides, only=only, with_changes=with_changes)


def without_calls(shelf: Shelf, release: str, rest: Mapping[str, tuple[str, ...]]) -> Catalogue:
    """Return of ops and modules which came to no conclusion, and the rest of what a release has.

    `rest` says which fields matter, by the kind of record.
    """
    picked: Fields = {
        key: rest.get(key[0], _STATE)
        for key in shelf.keys(release, *CALLED, *rest)
        if key[0] in rest or shelf.state(release, key) not in CONCLUSIVE
    }
    return shelf.catalogue(release, picked)


def with_records(shelf: Shelf, catalogue: Catalogue, picked: Fields) -> Catalogue:
    """Add ops and modules, or fields of them, to what there is of a release."""
    more = shelf.catalogue(catalogue.header.release, picked)
    return replace(
        catalogue,
        ops={**catalogue.ops, **more.ops},
        modules={**catalogue.modules, **more.modules},
    )
