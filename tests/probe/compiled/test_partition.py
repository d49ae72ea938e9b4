"""What partitioners keep, against the maths, `torch.compile` itself and the backward graph."""

import ast
import json
from collections.abc import Callable
from math import prod
from typing import Any

import pytest
import torch
from functorch.compile import (  # type: ignore[import-untyped]
    aot_function,
    default_partition,
    make_boxed_func,
    min_cut_rematerialization_partition,
)
from torch import Tensor

from generator.probe.cases import RecordBody
from generator.probe.compiled import partition
from generator.probe.compiled.partition import LARGEST, SPARSE, compiled
from generator.probe.compiled.program import OF_MODULE, TEMPLATES
from generator.probe.evidence import reference
from generator.probe.masks import module_masks, op_masks
from generator.probe.program_calls import program_call
from generator.probe.references import MODULES, OPS, Program

Json = dict[str, Any]
PLANE = 256 * 512 * 4
BACKENDS = {
    "default": "aot_eager_default_partitioner",
    "min-cut": "aot_eager",
    "min-cut, Inductor": "aot_eager_decomp_partition",
}
PARTITIONERS = {
    "default": default_partition,
    "min-cut": min_cut_rematerialization_partition,
}


def made(name: str) -> Json:
    program = OPS[name]
    call = program_call(program.setup, program.call, seed=0)
    return reference(RecordBody(name, "op", op_masks), program, call, op_masks(call), None)


def cuts(name: str) -> dict[str, Json]:
    found = compiled([made(name)], 1)
    assert found["state"] == "traced", found
    assert found["unconfirmed"] is None
    return {by: cut for cut in found["cuts"] for by in cut["by"]}


def roles(cut: Json) -> list[str]:
    return sorted(one if isinstance(one, str) else one[0] for one in cut["tensors"])


def test_exp_needs_its_output_whoever_chooses() -> None:
    for cut in cuts("torch.exp").values():
        assert roles(cut) == ["output"]
        assert (cut["logical_bytes"], cut["storage_bytes"], cut["extra_bytes"]) == (PLANE, PLANE, 0)


def test_a_min_cut_computes_the_sum_of_softsign_again() -> None:
    found = cuts("torch.nn.functional.softsign")
    assert roles(found["default"]) == ["input input", "intermediate: aten.add.Tensor"]
    assert found["default"]["extra_bytes"] == PLANE
    assert roles(found["min-cut"]) == ["input input"]
    assert found["min-cut"]["extra_bytes"] == 0


def test_layer_norm_keeps_its_statistics_by_another_name_when_broken_down() -> None:
    found = cuts("torch.nn.functional.layer_norm")
    rows = 8 * 128 * 4
    kept = [role for role in roles(found["default"]) if role.startswith("intermediate")]
    assert kept == [f"intermediate: aten.native_layer_norm[{place}]" for place in (1, 2)]
    assert found["default"]["extra_bytes"] == 2 * rows
    broken_down = roles(found["min-cut, Inductor"])
    assert "intermediate: aten.rsqrt" in broken_down
    assert "input bias" not in broken_down
    assert found["min-cut, Inductor"]["extra_bytes"] == 2 * rows


def test_a_linear_layer_keeps_its_factors() -> None:
    for cut in cuts("torch.nn.functional.linear").values():
        bare = [role.removeprefix("view of ") for role in roles(cut)]
        assert bare == ["input input", "input weight"]
        assert cut["extra_bytes"] == 0


def test_a_list_of_tensors_is_given_to_each_partitioner_whole() -> None:
    assert {by: cut["state"] for by, cut in cuts("torch.stack").items()} == dict.fromkeys(
        BACKENDS, "traced"
    )


# What the compiler imports of PyTorch is deprecated in part.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["softsign", "dropout"])
def test_torch_compile_keeps_the_same(name: str) -> None:
    op: Callable[[Tensor], Tensor] = getattr(torch.nn.functional, name)
    found = cuts(f"torch.nn.functional.{name}")
    for by, backend in BACKENDS.items():
        torch._dynamo.reset()
        x = torch.randn(256, 512, requires_grad=True)
        y = torch.compile(op, backend=backend, fullgraph=True)(x)
        kept: tuple[Tensor, ...] = getattr(y.grad_fn, "saved_tensors")  # noqa: B009  # untyped
        assert sum(t.numel() * t.element_size() for t in kept) == found[by]["logical_bytes"]
        assert len(kept) == len(found[by]["tensors"])
    torch._dynamo.reset()


