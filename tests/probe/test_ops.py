"""Records of whole ops, against what is known of those ops."""

from functools import cache
from math import prod
from typing import Any

import pytest

from generator.probe.opinfo import ops
from generator.probe.ops import op_record

Json = dict[str, Any]
pytestmark = pytest.mark.filterwarnings("ignore")  # samples of OpInfo warn of what they try


@cache
def record(name: str) -> Json:
    made, _ = op_record(name, ops()[name], "cpu")
    return made


def kept(made: Json, row: Json) -> list[Json]:
    return [made["nodes"][place] for place in made["policies"][row["policy"]]]


def test_exp_keeps_its_output_at_every_sample() -> None:
    made = record("torch.exp")
    assert (made["kind"], made["name"], made["state"]) == ("op", "torch.exp", "measured")
    (case,) = made["cases"]
    assert kept(made, case["measurements"][0]) == [
        {"type": "ExpBackward0", "saved": [["_saved_result", "tensor", ["output"]]]}
    ]
    assert case["samples"] == made["entries"][0]["samples"]
    assert {"float32", "float64", "bfloat16", "complex64"} <= case["samples"].keys()
    assert case["two_ways"] == {"same": sum(case["samples"].values())}
    (reference,) = made["references"]
    assert reference["measurements"][0]["storage_bytes"] == 256 * 512 * 4
    assert reference["edges"] == [["input"]]
    assert made["unreferenced"] is None
    assert "aten::exp" in made["overloads"]
    assert "MulBackward0" in made["double_backward"]


def test_samples_are_counted_in_entries_as_in_cases() -> None:
    made = record("torch.div")
    assert len(made["entries"]) == 3
    for entry in made["entries"]:
        cases = [case for case in made["cases"] if case["entry"] == entry["name"]]
        counted: dict[str, int] = {}
        for case in cases:
            assert sum(case["two_ways"].values()) == sum(case["samples"].values())
            for dtype, count in case["samples"].items():
                counted[dtype] = counted.get(dtype, 0) + count
        assert counted == entry["samples"]


def test_writes_are_tried_after_a_sample_that_has_something_to_write_over() -> None:
    """The first samples of svd are of empty matrices, those of prod and exp of one number."""
    for name in ("torch.exp", "torch.prod", "torch.linalg.svd"):
        writes = record(name)["writes"]
        assert min(prod(one["shape"]) for one in writes["arguments"] if "shape" in one) >= 2
    exp = {trial["target"]: trial for trial in record("torch.exp")["writes"]["trials"]}
    assert (exp["input input"]["saved"], exp["output"]["saved"]) == (False, True)


def test_writes_say_why_none_was_tried() -> None:
    writes = record("torch.linalg.eig")["writes"]
    assert "trials" not in writes
    assert writes["reason"].startswith("backward raises without any write: RuntimeError")
    assert "writes" not in record("torch.argmax")


def test_an_op_that_takes_integers_alone_is_not_differentiable_and_says_why() -> None:
    made = record("torch.bitwise_left_shift")
    assert made["state"] == "not differentiable"
    assert "no floating-point or complex dtype" in made["reason"]
    assert made["cases"] == made["policies"] == made["references"] == []
    assert made["unreferenced"]


def test_an_op_whose_outputs_never_require_grad_is_not_differentiable() -> None:
    made = record("torch.argmax")
    assert made["state"] == "not differentiable"
    assert made["reason"]
    failures = made["entries"][0]["failures"]
    assert {failure["state"] for failure in failures} == {"not differentiable"}


def test_an_op_of_the_accelerator_alone_is_not_measured() -> None:
    made = record("jiterator_unary")
    assert made["state"] in ("declared only", "raised", "not differentiable")
    assert made["reason"]
    assert made["cases"] == []


def test_an_op_that_opinfo_does_not_list_rests_on_its_reference_program() -> None:
    whole = record("torch.exp")
    alone, _ = op_record("torch.exp", [], "cpu")
    assert (alone["state"], alone["reason"]) == ("measured", None)
    assert (alone["entries"], alone["cases"]) == ([], [])
    same = ("references", "unreferenced", "overloads", "writes", "second_order", "nodes")
    assert {field: alone[field] for field in same} == {field: whole[field] for field in same}


def test_a_program_without_a_graph_makes_an_unlisted_op_not_differentiable() -> None:
    made, _ = op_record("torch.nn.functional.one_hot", [], "cpu")
    assert made["state"] == "not differentiable"
    assert made["reason"] == made["unreferenced"]
    assert "writes" not in made
