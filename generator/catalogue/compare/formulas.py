"""Compare what an op keeps at any sizes in two catalogues, call by call."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from generator.catalogue.compare.changes import Change, DetailChanged, FormulaChanged
from generator.catalogue.formulas.evaluation import kept_under
from generator.catalogue.formulas.text import byte_texts
from generator.catalogue.model.formulas import Pricing
from generator.catalogue.model.records import OpRecord
from generator.errors import CatalogueError

Texts = tuple[str, str, str]


def compare_formulas(old: OpRecord, new: OpRecord) -> Iterator[Change]:
    """Yield what differs between the formulas of two records of one op."""
    if old.formulas == new.formulas:
        return
    before, after = _by_call(old), _by_call(new)
    found = [
        FormulaChanged(subject="op", name=new.name, call=key.text, old=texts[0], new=texts[1])
        for key in sorted(before.keys() & after.keys())
        # Of several cases with one call nothing tells which of them became which.
        if len(before[key]) == len(after[key]) == 1
        for texts in [(_texts(before[key][0]), _texts(after[key][0]))]
        if texts[0] != texts[1]
    ]
    yield from found
    if not found:
        # Other sizes at which it was confirmed, another case that was chosen, other names.
        yield DetailChanged(
            subject="op",
            name=new.name,
            field="formulas",
            old=msgspec.to_builtins(old.formulas),
            new=msgspec.to_builtins(new.formulas),
        )


class _Priced(NamedTuple):
    """The call that a formula is of: the reference, where all is empty, or a case."""

    text: str = ""
    entry: str = ""
    arguments: str = ""


def _by_call(record: OpRecord) -> dict[_Priced, list[Pricing]]:
    """File formulas by their call: the position of a case says nothing in another release."""
    filed: dict[_Priced, list[Pricing]] = {}
    for one in record.formulas:
        call = _Priced()
        for case in record.cases[one.case : one.case + 1] if one.case is not None else ():
            call = _Priced(one.call or case.call, case.entry, str(case.arguments))
        filed.setdefault(call, []).append(one)
    return filed


def _texts(pricing: Pricing) -> Texts | None:
    """Write the three totals in bytes under the first mask, in the formula's first dtype."""
    formula = pricing.formula
    if formula is None:
        return None
    dtype = formula.dtypes[0] if formula.dtypes else None
    try:
        return byte_texts(formula, dtype, kept_under(formula, 0) or ())
    except (CatalogueError, IndexError):
        return None  # what cannot be evaluated is no formula