@pytest.mark.parametrize("name", ["layer_norm", "softsign"])
def test_the_backward_graph_takes_what_is_kept_and_the_incoming_gradients(name: str) -> None:
    full = f"torch.nn.functional.{name}"
    program, found = OPS[full], cuts(full)
    space: dict[str, Any] = {"torch": torch}
    torch.manual_seed(0)
    exec(program.setup, space)  # noqa: S102  # our own program
    taken = [key for key, value in space.items() if isinstance(value, Tensor)]
    for key in taken:
        space[key].requires_grad_()
    body = program.call.replace("\n", "\n    ")
    exec(f"def function({', '.join(taken)}):\n    {body}\n    return output", space)  # noqa: S102
    for by, cut in PARTITIONERS.items():
        backward: list[Any] = []

        def cutting(*given: Any, cut: Any = cut, into: list[Any] = backward, **named: Any) -> Any:
            graphs = cut(*given, **named)
            into.append(graphs[1])
            return graphs

        aot_function(
            space["function"],
            fw_compiler=lambda graph, _: make_boxed_func(graph.forward),
            bw_compiler=lambda graph, _: make_boxed_func(graph.forward),
            partition_fn=cutting,
        )(*(space[key] for key in taken))
        handed = [
            node.meta["val"]
            for node in backward[0].graph.nodes
            if node.op == "placeholder" and not node.name.startswith("tangents")
        ]
        weight = sum(prod(value.shape) * value.element_size() for value in handed)
        assert weight == found[by]["logical_bytes"]


def test_what_cannot_be_traced_is_told_in_its_own_words() -> None:
    found = compiled([made("torch.masked_select")], 1)
    assert found["state"] == "raised"
    assert found["reason"] == "DynamicOutputShapeException: aten.masked_select.default"


def test_large_graphs_and_sparse_tensors_are_not_tried() -> None:
    exponential = made("torch.exp")
    large = compiled([exponential], LARGEST + 1)
    assert (large["state"], str(LARGEST + 1) in large["reason"]) == ("not tried", True)
    sparse = compiled([made("torch.sparse.mm")], 1)
    assert (sparse["state"], sparse["reason"]) == ("not tried", SPARSE)


def test_a_release_without_the_tracer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "UNAVAILABLE", "functorch.compile has no aot_function")
    found = compiled([made("torch.exp")], 1)
    assert found == {
        "state": "not available",
        "reason": "functorch.compile has no aot_function",
    }


def test_tracing_changes_no_later_measurement() -> None:
    names = ["torch.nn.functional.dropout", "torch.nn.functional.layer_norm"]
    measured = [made(name) for name in names]
    before = json.dumps(measured)
    first = [compiled([one], 1) for one in measured]
    assert json.dumps([made(name) for name in names]) == before
    assert json.dumps([compiled([one], 1) for one in measured]) == json.dumps(first)


@pytest.mark.parametrize(("template", "programs"), [("compiled", OPS), (OF_MODULE, MODULES)])
def test_no_reference_uses_a_name_of_the_program(
    template: str, programs: dict[str, Program]
) -> None:
    blank = {"setup": "", "require": "", "call": "pass", "takes": "", "gives": "_", "held": "{}"}
    shown = TEMPLATES[template]
    for part, text in blank.items():
        shown = shown.replace(f"${part}", text)
    ours = stored(shown) - {"_", "module"}
    theirs = {name for one in programs.values() for name in stored(f"{one.setup}\n{one.call}")}
    assert not ours & theirs


def stored(program: str) -> set[str]:
    tree = ast.walk(ast.parse(program))
    return {
        node.id if isinstance(node, ast.Name) else node.name
        for node in tree
        if isinstance(node, ast.FunctionDef)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }


def test_a_frozen_factor_of_a_product_needs_the_other_alone() -> None:
    """The gradient of a product in one factor is the other one, under every partitioner."""
    found = compiled([made("torch.mul")], 1)
    told = {tuple(other["mask"]): other for other in found["others"]}
    assert told.keys() == {("input",), ("other",)}
    for (mask,), other in told.items():
        assert other["unconfirmed"] is None
        (cut,) = other["cuts"]
        assert cut["by"] == list(BACKENDS)
        kept = {"input": "input other", "other": "input input"}[mask]
        assert (cut["tensors"], cut["storage_bytes"], cut["extra_bytes"]) == ([kept], PLANE, 0)


def test_the_parameters_of_a_module_are_differentiated_too() -> None:
    """With frozen parameters the gradient of a linear layer needs its weight alone."""
    program = MODULES["torch.nn.Linear"]
    call = program_call(program.setup, program.call, seed=0)
    body = RecordBody("torch.nn.Linear", "module", module_masks)
    measured = reference(body, program, call, module_masks(call), None)
    found = compiled([measured], 1, "input.requires_grad_()\n")
    assert found["unconfirmed"] is None
    for cut in found["cuts"]:
        assert roles(cut) == ["input input"]
    told = {tuple(other["mask"]): other for other in found["others"]}
    for cut in told["inputs",]["cuts"]:
        assert [role.removeprefix("view of ") for role in roles(cut)] == ["parameter weight"]
    assert all(cut["tensors"] == [] for cut in told["biases",]["cuts"])


def test_large_traces_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "LARGEST_AGAIN", 1)
    found = compiled([made("torch.mul")], 1)
    assert found["state"] == "traced"
    assert {(other["state"], bool(other["reason"])) for other in found["others"]} == {
        ("not tried", True)
    }
