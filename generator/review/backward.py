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
from generator.catalogue.model.compiled import Cut, OtherMask
from generator.catalogue.model.records import ModuleRecord, OpRecord
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
    if record.compiled is not None:
        yield "under torch.compile", compiled_answer(record).replace("`", "")


def gradient_title(record: OpRecord | ModuleRecord) -> str:
    """Say whose double backward the rows are of: the reference call's, or a sample's."""
    sample = record.second_order.call if record.second_order is not None else None
    return f"Double backward of {'the reference call' if sample is None else sample}"


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


def cut_rows(record: OpRecord | ModuleRecord) -> Iterator[Row]:
    """Yield what eager mode keeps of the traced call, and what the partitioners keep of it."""
    found = record.compiled
    if found is None:
        return
    yield from _cut_rows(record, found.cuts, None)
    for other in found.others:
        yield from _cut_rows(record, other.cuts, other)


def _cut_rows(
    record: OpRecord | ModuleRecord, cuts: tuple[Cut, ...], other: OtherMask | None
) -> Iterator[Row]:
    one = eager_measurement(record, other)
    if one is None or not cuts:
        return
    under = "" if other is None else f" with {', '.join(other.mask)}"
    under += f" in {other.mode} mode" if other is not None and other.mode else ""
    figures = (one.logical_bytes, one.storage_bytes, one.extra_bytes)
    yield f"eager mode{under}", _listed(eager_roles(record, other)), *_numbers(figures)
    for cut in cuts:
        names = ", ".join(WORDS[by] for by in cut.by) + under
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
