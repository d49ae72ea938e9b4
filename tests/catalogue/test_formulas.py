"""What a formula gives is what arithmetic gives."""

import pytest
from msgspec.structs import replace

from generator.catalogue.codec import decode, encode
from generator.catalogue.formula_text import byte_texts, checked, limits, sum_text
from generator.catalogue.formulas import (
    broken_conditions,
    cost,
    dimensions,
    entry_pricings,
    kept_under,
    saved_dtype,
    shapes_of,
    sizes_from,
)
from generator.catalogue.model import Catalogue
from generator.catalogue.model_formulas import FormulaArgument
from generator.errors import CatalogueError
from tests.fixtures import tiny_formulas

SIZES = {"N": 2, "C": 4, "H": 9}
INDICES = 2 * 4 * 4 * 8
INPUT = 2 * 4 * 9 * 4


def test_a_storage_is_counted_once_and_a_tensor_each_time() -> None:
    found = cost(tiny_formulas.unfolded(), SIZES, "float32")
    assert found.tensors == (INDICES, INPUT, 16, INPUT)
    assert found.logical == INDICES + 2 * INPUT + 16
    assert found.storage == INDICES + INPUT + 16
    assert found.extra == INDICES + 16


def test_dtypes_follow_by_their_rules() -> None:
    found = cost(tiny_formulas.unfolded(), SIZES, "bfloat16")
    assert found.tensors == (INDICES, INPUT // 2, 16, INPUT // 2)
    assert saved_dtype("real", "complex128") == "float64"
    assert saved_dtype("complex", "float32") == "complex64"
    with pytest.raises(CatalogueError):
        saved_dtype("same", None)


def test_only_what_a_mask_keeps_is_counted() -> None:
    formula = tiny_formulas.mul()[0].formula
    assert formula is not None
    assert kept_under(formula, 1) == (0,)
    assert cost(formula, {"N": 3, "C": 5}, "float32", (0,)).storage == 60


def test_dimensions_are_read_off_the_arguments() -> None:
    formula = tiny_formulas.unfolded()
    assert dimensions(formula) == ("N", "C", "H")
    assert sizes_from(formula, {"input": (2, 4, 9), "weight": (4, 3)}) == SIZES


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ({"input": (2, 4), "weight": (4, 3)}, "input has 3 dimensions"),
        ({"input": (2, 4, 9), "weight": (5, 3)}, "C is 4 in input and 5 in weight"),
        ({"input": (2, 4, 9), "weight": (4, 2)}, "must be 3"),
    ],
)
def test_shapes_that_contradict_the_formula_are_refused(
    shapes: dict[str, tuple[int, ...]], said: str
) -> None:
    with pytest.raises(CatalogueError, match=said):
        sizes_from(tiny_formulas.unfolded(), shapes)


def test_sizes_outside_the_formula_are_told() -> None:
    formula = tiny_formulas.unfolded()
    assert broken_conditions(formula, SIZES) == []
    assert broken_conditions(formula, {"N": 2, "C": 1, "H": 2}) == ["H >= 3", "C > 1"]


def test_totals_are_written_with_like_terms_together() -> None:
    assert sum_text([(4, "N*C"), (4, "N*C"), (8, "2*N"), (1, "3")]) == "8·N·C + 16·N + 3"
    assert sum_text([(4, "N*(C + 1)")]) == "4·(N·(C + 1))"
    assert sum_text([]) == "0"
    texts = byte_texts(tiny_formulas.unfolded(), "bfloat16", (0, 1, 2, 3))
    assert texts == (
        "8·N·C·Hout + 4·N·C·H + 8·N",
        "8·N·C·Hout + 2·N·C·H + 8·N",
        "8·N·C·Hout + 8·N",
    )


def test_a_formula_says_where_it_was_confirmed_and_where_it_does_not_hold() -> None:
    formula = tiny_formulas.unfolded()
    assert checked(formula).endswith("at (N, C, H) = (2, 4, 9), (1, 3, 5)")
    assert limits(formula) == [
        "It holds where H ≥ 3.",
        "It does not hold where C is 1.",
        "It speaks of sizes that the call accepts, and does not check whether it does.",
    ]


def test_each_entry_has_a_formula_or_a_reason(small: Catalogue) -> None:
    assert entry_pricings(small.ops["torch.mul"])["mul"].state == "none"
    assert entry_pricings(small.ops["torch.exp"])["exp"].state == "symbolic"


def test_the_order_of_arguments_and_so_of_dimensions_survives_the_file(small: Catalogue) -> None:
    record = small.ops["torch.mul"]
    pricing = record.formulas[0]
    assert pricing.formula is not None
    turned = replace(
        pricing.formula,
        arguments=(FormulaArgument("other", ("N", "C")), FormulaArgument("input", ("N", "C"))),
    )
    record = replace(record, formulas=(replace(pricing, formula=turned),))
    read = decode(encode(replace(small, ops={**small.ops, "torch.mul": record})))
    assert read.ops["torch.mul"].formulas[0].formula == turned
    assert list(shapes_of(turned)) == ["other", "input"]
