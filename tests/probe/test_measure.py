"""Measured graphs of calls whose answer is known: from derivatives, by hand, or from the issue."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from generator.probe.calls import CallRaisedError, sample_call
from generator.probe.measure import (
    NotDifferentiableError,
    Observed,
    argument,
    arguments,
    observe,
    outputs,
    two_ways,
)
from generator.probe.program_calls import program_call

Kept = list[tuple[str, dict[str, list[str]]]]


def observed(function: Callable[..., Any], mask: list[str], **given: Any) -> Observed:
    return observe(sample_call(function, "", given, {}, seed=0), mask)


def kept(seen: Observed) -> Kept:
    """Return node types with the roles of each attribute that holds tensors."""
    return [
        (node["type"], {attribute: roles for attribute, _, roles in node["saved"] if roles})
        for node in seen.policy
    ]


def kinds(seen: Observed) -> dict[str, str]:
    return {attribute: kind for node in seen.policy for attribute, kind, _ in node["saved"]}


@pytest.mark.parametrize(
    ("mask", "roles", "size"),
    [
        # d(one*other) = grad*other for one, grad*one for other
        (["one"], {"_saved_other": ["input other"]}, 24),
        (["other"], {"_saved_self": ["input one"]}, 24),
        (
            ["one", "other"],
            {"_saved_other": ["input other"], "_saved_self": ["input one"]},
            48,
        ),
    ],
    ids=["one", "other", "both"],
)
def test_mul_keeps_the_factor_that_the_other_gradient_needs(
    mask: list[str], roles: dict[str, list[str]], size: int
) -> None:
    seen = observed(torch.mul, mask, one=torch.ones(2, 3), other=torch.ones(2, 3))
    assert kept(seen) == [("MulBackward0", roles)]
    assert kinds(seen).keys() == {"_saved_other", "_saved_self"}
    assert [kind for kind in kinds(seen).values() if kind == "none"] == ["none"] * (2 - len(mask))
    figures = seen.figures
    assert figures["logical_bytes"] == figures["storage_bytes"] == size
    assert figures["extra_bytes"] == 0
    assert seen.edges == [[name if name in mask else None for name in ("one", "other")]]


def test_a_broadcast_factor_weighs_its_own_memory() -> None:
    seen = observed(torch.mul, ["x", "y"], x=torch.ones(4, 5), y=torch.ones(5).expand(4, 5))
    assert seen.figures["logical_bytes"] == 2 * 4 * 5 * 4
    assert seen.figures["storage_bytes"] == 4 * 5 * 4 + 5 * 4


@pytest.mark.parametrize(
    ("mask", "tensors"),
    [
        # the weight's gradient needs the input, the input's the weight, the bias's neither
        (["weight", "bias"], {"input input"}),
        (["input"], {"view of input weight"}),
        (["bias"], set()),
        (["input", "weight", "bias"], {"input input", "view of input weight"}),
    ],
    ids=["frozen input", "frozen weights", "bias alone", "all"],
)
def test_linear_keeps_what_the_gradients_asked_for_need(mask: list[str], tensors: set[str]) -> None:
    seen = observed(
        functional.linear,
        mask,
        input=torch.ones(2, 3),
        weight=torch.ones(4, 3),
        bias=torch.ones(4),
    )
    (first, *_) = kept(seen)
    assert first[0] == "AddmmBackward0"
    assert {role for _, its in kept(seen) for roles in its.values() for role in roles} == tensors
    weight = 4 * 3 * 4 if "view of input weight" in tensors else 0
    given = 2 * 3 * 4 if "input input" in tensors else 0
    assert seen.figures["storage_bytes"] == weight + given
    assert seen.figures["extra_bytes"] == 0


def test_the_bill_of_the_issues_network() -> None:
    setup = """\
