"""The section about sizes says what the formula says, for people and for the page's script."""

import json

import msgspec

from generator.catalogue.model.records import Catalogue, OpRecord
from generator.pages.formulas import FormulaView, formula_view

replace = msgspec.structs.replace


def view_of(op: OpRecord) -> FormulaView:
    view = formula_view(op)
    assert view is not None
    return view


def test_totals_are_written_for_each_itemsize(small: Catalogue) -> None:
    view = view_of(small.ops["torch.exp"])
    assert view.arguments == (("input", "N × C"),)
    assert [(row.label, row.storage) for row in view.by_dtype] == [
        ("float32", "4·N·C"),
        ("bfloat16", "2·N·C"),
        ("float64", "8·N·C"),
    ]
    assert view.by_mask == ()
    assert [(row.role, row.elements, row.extra) for row in view.kept] == [("output", "N·C", "no")]


def test_masks_that_keep_the_same_share_a_row(small: Catalogue) -> None:
    rows = view_of(small.ops["torch.mul"]).by_mask
    assert [(row.label, row.logical) for row in rows] == [
        ("input, other", "8·N·C"),
        ("input; other", "4·N·C"),
    ]


def test_the_script_gets_steps_and_the_sizes_of_the_reference(small: Catalogue) -> None:
    calculator = view_of(small.ops["torch.mul"]).calculator
    assert calculator is not None
    assert calculator.sizes == (("N", 256), ("C", 512))
    assert calculator.masks == ("input, other", "input", "other")
    machine = json.loads(calculator.machine)
    assert machine["elements"] == [["N", "C", "*"]] * 2
    assert machine["where"] == [["N ≥ 1", ["N", 1, ">="]]]
    assert machine["itemsizes"]["bfloat16"] == [2, 2]


def test_a_call_without_a_formula_says_why(small: Catalogue) -> None:
    record = small.ops["torch.exp"]
    pricing = replace(record.formulas[0], state="none", reason="it is sparse", formula=None)
    view = view_of(replace(record, formulas=(pricing,)))
    assert (view.reason, view.calculator) == ("it is sparse", None)


def test_an_op_for_which_none_was_looked_for_has_no_section(small: Catalogue) -> None:
    assert formula_view(replace(small.ops["torch.exp"], formulas=())) is None
