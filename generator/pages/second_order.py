"""The section on double backward: what the graph of the gradient keeps."""

from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.kept import VIEW
from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord
from generator.catalogue.second_order import (
    GRADIENT,
    INCOMING,
    backward_nodes,
    kept_rows,
    second_order_answer,
    second_order_program,
)
from generator.pages.figures import exact, shape_text
from generator.pages.markup import code_spans
from generator.pages.parts import Chip, Figure, Link, chip, figure

LOGICAL = "numel × itemsize of every tensor that these nodes saved, added up"
STORAGE = "the distinct storages behind them, each counted once"
EXTRA = (
    "of those, the storages that neither the caller (arguments, outputs, incoming gradients, "
    "gradients) nor the forward graph holds anyway"
)
CONFIRMED = "The probe read these figures off this program's own tensors, and it counted the same."


@dataclass(frozen=True)
class BackwardRow:
    """One tensor that nodes of the gradient's graph saved."""

    node: Link
    attribute: str
    chip: Chip
    shape: str
    dtype: str
    bytes: str


@dataclass(frozen=True)
class SecondOrderView:
    """What `create_graph=True` keeps: the answer, the rows, and the program."""

    answer: Markup
    rows: tuple[BackwardRow, ...]
    figures: tuple[Figure, ...]
    others: str | None
    again: str | None
    source: str
    note: str
    program: str | None


def second_order_view(
    catalogue: Catalogue, record: OpRecord | ModuleRecord, root: str
) -> SecondOrderView | None:
    """Lay out the double backward of a record; None where none was tried."""
    found = record.second_order
    if found is None:
        return None
    rows = tuple(
        BackwardRow(
            node=Link(
                row.type if row.number == 1 else f"{row.type} × {row.number}",
                f"{root}nodes/{row.type}/" if row.type in catalogue.nodes else "",
            ),
            attribute=row.attribute,
            chip=role_chip(row.role),
            shape="" if row.shape is None else shape_text(row.shape),
            dtype=row.dtype or "",
            bytes="" if row.bytes is None else exact(row.bytes),
        )
        for row in kept_rows(record)
    )
    figures = (
        figure(found.logical_bytes, "logical bytes", LOGICAL),
        figure(found.storage_bytes, "storage bytes", STORAGE),
        figure(found.extra_bytes, "extra bytes", EXTRA),
    )
    return SecondOrderView(
        answer=code_spans(second_order_answer(record)),
        rows=rows,
        figures=figures if rows else (),
        others=", ".join(_without_tensors(record)) or None,
        again=found.again,
        source=_source(record),
        note=CONFIRMED if found.unconfirmed is None else f"Here {found.unconfirmed}.",
        program=second_order_program(catalogue.header, record),
    )


def role_chip(role: str) -> Chip:
    """Colour a role of the gradient's graph; the gradients are nobody's argument or output."""
    bare = role.removeprefix(VIEW)
    if bare.startswith((INCOMING, GRADIENT)):
        return Chip(role, "number", dashed=role.startswith(VIEW))
    if bare.startswith(("intermediate", "forward intermediate")):
        return Chip(role, "intermediate", dashed=role.startswith(VIEW))
    return chip(role)


def _without_tensors(record: OpRecord | ModuleRecord) -> list[str]:
    nodes = [] if record.second_order is None else backward_nodes(record.second_order)
    return [
        node.type if node.number == 1 else f"{node.type} × {node.number}"
        for node in nodes
        if not node.saved
    ]


def _source(record: OpRecord | ModuleRecord) -> str:
    found = record.second_order
    if found is None or found.call is None:
        return "the reference call, everything that can require grad requiring it"
    return f"{found.call}, with {', '.join(found.mask) or 'nothing'} requiring grad"
