"""Formulas against the mathematics of what calls keep, and wrong ones against real calls."""

from typing import Any

import pytest
import torch

from generator.probe.calls import Call
from generator.probe.formulas import price as formulas
from generator.probe.formulas.check import call_at, compare, value
from generator.probe.formulas.price import price, price_program
from generator.probe.formulas.symbolic import Derived, UnderivedError, derive
from generator.probe.masks import op_masks
from generator.probe.program_calls import program_call
from generator.probe.references import Program

Json = dict[str, Any]


def call_of(setup: str, text: str) -> Call:
    return program_call(setup, f"output = {text}", seed=0)


def priced(setup: str, text: str) -> Json:
    call = call_of(setup, text)
    return price_program(Program("test", setup, f"output = {text}"), call, op_masks(call))


def kept(formula: Json, sizes: dict[str, int]) -> list[tuple[int, str]]:
    """The elements of each saved tensor at these sizes, and how its dtype follows."""
    known = dict(sizes)
    for name, text in formula["computed"].items():
        known[name] = value(text, known)
    return [(value(elements, known), dtype) for elements, dtype, _ in formula["tensors"]]


def test_exp_keeps_as_many_elements_as_it_makes() -> None:
    found = priced("input = torch.randn(24, 40)", "torch.exp(input)")
    assert found["state"] == "symbolic"
    formula = found["formula"]
    assert dict(formula["arguments"]) == {"input": ["N", "C"]}
    assert formula["tensors"] == [["N*C", "same", 0]]
    assert formula["storages"] == [["N*C", False]]
    assert {"float32", "bfloat16", "float64", "complex64"} <= set(formula["dtypes"])
    assert len(formula["held_out"]) >= 2
    assert any(1 in sizes for sizes in formula["held_out"])
    assert [24, 40] not in formula["held_out"]


def test_linear_keeps_each_factor_for_the_other() -> None:
    setup = "input = torch.randn(24, 40)\nweight = torch.randn(16, 40)\nbias = torch.randn(16)"
    formula = priced(setup, "torch.nn.functional.linear(input, weight, bias)")["formula"]
    assert dict(formula["arguments"]) == {"input": ["N", "C"], "weight": ["D", "C"], "bias": ["D"]}
    assert [elements for elements, _, _ in formula["tensors"]] == ["N*C", "C*D"]
    masks = op_masks(call_of(setup, "torch.nn.functional.linear(input, weight, bias)"))
    by_mask = dict(zip(masks, formula["masks"], strict=True))
    assert by_mask[("input",)] == [1]
    assert by_mask[("weight",)] == [0]
    assert by_mask[("bias",)] == []


def test_a_convolution_keeps_its_input_and_its_weight() -> None:
    setup = "input = torch.randn(4, 6, 16, 20)\nweight = torch.randn(8, 6, 3, 3)"
    formula = priced(setup, "torch.nn.functional.conv2d(input, weight)")["formula"]
    sizes = {"N": 2, "C": 3, "H": 10, "W": 11, "O": 5, "Kh": 4, "Kw": 2}
    assert kept(formula, sizes) == [(2 * 3 * 10 * 11, "same"), (5 * 3 * 4 * 2, "same")]


def test_layer_norm_keeps_a_mean_and_a_deviation_a_row() -> None:
    setup = "input = torch.randn(6, 12, 40)\nweight = torch.ones(40)\nbias = torch.zeros(40)"
    found = priced(setup, "torch.nn.functional.layer_norm(input, (40,), weight, bias)")
    assert found["call"] == ("output = torch.nn.functional.layer_norm(input, (L,), weight, bias)")
    elements = [one[0] for one in found["formula"]["tensors"]]
    assert sorted(elements) == ["L", "L", "N*C", "N*C", "N*C*L"]
    # Of two, four and five dimensions it is normalized over the last as well.
    assert found["formula"]["leading"] == [0, 2, 3]


def test_dropout_keeps_a_mask_of_the_same_dtype_or_bool() -> None:
    formula = priced("input = torch.randn(24, 40)", "torch.nn.functional.dropout(input)")["formula"]
    live = torch.nn.functional.dropout(torch.ones(3, requires_grad=True)).grad_fn
    assert live is not None
    mask = getattr(live, "_saved_other", None)
    expected = "bool" if mask is None or mask.dtype == torch.bool else "same"
    assert kept(formula, {"N": 3, "C": 5}) == [(15, expected)]
    assert formula["storages"] == [["N*C", True]]


