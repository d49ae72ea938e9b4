"""What the call of a case keeps at any sizes: the row of formulas that a case shows."""

from dataclasses import dataclass

from generator.catalogue.formulas.evaluation import case_pricings, kept_under, shape_of
from generator.catalogue.formulas.expressions import shown
from generator.catalogue.formulas.text import (
    byte_texts,
    checked,
    elements_text,
    limits,
    origin,
    unknown,
)
from generator.catalogue.model.formulas import ByteFormula, Pricing
from generator.catalogue.model.records import Case, ModuleRecord, OpRecord, Reference
from generator.catalogue.policies import measured_nodes


@dataclass(frozen=True)
class TotalRow:
    """The three totals in bytes, for some dtypes or under some masks."""

    label: str
    logical: str
    storage: str
    extra: str


@dataclass(frozen=True)
class CaseFormula:
    """The formula of a case, or the `reason` why there is none.

    `call` is the call that was priced, empty where it is written as the case's own. `total` is
    what a folded case shows of it: storage bytes under its first mask.
    """

    reason: str | None
    call: str
    total: str
    sizes: str
    dtype: str
    tensors: tuple[tuple[str, str], ...]
    by_mask: tuple[TotalRow, ...]
    note: str


def case_formulas(record: OpRecord | ModuleRecord) -> dict[int, CaseFormula]:
    """Lay out the formula of each case of an op that was priced, by the position of the case."""
    if isinstance(record, ModuleRecord):
        return {}
    return {
        place: _case_formula(record, record.cases[place], pricing)
        for place, pricing in case_pricings(record).items()
    }


def mask_rows(formula: ByteFormula, call: Case | Reference) -> tuple[TotalRow, ...]:
    """Write the totals under each mask of a call; masks that keep the same share a row."""
    dtype = next(iter(formula.dtypes), None)
    rows: dict[tuple[str, str, str], list[str]] = {}
    for place, measured in enumerate(call.measurements):
        kept = kept_under(formula, place)
        if kept is None:
            texts = (f"not known: {unknown(formula, place, measured)}", "", "")
        else:
            texts = byte_texts(formula, dtype, kept)
        rows.setdefault(texts, []).append(", ".join(measured.mask))
    return tuple(TotalRow("; ".join(masks), *texts) for texts, masks in rows.items())


def _case_formula(record: OpRecord, case: Case, pricing: Pricing) -> CaseFormula:
    formula = pricing.formula
    if formula is None:
        return CaseFormula(pricing.reason or pricing.state, "", "", "", "", (), (), "")
    dtype = next(iter(formula.dtypes), None)
    first = kept_under(formula, 0) or ()
    shapes = [f"{one.name} {shape_of(one.shape)}" for one in formula.arguments]
    shapes += [f"{name} = {shown(text)}" for name, text in formula.computed.items()]
    attributes = [
        saved.attribute.removeprefix("_saved_")
        for node in measured_nodes(record, case.measurements[0])
        for saved in node.saved
        for _ in saved.roles
    ]
    return CaseFormula(
        reason=None,
        call="" if pricing.call in (None, case.call) else pricing.call or "",
        total=byte_texts(formula, dtype, first)[1],
        sizes=", ".join(shapes),
        dtype=dtype or "",
        tensors=tuple(
            (name, elements_text(formula.tensors[place].elements))
            for name, place in zip(attributes, first, strict=False)
        ),
        by_mask=mask_rows(formula, case),
        note=" ".join((f"{origin(pricing)}; {checked(formula)}.", *limits(formula))),
    )
