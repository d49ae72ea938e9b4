"""Bytes at the reader's sizes come from the formula, and what has no answer says why."""

import msgspec
import pytest

from generator.catalogue.model.formulas import FormulaArgument, Refusal
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.errors import SizesError
from generator.review.layout import TextPage
from generator.review.shapes import read_shapes
from generator.review.show import plain
from generator.review.sizes import choose, sizes_page


def exp(small: Catalogue) -> OpRecord:
    return small.ops["torch.exp"]


def page_at(
    small: Catalogue, record: OpRecord, shape: str, dtype: str | None, call: str | None = None
) -> TextPage:
    return sizes_page(small.header, record, choose(record, shape, dtype, call))


def test_one_shape_is_that_of_every_argument_of_its_rank(small: Catalogue) -> None:
    page = page_at(small, small.ops["torch.mul"], "1000x3000", None)
    assert page.claim.startswith("Keeps 24,000,000 bytes, of which 0 are extra")
    rows = page.tables[1].rows
    assert [row[0] for row in rows] == ["input, other", "input", "other"]
    assert [row[2] for row in rows] == ["24,000,000", "12,000,000", "12,000,000"]


def test_a_dtype_changes_the_bytes(small: Catalogue) -> None:
    page = page_at(small, exp(small), "4096x128", "bfloat16")
    assert page.claim.startswith(f"Keeps {4096 * 128 * 2:,} bytes")
    assert "input 4096 × 128 in bfloat16" in page.claim
    assert ("storage bytes", "2·N·C") in page.facts
    assert page.tables[0].rows[0][2:] == ("output", "N·C", "bfloat16", "1,048,576")


def test_a_size_beyond_any_memory_has_its_bytes_too(small: Catalogue) -> None:
    page = page_at(small, exp(small), "100000000000x100000000000", "torch.float64")
    assert f"{8 * 10**22:,}" in plain(page)


def test_shapes_can_be_given_by_name() -> None:
    assert read_shapes("input=8x128,weight=64x128,bias=64") == {
        "input": (8, 128),
        "weight": (64, 128),
        "bias": (64,),
    }
    assert read_shapes("8X128") == {"": (8, 128)}


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ("0x", "is no size"),
        ("0x4", "is no size"),
        ("-1x4", "is no size"),
        ("8x12a", "is no size"),
        ("1e9x1", "is no size"),
        ("99999999999999999999x1", "is no size"),
        ("two", "is no size"),
        ("²x3", "is no size"),
        ("8,128", "is no shape"),
        ("input=8x128,8", "no argument with a shape"),
        ("=8x128", "no argument with a shape"),
        ("input=8x128,input=8x1", "two shapes"),
        ("8x128x3", "no argument has 3 dimensions"),
        ("input=8", "input has 2 dimensions"),
        ("weight=8x8", "no argument 'weight'"),
        ("()", "no argument has 0 dimensions"),
        (" ", "no shape was given"),
    ],
)
def test_what_is_no_shape_of_it_is_refused(small: Catalogue, shape: str, said: str) -> None:
    with pytest.raises(SizesError, match=said):
        page_at(small, exp(small), shape, None)


def test_arguments_that_must_agree_are_held_to_it(small: Catalogue) -> None:
    with pytest.raises(SizesError, match="C is 3 in input and 5 in other"):
        page_at(small, small.ops["torch.mul"], "input=2x3,other=2x5", None)


@pytest.mark.parametrize("dtype", ["float31", "", "complex64"])
def test_a_dtype_that_was_not_confirmed_is_refused(small: Catalogue, dtype: str) -> None:
    with pytest.raises(SizesError, match=r"no dtype|but not for complex64"):
        page_at(small, exp(small), "8x8", dtype)


def test_sizes_at_which_the_formula_fails_are_refused(small: Catalogue) -> None:
    record = exp(small)
    (pricing,) = record.formulas
    assert pricing.formula is not None
    formula = msgspec.structs.replace(pricing.formula, wrong_at_one=("C",), where=("N >= 4",))
    changed = msgspec.structs.replace(pricing, formula=formula)
    with pytest.raises(SizesError, match="holds only where N ≥ 4 and C > 1"):
        page_at(small, msgspec.structs.replace(record, formulas=(changed,)), "3x1", None)


def test_an_op_without_a_formula_says_why(small: Catalogue) -> None:
    (_, case) = small.ops["torch.mul"].formulas
    without = msgspec.structs.replace(small.ops["torch.mul"], formulas=(case,))
    with pytest.raises(SizesError, match="no byte formula: the argument other is sparse"):
        page_at(small, without, "8x8", None)


def test_a_case_is_answered_for_its_confirmed_masks_alone(small: Catalogue) -> None:
    record = small.ops["torch.mul"]
    reference, case = record.formulas
    assert reference.formula is not None
    formula = msgspec.structs.replace(reference.formula, masks=((0, 1), None, (1,)))
    priced = msgspec.structs.replace(case, state="symbolic", reason=None, formula=formula)
    page = page_at(small, msgspec.structs.replace(record, formulas=(priced,)), "10x10", None)
    assert ("requires grad", "input, other") in page.facts
    assert [row[1:] for row in page.tables[1].rows] == [
        ("800", "800", "0"),
        ("not confirmed", "–", "–"),
        ("400", "400", "0"),
    ]


