"""Other spellings of an op, against the methods and aliases that torch has."""

from typing import Any

import pytest
import torch
from torch import Tensor

from generator.probe.cases import RecordBody
from generator.probe.masks import op_masks
from generator.probe.opinfo import op_samples, ops
from generator.probe.signatures import parse
from generator.probe.variants import variants


def spellings(name: str) -> dict[str, dict[str, Any]]:
    entry = ops()[name][0]
    parsed = parse(name, entry.aten_name, entry.op)
    sample = next(op_samples(entry, name, parsed, "cpu", torch.float32))
    body = RecordBody(name, "op", op_masks)
    made = variants(body, entry, name, sample)
    nodes = body.policies()
    for variant in made:
        measured = variant["measurement"]
        if "policy" in measured:
            policy = nodes["policies"][measured["policy"]]
            measured["kept"] = [nodes["nodes"][place] for place in policy]
    names = [variant["name"] for variant in made]
    assert names == sorted(set(names))
    return {variant["name"]: variant for variant in made}


def test_methods_and_in_place_methods_of_exp() -> None:
    made = spellings("torch.exp")
    assert {name: variant["relation"] for name, variant in made.items()} == {
        "torch.Tensor.exp": "method",
        "torch.Tensor.exp_": "in-place",
    }
    for variant in made.values():
        (node,) = variant["measurement"]["kept"]
        assert node == {"type": "ExpBackward0", "saved": [["_saved_result", "tensor", ["output"]]]}


def test_aliases_and_their_methods() -> None:
    made = spellings("torch.mul")
    assert made["torch.multiply"]["relation"] == "alias"
    assert made["torch.Tensor.multiply_"]["relation"] == "in-place"
    for name in made:
        attribute = name.rpartition(".")[2]
        owner = Tensor if name.startswith("torch.Tensor.") else torch
        assert callable(getattr(owner, attribute))


def test_an_alias_that_is_named_in_full_is_below_torch_once() -> None:
    assert spellings("torch.igamma")["torch.special.gammainc"]["relation"] == "alias"


def test_an_op_without_in_place_spelling_has_none() -> None:
    made = spellings("torch.cumsum")
    assert "in-place" in {variant["relation"] for variant in made.values()}
    assert not hasattr(Tensor, "sum_")
    assert "in-place" not in {variant["relation"] for variant in spellings("torch.sum").values()}


@pytest.mark.parametrize("name", ["torch.polygamma", "torch.where"])
def test_a_method_is_called_on_the_input_wherever_the_op_takes_it(name: str) -> None:
    method = spellings(name)[name.replace("torch", "torch.Tensor")]
    assert "policy" in method["measurement"]
