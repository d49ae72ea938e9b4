"""What the catalogues of one device have in common is written once, field by field.

A field that another release's record of that name writes out is not written again: the record then
holds `as_in`, which names the release and the fields, as in `{"2.13.0": ["cases", "writes"]}`. Such
a name always leads to a field that is written out, never to a further name. Catalogues of depth
`full` write out everything, so that each can be read alone; the others, oldest first, share with
these and with those before them. A new release thereby adds a file and leaves the others alone.
"""

from collections.abc import Iterable, Mapping
from typing import get_args

import msgspec
from packaging.version import Version

from generator.catalogue.model.records import Record
from generator.errors import CatalogueError, DamagedBesideError

AS_IN = "as_in"
# What tells a record from others and what became of it stays where a reader looks for it.
OWN = ("kind", "name", "state", "reason", "schema", "release", "build", "depth", "counts")
SHORTEST = 48  # bytes: about twice what it takes to name a field

Fields = dict[str, msgspec.Raw]
Key = tuple[str, str]
Written = Mapping[Key, Fields]

HEADER: Key = ("header", "")
_MARK = f'"{AS_IN}"'.encode()


class _Sources(msgspec.Struct):
    """What a line says of where its fields are written out, and nothing else of it."""

    as_in: dict[str, list[str]] = {}


_decoder = msgspec.json.Decoder(Fields)
_names = msgspec.json.Decoder(dict[str, list[str]])
_text = msgspec.json.Decoder(str)
_sources = msgspec.json.Decoder(_Sources)
_FIELDS = {
    str(record.__struct_config__.tag): ("kind", *record.__struct_encode_fields__)
    for record in get_args(Record)
}


def share(whole: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what the file of each release is to hold, given each catalogue's whole bytes."""
    written: dict[tuple[Key, str, bytes], str] = {}
    shared = {}
    for release, records in _in_order({one: _records(data) for one, data in whole.items()}):
        alone = _is_full(records[0])
        lines = [_share_record(record, release, written, alone=alone) for record in records]
        shared[release] = b"".join(line + b"\n" for line in lines)
    return shared


def named_in(data: bytes) -> set[str]:
    """Return the releases that what a file holds names; none where a line cannot be read."""
    try:
        return {
            release
            for line in (data.splitlines() if _MARK in data else ())
            if _MARK in line
            for release in _sources.decode(line).as_in
        }
    except msgspec.DecodeError:
        return set()


def named_by(written: Written) -> set[str]:
    """Return the releases that the records of a file name.

    Raises msgspec.DecodeError where what they say of that cannot be read.
    """
    sources = [fields[AS_IN] for fields in written.values() if AS_IN in fields]
    return {release for one in sources for release in _names.decode(one)}


def whole(data: bytes, written: Mapping[str, Written]) -> bytes:
    """Return the whole bytes of a catalogue, given what its file holds and those that it names.

    A line that is no record is left as it is, so that decoding tells what is wrong with it.

    Raises CatalogueError when a record names a field that the other file does not write out.
    """
    if _MARK not in data:
        return data
    return b"".join(_whole_line(line, written) for line in data.splitlines(keepends=True))


def whole_fields(key: Key, fields: Fields, written: Mapping[str, Written]) -> Fields:
    """Return all fields of the record `key`, those that other files write out as they are there.

    Raises what `whole` raises, and msgspec.DecodeError where what it names cannot be read.
    """
    if AS_IN not in fields:
        return fields
    found = dict(fields)
    for release, names in _names.decode(found.pop(AS_IN)).items():
        source = written.get(release, {}).get(key, {})
        found.update(_borrow(key, release, names, source))
    return found


def _whole_line(line: bytes, written: Mapping[str, Written]) -> bytes:
    if _MARK not in line:
        return line
    try:
        fields = _decoder.decode(line)
        found = whole_fields(_key(fields), fields, written)
    except (msgspec.DecodeError, KeyError):
        return line
    return encode_fields(found) + (b"\n" if line.endswith(b"\n") else b"")


def _borrow(key: Key, release: str, names: Iterable[str], source: Fields) -> Fields:
    missing = [field for field in names if field not in source]
    if missing:
        raise CatalogueError(
            f"the {key[0]} {key[1]} has its {missing[0]} in common with torch {release}, whose"
            " catalogue does not hold it, so that one of the two was edited by hand;"
            " measure them again"
        )
    return {field: source[field] for field in names}


def _share_record(
    fields: Fields, release: str, written: dict[tuple[Key, str, bytes], str], *, alone: bool
) -> bytes:
    key = _key(fields)
    named: dict[str, list[str]] = {}
    kept = dict(fields)
    for field, raw in fields.items():
        text = bytes(raw)
        if field in OWN or len(text) < SHORTEST:
            continue
        holder = written.setdefault((key, field, text), release)
        if holder != release and not alone:
            named.setdefault(holder, []).append(field)
            del kept[field]
    if named:
        kept[AS_IN] = msgspec.Raw(msgspec.json.encode(named, order="deterministic"))
    return msgspec.json.encode(kept)


def _in_order(catalogues: Mapping[str, list[Fields]]) -> list[tuple[str, list[Fields]]]:
    def rank(one: tuple[str, list[Fields]]) -> tuple[bool, Version]:
        release, records = one
        return not _is_full(records[0]), Version(release)

    return sorted(catalogues.items(), key=rank)


def _is_full(header: Fields) -> bool:
    return "depth" not in header


def _records(data: bytes) -> list[Fields]:
    return [_decoder.decode(line) for line in data.splitlines()]


def held(release: str, data: bytes) -> Written:
    """Return the fields that the file of a release writes out, by record.

    Raises DamagedBesideError when it cannot be read.
    """
    try:
        found = {_key(fields): fields for fields in _records(data)}
    except (msgspec.DecodeError, KeyError) as error:
        raise DamagedBesideError(release) from error
    if HEADER not in found:
        raise DamagedBesideError(release)
    return found


def _key(fields: Fields) -> Key:
    """Return kind and name; the header's name holds the release, so that it counts for nothing."""
    kind = _text.decode(fields["kind"])
    return kind, "" if kind == "header" else _text.decode(fields["name"])


def text_of(raw: msgspec.Raw) -> str:
    """Return a field that is a text."""
    return _text.decode(raw)


def encode_fields(fields: Fields) -> bytes:
    """Write the fields in the model's order, those that it does not know at the end."""
    order = _FIELDS.get(_text.decode(fields["kind"]), ())
    return msgspec.json.encode(
        {field: fields[field] for field in (*(one for one in order if one in fields), *fields)}
    )
