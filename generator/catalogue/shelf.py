"""The catalogues of one device, a record at a time: what nobody asks about is not decoded.

`catalogue.store` loads a catalogue whole and checks all of it. A shelf reads every file, tells its
records apart and resolves what they share, and decodes those records, or those of their fields,
that a question is about. Only these are checked, and that no file is truncated.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from generator.catalogue import codec, sharing, store
from generator.catalogue.model.records import Catalogue, Header, ModuleRecord, OpRecord
from generator.catalogue.sharing import Key, Written
from generator.errors import CatalogueError

# What every record has and no question is without.
ALWAYS = ("kind", "name", "state", "reason")
EVERYTHING: tuple[str, ...] = ()
# The kinds of record that hold calls, which are most of a file.
CALLED = ("op", "module")
# What is asked for where positions in a record are followed.
_FOLLOWED = {"policies", "writes"}

Picked = Mapping[Key, tuple[str, ...]]


@dataclass(frozen=True)
class Shelf:
    """What the files of a device hold, oldest release first: headers, and records as fields.

    Records are filed by kind and name, in the order of the file.
    """

    root: Path
    device: str
    headers: Mapping[str, Header]
    records: Mapping[str, Written]
    _seen: dict[bytes, codec.MeasuredRecord] = field(default_factory=dict)

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases that were measured, oldest first."""
        return tuple(self.headers)

    def record(
        self, release: str, key: Key, only: tuple[str, ...] = EVERYTHING
    ) -> codec.MeasuredRecord:
        """Decode a record that is there, or no more than some fields of it.

        Raises CatalogueError where it is damaged.
        """
        fields = self.records[release][key]
        chosen = {
            name: raw for name, raw in fields.items() if not only or name in ALWAYS or name in only
        }
        line = sharing.encode_fields(chosen)
        if line not in self._seen:
            try:
                self._seen[line] = codec.decode_record(
                    line, followed=not only or not _FOLLOWED.isdisjoint(only)
                )
            except CatalogueError as error:
                raise self._damaged(release, error) from error
        return self._seen[line]

    def called(self, release: str, key: Key, only: tuple[str, ...]) -> OpRecord | ModuleRecord:
        """Decode fields of a record that is there, of an op or a module."""
        record = self.record(release, key, only)
        if not isinstance(record, OpRecord | ModuleRecord):
            raise TypeError(f"{key} is neither an op nor a module")
        return record

    def catalogue(self, release: str, picked: Picked) -> Catalogue:
        """Make a catalogue of what is there of some records, or of the fields that are named."""
        there = self.records[release]
        found = [self.record(release, key, only) for key, only in picked.items() if key in there]
        return codec.catalogue_of(self.headers[release], found)

    def keys(self, release: str, *kinds: str) -> list[Key]:
        """List the records of some kinds, or of all, in the order of the file."""
        return [key for key in self.records[release] if not kinds or key[0] in kinds]

    def state(self, release: str, key: Key) -> str:
        """Return the state of a record that is there."""
        return sharing.text_of(self.records[release][key]["state"])

    def _damaged(self, release: str, error: CatalogueError) -> CatalogueError:
        return _damaged(store.path_of(self.root, release, self.device), error)


def open_shelf(root: Path, device: str, only: Collection[str] = ()) -> Shelf:
    """Read what every file of a device holds, oldest release first, or those of `only` some.

    What these share with other files is read there. Raises what `store.load` raises where a file
    cannot be read or does not hold what it counts.
    """
    there = [release for release, measured_on in store.releases(root) if measured_on == device]
    paths = {release: store.path_of(root, release, device) for release in only or there}
    held: dict[str, Written] = {}
    for release, path in paths.items():
        try:
            held[release] = _held(release, store.read_file(path))
        except CatalogueError as error:
            raise _damaged(path, error) from error
    headers: dict[str, Header] = {}
    records: dict[str, Written] = {}
    for release, path in paths.items():
        try:
            own = held[release]
            for one in sorted(sharing.named_by(own) - held.keys()):
                beside = store.path_of(root, one, device)
                held[one] = sharing.held(one, store.read_file(beside))
            whole = {key: sharing.whole_fields(key, own[key], held) for key in own}
            header = codec.decode_header(sharing.encode_fields(whole.pop(sharing.HEADER)))
            _check(header, path, whole)
        except (CatalogueError, msgspec.DecodeError) as error:
            raise _damaged(path, error) from error
        headers[release], records[release] = header, whole
    return Shelf(root, device, headers, records)


def _held(release: str, data: bytes) -> Written:
    codec.refuse_other_version(data)
    held = sharing.held(release, data)
    if data.count(b"\n") != len(held):
        raise CatalogueError("the catalogue is truncated or repeats a record; measure it again")
    return held


def _check(header: Header, path: Path, whole: Written) -> None:
    """Refuse a file of another catalogue, and one with other records than its header counts."""
    found = Counter((kind, sharing.text_of(fields["state"])) for (kind, _), fields in whole.items())
    counted = {
        (kind, state): number
        for kind, states in header.counts.items()
        for state, number in states.items()
    }
    if found != counted:
        raise CatalogueError("the catalogue does not hold the records that its header counts")
    rank = {kind: place for place, kind in enumerate(codec.KIND_ORDER)}
    if sorted(whole, key=lambda key: (rank.get(key[0], 0), key[1])) != [*whole]:
        raise CatalogueError("the records of the catalogue are out of order")
    if path.stem != header.name:
        raise CatalogueError(f"the file holds the catalogue {header.name}")


def _damaged(path: Path, error: Exception) -> CatalogueError:
    """Return what loading the file whole says is wrong with it, or else what was found here."""
    try:
        store.load(path)
    except CatalogueError as told:
        return told
    return CatalogueError(f"{path}: {error}")
