"""Between a catalogue in memory and its bytes, in the one form that a committed file may have.

`encode` writes one record a line in a fixed order; `decode` reads such bytes back and refuses
everything else, so that a half-written or hand-edited file is found before anything reads from it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import TypeVar

import msgspec

from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.reads import Reads
from generator.catalogue.model.records import (
    SCHEMA_VERSION,
    Build,
    Catalogue,
    Depth,
    Header,
    ModuleRecord,
    NodeRecord,
    OpRecord,
    Record,
)
from generator.catalogue.model.unseen import WriteRecord
from generator.catalogue.model.writes import Writes
from generator.catalogue.policies import under_each_mask
from generator.errors import CatalogueError, NewerSchemaError

MeasuredRecord = OpRecord | ModuleRecord | NodeRecord | BlockRecord | WriteRecord
AnyRecord = TypeVar("AnyRecord", OpRecord, ModuleRecord, NodeRecord, BlockRecord, WriteRecord)

KIND_ORDER = ("header", "op", "module", "node", "block", "write")

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


class _Stamp(msgspec.Struct):
    """The two fields of a first line that every schema version has."""

    kind: str
    schema: int


def kind_of(record: Record) -> str:
    """The `kind` under which a record is written: its tag in the model."""
    return str(record.__struct_config__.tag)


def assemble(
    release: str,
    build: Build,
    records: Iterable[MeasuredRecord],
    evidence: Mapping[str, str] = MappingProxyType({}),
    depth: Depth = "full",
) -> Catalogue:
    """Make a catalogue of records in any order: sort them by name, count them, add the header.

    `evidence` holds the templates that the programs of the records' references name.

    Raises CatalogueError when two records of one kind share a name.
    """
    ordered = sorted(records, key=_position)
    for before, after in pairwise(ordered):
        if _position(before) == _position(after):
            raise CatalogueError(
                f"the {kind_of(after)} {after.name} was recorded twice; measure it again"
            )
    header = Header(
        name=f"torch-{release}-{build.device}",
        state="measured",
        schema=SCHEMA_VERSION,
        release=release,
        build=build,
        depth=depth,
        evidence=dict(evidence),
        counts=count_states(ordered),
    )
    return catalogue_of(header, ordered)


def count_states(records: Iterable[MeasuredRecord]) -> dict[str, dict[str, int]]:
    """How many records there are of each kind in each state: {kind: {state: number}}.

    A catalogue may have been measured without kinds of write, and always has the other kinds.
    """
    found = Counter((kind_of(record), str(record.state)) for record in records)
    counts: dict[str, dict[str, int]] = {kind: {} for kind in ("op", "module", "node")}
    for (kind, state), number in sorted(found.items()):
        counts.setdefault(kind, {})[state] = number
    return counts


def encode(catalogue: Catalogue) -> bytes:
    """Write the canonical bytes: a record a line, by kind, then by name."""
    records = sorted(records_of(catalogue), key=_position)
    return _encoder.encode_lines([catalogue.header, *records])


def records_of(catalogue: Catalogue) -> list[MeasuredRecord]:
    """Return all records of a catalogue, of whatever kind."""
    return [
        *catalogue.ops.values(),
        *catalogue.modules.values(),
        *catalogue.nodes.values(),
        *catalogue.blocks.values(),
        *catalogue.writes.values(),
    ]


def decode(data: bytes, seen: dict[bytes, MeasuredRecord] | None = None) -> Catalogue:
    """Read canonical bytes back.

    `seen` has the records of other catalogues by their lines, and takes those of this one: what
    several catalogues say alike is then decoded once and is one object.

    Raises CatalogueError, with the line and the reason, when the bytes are of another schema
    version (NewerSchemaError if it is a newer one), damaged, truncated, or anything else than what
    `encode` would have written.
    """
    if not data:
        raise CatalogueError("the catalogue is empty; measure it again")
    if not data.endswith(b"\n"):
        raise CatalogueError(
            "the catalogue is truncated: its last line has no end; measure it again"
        )
    refuse_other_version(data)
    lines = data[:-1].split(b"\n")
    header = decode_header(lines[0])
    known = {} if seen is None else seen
    for number, line in enumerate(lines[1:], start=2):
        if line not in known:
            known[line] = _decode_measured(number, line)
    records = [known[line] for line in lines[1:]]
    _refuse_disorder(records)
    _refuse_dangling(records)
    if header.counts != count_states(records):
        raise CatalogueError(
            "the catalogue does not hold the records that its header counts, "
            "so it is truncated or edited by hand; measure it again"
        )
    return catalogue_of(header, records)


def catalogue_of(header: Header, records: list[MeasuredRecord]) -> Catalogue:
    """File records by kind and name, in their order, behind a header that may count more."""
    return Catalogue(
        header=header,
        ops=_by_name(records, OpRecord),
        modules=_by_name(records, ModuleRecord),
        nodes=_by_name(records, NodeRecord),
        blocks=_by_name(records, BlockRecord),
        writes=_by_name(records, WriteRecord),
    )


def _by_name(records: list[MeasuredRecord], kind: type[AnyRecord]) -> dict[str, AnyRecord]:
    return {record.name: record for record in records if isinstance(record, kind)}


def _position(record: MeasuredRecord) -> tuple[int, str]:
    return KIND_ORDER.index(kind_of(record)), record.name


def refuse_other_version(data: bytes) -> None:
    """Look at the schema version before anything else: another version may have other fields.

    Raises CatalogueError when the first line is no header or of an older version, and
    NewerSchemaError when it is of a newer one.
    """
    try:
        stamp = msgspec.json.decode(data.partition(b"\n")[0], type=_Stamp)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"line 1 is not a catalogue's header: {_reason(error)}") from error
    if stamp.kind != "header":
        raise CatalogueError(
            f"line 1 is not a catalogue's header but a record of kind {stamp.kind}"
        )
    if stamp.schema > SCHEMA_VERSION:
        raise NewerSchemaError(
            f"the catalogue was made by a newer tapekept: its schema version is {stamp.schema} "
            f"and this one reads {SCHEMA_VERSION}; update tapekept"
        )
    if stamp.schema < SCHEMA_VERSION:
        raise CatalogueError(
            f"the catalogue was made by an older tapekept: its schema version is {stamp.schema} "
            f"and this one reads {SCHEMA_VERSION}; measure it again"
        )


def decode_header(line: bytes) -> Header:
    """Read a catalogue's first line; raises CatalogueError where it is no header."""
    record = _decode_line(1, line)
    if not isinstance(record, Header):
        raise CatalogueError("line 1 is not a catalogue's header")
    return record