def test_an_answer_names_the_build_and_the_page(small: Catalogue) -> None:
    facts = dict(page_at(small, exp(small), "8x8", None).facts)
    assert facts["measured on"].startswith(f"torch {small.header.build.version}, cpu, git ")
    assert facts["permalink"].endswith("/2.13.0/ops/torch.exp/")


def test_an_answer_says_that_it_takes_the_call_for_accepted(small: Catalogue) -> None:
    said = plain(page_at(small, exp(small), "8x8", None))
    assert "taken for granted that the call accepts these sizes" in " ".join(said.split())


def with_cases(small: Catalogue) -> OpRecord:
    """The product, with a case that keeps twice as much and is of another call."""
    record = small.ops["torch.mul"]
    reference, case = record.formulas
    assert reference.formula is not None
    twice = tuple(
        msgspec.structs.replace(one, elements="2*N*C") for one in reference.formula.tensors
    )
    storages = tuple(
        msgspec.structs.replace(one, elements="2*N*C") for one in reference.formula.storages
    )
    formula = msgspec.structs.replace(reference.formula, tensors=twice, storages=storages)
    priced = msgspec.structs.replace(
        case, state="symbolic", reason=None, formula=formula, call="torch.mul(input, other, out=x)"
    )
    return msgspec.structs.replace(record, formulas=(reference, priced))


def test_a_case_is_chosen_by_a_part_of_its_call(small: Catalogue) -> None:
    record = with_cases(small)
    assert page_at(small, record, "10x10", None).claim.startswith("Keeps 800 bytes")
    page = page_at(small, record, "10x10", None, "out = x")
    assert page.claim.startswith("Keeps 1,600 bytes")
    assert ("call", "torch.mul(input, other, out=x)") in page.facts
    assert ("not so with --call", "torch.mul(input, other) (800 bytes)") in page.facts


def test_a_call_that_has_no_formula_is_refused_with_those_that_have(small: Catalogue) -> None:
    with pytest.raises(SizesError, match=r"reads 'alpha=2'; there are torch.mul\(input, other\); "):
        page_at(small, with_cases(small), "10x10", None, "alpha=2")


def test_sizes_that_the_call_refuses_are_refused_with_its_error(small: Catalogue) -> None:
    record = exp(small)
    (pricing,) = record.formulas
    assert pricing.formula is not None
    refuses = (Refusal("C % 2 == 0", "RuntimeError: C must be even"),)
    formula = msgspec.structs.replace(pricing.formula, refuses=refuses, held_out=((2, 4), (4, 8)))
    record = msgspec.structs.replace(
        record, formulas=(msgspec.structs.replace(pricing, formula=formula),)
    )
    assert page_at(small, record, "3x4", None).claim.startswith("Keeps 48 bytes")
    with pytest.raises(SizesError, match=r"raises unless C mod 2 = 0; it said.*C must be even"):
        page_at(small, record, "3x5", None)


def test_one_shape_of_another_rank_is_that_of_what_may_have_it(small: Catalogue) -> None:
    record = exp(small)
    (pricing,) = record.formulas
    assert pricing.formula is not None
    formula = msgspec.structs.replace(pricing.formula, leading=(0, 2))
    record = msgspec.structs.replace(
        record, formulas=(msgspec.structs.replace(pricing, formula=formula),)
    )
    page = page_at(small, record, "2x3x5", None)
    assert page.claim == "Keeps 120 bytes, of which 0 are extra, for input 2 × 3 × 5 in float32."
    assert page_at(small, record, "7", None).claim.startswith("Keeps 28 bytes")
    with pytest.raises(SizesError, match="no argument has 4 dimensions"):
        page_at(small, record, "2x3x4x5", None)
    with pytest.raises(SizesError, match="input has 1, 2 or 3 dimensions"):
        page_at(small, record, "input=2x3x4x5", None)


def test_a_release_that_accepted_the_call_is_named(small: Catalogue) -> None:
    record = exp(small)
    page = sizes_page(small.header, record, choose(record, "8x8", None, None), "by torch 2.13.0")
    assert ("accepted", "by torch 2.13.0") in page.facts
    assert "taken for granted" not in plain(page)


def test_a_call_with_just_the_named_arguments_comes_first(small: Catalogue) -> None:
    record = with_cases(small)
    reference, case = record.formulas
    assert case.formula is not None
    alone = (FormulaArgument("input", ("N", "C")),)
    changed = msgspec.structs.replace(
        case, formula=msgspec.structs.replace(case.formula, arguments=alone)
    )
    record = msgspec.structs.replace(record, formulas=(reference, changed))
    assert "for input 10 × 10 in float32" in page_at(small, record, "input=10x10", None).claim
    both = page_at(small, record, "input=10x10,other=10x10", None).claim
    assert "for input 10 × 10, other 10 × 10" in both
