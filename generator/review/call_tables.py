"""The tables of an op or a module: what its calls keep and weigh, and what was tried with them."""

from collections.abc import Iterator
from itertools import islice

from generator.catalogue.case_calls import uncallable, written_call
from generator.catalogue.case_titles import case_marks
from generator.catalogue.conditions import condition_text, differences, pair_text, plain_measurement
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.conditions import ChangedCall, ChangedPair, Conditions
from generator.catalogue.model.measurement import Measurement, SavedTensor
from generator.catalogue.model.reads import Reads
from generator.catalogue.model.records import Case, ModuleRecord, OpRecord, Reference, SavedValue
from generator.catalogue.model.writes import Writes
from generator.catalogue.policies import measured_nodes
from generator.catalogue.unsigned import read_as
from generator.catalogue.writes import Answer, answers, by_target, named_by
from generator.review.backward import (
    CUT_COLUMNS,
    GRADIENT_COLUMNS,
    cut_rows,
    gradient_rows,
    gradient_title,
)
from generator.review.layout import FIGURES, Row, Table
from generator.review.rows_alike import alike
from generator.review.spelling import SPELLING_COLUMNS, spelling_rows

NO_HOOKS = "no such hooks in this release"
SAVED_COLUMNS = (
    "requires grad",
    "node",
    "attribute",
    "role or value",
    "shape",
    "dtype",
    "bytes",
)


def call_tables(record: OpRecord | ModuleRecord) -> Iterator[Table]:
    """Yield two tables for each call, one of writes and one of the cases.

    Modes that agree share their tables.
    """
    modes: dict[tuple[str, tuple[Row, ...], tuple[Row, ...]], list[str]] = {}
    for call in record.references or record.cases[:1]:
        weights = tuple(_weights(one) for one in call.measurements)
        key = (_title(call), tuple(_saved_rows(record, call)), weights)
        modes.setdefault(key, []).extend([call.mode] if call.mode else [])
    for (title, saved, weights), names in modes.items():
        mode = f" in {' and '.join(names)} mode" if names else ""
        if saved:
            yield Table(title + mode, SAVED_COLUMNS, saved)
        yield Table("Weight" + mode, ("requires grad", *(name for name, _ in FIGURES)), weights)
    if isinstance(record, OpRecord) and (rows := tuple(spelling_rows(record))):
        yield Table("Other spellings", SPELLING_COLUMNS, rows)
    if record.conditions and record.conditions.changed:
        yield _changed(record, record.conditions)
    if isinstance(record, OpRecord) and record.writes and record.writes.trials:
        yield _written(record.writes, record.reads)
    if gradients := tuple(gradient_rows(record)):
        yield Table(gradient_title(record), GRADIENT_COLUMNS, gradients)
    if cuts := tuple(cut_rows(record)):
        yield Table("Under torch.compile", CUT_COLUMNS, cuts)
    if record.cases:
        yield Table("Cases", ("call", "samples", "keeps"), tuple(_cases(record)))


def _title(call: Reference | Case) -> str:
    given = ", ".join(
        f"{one.name} {_shape(one.shape)} {one.dtype}" for one in call.arguments if one.shape
    )
    return call.call + (f" with {given}" if given else "")


def _weights(one: Measurement) -> Row:
    if one.state != "measured":
        return _mask(one), f"{one.state}: {one.reason}", "", ""
    return _mask(one), f"{one.logical_bytes:,}", f"{one.storage_bytes:,}", f"{one.extra_bytes:,}"


def _saved_rows(record: OpRecord | ModuleRecord, call: Reference | Case) -> Iterator[Row]:
    """Yield a row for each saved tensor and value, mask by mask, in graph order.

    Where there are many, those that are alike share one.

    Sizes and scalars are known under the first mask of a reference alone, and what a tensor weighs
    in a case under the first mask of it.
    """
    for place, one in enumerate(call.measurements):
        listed = tuple(_printed(call)) if isinstance(call, Reference) and place == 0 else ()
        tensors, values = iter(one.tensors), iter(listed)
        rows = (
            (_mask(one), node.type, value.attribute, *cells)
            for node in measured_nodes(record, one)
            for value in node.saved
            for cells in _cells(value, tensors, values)
        )
        yield from alike(rows, SAVED_COLUMNS.index("node"))


