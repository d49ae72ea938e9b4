"""The section of an op's page that says what the call keeps at any sizes, with a calculator."""

import json
from dataclasses import dataclass

from generator.catalogue.formulas.evaluation import (
    dimensions,
    itemsize,
    kept_under,
    own_sizes,
    reference_pricing,
    shape_of,
)
from generator.catalogue.formulas.evidence import formula_printed, formula_program
from generator.catalogue.formulas.expressions import shown, steps
from generator.catalogue.formulas.text import (
    TAKEN,
    byte_texts,
    checked,
    dtype_text,
    elements_text,
    limits,
    origin,
)
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.formulas import ByteFormula
from generator.catalogue.model.records import OpRecord, Reference
from generator.catalogue.policies import measured_nodes
from generator.pages.case_formulas import TotalRow, mask_rows
from generator.pages.parts import ProgramView

Pair = tuple[str, str]


@dataclass(frozen=True)
class KeptRow:
    """A saved tensor: what it is, its elements, its dtype, whether only the graph holds it."""

    role: str
    elements: str
    dtype: str
    extra: str


@dataclass(frozen=True)
class Calculator:
    """What the reader can vary, and the formula as the page's script evaluates it."""

    sizes: tuple[tuple[str, int], ...]
    dtypes: tuple[str, ...]
    masks: tuple[str, ...]
    machine: str


@dataclass(frozen=True)
class FormulaView:
    """What a call keeps at any sizes; `reason` says why that is not known."""

    reason: str | None
    call: str
    arguments: tuple[Pair, ...]
    computed: tuple[Pair, ...]
    kept: tuple[KeptRow, ...]
    by_dtype: tuple[TotalRow, ...]
    by_mask: tuple[TotalRow, ...]
    by_mask_dtype: str
    notes: tuple[str, ...]
    program: ProgramView | None
    calculator: Calculator | None


def formula_view(op: OpRecord) -> FormulaView | None:
    """Lay out the formula of an op's reference call; None where none was looked for."""
    pricing = reference_pricing(op)
    if pricing is None:
        return None
    if pricing.formula is None or not op.references:
        return FormulaView(pricing.reason, "", (), (), (), (), (), "", (), None, None)
    formula, reference = pricing.formula, op.references[0]
    call = pricing.call or reference.call
    every = kept_under(formula, 0) or ()
    return FormulaView(
        reason=None,
        call=call.removeprefix("output = "),
        arguments=tuple((one.name, shape_of(one.shape)) for one in formula.arguments),
        computed=tuple((name, shown(text)) for name, text in formula.computed.items()),
        kept=_kept(op, reference, formula),
        by_dtype=_by_dtype(formula, every),
        by_mask=() if formula.masks is None else mask_rows(formula, reference),
        by_mask_dtype=formula.dtypes[0] if formula.dtypes else "",
        notes=(f"{origin(pricing)}; {checked(formula)}.", *limits(formula), TAKEN),
        program=_program(op),
        calculator=_calculator(formula, reference),
    )


def _kept(op: OpRecord, reference: Reference, formula: ByteFormula) -> tuple[KeptRow, ...]:
    nodes = measured_nodes(op, reference.measurements[0])
    roles = [role for node in nodes for saved in node.saved for role in saved.roles]
    return tuple(
        KeptRow(
            role=spoken_role(role),
            elements=elements_text(tensor.elements),
            dtype=dtype_text(tensor.dtype),
            extra="yes" if formula.storages[tensor.storage].extra else "no",
        )
        for role, tensor in zip(roles, formula.tensors, strict=False)
    )


def _by_dtype(formula: ByteFormula, kept: tuple[int, ...]) -> tuple[TotalRow, ...]:
    """Write the totals for each dtype; dtypes of one itemsize and one answer share a row."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for dtype in formula.dtypes or (None,):
        rows.setdefault(byte_texts(formula, dtype, kept), []).append(dtype or "as given")
    return tuple(TotalRow(", ".join(dtypes), *texts) for texts, dtypes in rows.items())


def _program(op: OpRecord) -> ProgramView | None:
    program, printed = formula_program(op), formula_printed(op)
    return ProgramView(program.rstrip(), printed.rstrip()) if program and printed else None


def _mask_text(mask: tuple[str, ...]) -> str:
    return ", ".join(mask)


def _calculator(formula: ByteFormula, reference: Reference) -> Calculator:
    sizes = own_sizes(formula, reference)
    masks = {
        _mask_text(measured.mask): kept
        for place, measured in enumerate(reference.measurements)
        if (kept := kept_under(formula, place)) is not None
    }
    if formula.masks is None:
        masks = dict(list(masks.items())[:1])
    dtypes = formula.dtypes
    machine = {
        "computed": [[name, steps(text)] for name, text in formula.computed.items()],
        "where": [[shown(text), steps(text)] for text in formula.where]
        + [
            [f"{name} > 1", [name, 1, ">"]]
            for name in (*formula.wrong_at_one, *formula.refused_at_one)
        ],
        "refuses": [[shown(one.condition), steps(one.condition)] for one in formula.refuses],
        "elements": [steps(tensor.elements) for tensor in formula.tensors],
        "storage": [tensor.storage for tensor in formula.tensors],
        "storages": [[steps(one.elements), one.extra] for one in formula.storages],
        "itemsizes": {
            dtype or "": [itemsize(tensor, dtype) for tensor in formula.tensors]
            for dtype in dtypes or (None,)
        },
        "masks": masks,
    }
    return Calculator(
        sizes=tuple((name, sizes[name]) for name in dimensions(formula)),
        dtypes=dtypes,
        masks=tuple(masks) if len(masks) > 1 else (),
        machine=json.dumps(machine, separators=(",", ":"), ensure_ascii=False),
    )
