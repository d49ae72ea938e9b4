"""A case's formula speaks of each of its masks, as real calls under that mask confirmed it."""

from collections.abc import Sequence
from typing import Any

from generator.probe.calls import Call
from generator.probe.cases import RecordBody
from generator.probe.formulas.cases import op_formulas
from generator.probe.formulas.masks import by_mask, lacking
from generator.probe.formulas.price import price
from generator.probe.masks import op_masks
from generator.probe.program_calls import program_call

Json = dict[str, Any]


def body_of(name: str, *samples: tuple[str, str, tuple[str, ...]]) -> RecordBody:
    body = RecordBody(name, "op", op_masks)
    for setup, text, mask in samples:
        body.add_sample(name, "float32", call_of(setup, text), mask, None)
    return body


def call_of(setup: str, text: str) -> Call:
    return program_call(setup, f"output = {text}", seed=0)


def kept_by_mask(body: RecordBody) -> dict[tuple[str, ...], list[str] | None]:
    """The elements of the tensors that the only formula keeps under each mask of its case."""
    (priced,) = op_formulas(body, None, [])
    formula = priced["formula"]
    masks: Sequence[list[int] | None] = formula["masks"]
    elements = [one[0] for one in formula["tensors"]]
    measured = body.cases()[priced["case"]]["measurements"]
    assert len(masks) == len(measured)
    return {
        tuple(row["mask"]): None if kept is None else [elements[place] for place in kept]
        for row, kept in zip(measured, masks, strict=True)
    }


def test_a_product_keeps_each_factor_for_the_gradient_of_the_other() -> None:
    setup = "input = torch.randn(3, 8, 6)\nmat2 = torch.randn(3, 6, 10)"
    asked = ("input", "mat2")
    found = kept_by_mask(body_of("torch.bmm", (setup, "torch.bmm(input, mat2)", asked)))
    factors = found[asked]
    assert factors is not None
    assert len(set(factors)) == 2
    alone = found[("input",)], found[("mat2",)]
    assert None not in alone
    assert sorted(one for kept in alone for one in kept or ()) == sorted(factors)
    assert alone[0] != alone[1]


def test_a_case_says_so_where_every_mask_keeps_the_same() -> None:
    # Both derivatives of atan2 divide by input² + other².
    setup = "input = torch.randn(16, 24)\nother = torch.randn(16, 24)"
    asked = ("input", "other")
    found = kept_by_mask(body_of("torch.atan2", (setup, "torch.atan2(input, other)", asked)))
    assert list(found) == [asked, ("input",), ("other",)]
    assert found[asked] == ["N*C", "N*C"]
    assert all(kept == found[asked] for kept in found.values())


def test_a_single_mask_needs_no_list() -> None:
    setup = "input = torch.randn(24, 40)"
    body = body_of("torch.exp", (setup, "torch.exp(input)", ("input",)))
    (priced,) = op_formulas(body, None, [])
    assert body.masks_of(priced["case"]) == [("input",)]
    assert priced["formula"]["masks"] is None
    assert by_mask({"state": "none", "reason": "it is sparse"}, [("a",), ("b",)])["state"] == "none"


def test_the_mask_of_the_sample_comes_first_as_in_the_measurements() -> None:
    setup = "input = torch.randn(8, 6)\nother = torch.randn(8, 6)"
    body = body_of("torch.mul", (setup, "torch.mul(input, other)", ("other",)))
    measured = [tuple(row["mask"]) for row in body.cases()[0]["measurements"]]
    assert body.masks_of(0) == measured
    assert measured[0] == ("other",)


def test_a_mask_of_an_argument_that_the_call_lacks_is_not_confirmed() -> None:
    call = call_of("input = torch.randn(8, 6)", "torch.exp(input)")
    assert lacking(call, ("input",)) == []
    assert lacking(call, ("input", "other")) == ["other"]
    formula = price(call, [("input",), ("other",)])["formula"]
    assert formula["masks"] == [[0], None]
    assert formula["unconfirmed"] == [(1, "the call that was priced has no other")]


def test_a_mask_under_which_the_call_raises_has_that_as_its_reason() -> None:
    setup = "input = torch.randn(8, 6)\ntarget = torch.randn(8, 6)"
    call = call_of(setup, "torch.nn.functional.soft_margin_loss(input, target)")
    formula = price(call, [("input",), ("target",)])["formula"]
    ((place, reason),) = formula["unconfirmed"]
    assert place == 1
    assert "not differentiable with respect to argument 'target'" in reason


def test_a_mask_without_a_gradient_says_so() -> None:
    setup = "input = torch.randn(8, 6)\nother = torch.randn(8, 6)"
    call = call_of(setup, "input.view_as(other)")
    formula = price(call, [("input", "other"), ("other",)])["formula"]
    assert formula["unconfirmed"] == [(1, "no output requires grad")]


def test_what_only_a_further_mask_keeps_comes_after_what_the_first_keeps() -> None:
    # The gradient of input needs other, that of other needs input.
    setup = "input = torch.randn(8, 6)\nother = torch.randn(6)"
    masks = [("input",), ("other",), ("input", "other")]
    formula = price(call_of(setup, "torch.mul(input, other)"), masks)["formula"]
    assert [one[0] for one in formula["tensors"]] == ["C", "N*C"]
    assert formula["masks"] == [[0], [1], [0, 1]]
    assert [one[1] for one in formula["tensors"]] == ["same", "same"]
    assert "bfloat16" in formula["dtypes"]
