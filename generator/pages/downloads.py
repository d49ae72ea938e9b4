"""What there is to download of a release: its catalogue whole, and flat tables as CSV and Parquet.

The tables are made by pandas when the site is built. What is bulky is compressed: the saved tensors
of one release are 5 MB as plain CSV, and every release has them.
"""

import gzip
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pandas as pd

from generator.catalogue import codec
from generator.catalogue.claims import claim, label
from generator.catalogue.kept import Call
from generator.catalogue.links import permalink
from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord, Reference
from generator.catalogue.policies import measured_nodes
from generator.pages.figures import plural
from generator.pages.parts import Paged
from generator.pages.rows import KINDS, namespace
from generator.pages.saved import tensors_of

Cell = str | int | None


@dataclass(frozen=True)
class Column:
    """One column of a table: its name, its type, and what a cell says."""

    name: str
    type: str
    meaning: str


RECORD_COLUMNS = (
    Column("kind", "text", f"one of {', '.join(KINDS)}"),
    Column("name", "text", "canonical dotted name, or the class name of a node type"),
    Column("namespace", "text", "where the name is: torch, torch.nn; empty for node types"),
    Column("state", "text", "measured, witnessed, or why not"),
    Column("reason", "text", "the reason, where the state has one"),
    Column("keeps", "text", "short label: input, output, input and output, nothing…"),
    Column("claim", "text", "the answer in one sentence, names in backticks"),
    Column("page", "text", "permanent address of the page"),
)
SAVED_COLUMNS = (
    Column("kind", "text", "op or module"),
    Column("name", "text", "canonical dotted name"),
    Column("mode", "text", "train or eval; empty where the call has no mode"),
    Column(
        "source",
        "text",
        "reference, or sample: the first of samples that agreed, under its first mask alone",
    ),
    Column("entry", "text", "the reference's family, or the test database's own entry"),
    Column("call", "text", "the call that was measured"),
    Column("mask", "text", "the arguments that required grad, separated by spaces"),
    Column("node_position", "integer", "position of the node in the call's graph, outputs first"),
    Column("node", "text", "node type"),
    Column("attribute", "text", "the _saved_* attribute"),
    Column("role", "text", "what the saved tensor is to the call"),
    Column("shape", "text", "sizes in elements, separated by ×; () for no dimensions"),
    Column("dtype", "text", "dtype without the torch. before it"),
    Column("layout", "text", "strided, or a sparse layout"),
    Column("bytes", "integer", "numel × itemsize of this tensor"),
    Column(
        "storage", "integer", "number of its storage; equal numbers in one call are one storage"
    ),
    Column(
        "call_logical_bytes", "integer", "sum of numel × itemsize over the call's saved tensors"
    ),
    Column("call_storage_bytes", "integer", "bytes of the call's distinct saved storages"),
    Column("call_extra_bytes", "integer", "of those, what no input, parameter or output holds"),
)


@dataclass(frozen=True)
class Download:
    """One file to download: its name, its bytes, and what they are."""

    name: str
    content: bytes
    holds: str


def downloads(catalogue: Catalogue) -> tuple[Download, ...]:
    """Make each file; their names are like `torch-2.13.0-cpu-saved.parquet`."""
    name = catalogue.header.name
    encoded = codec.encode(catalogue)
    lines = encoded.count(b"\n")
    records = _frame(RECORD_COLUMNS, list(_record_rows(catalogue)))
    saved = _frame(SAVED_COLUMNS, list(_saved_rows(catalogue)))
    a_record = f"one row a record, {plural(len(records), 'row')}"
    a_tensor = f"one row a saved tensor of a measurement, {plural(len(saved), 'row')}"
    return (
        Download(
            f"{name}.jsonl.gz",
            _gzip(encoded),
            f"the catalogue itself, JSON Lines, {plural(lines, 'record')}",
        ),
        Download(f"{name}-records.csv", _csv(records), a_record),
        Download(f"{name}-records.parquet", _parquet(records), a_record),
        Download(f"{name}-saved.csv.gz", _gzip(_csv(saved)), a_tensor),
        Download(f"{name}-saved.parquet", _parquet(saved), a_tensor),
    )


def _frame(columns: Iterable[Column], listed: Iterable[tuple[Cell, ...]]) -> pd.DataFrame:
    frame = pd.DataFrame(list(listed), columns=[one.name for one in columns])
    return frame.astype({one.name: "int64" if one.type == "integer" else "str" for one in columns})


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _csv(frame: pd.DataFrame) -> bytes:
    return str(frame.to_csv(index=False, lineterminator="\n")).encode()


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, compression="zstd")
    return buffer.getvalue()


def _record_rows(catalogue: Catalogue) -> Iterator[tuple[Cell, ...]]:
    members: tuple[Iterable[Paged], ...] = (
        catalogue.ops.values(),
        catalogue.modules.values(),
        catalogue.nodes.values(),
    )
    for kind, records in zip(KINDS, members, strict=True):
        for record in records:
            yield (
                kind,
                record.name,
                namespace(record),
                record.state,
                record.reason or "",
                label(record),
                claim(record),
                permalink(catalogue.header.release, record),
            )


def _saved_rows(catalogue: Catalogue) -> Iterator[tuple[Cell, ...]]:
    for op in catalogue.ops.values():
        yield from _rows_of("op", op)
    for module in catalogue.modules.values():
        yield from _rows_of("module", module)


def _rows_of(kind: str, record: OpRecord | ModuleRecord) -> Iterator[tuple[Cell, ...]]:
    calls: list[Call] = [*record.references, *record.cases]
    for call in calls:
        source, entry = _origin(call)
        for measured in call.measurements:
            nodes = measured_nodes(record, measured)
            for place, value, role, tensor in tensors_of(nodes, measured):
                yield (
                    kind,
                    record.name,
                    call.mode or "",
                    source,
                    entry,
                    call.call,
                    " ".join(measured.mask),
                    place,
                    nodes[place].type,
                    value.attribute,
                    role,
                    "×".join(str(size) for size in tensor.shape) or "()",
                    tensor.dtype,
                    tensor.layout,
                    tensor.bytes,
                    tensor.storage,
                    measured.logical_bytes,
                    measured.storage_bytes,
                    measured.extra_bytes,
                )


def _origin(call: Call) -> tuple[str, str]:
    return ("reference", call.family) if isinstance(call, Reference) else ("sample", call.entry)
