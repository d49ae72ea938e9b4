"""Records of whole modules, against what is known of those modules."""

from functools import cache
from typing import Any

import pytest

from generator.probe.modules import module_record
from generator.probe.opinfo import modules

Json = dict[str, Any]
pytestmark = pytest.mark.filterwarnings("ignore")  # samples of ModuleInfo warn of what they try


@cache
def record(name: str) -> Json:
    made, _ = module_record(name, modules()[name], "cpu")
    return made


def roles(made: Json, row: Json) -> set[str]:
    nodes = [made["nodes"][place] for place in made["policies"][row["policy"]]]
    return {role for node in nodes for _, _, its in node["saved"] for role in its}


def test_linear_keeps_its_input_for_its_weight_and_its_weight_for_its_input() -> None:
    made = record("torch.nn.Linear")
    assert (made["kind"], made["state"]) == ("module", "measured")
    # training makes no difference to a linear layer
    (train,) = made["references"]
    assert train["mode"] is None
    parameters, both, inputs, biases = train["measurements"]
    assert roles(made, parameters) == {"input input"} or roles(made, parameters) == {
        "view of input input"
    }
    assert roles(made, inputs) == {"view of parameter weight"}
    assert roles(made, both) == roles(made, parameters) | roles(made, inputs)
    assert roles(made, biases) == set()
    sizes = {a["name"]: a["bytes"] for a in train["arguments"]}
    assert parameters["storage_bytes"] == sizes["input"]
    assert inputs["storage_bytes"] == sizes["weight"]
    assert both["storage_bytes"] == sizes["input"] + sizes["weight"]
    assert {case["mode"] for case in made["cases"]} == {None}


def test_batch_norm_keeps_statistics_of_the_batch_in_training_alone() -> None:
    made = record("torch.nn.BatchNorm1d")
    train, evaluation = made["references"]
    assert (train["mode"], evaluation["mode"]) == ("train", "eval")
    (channels,) = [a["shape"][0] for a in train["arguments"] if a["name"] == "running_mean"]
    # a mean and a reciprocal deviation for each channel, in float32
    assert train["measurements"][0]["extra_bytes"] == 2 * channels * 4
    assert evaluation["measurements"][0]["extra_bytes"] == 0
    buffers = {"buffer running_mean", "buffer running_var"}
    assert buffers <= roles(made, evaluation["measurements"][0])


def test_a_module_without_parameters_is_masked_by_its_inputs() -> None:
    made = record("torch.nn.ReLU")
    for case in made["cases"]:
        assert [row["mask"] for row in case["measurements"]] == [["inputs"]]
        assert roles(made, case["measurements"][0]) == {"output"}
