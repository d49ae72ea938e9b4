"""The history of one record, from those records alone that decide what it says.

It is word for word what `catalogue.history` tells of the record among all others. Besides the
record itself that takes: every node type; which records came to no conclusion; where node types of
its graphs or their attributes were renamed, the calls that show it (`difference.renamed`);
and where a finding about it depends on other records, the fields that the finding is made from.
"""

from dataclasses import dataclass
from itertools import pairwise

from msgspec.structs import replace

from generator.catalogue.difference.alone import Fields, with_records, without_calls
from generator.catalogue.difference.findings import Conditions, Difference, Finding, Wording
from generator.catalogue.difference.renamed import CALLS, Step, types_of
from generator.catalogue.difference.told import difference
from generator.catalogue.history.timelines import renames_told, tell_history
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.catalogue.sharing import Key
from generator.catalogue.shelf import EVERYTHING, Shelf

# Findings whose words depend on what else they are about, and what they are made from.
_BEYOND: dict[type[Finding], tuple[str, ...]] = {
    Wording: ("writes",),
    Conditions: ("nodes", "policies", "conditions"),
}
# What is told of a node type, or decides what is.
_REST = {"node": ("attributes", "declared", "witness", "error")}

Known = dict[Step, tuple[Fields, Difference]]


@dataclass(frozen=True)
class Alone:
    """The history of one record, and the catalogues of what it was told from."""

    history: History
    catalogues: tuple[Catalogue, ...]


def history_alone(shelf: Shelf, key: Key) -> Alone:
    """Tell the history of the record `key`, which one of the releases has at least.

    Raises CatalogueError where what is read of a catalogue is damaged.
    """
    kind, name = key
    whole = [without_calls(shelf, release, _REST) for release in shelf.releases]
    steps = [Step(shelf, old, new) for old, new in pairwise(whole)]
    types = {name} if kind == "node" else types_of(shelf, key, shelf.releases)
    told: list[Difference] = []
    known: Known = {}
    size = -1
    while len(types) > size:
        # What a rename brings up may have been renamed before, or be renamed again.
        size = len(types)
        told = [_difference(step, key, types, known) for step in steps]
        types |= {one for each in told for one in _other_names(each, types)}
    catalogues = tuple(
        replace(
            with_records(shelf, each, {key: EVERYTHING}),
            nodes={one: node for one, node in each.nodes.items() if one in types},
        )
        for each in whole
    )
    history = tell_history(catalogues, told)
    only = replace(
        history,
        ops={name: history.ops[name]} if kind == "op" else {},
        modules={name: history.modules[name]} if kind == "module" else {},
    )
    return Alone(only, catalogues)


def _difference(step: Step, key: Key, types: set[str], known: Known) -> Difference:
    """Say what differs of a record between two releases, and of others what does not matter.

    `known` has what was said before of no other records, and takes what is said now.
    """
    if not step.may_rename(types) and _is_alike(step, key):
        return difference(*(replace(one, ops={}, modules={}, nodes={}) for one in _sides(step)))
    about = types | step.moved_alike(types) if key[0] == "node" else types
    picked: Fields = {**dict.fromkeys(step.showing(about), CALLS), key: EVERYTHING}
    if step not in known or known[step][0] != picked:
        known[step] = picked, _complete(step, key, picked)
    return known[step][1]


def _complete(step: Step, key: Key, chosen: Fields) -> Difference:
    """Say what differs, with all that its words depend on."""
    picked = dict(chosen)
    told = _told(step, picked)
    beyond = {
        field
        for one in told.findings
        if _is_about(one, key)
        for field in _BEYOND.get(type(one), ())
    }
    if beyond:
        for other in step.differing(tuple(beyond)):
            if picked.get(other) != EVERYTHING:
                picked[other] = tuple(sorted({*picked.get(other, ()), *beyond}))
        told = _told(step, picked)
    return told


def _told(step: Step, picked: Fields) -> Difference:
    return difference(*(with_records(step.shelf, one, picked) for one in _sides(step)))


def _sides(step: Step) -> tuple[Catalogue, Catalogue]:
    return step.old, step.new


def _is_alike(step: Step, key: Key) -> bool:
    """Say whether both sides say the same of a record; of a node type, what is told of it."""
    kind, name = key
    if kind == "node":
        old, new = (one.nodes.get(name) for one in _sides(step))
        return old == new
    before, after = (step.shelf.records[one.header.release].get(key) for one in _sides(step))
    return before == after


def _is_about(finding: Finding, key: Key) -> bool:
    match finding:
        case Wording(records=records):
            return any((one.subject, one.name) == key for one in records)
        case Conditions(names=names):
            return key[0] == "op" and key[1] in names
    return False


def _other_names(told: Difference, types: set[str]) -> set[str]:
    return {
        name
        for one in renames_told(told)
        if one.what == "node type" and types & {one.old, one.new}
        for name in (one.old, one.new)
    }
