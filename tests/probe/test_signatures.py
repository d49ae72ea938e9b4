"""Argument names against the documentation of the release, overloads against its dispatcher."""

from typing import Any

import pytest
import torch

from generator.probe.signatures import call_text, overloads, parse, positional_names, schemas

T = torch.ones(2)


@pytest.mark.parametrize(
    ("name", "values", "names"),
    [
        ("torch.add", [T, T], ["input", "other"]),
        ("torch.add", [T, 2], ["input", "other"]),
        ("torch.where", [T > 0, T, T], ["condition", "input", "other"]),
        ("torch.cat", [[T, T], 0], ["tensors", "dim"]),
        ("torch.sum", [T], ["input"]),
        ("torch.sum", [T, 0], ["input", "dim"]),
        ("torch.clamp", [T, None, 2.0], ["input", "min", "max"]),
        ("torch.linalg.solve", [T, T], ["A", "B"]),
        ("torch.Tensor.expand", [T, (3, 2)], ["input", "size"]),
        ("torch.nn.functional.linear", [T, T, T], ["input", "weight", "bias"]),
        (
            "torch.nn.functional.layer_norm",
            [T, (2,), T, T],
            ["input", "normalized_shape", "weight", "bias"],
        ),
        ("torch.meshgrid", [T, T], ["tensors[0]", "tensors[1]"]),
        ("torch.no_such_op", [T, 1], ["args[0]", "args[1]"]),
    ],
)
def test_positional_names(name: str, values: list[Any], names: list[str]) -> None:
    assert positional_names(parse(name), values, {}) == names


@pytest.mark.parametrize(
    "name", ["torch.add", "torch.exp", "torch.addmm", "torch.mul", "torch.matmul", "torch.lerp"]
)
def test_names_are_keywords_that_the_op_accepts(name: str) -> None:
    function = getattr(torch, name.removeprefix("torch."))
    values = [torch.ones(2, 2)] * {"exp": 1, "addmm": 3, "lerp": 3}.get(name[6:], 2)
    names = positional_names(parse(name), values, {})
    assert torch.equal(function(**dict(zip(names, values, strict=True))), function(*values))


def test_a_wrappers_own_order_of_arguments_counts() -> None:
    def swapped(weight: Any, input: Any, **_: Any) -> Any:  # noqa: A002 - as torch names it
        return torch.nn.functional.linear(input, weight)

    swapped.__name__ = "<lambda>"
    parsed = parse("torch.nn.functional.linear", "linear", swapped)
    assert positional_names(parsed, [T, T], {}) == ["weight", "input"]


def test_names_that_a_keyword_takes_are_not_given_twice() -> None:
    names = positional_names(parse("torch.add"), [T, T], {"other": T})
    assert "other" not in names


def test_keywords_choose_the_schema() -> None:
    assert positional_names(parse("torch.sum"), [T], {"dim": 0}) == ["input"]
    assert positional_names(parse("torch.norm"), [T, 2], {"dim": 0}) == ["input", "p"]


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("torch.add", {"aten::add.Tensor", "aten::add.Scalar", "aten::add.out"}),
        ("torch.exp", {"aten::exp", "aten::exp.out"}),
        ("torch.cat", {"aten::cat", "aten::cat.out"}),
        ("torch.linalg.solve", {"aten::linalg_solve", "aten::linalg_solve.out"}),
        ("torch.special.erfcx", {"aten::special_erfcx", "aten::special_erfcx.out"}),
        ("torch.nn.functional.linear", {"aten::linear", "aten::linear.out"}),
    ],
)
def test_overloads_are_known_to_the_dispatcher(name: str, some: set[str]) -> None:
    found = overloads(parse(name))
    assert some <= set(found)
    assert found == sorted(set(found))
    for overload in some:
        assert torch._C._dispatch_has_kernel(overload)


def test_a_reflected_operator_has_the_operands_of_the_plain_one() -> None:
    assert positional_names(parse("torch.Tensor.__radd__"), [T, T], {}) == ["input", "other"]


def test_a_method_that_tells_nothing_has_the_tensor_it_is_called_on() -> None:
    assert positional_names(parse("torch.Tensor.cdouble"), [T], {}) == ["input"]


def test_a_function_that_picks_by_several_flags_has_the_parameters_of_the_last() -> None:
    assert positional_names(parse("torch.unique"), [T], {"dim": 0}) == ["input"]


def test_a_wrapper_that_hands_on_has_the_parameters_of_what_it_wraps() -> None:
    def seeded(function: Any, *args: Any) -> Any:
        return function(*args)

    # OpInfo wraps functions with its own seeds in this way.
    wrapper = lambda *args: seeded(lambda a, b: a @ b, *args)  # noqa: E731
    assert positional_names(parse("torch.svd_lowrank", None, wrapper), [T, T], {}) == ["a", "b"]


def test_what_has_no_operator_has_no_overloads() -> None:
    assert overloads(parse("torch.no_such_op")) == []
    assert schemas("no_such_op") == []


def test_an_aten_op_is_its_own_base() -> None:
    parsed = parse("torch.ops.aten._upsample_bilinear2d_aa")
    assert parsed.bases == ["_upsample_bilinear2d_aa"]
    assert "aten::_upsample_bilinear2d_aa" in overloads(parsed)


def test_a_call_reads_as_one_would_write_it() -> None:
    text = call_text("torch.sum", [("input", "input"), ("dim", "(0, 1)")], [("keepdim", "True")])
    assert text == "torch.sum(input, (0, 1), keepdim=True)"
