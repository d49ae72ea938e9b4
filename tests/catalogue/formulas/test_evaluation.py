"""What a formula gives is what arithmetic gives."""

import pytest
from msgspec.structs import replace

from generator.catalogue.codec import decode, encode
from generator.catalogue.formulas.evaluation import (
    broken_conditions,
    cost,
    dimensions,
    entry_pricings,
    kept_under,
    refusal_at,
    saved_dtype,
    shapes_of,
    sizes_from,
)
from generator.catalogue.formulas.text import byte_texts, checked, limits, sum_text, unknown
from generator.catalogue.model.formulas import (
    ByteFormula,
    FormulaArgument,
    FormulaStorage,
    FormulaTensor,
    Refusal,
    Unconfirmed,
)
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import Catalogue
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
        "It was confirmed for arguments of these numbers of dimensions alone.",
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


def folding() -> ByteFormula:
    """What a product of rows keeps: N may be no dimension, or two."""
    return ByteFormula(
        arguments=(FormulaArgument("input", ("N", "C")), FormulaArgument("weight", ("D", "C"))),
        tensors=(FormulaTensor("N*C", "same", 0),),
        storages=(FormulaStorage("N*C", extra=False),),
        held_out=((2, 3, 4), (1, 5, 6)),
        leading=(0, 2),
    )


@pytest.mark.parametrize(
    ("shape", "rows"), [((7,), 1), ((4, 7), 4), ((3, 4, 7), 12), ((1, 4, 7), 4)]
)
def test_the_first_dimension_stands_for_as_many_as_were_confirmed(
    shape: tuple[int, ...], rows: int
) -> None:
    sizes = sizes_from(folding(), {"input": shape, "weight": (9, 7)})
    assert sizes == {"N": rows, "C": 7, "D": 9}


def test_other_ranks_are_refused_with_those_that_were_confirmed() -> None:
    with pytest.raises(CatalogueError, match=r"input has 1, 2 or 3 dimensions \(N × C\), not 4"):
        sizes_from(folding(), {"input": (2, 3, 4, 7), "weight": (9, 7)})
    with pytest.raises(CatalogueError, match=r"weight has 2 dimensions \(D × C\), not 3"):
        sizes_from(folding(), {"input": (4, 7), "weight": (2, 9, 7)})


def test_arguments_that_share_the_first_dimension_have_it_alike() -> None:
    shared = replace(
        folding(),
        arguments=(FormulaArgument("input", ("N", "C")), FormulaArgument("other", ("N", "C"))),
    )
    assert sizes_from(shared, {"input": (2, 3, 7), "other": (2, 3, 7)}) == {"N": 6, "C": 7}
    with pytest.raises(CatalogueError, match="other does not begin with"):
        sizes_from(shared, {"input": (2, 3, 7), "other": (3, 2, 7)})


def test_a_size_that_is_computed_is_held_against_what_is_given() -> None:
    grouped = replace(
        folding(),
        arguments=(FormulaArgument("input", ("N", "Cout")), FormulaArgument("weight", ("D", "C"))),
        computed={"Cout": "2*C"},
        leading=(),
    )
    assert sizes_from(grouped, {"input": (4, 6), "weight": (9, 3)}) == {"N": 4, "C": 3, "D": 9}
    with pytest.raises(CatalogueError, match="Cout is 6, which is 2·C, and 7 in input"):
        sizes_from(grouped, {"input": (4, 7), "weight": (9, 3)})


def test_what_a_call_refused_is_told_apart_from_what_it_accepts() -> None:
    even = replace(folding(), refuses=(Refusal("C % 2 == 0", "RuntimeError: must be even"),))
    assert refusal_at(even, {"N": 2, "C": 4, "D": 1}) is None
    assert refusal_at(even, {"N": 2, "C": 5, "D": 1}) == even.refuses[0]
    assert "The call raises unless C mod 2 = 0." in limits(even)
    assert limits(even)[-1].startswith("N may be left out or stand for 2 dimensions")


def test_a_mask_of_which_nothing_is_known_has_its_reason() -> None:
    formula = replace(folding(), masks=((0,), None), unconfirmed=(Unconfirmed(1, "it varies"),))
    measured = Measurement(mask=("weight",), policy=0)
    raised = replace(measured, state="raised", policy=None, reason="RuntimeError: no")
    assert unknown(formula, 1, measured) == "it varies"
    assert unknown(formula, 1, raised) == "RuntimeError: no"
    assert unknown(replace(formula, unconfirmed=()), 1, measured) == "not confirmed"