module = torch.nn.Sequential(
    torch.nn.Linear(512, 512), torch.nn.ReLU(),
    torch.nn.Linear(512, 512), torch.nn.ReLU(),
    torch.nn.Linear(512, 1),
)
x = torch.ones(256, 512)"""
    call = program_call(setup, "total = module(x).sum()", 0)

    figures = observe(call, ["parameters"]).figures
    sizes = {tensor[3]: tensor[2] for tensor in figures["tensors"]}
    assert sorted(sizes.values()) == [2_048, 524_288, 524_288, 524_288, 1_048_576]
    assert figures["storage_bytes"] == 2_623_488
    # the input and the two weights live anyway; two activations live for backward alone
    assert figures["extra_bytes"] == 2 * 524_288

    figures = observe(call, ["inputs", "parameters"]).figures
    assert len({tensor[3] for tensor in figures["tensors"]}) == 6
    assert figures["storage_bytes"] == 3_672_064


def test_the_bill_with_the_first_layer_frozen() -> None:
    module = torch.nn.Sequential(
        torch.nn.Linear(512, 512),
        torch.nn.ReLU(),
        torch.nn.Linear(512, 512),
        torch.nn.ReLU(),
        torch.nn.Linear(512, 1),
    )
    module[0].requires_grad_(requires_grad=False)
    figures = observed(lambda x: module(x).sum(), [], x=torch.ones(256, 512)).figures
    assert len({tensor[3] for tensor in figures["tensors"]}) == 3
    assert figures["storage_bytes"] == 1_050_624


def test_the_graph_of_a_composite_by_edges() -> None:
    def composite(x: Tensor, y: Tensor, constant: Tensor) -> Tensor:
        shared = x.exp()
        return (shared * y) + shared * constant

    given = {name: torch.ones(2) for name in ("x", "y", "constant")}
    seen = observed(composite, ["x", "y"], **given)
    types = [node["type"] for node in seen.policy]
    assert types == ["AddBackward0", "MulBackward0", "MulBackward0", "ExpBackward0"]
    assert seen.edges == [[1, 2], [3, "y"], [3, None], ["x"]]
    assert kept(seen)[1:] == [
        ("MulBackward0", {"_saved_other": ["input y"], "_saved_self": ["intermediate"]}),
        ("MulBackward0", {"_saved_other": ["input constant"]}),
        ("ExpBackward0", {"_saved_result": ["intermediate"]}),
    ]
    # the exponential is one storage, however often it is kept
    assert [tensor[3] for tensor in seen.figures["tensors"]] == [0, 1, 2, 1]
    assert seen.figures["storage_bytes"] == 3 * 8
    assert seen.figures["extra_bytes"] == 8


def test_tensors_tell_shape_dtype_bytes_storage_and_layout() -> None:
    seen = observed(torch.max, ["x"], x=torch.rand(3, 4, dtype=torch.float64), dim=1)
    assert kept(seen) == [("MaxBackward0", {"_saved_indices": ["output 1"]})]
    assert seen.figures["tensors"] == [[[3], "int64", 24, 0, "strided"]]


def test_other_values_are_listed_in_order() -> None:
    seen = observed(lambda x: x.softmax(-1).expand(2, 3), ["x"], x=torch.ones(3))
    assert [node["type"] for node in seen.policy] == ["ExpandBackward0", "SoftmaxBackward0"]
    assert kinds(seen) == {
        "_saved_self_sym_sizes": "sizes",
        "_saved_dim": "scalar",
        "_saved_result": "tensor",
    }
    assert seen.values == ["(3,)", "-1"]


def test_an_in_place_op_keeps_its_output_not_its_input() -> None:
    call = sample_call(torch.Tensor.exp_, "", {"x": torch.ones(2)}, {}, seed=0, written="first")
    assert kept(observe(call, ["x"])) == [("ExpBackward0", {"_saved_result": ["output"]})]


def test_a_modules_tensors_have_roles_of_their_own() -> None:
    call = program_call(
        "module = torch.nn.BatchNorm1d(3).eval()\nx = torch.rand(2, 3)", "y = module(x)", 0
    )
    ((_, roles),) = kept(observe(call, ["inputs", "parameters"]))
    assert roles["_saved_input"] == ["input x"]
    assert roles["_saved_weight"] == ["parameter weight"]
    assert roles["_saved_running_mean"] == ["buffer running_mean"]


def test_a_call_without_a_graph_is_not_differentiable() -> None:
    with pytest.raises(NotDifferentiableError):
        observed(torch.exp, [], x=torch.ones(2))
    with pytest.raises(NotDifferentiableError):
        observed(torch.argmax, ["x"], x=torch.ones(2))


def test_a_calls_own_error_is_not_hidden() -> None:
    with pytest.raises(
        CallRaisedError, match=r"RuntimeError: The size of tensor a \(2\) must match"
    ):
        observed(torch.mul, ["x"], x=torch.ones(2), y=torch.ones(3))


def dead_branch(x: Tensor) -> Tensor:
    x.cos()
    return x.exp()


KEPT = []


def kept_branch(x: Tensor) -> Tensor:
    KEPT.append(x.cos())
    return x.exp()


@pytest.mark.parametrize(
    ("op", "answer"),
    [
        (torch.exp, ["same"]),
        (torch.neg, ["same"]),
        (lambda x: x * x, ["same"]),
        (lambda x: x * 2, ["attributes_only"]),  # a Python number is no tensor to a hook
        (dead_branch, ["hooks_only", "let_go"]),
        (lambda x: dead_branch(x) * 2, ["hooks_only", "let_go"]),
        (kept_branch, ["hooks_only"]),
    ],
    ids=["exp", "neg", "square", "number", "dead branch", "both", "kept branch"],
)
def test_the_two_ways_are_compared_by_storage(
    op: Callable[[Tensor], Tensor], answer: list[str]
) -> None:
    call = sample_call(op, "", {"x": torch.full((2,), 0.5)}, {}, seed=0)
    assert two_ways(call, ["x"]) == answer


def test_arguments_and_outputs_are_described() -> None:
    call = sample_call(
        torch.sort, "", {"input": torch.rand(2, 3)}, {"descending": True, "dim": -1}, seed=0
    )
    described = {"name": "input", "source": "input", "shape": [2, 3], "dtype": "float32"}
    assert argument(call.tensors[0]) == {**described, "bytes": 24}
    assert arguments(call) == [
        {**described, "bytes": 24},
        {"name": "descending", "literal": "True"},
        {"name": "dim", "literal": "-1"},
    ]
    assert outputs(call.run([])) == [
        {"name": "output 0", "shape": [2, 3], "dtype": "float32", "bytes": 24},
        {"name": "output 1", "shape": [2, 3], "dtype": "int64", "bytes": 48},
    ]
    single = sample_call(torch.exp, "", {"x": torch.rand(2)}, {}, seed=0)
    assert [output["name"] for output in outputs(single.run([]))] == ["output"]
