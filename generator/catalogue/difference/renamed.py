"""Which records show whether some node types were renamed from one release to another.

`compare.renames` reads renames off all calls that differ. Of a few types, those calls decide that
go through them, and through what may be their other name: the one that declares the same overload,
is spelled the same, or alone stands where the other stood.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from generator.catalogue.compare.calls import compare_calls
from generator.catalogue.compare.catalogues import untold
from generator.catalogue.compare.changes import PolicyChanged
from generator.catalogue.compare.renames import declared_alike, numbered_alike
from generator.catalogue.compare.shifts import paired_nodes
from generator.catalogue.model.records import Catalogue
from generator.catalogue.sharing import Fields, Key
from generator.catalogue.shelf import CALLED, Shelf

# What is read of a record for its calls.
CALLS = ("nodes", "policies", "references", "cases", "variants")
_TYPE = re.compile(rb'"type":"([^"]+)"')

Pair = tuple[str, str]


def types_of(shelf: Shelf, key: Key, releases: Iterable[str]) -> set[str]:
    """Return the node types that a record goes through in any of some releases."""
    each = (shelf.records[release].get(key, {}) for release in releases)
    return {name for fields in each for name in named_in(fields)}


@dataclass(frozen=True, eq=False)
class Step:
    """Two releases on a shelf: all their node types, and what came to no end."""

    shelf: Shelf
    old: Catalogue
    new: Catalogue

    def may_rename(self, types: AbstractSet[str]) -> bool:
        """Say whether one of these types, or an attribute of it, may have another name now."""
        return not types.isdisjoint(self._spelled)

    def showing(self, types: AbstractSet[str]) -> set[Key]:
        """Return the records whose calls decide of these types whether they were renamed."""
        about = {name for one in types for name in self._spelled.get(one, ())}
        found: set[Key] = set()
        alone: set[Pair] = set()
        while True:
            stood = {one for pair in alone if not about.isdisjoint(pair) for one in pair}
            about |= {name for one in stood for name in self._spelled.get(one, ())}
            more = {
                key
                for key, named in (self._differing.items() if about else ())
                if key not in found and not about.isdisjoint(named)
            }
            if not more:
                return found
            found |= more
            alone |= {pair for key in more for pair in self._alone(key)}

    def differing(self, fields: tuple[str, ...]) -> list[Key]:
        """List the ops and modules that both sides have, with other values of these fields."""
        old, new = (self.shelf.records[one.header.release] for one in (self.old, self.new))
        return [
            key
            for key, one in old.items()
            if key[0] in CALLED
            and key in new
            # Fields that a file has from another one are the same object.
            and any(one.get(field) != new[key].get(field) for field in fields)
        ]

    def moved_alike(self, types: AbstractSet[str]) -> set[str]:
        """Return the node types that lost and gained attributes as one of these did."""
        alike = (names for names in self._moves.values() if not names.isdisjoint(types))
        return {name for names in alike for name in names}

    @cached_property
    def _gone(self) -> set[str]:
        lost = self.old.nodes.keys() - self.new.nodes.keys()
        return {one for one in lost if untold(self.old.nodes[one], None, self.new) is None}

    @cached_property
    def _come(self) -> set[str]:
        gained = self.new.nodes.keys() - self.old.nodes.keys()
        return {one for one in gained if untold(self.new.nodes[one], None, self.old) is None}

    @cached_property
    def _spelled(self) -> Mapping[str, set[str]]:
        """File under each type that may be renamed, or its attributes, it and what it may be.

        That is by how it is written: what is spelled alike, or declares the same overload.
        """
        found = {one: {one} for one in {*self._gone, *self._come}}
        for one, other in self._written_alike:
            found[one].add(other)
            found[other].add(one)
        for names in self._moves.values():
            for one in names:
                found.setdefault(one, {one})
        return found

    @cached_property
    def _written_alike(self) -> list[Pair]:
        declared = declared_alike(self.old, self.new, self._gone, self._come)
        return [*declared, *numbered_alike(self._gone, self._come)]

    @cached_property
    def _moves(self) -> Mapping[Pair, set[str]]:
        """File node types under each attribute that they lost and each that they gained."""
        found: dict[Pair, set[str]] = defaultdict(set)
        both = self.old.nodes.keys() & self.new.nodes.keys()
        for name, other in [*((one, one) for one in both), *self._written_alike]:
            before = {*self.old.nodes[name].attributes}
            after = {*self.new.nodes[other].attributes}
            for pair in product(before - after, after - before):
                found[pair].update((name, other))
        return found

    @cached_property
    def _differing(self) -> Mapping[Key, set[str]]:
        """File each record of which calls differ, with the node types that it names."""
        old, new = (self.shelf.records[one.header.release] for one in (self.old, self.new))
        return {key: {*named_in(old[key]), *named_in(new[key])} for key in self.differing(CALLS)}

    def _alone(self, key: Key) -> Iterator[Pair]:
        """Yield types that went from a call of a record alone, with what alone came there."""
        records = [
            self.shelf.called(one.header.release, key, CALLS) for one in (self.old, self.new)
        ]
        for change in compare_calls("op" if key[0] == "op" else "module", *records):
            if isinstance(change, PolicyChanged):
                _, lost, gained = paired_nodes(change.old, change.new)
                went = {node.type for node in lost} & self._gone
                came = {node.type for node in gained} & self._come
                if len(went) == len(came) == 1:
                    yield went.pop(), came.pop()


def named_in(fields: Fields) -> set[str]:
    """Return the node types that a record of an op or a module goes through."""
    return {one.decode() for one in _TYPE.findall(fields.get("nodes", b""))}
