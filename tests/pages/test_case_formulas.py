"""The row of a case says what its call keeps at any sizes, under each mask, or why that is open."""

import msgspec

from generator.catalogue.model.formulas import Unconfirmed
from generator.catalogue.model.records import Catalogue
from generator.pages.calls import case_views
from tests.fixtures import tiny_formulas

replace = msgspec.structs.replace


def test_a_case_shows_its_sizes_its_totals_and_each_tensor(small: Catalogue) -> None:
    record = small.ops["torch.exp"]
    case = replace(record.formulas[0], case=0, formula=tiny_formulas.unfolded())
    (view,) = case_views(replace(record, formulas=(*record.formulas, case))).full
    assert view.formula is not None
    assert view.formula.sizes == "input N × C × H, weight C × 3, Hout = ⌊(H - 3) / 2⌋ + 1"
    assert view.formula.total == "8·N·C·Hout + 4·N·C·H + 8·N"
    assert view.formula.dtype == "float32"
    (row,) = view.formula.by_mask
    assert row.label == ", ".join(record.cases[0].measurements[0].mask)
    assert row.extra == "8·N·C·Hout + 8·N"


def test_the_masks_of_a_case_have_their_bytes_or_their_reason(small: Catalogue) -> None:
    record = small.ops["torch.mul"]
    reference, case = record.formulas
    assert reference.formula is not None
    formula = replace(
        reference.formula, masks=((0, 1), None, (1,)), unconfirmed=(Unconfirmed(1, "it varies"),)
    )
    priced = replace(case, state="symbolic", reason=None, formula=formula)
    view = case_views(replace(record, formulas=(reference, priced))).full[0]
    assert view.formula is not None
    assert [(row.label, row.logical) for row in view.formula.by_mask] == [
        ("input, other", "8·N·C"),
        ("input", "not known: it varies"),
        ("other", "4·N·C"),
    ]
    assert [elements for _, elements in view.formula.tensors] == ["N·C", "N·C"]


def test_a_case_without_a_formula_says_why(small: Catalogue) -> None:
    view = case_views(small.ops["torch.mul"]).full[0]
    assert view.formula is not None
    assert view.formula.reason == "the argument other is sparse"


def test_cases_and_modules_that_were_not_priced_say_nothing(small: Catalogue) -> None:
    assert case_views(small.ops["torch.exp"]).full[0].formula is None
    assert all(one.formula is None for m in small.modules.values() for one in case_views(m).full)
