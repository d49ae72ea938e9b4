"""What changes the answer of an op, against what the maths and the documentation say."""

from functools import cache
from typing import Any

from generator.probe.cases import RecordBody
from generator.probe.condition_trials import conditions
from generator.probe.masks import op_masks
from generator.probe.references import OPS
from generator.probe.references.program import Program
from generator.probe.signatures import parse

ROWS, WIDTH = 256, 512


def tried(program: Program, name: str, *dtypes: str) -> tuple[dict[str, Any], dict[str, Any]]:
    body = RecordBody(name, "op", op_masks)
    return conditions(body, program, parse(name), dtypes), body.policies()


@cache
def of_reference(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return tried(OPS[name], name, "float64", "bfloat16")


def changed(name: str, condition: str, argument: str = "") -> dict[str, Any]:
    """The row of a condition; fails where it changed nothing."""
    applied = [condition, argument] if argument else [condition]
    (row,) = [one for one in of_reference(name)[0]["changed"] if applied in one["conditions"]]
    return row["measurement"]


def saved(name: str, measurement: dict[str, Any]) -> list[tuple[str, str]]:
    policies = of_reference(name)[1]
    nodes = [policies["nodes"][place] for place in policies["policies"][measurement["policy"]]]
    return [
        (node["type"], role) for node in nodes for _, _, roles in node["saved"] for role in roles
    ]


def test_exp_keeps_its_output_whatever_the_dtype_and_layout() -> None:
    found, _ = of_reference("torch.exp")
    assert found["unchanged"] == {
        "": ["dtypes", "autocast", "nan"],
        "input": ["layouts", "empty"],
    }
    assert found["changed"] == []
    assert found["refused"] == []


def test_a_python_number_is_kept_as_a_tensor_of_eight_bytes() -> None:
    measurement = changed("torch.mul", "number", "other")
    assert measurement["mask"] == ["input"]
    assert saved("torch.mul", measurement) == [("MulBackward0", "wrapped number")]
    assert measurement["storage_bytes"] == 8


def test_the_same_tensor_twice_keeps_the_same() -> None:
    assert "same tensor" in of_reference("torch.mul")[0]["unchanged"]["other"]


def test_autocast_keeps_bfloat16_copies_of_input_and_weight() -> None:
    name = "torch.nn.functional.linear"
    measurement = changed(name, "autocast")
    kept = saved(name, measurement)
    assert [role for _, role in kept] == ["intermediate", "intermediate"]
    assert measurement["extra_bytes"] == 2 * (ROWS * WIDTH + WIDTH * WIDTH)
    assert {tensor[1] for tensor in measurement["tensors"]} == {"bfloat16"}


def test_attention_leaves_its_flash_kernel_when_the_last_stride_is_not_one() -> None:
    name = "torch.nn.functional.scaled_dot_product_attention"
    batch, heads, tokens, width = 8, 8, 128, 64
    measurement = changed(name, "strided", "query")
    types = {node for node, _ in saved(name, measurement)}
    assert not any("Flash" in one for one in types)
    # The maths keeps the probabilities, and scaled copies of query and key.
    probabilities = 4 * batch * heads * tokens * tokens
    copies = 2 * 4 * batch * heads * tokens * width
    assert measurement["extra_bytes"] == probabilities + copies


def test_in_eval_mode_batch_norm_keeps_no_statistics_of_its_own() -> None:
    name = "torch.nn.functional.batch_norm"
    assert changed(name, "training")["extra_bytes"] == 0


def test_dropout_keeps_no_mask_in_eval_mode() -> None:
    measurement = changed("torch.nn.functional.dropout", "training")
    assert measurement["tensors"] == []


def test_a_condition_that_raises_says_why() -> None:
    program = Program("made up", "input = torch.randn(4, 4)", "output = input.view(16)")
    found, _ = tried(program, "torch.Tensor.view")
    reasons = {tuple(one["conditions"][0]): one["reason"] for one in found["refused"]}
    assert "view size is not compatible" in reasons["transposed", "input"]


def test_a_member_of_a_list_is_changed_alone() -> None:
    setup = "tensors = [torch.randn(4, 4), torch.randn(4, 4)]"
    program = Program("made up", setup, "output = torch.cat(tensors)")
    found, _ = tried(program, "torch.cat")
    assert found["unchanged"] == {
        "": ["autocast", "nan", "empty"],
        "tensors[0]": ["layouts"],
    }


def test_only_the_dtypes_that_the_op_has_are_tried() -> None:
    found, _ = tried(OPS["torch.exp"], "torch.exp", "float64")
    assert found["unchanged"][""] == ["float64", "autocast", "nan"]