def test_max_pool_keeps_64_bit_indices_of_its_output() -> None:
    formula = priced("input = torch.randn(4, 6, 16, 20)", "torch.max_pool2d(input, 2)")["formula"]
    found = kept(formula, {"N": 3, "C": 5, "H": 9, "W": 7})
    assert sorted(found) == [(3 * 5 * 4 * 3, "int64"), (3 * 5 * 9 * 7, "same")]


def test_attention_keeps_one_number_a_query_in_float32_at_least() -> None:
    setup = "\n".join(f"{name} = torch.randn(2, 4, 16, 8)" for name in ("query", "key", "value"))
    found = priced(setup, "torch.nn.functional.scaled_dot_product_attention(query, key, value)")
    formula = found["formula"]
    assert dict(formula["arguments"])["key"] == ["B", "H", "S", "E"]
    assert dict(formula["arguments"])["value"] == ["B", "H", "S", "E"]
    assert ["B*H*L", "float32 at least"] in [one[:2] for one in formula["tensors"]]


def test_what_fake_tensors_cannot_make_is_fitted() -> None:
    setup = "real = torch.randn(16, 24)\nimag = torch.randn(16, 24)"
    found = priced(setup, "torch.complex(real, imag)")
    assert found["state"] == "fitted"
    assert dict(found["formula"]["arguments"]) == {"real": ["N", "C"], "imag": ["N", "C"]}
    assert kept(found["formula"], {"N": 3, "C": 5}) == [(15, "same"), (15, "same")]


def test_a_sparse_argument_is_a_reason() -> None:
    setup = "input = torch.randn(4, 4).relu().to_sparse()\nother = torch.randn(4, 4)"
    call = call_of(setup, "torch.sparse.mm(input, other)")
    assert price(call, [("other",)]) == {
        "state": "none",
        "reason": "the argument input is sparse",
    }


def test_a_call_without_dimensions_has_no_formula() -> None:
    call = call_of("input = torch.randn(())", "torch.exp(input)")
    found = price(call, [("input",)])
    assert found["state"] == "none"
    assert found["reason"] == "no argument has a dimension that could be another"


def wrong(derived: Derived, **fields: Any) -> Derived:
    term = derived.terms[0]._replace(**{k: v for k, v in fields.items() if k == "elements"})
    memory = derived.memories[0]._replace(**{k: v for k, v in fields.items() if k == "extra"})
    return derived._replace(terms=[term], memories=[memory])


@pytest.mark.parametrize(
    "fields", [{"elements": "N*N"}, {"elements": "960"}, {"elements": "N*C + 1"}, {"extra": True}]
)
def test_a_wrong_formula_is_rejected_by_real_calls(
    fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # At the sizes that it was derived from, 24 × 40, some of these are right.
    call = call_of("input = torch.randn(24, 40)", "torch.exp(input)")
    monkeypatch.setattr(formulas, "derive", lambda call, mask: wrong(derive(call, mask), **fields))
    with pytest.raises(UnderivedError, match="not what a real call keeps"):
        formulas._derived(call, ("input",))


def test_a_formula_fits_itself_and_no_other_size() -> None:
    call = call_of("input = torch.randn(24, 40)", "torch.exp(input)")
    derived = derive(call, ("input",))
    kept_there = call_at(call, derived, {"N": 3, "C": 4}, None, ("input",))
    assert kept_there is not None
    assert compare(derived, derived.terms, {"N": 3, "C": 4}, kept_there)
    assert not compare(derived, derived.terms, {"N": 3, "C": 5}, kept_there)


def test_a_threshold_of_the_kernel_becomes_a_condition() -> None:
    # Beyond 25 rows the distances come from a matrix product, which keeps other tensors.
    setup = "x1 = torch.randn(64, 24)\nx2 = torch.randn(48, 24)"
    formula = priced(setup, "torch.cdist(x1, x2)")["formula"]
    assert any("25" in text for text in formula["where"])
    assert all(value(formula["where"][0], {"N": n, "M": m}) for n, _, m in formula["held_out"])
