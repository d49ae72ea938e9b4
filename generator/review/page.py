"""A record as typed sections of text and tables, before anything decides how they are drawn.

A page has one claim, then facts (label and text), then tables. Byte figures are in bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from generator.catalogue.case_calls import uncallable, written_call
from generator.catalogue.case_titles import case_marks
from generator.catalogue.claims import claim
from generator.catalogue.conditions import (
    condition_text,
    differences,
    pair_text,
    plain_measurement,
    unchanged_texts,
)
from generator.catalogue.kept import spoken_role
from generator.catalogue.links import Paged, permalink, source_line
from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.conditions import ChangedCall, ChangedPair, Conditions
from generator.catalogue.model.measurement import Measurement, SavedTensor
from generator.catalogue.model.reads import Reads
from generator.catalogue.model.records import (
    Case,
    Header,
    ModuleRecord,
    NodeRecord,
    OpRecord,
    Reference,
    SavedValue,
    Variant,
    Writes,
)
from generator.catalogue.policies import measured_nodes, node_types
from generator.catalogue.spellings import NO_NODES, speaks_for_itself, spelling_claim
from generator.catalogue.unsigned import read_as
from generator.catalogue.writes import Answer, answers, by_target, named_by
from generator.review.backward import (
    CUT_COLUMNS,
    GRADIENT_COLUMNS,
    backward_facts,
    cut_rows,
    gradient_rows,
    gradient_title,
)
from generator.review.bill import (
    COLUMNS,
    SETTING_COLUMNS,
    bill_title,
    item_rows,
    setting_rows,
)
from generator.review.reads import read_facts, then_means
from generator.review.rows_alike import TIMES, alike
from generator.review.spelling import SPELLING_COLUMNS, spelling_facts, spelling_rows

FIGURES = (
    ("logical bytes", "numel × itemsize of each saved tensor, added up"),
    ("storage bytes", "the sizes of the distinct storages behind them, added up"),
    ("extra bytes", "those of them that no input, parameter, buffer or output holds"),
)
LEGEND = (
    *FIGURES,
    ("requires grad", "each set of arguments that did; sizes and scalars are listed for the first"),
)
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

Row = tuple[str, ...]
Fact = tuple[str, str]


@dataclass(frozen=True)
class Table:
    """A table with a title, its column names and its rows, all as text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


RIGHT = frozenset({"bytes", *(name for name, _ in FIGURES)})


@dataclass(frozen=True)
class TextPage:
    """All that is shown of one record; `legend` says what each byte figure counts."""

    title: str
    claim: str
    facts: tuple[Fact, ...]
    tables: tuple[Table, ...]
    legend: tuple[Fact, ...]


def source(header: Header, record: Paged | None) -> tuple[Fact, ...]:
    """Say on which build it was measured, and where the record can be read, if it is about one."""
    build = header.build
    where = f"torch {build.version}, {build.device}, git {build.git[:10]}, Python {build.python}"
    read = (("permalink", permalink(header.release, record)),) if record is not None else ()
    return ("measured on", where), *read


def text_page(
    header: Header,
    record: Paged,
    spelling: Variant | None = None,
    nodes: Mapping[str, NodeRecord] = NO_NODES,
) -> TextPage:
    """Lay out a record of the catalogue with that header.

    Where a `spelling` of it was asked for, the page says first what that keeps, and of which
    derivative the `nodes` of the catalogue declare that there is none.
    """
    facts, drawn = _contents(header, record)
    tables = tuple(drawn)
    title, said = record.name, claim(record)
    own: tuple[Fact, ...] = ()
    if spelling is not None and isinstance(record, OpRecord):
        own = tuple(spelling_facts(record, spelling))
        if speaks_for_itself(record, spelling):
            title, said = spelling.name, spelling_claim(record, spelling, nodes)
    return TextPage(
        title=title,
        claim=said,
        facts=(*own, *facts, *source(header, record)),
        tables=tables,
        legend=() if isinstance(record, NodeRecord) else (*LEGEND, *_explained(record, tables)),
    )


def _explained(record: Paged, tables: Sequence[Table]) -> Iterator[Fact]:
    """Say what counts in a table of saved tensors are, and what was run after a write."""
    if isinstance(record, OpRecord) and record.writes and record.writes.trials:
        yield "then", then_means(record)
    node = SAVED_COLUMNS.index("node")
    rows = (row for one in tables if one.columns == SAVED_COLUMNS for row in one.rows)
    if any(TIMES in row[node] for row in rows):
        yield "node × n", "n rows that are alike; the bytes are those of one"


