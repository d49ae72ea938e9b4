"""Each rule about formulas finds the contradiction that it is for."""

from typing import Any

import msgspec
import pytest

from generator.catalogue.model.formulas import (
    FormulaArgument,
    FormulaStorage,
    FormulaTensor,
    Refusal,
    Unconfirmed,
)
from generator.catalogue.model.records import Catalogue
from generator.catalogue.rules import formulas as rules

replace = msgspec.structs.replace


def with_formula(catalogue: Catalogue, op: str, **fields: Any) -> Catalogue:
    record = catalogue.ops[op]
    pricing = record.formulas[0]
    assert pricing.formula is not None
    changed = replace(pricing, formula=replace(pricing.formula, **fields))
    return with_pricings(catalogue, op, (changed, *record.formulas[1:]))


def with_pricings(catalogue: Catalogue, op: str, pricings: tuple[Any, ...]) -> Catalogue:
    record = replace(catalogue.ops[op], formulas=pricings)
    return replace(catalogue, ops={**catalogue.ops, op: record})


def test_a_sound_catalogue_breaks_none(small: Catalogue) -> None:
    assert [found for rule in rules.RULES for found in rule(small)] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"tensors": (FormulaTensor("N*C", "same", 0), FormulaTensor("N", "same", 0))},
        {"tensors": (FormulaTensor("N*N", "same", 0),)},
        {"tensors": (FormulaTensor("N*C", "float64", 0),)},
        {"storages": (FormulaStorage("2*N*C", extra=False),)},
        {"storages": (FormulaStorage("N*C", extra=True),)},
        {"arguments": (FormulaArgument("input", ("N", 7)),)},
        {"arguments": (FormulaArgument("other", ("N", "C")),)},
        {"masks": ((0,), ())},
        {"masks": ((),)},
    ],
)
def test_a_formula_that_gives_other_bytes_is_found(
    small: Catalogue, fields: dict[str, Any]
) -> None:
    broken = with_formula(small, "torch.exp", **fields)
    assert list(rules.formulas_give_what_was_measured(broken)) or list(
        rules.priced_calls_exist(broken)
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"tensors": (FormulaTensor("N*K", "same", 0),)},
        {"tensors": (FormulaTensor("open('x')", "same", 0),)},
        {"tensors": (FormulaTensor("N*C", "float33", 0),)},
        {"tensors": (FormulaTensor("N*C", "same", 3),)},
        {"where": ("N >",)},
        {"masks": ((4,),)},
        {"held_out": ((2,), (3,))},
    ],
)
def test_a_formula_that_cannot_be_read_is_found(small: Catalogue, fields: dict[str, Any]) -> None:
    broken = with_formula(small, "torch.exp", **fields)
    assert list(rules.formulas_are_readable(broken))


@pytest.mark.parametrize(
    "fields",
    [{"held_out": ((5, 7),)}, {"where": ("N > 100",)}, {"wrong_at_one": ("N",)}],
)
def test_a_formula_that_was_not_confirmed_is_found(
    small: Catalogue, fields: dict[str, Any]
) -> None:
    broken = with_formula(small, "torch.exp", **fields)
    assert list(rules.formulas_were_confirmed(broken))


def test_calls_that_are_not_there_are_found(small: Catalogue) -> None:
    reference, case = small.ops["torch.mul"].formulas
    for pricings in (
        (reference, reference),
        (reference, replace(case, case=9)),
        (reference, replace(case, reason=None)),
        (reference, replace(case, state="fitted")),
        (replace(reference, reason="none"),),
    ):
        assert list(rules.priced_calls_exist(with_pricings(small, "torch.mul", pricings)))


def with_a_case(catalogue: Catalogue, **fields: Any) -> Catalogue:
    reference, case = catalogue.ops["torch.mul"].formulas
    formula = replace(reference.formula, **fields)
    changed = replace(case, state="symbolic", reason=None, formula=formula)
    return with_pricings(catalogue, "torch.mul", (reference, changed))


def test_a_case_whose_masks_are_those_of_its_measurements_is_sound(small: Catalogue) -> None:
    number = len(small.ops["torch.mul"].cases[0].measurements)
    assert number > 1
    sound = with_a_case(small, masks=((0, 1), *[None] * (number - 1)))
    assert list(rules.cases_speak_of_every_mask(sound)) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"masks": None},
        {"masks": ((0, 1),)},
        {"masks": ((0, 1), *[None] * 9)},
        {"masks": ((1,), (0, 1), None)},
        {"masks": (None, None, None)},
        {"masks": ((0, 1), None, None), "arguments": (FormulaArgument("weight", ("N", "C")),)},
    ],
)
def test_a_case_that_does_not_speak_of_every_mask_is_found(
    small: Catalogue, fields: dict[str, Any]
) -> None:
    assert list(rules.cases_speak_of_every_mask(with_a_case(small, **fields)))


def test_reasons_are_of_the_masks_of_which_nothing_is_said(small: Catalogue) -> None:
    masks = ((0, 1), None, (1,))
    sound = with_formula(
        small, "torch.mul", masks=masks, unconfirmed=(Unconfirmed(1, "the call raises"),)
    )
    assert list(rules.formulas_give_their_reasons(sound)) == []
    broken = with_formula(
        small, "torch.mul", masks=masks, unconfirmed=(Unconfirmed(2, "the call raises"),)
    )
    assert list(rules.formulas_give_their_reasons(broken))


@pytest.mark.parametrize(
    "fields",
    [
        {"refuses": (Refusal("N % 2 == 0", "ValueError: odd"),)},
        {"leading": (1, 2)},
        {"leading": (2,), "arguments": (FormulaArgument("input", (8, "C")),)},
        {"leading": (2,), "arguments": (FormulaArgument("input", ("N", "N")),)},
    ],
)
def test_a_refusal_or_a_rank_that_contradicts_the_formula_is_found(
    small: Catalogue, fields: dict[str, Any]
) -> None:
    # 5 × 7 is among the sizes that confirmed it.
    assert list(rules.refusals_are_of_other_sizes(with_formula(small, "torch.exp", **fields)))


def test_a_case_whose_own_call_weighs_otherwise_is_found(small: Catalogue) -> None:
    record = small.ops["torch.exp"]
    case = record.cases[0]
    argument = replace(case.arguments[0], shape=(3, 5), dtype="float32", bytes=60)
    measured = replace(case.measurements[0], logical_bytes=60)
    case = replace(case, arguments=(argument,), measurements=(measured,))
    priced = replace(record.formulas[0], case=0, call=case.call)
    for elements, sound in (("N*C", True), ("N*N", False)):
        formula = replace(priced.formula, tensors=(FormulaTensor(elements, "same", 0),))
        op = replace(record, cases=(case,), formulas=(replace(priced, formula=formula),))
        found = list(rules.cases_fit_their_own_figures(replace(small, ops={"torch.exp": op})))
        assert (found == []) == sound
