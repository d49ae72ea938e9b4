"""A formula that gives other bytes is a change; other sizes that confirm it are a detail."""

import msgspec

from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import DetailChanged, FormulaChanged
from generator.catalogue.compare.formulas import compare_formulas
from generator.catalogue.model.formulas import ByteFormula
from generator.catalogue.model.records import Catalogue
from generator.report import describe

replace = msgspec.structs.replace


def with_formula(catalogue: Catalogue, formula: ByteFormula | None) -> Catalogue:
    record = catalogue.ops["torch.exp"]
    state = "symbolic" if formula else "none"
    reason = None if formula else "the argument input is sparse"
    pricing = replace(record.formulas[0], state=state, reason=reason, formula=formula)
    return replace(
        catalogue, ops={**catalogue.ops, "torch.exp": replace(record, formulas=(pricing,))}
    )


def formula_of(catalogue: Catalogue) -> ByteFormula:
    formula = catalogue.ops["torch.exp"].formulas[0].formula
    assert formula is not None
    return formula


def test_other_bytes_are_a_change(small: Catalogue) -> None:
    formula = formula_of(small)
    storage = replace(formula.storages[0], extra=True)
    (found,) = compare(small, with_formula(small, replace(formula, storages=(storage,))))
    assert found == FormulaChanged(
        subject="op",
        name="torch.exp",
        call="",
        old=("4·N·C", "4·N·C", "0"),
        new=("4·N·C", "4·N·C", "4·N·C"),
    )
    assert describe(found) == "op torch.exp: extra bytes 0 → 4·N·C"


def test_a_formula_that_is_lost_is_a_change(small: Catalogue) -> None:
    (found,) = compare(small, with_formula(small, None))
    assert isinstance(found, FormulaChanged)
    assert found.new is None
    assert describe(found) == "op torch.exp: extra bytes 0 → without a formula"


def test_other_sizes_to_confirm_it_are_a_detail(small: Catalogue) -> None:
    formula = replace(formula_of(small), held_out=((3, 4), (1, 2)))
    (found,) = compare(small, with_formula(small, formula))
    assert isinstance(found, DetailChanged)
    assert found.field == "formulas"


def test_cases_of_one_call_are_compared_only_where_there_are_as_many(small: Catalogue) -> None:
    record = small.ops["torch.exp"]
    (reference,) = record.formulas
    assert reference.formula is not None
    case = replace(reference, case=0, call="torch.exp(input)")
    tensors = (replace(reference.formula.tensors[0], elements="2*N*C"),)
    other = replace(case, formula=replace(reference.formula, tensors=tensors))
    old = replace(record, formulas=(reference, case))
    (changed,) = compare_formulas(old, replace(record, formulas=(reference, other)))
    assert isinstance(changed, FormulaChanged)
    assert changed.call == "torch.exp(input)"
    found = list(compare_formulas(old, replace(record, formulas=(reference, other, case))))
    assert not any(isinstance(one, FormulaChanged) for one in found)


def test_cases_are_known_by_their_calls_and_arguments_not_by_their_places(small: Catalogue) -> None:
    record = small.ops["torch.exp"]
    (reference,) = record.formulas
    assert reference.formula is not None
    case, heavier = replace(reference, case=0), formula_of(small)
    heavier = replace(heavier, tensors=(replace(heavier.tensors[0], elements="2*N*C"),))
    other = replace(reference, case=1, formula=heavier)
    one = record.cases[0]
    two = replace(one, arguments=(replace(one.arguments[0], dtype="float64"),))
    old = replace(record, cases=(one, two), formulas=(reference, case, other))
    places = (reference, replace(other, case=0), replace(case, case=1))
    (detail,) = compare_formulas(old, replace(record, cases=(two, one), formulas=places))
    assert isinstance(detail, DetailChanged)
    # Two of one call: nothing tells which of them became which.
    alike = replace(record, cases=(one, one), formulas=(reference, case, other))
    (detail,) = compare_formulas(alike, replace(alike, formulas=places))
    assert isinstance(detail, DetailChanged)
