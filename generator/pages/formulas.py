"""The section of an op's page that says what the call keeps at any sizes, with a calculator."""

import json
from dataclasses import dataclass

from generator.catalogue.expressions import shown, steps
from generator.catalogue.formula_evidence import formula_printed, formula_program
from generator.catalogue.formula_text import (
    byte_texts,
    checked,
    dtype_text,
    elements_text,
    limits,
    origin,
    shape_of,
)
from generator.catalogue.formulas import (
    dimensions,
    itemsize,
    kept_under,
    own_sizes,
    reference_pricing,
)
from generator.catalogue.kept import spoken_role
from generator.catalogue.model import OpRecord, Reference
from generator.catalogue.model_formulas import ByteFormula, Pricing
from generator.catalogue.policies import measured_nodes
from generator.pages.writes import ProgramView

Pair = tuple[str, str]


@dataclass(frozen=True)
class KeptRow:
    """A saved tensor: what it is, its elements, its dtype, whether only the graph holds it."""

    role: str
    elements: str
    dtype: str
    extra: str


@dataclass(frozen=True)
class TotalRow:
    """The three totals in bytes, for some dtypes or under some masks."""

    label: str
    logical: str
    storage: str
    extra: str


@dataclass(frozen=True)
class Calculator:
    """What the reader can vary, and the formula as the page's script evaluates it."""

    sizes: tuple[tuple[str, int], ...]
    dtypes: tuple[str, ...]
    masks: tuple[str, ...]
    machine: str


@dataclass(frozen=True)
class CaseRow:
    """The formula of a case: its call, its arguments' shapes, its first mask and its bytes."""

    call: str
    arguments: str
    mask: str
    storage: str
    extra: str


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
    cases: tuple[CaseRow, ...]


def formula_view(op: OpRecord) -> FormulaView | None:
    """Lay out the formulas of an op; None where none was looked for."""
    if not op.formulas:
        return None
    cases = tuple(row for one in op.formulas if (row := _case(op, one)))
    pricing = reference_pricing(op)
    if pricing is None or pricing.formula is None or not op.references:
        return _without(pricing, cases)
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
        by_mask=_by_mask(formula, reference),
        by_mask_dtype=formula.dtypes[0] if formula.dtypes else "",
        notes=(f"{origin(pricing)}; {checked(formula)}.", *limits(formula)),
        program=_program(op),
        calculator=_calculator(formula, reference),
        cases=cases,
    )


def _without(pricing: Pricing | None, cases: tuple[CaseRow, ...]) -> FormulaView:
    reason = pricing.reason if pricing else None
    return FormulaView(reason, "", (), (), (), (), (), "", (), None, None, cases)


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
        for role, tensor in zip(roles, formula.tensors, strict=True)
    )


def _by_dtype(formula: ByteFormula, kept: tuple[int, ...]) -> tuple[TotalRow, ...]:
    """Write the totals for each dtype; dtypes of one itemsize and one answer share a row."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for dtype in formula.dtypes or (None,):
        rows.setdefault(byte_texts(formula, dtype, kept), []).append(dtype or "as given")
    return tuple(TotalRow(", ".join(dtypes), *texts) for texts, dtypes in rows.items())


def _by_mask(formula: ByteFormula, reference: Reference) -> tuple[TotalRow, ...]:
    if formula.masks is None:
        return ()
    dtype = formula.dtypes[0] if formula.dtypes else None
    rows: dict[tuple[str, str, str], list[str]] = {}
    for place, measured in enumerate(reference.measurements):
        kept = kept_under(formula, place)
        texts = ("not confirmed",) * 3 if kept is None else byte_texts(formula, dtype, kept)
        rows.setdefault((texts[0], texts[1], texts[2]), []).append(_mask_text(measured.mask))
    return tuple(TotalRow("; ".join(masks), *texts) for texts, masks in rows.items())


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


def _case(op: OpRecord, pricing: Pricing) -> CaseRow | None:
    if pricing.case is None or pricing.formula is None:
        return None
    formula = pricing.formula
    dtype = formula.dtypes[0] if formula.dtypes else None
    texts = byte_texts(formula, dtype, kept_under(formula, 0) or ())
    shapes = (f"{one.name}: {shape_of(one.shape)}" for one in formula.arguments)
    return CaseRow(
        call=pricing.call or op.cases[pricing.case].call,
        arguments=", ".join(shapes),
        mask=_mask_text(op.cases[pricing.case].measurements[0].mask),
        storage=texts[1],
        extra=texts[2],
    )
