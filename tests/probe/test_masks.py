"""Grad masks, listed by hand."""

import pytest
import torch
from torch.nn import functional

from generator.probe.calls import Call, sample_call
from generator.probe.masks import grad_masks, module_masks, op_masks
from generator.probe.program_calls import program_call


@pytest.mark.parametrize(
    ("names", "masks"),
    [
        ("", []),
        ("a", ["a"]),
        ("ab", ["ab", "a", "b"]),
        ("abc", ["abc", "ab", "ac", "bc", "a", "b", "c"]),
        (
            "abcd",
            [
                *("abcd", "abc", "abd", "acd", "bcd"),
                *("ab", "ac", "ad", "bc", "bd", "cd"),
                *("a", "b", "c", "d"),
            ],
        ),
        (
            "abcde",
            ["abcde", "abcd", "abce", "abde", "acde", "bcde", "a", "b", "c", "d", "e"],
        ),
    ],
)
def test_masks_over_names(names: str, masks: list[str]) -> None:
    assert grad_masks(list(names)) == [tuple(mask) for mask in masks]


def test_an_op_is_masked_over_what_can_require_grad() -> None:
    call = sample_call(
        torch.where,
        "",
        {"condition": torch.ones(2) > 0, "input": torch.ones(2), "other": torch.ones(2)},
        {},
        seed=0,
    )
    assert op_masks(call) == [("input", "other"), ("input",), ("other",)]


def test_an_argument_that_refuses_grad_stands_alone() -> None:
    given = {
        "input": torch.rand(2, 3),
        "running_mean": torch.zeros(3),
        "running_var": torch.ones(3),
    }
    call = sample_call(functional.batch_norm, "", given, {}, seed=0)
    # batch_norm has no formula for the gradient of its running statistics
    assert op_masks(call) == [("input",), ("running_mean",), ("running_var",)]


def module(setup: str) -> Call:
    return program_call(f"module = {setup}\nx = torch.rand(2, 3)", "y = module(x)", 0)


def test_a_module_is_masked_by_groups() -> None:
    both = [("parameters",), ("inputs", "parameters"), ("inputs",)]
    assert module_masks(module("torch.nn.Linear(3, 2)")) == [*both, ("biases",)]
    assert module_masks(module("torch.nn.Linear(3, 2, bias=False)")) == both
    assert module_masks(module("torch.nn.ReLU()")) == [("inputs",)]
    # a table of embeddings is looked up by integers, which have no gradient
    lookup = program_call(
        "module = torch.nn.Embedding(5, 2)\nx = torch.tensor([1, 3])", "y = module(x)", 0
    )
    assert module_masks(lookup) == [("parameters",)]
