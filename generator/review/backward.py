"""Double backward and the compiler in a text page: two sentences, and a table for each."""

from collections.abc import Iterator

from generator.catalogue.compiled import (
    WORDS,
    compiled_answer,
    cut_roles,
    eager_measurement,
    eager_roles,
)
from generator.catalogue.kept import spoken_role
from generator.catalogue.model import ModuleRecord, OpRecord
from generator.catalogue.second_order import kept_rows, second_order_answer

GRADIENT_COLUMNS = ("node", "attribute", "role", "shape", "dtype", "bytes")
CUT_COLUMNS = ("kept by", "tensors", "logical bytes", "storage bytes", "extra bytes")

Row = tuple[str, ...]


def backward_facts(record: OpRecord | ModuleRecord) -> Iterator[tuple[str, str]]:
    """Yield the two answers, and what happens when the gradient is differentiated again."""
    if record.second_order is not None:
        yield "double backward", second_order_answer(record).replace("`", "")
        if record.second_order.again:
            yield "differentiated again", record.second_order.again
    if isinstance(record, OpRecord) and record.compiled is not None:
        yield "under torch.compile", compiled_answer(record).replace("`", "")


def gradient_rows(record: OpRecord | ModuleRecord) -> Iterator[Row]:
    """Yield a row for each tensor that the gradient's graph keeps."""
    for row in kept_rows(record):
        yield (
            row.type if row.number == 1 else f"{row.type} × {row.number}",
            row.attribute,
            spoken_role(row.role),
            "" if row.shape is None else " × ".join(map(str, row.shape)) or "()",
            row.dtype or "",
            "" if row.bytes is None else f"{row.bytes:,}",
        )


def cut_rows(record: OpRecord) -> Iterator[Row]:
    """Yield what eager mode keeps of the traced call, and what the partitioners keep of it."""
    one = eager_measurement(record)
    if record.compiled is None or one is None or not record.compiled.cuts:
        return
    figures = (one.logical_bytes, one.storage_bytes, one.extra_bytes)
    yield "eager mode", _listed(eager_roles(record)), *_numbers(figures)
    for cut in record.compiled.cuts:
        names = ", ".join(WORDS[by] for by in cut.by)
        if cut.state == "traced":
            figures = (cut.logical_bytes, cut.storage_bytes, cut.extra_bytes)
            yield names, _listed(cut_roles(cut)), *_numbers(figures)
        else:
            yield names, f"{cut.state}: {cut.reason}", "", "", ""


def _listed(roles: list[str]) -> str:
    return ", ".join(map(spoken_role, roles)) or "no tensor"


def _numbers(figures: tuple[int, int, int]) -> tuple[str, str, str]:
    logical, storage, extra = (f"{number:,}" for number in figures)
    return logical, storage, extra