def _contents(header: Header, record: Paged) -> tuple[Iterator[Fact], Iterator[Table]]:
    if isinstance(record, NodeRecord):
        return _node_facts(header, record), _node_tables(record)
    if isinstance(record, BlockRecord):
        return _block_facts(record), _block_tables(record)
    return _facts(record), _tables(record)


def _block_facts(block: BlockRecord) -> Iterator[Fact]:
    yield "block", block.title
    if block.reason:
        yield block.state, block.reason
    if block.modules:
        yield "modules", ", ".join(block.modules)


def _block_tables(block: BlockRecord) -> Iterator[Table]:
    if items := tuple(item_rows(block)):
        yield Table(f"The bill: {bill_title(block)}", COLUMNS, items)
    if block.bills:
        yield Table("What requires grad decides", SETTING_COLUMNS, tuple(setting_rows(block)))


def _tried(record: OpRecord | ModuleRecord) -> Iterator[Fact]:
    """Yield what came of trials without a table of their own."""
    if isinstance(record, OpRecord) and record.writes and record.writes.reason:
        yield "no writes tried", record.writes.reason
    found = record.conditions
    same = ", ".join(unchanged_texts(found)) if found else ""
    if same:
        yield "keeps the same under", same.replace("`", "")
    for refused in found.refused if found else ():
        told = ", ".join(condition_text(one) for one in refused.conditions).replace("`", "")
        yield f"raises under {told}", refused.reason


def _facts(record: OpRecord | ModuleRecord) -> Iterator[Fact]:
    if isinstance(record, OpRecord):
        if record.overloads:
            yield "overloads", ", ".join(record.overloads)
        if record.variants:
            yield "also as", ", ".join(f"{one.name} ({one.relation})" for one in record.variants)
    if record.reason:
        yield record.state, record.reason
    if record.unreferenced:
        yield "no reference call", record.unreferenced
    if record.nodes:
        yield "nodes", ", ".join(node_types(record))
    yield from _tried(record)
    if isinstance(record, OpRecord) and record.writes and record.writes.left_out:
        yield "writes under other masks", record.writes.left_out
    if isinstance(record, OpRecord):
        yield from read_facts(record)
    yield from backward_facts(record)
    if record.double_backward:
        yield (
            "nodes of the second and third backward of its samples",
            ", ".join(record.double_backward),
        )


def _tables(record: OpRecord | ModuleRecord) -> Iterator[Table]:
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


def _node_facts(header: Header, record: NodeRecord) -> Iterator[Fact]:
    yield record.state, record.reason or "by a real kernel of this device"
    if record.witness:
        yield "first seen in", f"{record.witness.name} ({record.witness.layer})"
    if record.packed is not None:
        yield "hooks see", ", ".join(map(spoken_role, record.packed)) or "no tensor"
    for declared in record.declared:
        yield "declared for", f"{declared.overload} ({declared.dispatch})"
        for formula in declared.formulas:
            yield f"gradient of {', '.join(formula.inputs)}", formula.formula
        if declared.line is not None:
            yield "declared in", source_line(header.build.git, declared.line)
    if record.error:
        yield "after an in-place write", record.error


def _node_tables(record: NodeRecord) -> Iterator[Table]:
    seen = {one.attribute: one for one in record.observed}
    rows = []
    for attribute in dict.fromkeys((*record.attributes, *seen)):
        one = seen.get(attribute)
        kinds = _counted(one.kinds) if one else "not seen"
        rows.append((attribute, kinds, _counted(one.roles) if one else ""))
    if record.recipe:
        lines = tuple((line,) for line in record.recipe.program.splitlines())
        yield Table("Recipe", ("after `import torch`",), lines)
    if rows:
        yield Table("Saved attributes, by calls", ("attribute", "kind", "role"), tuple(rows))


def _counted(numbers: Mapping[Any, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in numbers.items())


def _mask(one: Measurement) -> str:
    return _names(one.mask)


def _names(mask: tuple[str, ...]) -> str:
    return ", ".join(mask) or "nothing"


def _shape(shape: tuple[int, ...] | None) -> str:
    return " × ".join(map(str, shape)) if shape else "()"