def _printed(call: Reference) -> Iterator[str]:
    """Yield the values of a reference, and how those read that PyTorch reads as unsigned."""
    for value in call.values:
        read = read_as(value, call.printed)
        yield value if read is None else f"{value} (reads as {read})"


def _cells(
    value: SavedValue, tensors: Iterator[SavedTensor], values: Iterator[str]
) -> Iterator[tuple[str, str, str, str]]:
    if value.kind in ("tensor", "tensor list"):
        for role in value.roles:
            tensor = next(tensors, None)
            if tensor is None:
                yield spoken_role(role), "", "", ""
            else:
                yield (
                    spoken_role(role),
                    _shape(tensor.shape),
                    tensor.dtype,
                    f"{tensor.bytes:,}",
                )
    elif value.kind == "none":
        yield "None", "", "", ""
    else:
        yield from ((printed, "", "", "") for printed in islice(values, 1))


def _written(writes: Writes, reads: Reads | None) -> Table:
    """Answer, for each tensor of the call, whether it may be written in place after it."""
    call, requiring = writes.call.removeprefix("output = "), _names(writes.masks[0])
    return Table(
        title=f"May I write into it? After {call} with {requiring} requiring grad",
        columns=(
            *("written in place", "then", "under identity hooks", "under save_on_cpu"),
            *("saved by", "the message names", "remarks"),
        ),
        rows=tuple(_answer_row(writes, answer) for answer in answers(writes, reads)),
    )


def _answer_row(writes: Writes, answer: Answer) -> Row:
    told = [by_target(writes.trials)[target][0] for target in answer.targets]
    names = [named_by(one.message) for one in told if one.message is not None]
    return (
        ", ".join(spoken_role(target) for target in answer.targets),
        answer.word if answer.read is None else f"{answer.word}, but {answer.read}",
        answer.hooked or NO_HOOKS,
        answer.on_cpu or (NO_HOOKS if answer.hooked is None else "not tried"),
        ", ".join(dict.fromkeys(saver for one in told for saver in one.savers)),
        ", ".join(dict.fromkeys(name for name in names if name is not None)),
        "; ".join(answer.remarks).replace("`", ""),
    )


def _changed(record: OpRecord | ModuleRecord, conditions: Conditions) -> Table:
    """List the conditions under which the reference call keeps something else, and pairs of them.

    Pairs are those that do what neither of the two foretells.
    """
    told: list[tuple[str, ChangedCall | ChangedPair]]
    told = [(condition_text(one), each) for each in conditions.changed for one in each.conditions]
    told += [(pair_text(one), each) for each in conditions.pairs for one in each.pairs]
    return Table(
        title="When that changes",
        columns=("when", "then", "extra bytes", "instead of"),
        rows=tuple(
            (
                said.replace("`", ""),
                "; ".join(differences(record, changed)).replace("`", ""),
                f"{changed.measurement.extra_bytes:,}"
                if changed.measurement.state == "measured"
                else "",
                f"{plain_measurement(record, changed).extra_bytes:,}",
            )
            for said, changed in told
        ),
    )


def _cases(record: OpRecord | ModuleRecord) -> Iterator[Row]:
    for case, mark in zip(record.cases, case_marks(record), strict=True):
        roles = [
            role
            for one in case.measurements[:1]
            for node in measured_nodes(record, one)
            for value in node.saved
            for role in value.roles
        ]
        samples = ", ".join(f"{number} {dtype}" for dtype, number in case.samples.items())
        mode = f" ({case.mode})" if case.mode else ""
        remark = f" ({why})" if (why := uncallable(record, case)) else ""
        yield (
            written_call(record, case) + mode + (f" with {mark}" if mark else "") + remark,
            samples,
            ", ".join(dict.fromkeys(map(spoken_role, roles))) or "no tensor",
        )


def _mask(one: Measurement) -> str:
    return _names(one.mask)


def _names(mask: tuple[str, ...]) -> str:
    return ", ".join(mask) or "nothing"


def _shape(shape: tuple[int, ...] | None) -> str:
    return " × ".join(map(str, shape)) if shape else "()"
