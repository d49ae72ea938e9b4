"""What the graph of a gradient keeps, against gradients worked out by hand."""

from typing import Any

import pytest
import torch

from generator.probe.calls import sample_call
from generator.probe.cases import RecordBody
from generator.probe.evidence import reference
from generator.probe.masks import module_masks, op_masks
from generator.probe.program_calls import program_call
from generator.probe.references import MODULES, OPS
from generator.probe.second_order import (
    CONSTANT,
    NO_GRAPH,
    UNCOUNTED,
    second_order,
    second_order_of_call,
    second_order_of_module,
)

Json = dict[str, Any]
ELEMENTS = 256 * 512
PLANE = ELEMENTS * 4


def of_op(name: str) -> Json:
    program = OPS[name]
    call = program_call(program.setup, program.call, seed=0)
    made = reference(RecordBody(name, "op", op_masks), program, call, op_masks(call), None)
    return second_order(made)


def saved(found: Json) -> dict[str, list[dict[str, str]]]:
    """List by node type what each node saved, as attribute and role."""
    roles = [one if isinstance(one, str) else one[0] for one in found["tensors"]]
    nodes: dict[str, list[dict[str, str]]] = {}
    for node in found["nodes"]:
        name, number, values = (node, 1, ()) if isinstance(node, str) else node
        short = {attribute.removeprefix("_saved_"): roles[place] for attribute, place in values}
        nodes.setdefault(name, []).extend([short] * number)
    return nodes


def test_the_gradient_of_exp_is_the_incoming_one_times_the_output() -> None:
    found = of_op("torch.exp")
    assert saved(found) == {"MulBackward0": [{"self": "incoming gradient", "other": "output"}]}
    assert found["logical_bytes"] == found["storage_bytes"] == 2 * PLANE
    assert found["extra_bytes"] == 0
    assert found["unconfirmed"] is None


def test_the_gradient_of_sin_keeps_a_cosine_that_nothing_else_holds() -> None:
    found = of_op("torch.sin")
    assert saved(found) == {
        "MulBackward0": [{"self": "incoming gradient", "other": "intermediate"}],
        "CosBackward0": [{"self": "input input"}],
    }
    assert found["logical_bytes"] == 3 * PLANE
    assert found["extra_bytes"] == PLANE


def test_the_gradients_of_a_product_keep_both_factors_and_the_incoming_one_twice() -> None:
    found = of_op("torch.mul")
    products = saved(found)["MulBackward0"]
    assert {one["other"] for one in products} == {"input input", "input other"}
    assert {one["self"] for one in products} == {"incoming gradient"}
    assert found["logical_bytes"] == 4 * PLANE
    assert found["storage_bytes"] == 3 * PLANE
    assert found["extra_bytes"] == 0


def test_the_gradients_of_a_linear_layer_are_products_of_its_matrices() -> None:
    # d weight = gradient^T @ input and d input = gradient @ weight: each keeps both of its factors
    found = of_op("torch.nn.functional.linear")
    kept = [role for one in saved(found)["MmBackward0"] for role in one.values()]
    bare = sorted(role.removeprefix("view of ") for role in kept)
    assert bare == ["incoming gradient", "incoming gradient", "input input", "input weight"]
    assert found["extra_bytes"] == 0


def test_the_mask_of_relu_is_all_that_its_gradient_depends_on_besides_the_incoming_one() -> None:
    found = of_op("torch.nn.functional.relu")
    assert list(saved(found)) == ["ThresholdBackwardBackward0"]
    (values,) = saved(found)["ThresholdBackwardBackward0"]
    assert set(values.values()) == {"output"}
    assert found["extra_bytes"] == 0


def test_layer_norm_keeps_again_what_its_forward_graph_keeps() -> None:
    (values,) = saved(of_op("torch.nn.functional.layer_norm"))["NativeLayerNormBackwardBackward0"]
    assert values == {
        "grad_out": "incoming gradient",
        "input": "input input",
        "mean": "forward intermediate",
        "rstd": "forward intermediate",
        "weight": "input weight",
    }


def test_softmax_keeps_its_output_and_the_incoming_gradient() -> None:
    found = of_op("torch.softmax")
    assert {role for each in saved(found).values() for one in each for role in one.values()} == {
        "incoming gradient",
        "output",
    }
    assert found["extra_bytes"] == 0


def test_the_gradient_of_a_sum_is_linear_and_that_of_an_addition_has_no_graph() -> None:
    expanded = of_op("torch.sum")
    assert expanded["nodes"]
    assert expanded["tensors"] == []
    passed_on = of_op("torch.add")
    assert passed_on["state"] == "measured"
    assert passed_on["nodes"] == []


def test_a_gradient_that_is_zero_everywhere_depends_on_nothing() -> None:
    found = of_op("torch.floor")
    assert (found["state"], found["reason"]) == ("not differentiable", CONSTANT)


def test_an_op_that_returns_its_argument_makes_no_graph() -> None:
    found = of_op("torch.positive")
    assert (found["state"], found["reason"]) == ("not differentiable", NO_GRAPH)


def test_a_formula_without_a_derivative_of_its_own_is_told_in_its_own_words() -> None:
    found = of_op("torch.nn.functional.hardsigmoid")
    assert found["state"] == "measured"
    x = torch.zeros(2, requires_grad=True)
    once = torch.autograd.grad(torch.nn.functional.hardsigmoid(x).sum(), x, create_graph=True)[0]
    with pytest.raises(RuntimeError) as caught:
        once.sum().backward()
    assert found["again"] == f"RuntimeError: {caught.value}".splitlines()[0]


def test_a_first_gradient_that_raises_is_a_state() -> None:
    call = sample_call(torch.igamma, "igamma", {"a": torch.ones(2), "b": torch.ones(2)}, {}, seed=0)
    found = second_order_of_call(call, ["a", "b"])
    assert found["state"] == "raised"
    assert found["reason"].startswith("NotImplementedError: the derivative for 'igamma: ")
    assert found["call"] == "igamma"


def test_a_call_without_a_program_is_measured_like_one_with_it() -> None:
    call = sample_call(torch.exp, "exp", {"input": torch.ones(256, 512)}, {}, seed=0)
    alone = second_order_of_call(call, ["input"])
    written = of_op("torch.exp")
    for field in ("nodes", "tensors", "logical_bytes", "storage_bytes", "extra_bytes", "again"):
        assert alone[field] == written[field]


def test_the_program_of_a_sparse_call_counts_nothing() -> None:
    assert of_op("torch.sparse.mm")["unconfirmed"] == UNCOUNTED


def test_the_inputs_of_a_module_require_grad_besides_its_parameters() -> None:
    program = MODULES["torch.nn.LayerNorm"]
    call = program_call(program.setup, program.call, seed=0)
    body = RecordBody("torch.nn.LayerNorm", "module", module_masks)
    made = reference(body, program, call, module_masks(call), "train")
    found = second_order_of_module(made, program)
    assert found["require"] == "input.requires_grad_()\n"
    (values,) = saved(found)["NativeLayerNormBackwardBackward0"]
    assert values["input"] == "input input"
    assert values["weight"] == "parameter weight"
    assert found["unconfirmed"] is None
