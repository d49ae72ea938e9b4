"""Calls of programs and of modules: what they carry, and which inputs may require grad."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from generator.probe.calls import Call, CallRaisedError, sample_call
from generator.probe.program_calls import assigned_names, program_call, with_module


def call_of(function: Callable[..., Any], **arguments: Any) -> Call:
    return sample_call(function, "the call", arguments, {}, seed=7)


def test_a_modules_parameters_and_inputs_are_masked_as_groups() -> None:
    module = torch.nn.BatchNorm1d(3)
    call = with_module(call_of(module, input=torch.randn(4, 3)), module)
    assert [(named.name, named.source) for named in call.tensors] == [
        ("input", "input"),
        ("weight", "parameter"),
        ("bias", "parameter"),
        ("running_mean", "buffer"),
        ("running_var", "buffer"),
        ("num_batches_tracked", "buffer"),
    ]
    for mask, requiring in (
        (["parameters"], ["weight", "bias"]),
        (["inputs"], ["input"]),
        (["inputs", "parameters"], ["input", "weight", "bias"]),
        ([], []),
    ):
        run = call.run(mask)
        assert [n.name for n in run.arguments if n.tensor.requires_grad] == requiring
        assert run.arguments[1].tensor is module.weight


def test_a_program_becomes_a_call_of_its_assignments() -> None:
    call = program_call("input = torch.arange(6.0).view(2, 3)\ndim = 1", "a, b = input.max(dim)", 0)
    assert [(named.name, named.source) for named in call.tensors] == [("input", "input")]
    assert call.literals == [("dim", "1")]
    assert call.text == "a, b = input.max(dim)"
    values, places = call.run(["input"]).outputs
    assert (values.tolist(), places.tolist()) == ([2, 5], [2, 2])
    assert values.requires_grad


def test_a_programs_module_brings_its_parameters() -> None:
    call = program_call("module = torch.nn.Linear(3, 2)\nx = torch.ones(4, 3)", "y = module(x)", 0)
    assert [(named.name, named.source) for named in call.tensors] == [
        ("x", "input"),
        ("weight", "parameter"),
        ("bias", "parameter"),
    ]
    assert call.literals == []
    assert call.run(["parameters"]).outputs[0].shape == (4, 2)


def test_a_program_draws_the_same_arguments_each_time() -> None:
    made = [program_call("x = torch.rand(5)", "y = x.exp()", 3) for _ in range(2)]
    assert torch.equal(made[0].tensors[0].tensor, made[1].tensors[0].tensor)


def test_a_programs_call_must_assign() -> None:
    assert assigned_names("q, (r, s) = f(x)") == ["q", "r", "s"]
    with pytest.raises(TypeError, match="assigns no output"):
        assigned_names("torch.exp(x)")


def test_the_mask_of_biases_leaves_weights_alone() -> None:
    call = program_call(
        "module = torch.nn.LSTM(3, 2)\ninput = torch.randn(4, 3)",
        "output, _ = module(input)",
        seed=0,
    )
    asked = {one.name for one in call.run(["biases"]).arguments if one.tensor.requires_grad}
    assert asked == {"bias_ih_l0", "bias_hh_l0"}


class _Counting(nn.Module):
    """Multiplies by a weight, and counts its runs."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.runs = 0

    def forward(self, x: Tensor) -> Tensor:
        self.runs += 1
        return x * self.weight


def test_inputs_that_all_may_require_grad_cost_no_run_to_find_out() -> None:
    module = _Counting()
    call = with_module(call_of(module, x=torch.ones(3)), module)
    assert module.runs == 0
    call.run(["parameters"])
    call.run(["inputs"])
    call.run(["inputs", "parameters"])
    assert module.runs == 3


def requiring(call: Call, mask: list[str]) -> list[str]:
    return [one.name for one in call.run(mask).arguments if one.tensor.requires_grad]


def test_an_input_that_must_not_require_grad_is_left_out() -> None:
    """The derivative of a soft margin by its target is not implemented."""
    module = nn.SoftMarginLoss()
    given = {"input": torch.ones(3), "target": torch.ones(3)}
    call = with_module(call_of(module, **given), module)
    assert requiring(call, ["inputs"]) == ["input"]
    assert requiring(call, ["inputs"]) == ["input"]
    # Asked for arguments before any run has told, a call finds out.
    arguments, _ = with_module(call_of(module, **given), module).prepare(["inputs"])
    assert [one.name for one in arguments if one.tensor.requires_grad] == ["input"]


def test_a_call_that_raises_anyway_says_what_it_raises() -> None:
    module = nn.Linear(3, 2)
    call = with_module(call_of(module, input=torch.ones(4)), module)
    for mask in (["inputs"], ["parameters"]):
        with pytest.raises(CallRaisedError, match="cannot be multiplied"):
            call.run(mask)


def test_a_lazy_module_has_its_parameters_at_once() -> None:
    module = nn.LazyLinear(2)
    call = with_module(call_of(module, input=torch.ones(4, 3)), module)
    assert [named.name for named in call.tensors] == ["input", "weight", "bias"]