def decode_record(line: bytes, *, followed: bool) -> MeasuredRecord:
    """Read one record, or some fields of it, outside of its file.

    Raises CatalogueError where it is damaged or, if positions in it are to be `followed`, points to
    what it does not hold.
    """
    record = _decode_measured(1, line)
    if followed:
        _refuse_dangling([record])
    return record


def _decode_measured(number: int, line: bytes) -> MeasuredRecord:
    record = _decode_line(number, line)
    if isinstance(record, Header):
        raise CatalogueError(f"line {number} is a second header; a catalogue has one, on line 1")
    return record


def _decode_line(number: int, line: bytes) -> Record:
    if not line.strip():
        raise CatalogueError(f"line {number} is empty; measure the catalogue again")
    try:
        record = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(
            f"line {number} is damaged or edited by hand: {_reason(error)}"
        ) from error
    if _encoder.encode(record) != line:
        raise CatalogueError(
            f"line {number} holds a record but is not written as tapekept writes it, "
            "so it was edited by hand; measure the catalogue again"
        )
    return record


def _refuse_disorder(records: list[MeasuredRecord]) -> None:
    for number, (before, after) in enumerate(pairwise(records), start=3):
        if _position(before) == _position(after):
            raise CatalogueError(
                f"line {number} repeats the {kind_of(after)} {after.name} of the line before it; "
                "measure the catalogue again"
            )
        if _position(before) > _position(after):
            raise CatalogueError(
                f"line {number}, the {kind_of(after)} {after.name}, is out of order, "
                "so the catalogue was edited by hand; measure it again"
            )


def _refuse_dangling(records: list[MeasuredRecord]) -> None:
    """Refuse a position that leads nowhere, since every reader follows them."""
    for number, record in enumerate(records, start=2):
        called = isinstance(record, OpRecord | ModuleRecord) and _dangles(record)
        if called or (isinstance(record, BlockRecord) and _lists_unknown(record)):
            raise CatalogueError(
                f"line {number}, the {kind_of(record)} {record.name}, points to a policy, a node, "
                "a mask or an item that it does not hold, so the catalogue was edited by hand; "
                "measure it again"
            )


def _dangles(record: OpRecord | ModuleRecord) -> bool:
    variants = record.variants if isinstance(record, OpRecord) else ()
    policies = [one.policy for variant in variants for one in under_each_mask(variant)]
    if record.conditions is not None:
        policies += [one.measurement.policy for one in record.conditions.changed]
        policies += [one.measurement.policy for one in record.conditions.pairs]
    for reference in record.references:
        policies += [one.policy for one in reference.measurements]
    for case in record.cases:
        policies += [one.policy for one in case.measurements]
    nodes = [place for places in record.policies for place in places]
    writes = record.writes if isinstance(record, OpRecord) else None
    reads = record.reads if isinstance(record, OpRecord) else None
    return not (
        _within(len(record.nodes), nodes)
        and (writes is None or _within(len(writes.masks), _tried_masks(writes)))
        and (reads is None or _within(len(writes.masks) if writes else 0, _tried_masks(reads)))
        and _within(len(record.policies), [one for one in policies if one is not None])
    )


def _lists_unknown(block: BlockRecord) -> bool:
    items = [item for bill in block.bills for item in bill.items]
    keepers = [keeper for item in block.items for keeper in item.keepers]
    return not (_within(len(block.items), items) and _within(len(block.keepers), keepers))


def _tried_masks(tried: Writes | Reads) -> list[int]:
    return [mask for trial in tried.trials for mask in trial.masks]


def _within(length: int, positions: list[int]) -> bool:
    return all(0 <= position < length for position in positions)


def _reason(error: Exception) -> str:
    """A library's message without its full stop, so that it ends one sentence of ours."""
    return str(error).rstrip(".")
