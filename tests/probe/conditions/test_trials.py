"""What changes the answer of an op, against what the maths and the documentation say."""

from functools import cache, partial
from typing import Any

import pytest

from generator.probe.cases import RecordBody
from generator.probe.conditions.shapes import Kept, Shape, foretold
from generator.probe.conditions.steps import Step, together
from generator.probe.conditions.trials import conditions, module_conditions
from generator.probe.guard import Ended, Guard, StepEndedError
from generator.probe.masks import module_masks, op_masks
from generator.probe.references import MODULES, OPS
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
    measurement: dict[str, Any] = row["measurement"]
    return measurement


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


@cache
def of_module(name: str) -> dict[str, Any]:
    return module_conditions(RecordBody(name, "module", module_masks), MODULES[name], ["float32"])


def told(name: str, condition: str, argument: str = "") -> dict[str, Any]:
    applied = [condition, argument] if argument else [condition]
    (row,) = [one for one in of_module(name)["changed"] if applied in one["conditions"]]
    measurement: dict[str, Any] = row["measurement"]
    return measurement


def test_a_module_is_tried_with_everything_requiring_grad() -> None:
    found = of_module("torch.nn.Linear")
    assert found["mask"] == ("inputs", "parameters")
    assert found["require"] == "input.requires_grad_()\n"
    assert {"eval", "nan"} <= {*found["unchanged"][""]}


def test_a_frozen_module_keeps_its_weight_alone() -> None:
    measurement = told("torch.nn.Linear", "frozen")
    assert measurement["mask"] == ["inputs"]
    assert measurement["storage_bytes"] == 4 * WIDTH * WIDTH


def test_frozen_and_under_autocast_it_keeps_one_copy_which_neither_alone_foretells() -> None:
    """Under autocast alone both factors are copied, frozen alone there is no copy."""
    (pair,) = of_module("torch.nn.Linear")["pairs"]
    assert pair["pairs"] == [[["autocast"], ["frozen"]]]
    assert pair["measurement"]["extra_bytes"] == 2 * WIDTH * WIDTH
    assert told("torch.nn.Linear", "autocast")["extra_bytes"] == 2 * WIDTH * (WIDTH + ROWS)


def test_batch_norm_in_eval_mode_keeps_no_statistics_of_the_batch() -> None:
    assert told("torch.nn.BatchNorm2d", "eval")["extra_bytes"] == 0
    assert of_module("torch.nn.ReLU")["pairs_tried"] == 0


def test_rows_that_share_a_size_are_left_out_together() -> None:
    """Two operands without rows add up to none; a matrix product loses those of its first alone."""
    assert "empty" in of_reference("torch.mul")[0]["unchanged"][""]
    assert "empty" in of_reference("torch.matmul")[0]["unchanged"]["input"]


def test_what_cannot_be_without_rows_says_so() -> None:
    program = Program("made up", "input = torch.randn(4, 4)", "output = input.amax(0)")
    found, _ = tried(program, "torch.amax")
    reasons = {tuple(one["conditions"][0]): one["reason"] for one in found["refused"]}
    assert "non-zero size" in reasons["empty", "input"]


def test_nan_is_kept_like_any_number() -> None:
    assert "nan" in of_reference("torch.exp")[0]["unchanged"][""]
    found, _ = tried(OPS["torch.linalg.cholesky"], "torch.linalg.cholesky")
    (reason,) = [one["reason"] for one in found["refused"] if ["nan"] in one["conditions"]]
    assert "not positive-definite" in reason


def test_two_conditions_that_exclude_each_other_are_no_pair() -> None:
    half, other = Step((("float16", ""),)), Step((("bfloat16", ""),))
    number, row = Step((("number", "x"),)), Step((("one row", "x"),))
    assert together(half, other) is None
    assert together(number, row) is None
    both = together(half, Step((("strided", "x"),), "x = x"))
    assert both is not None
    assert (both.applied, both.lines) == ((("float16", ""), ("strided", "x")), "x = x")


PAIR = Step((("strided", "x"), ("strided", "y")))


def test_a_pair_that_ends_the_process_is_no_pair_that_raises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guard = Guard()
    step = guard.step

    def dying(taken: Any) -> Any:
        both = isinstance(taken, partial) and len(taken.args[0].applied) == 2
        if both:
            raise StepEndedError(Ended("crashed", "the process was ended by SIGSEGV"))
        return step(taken)

    monkeypatch.setattr(guard, "step", dying)
    name = "torch.nn.Linear"
    found = module_conditions(RecordBody(name, "module", module_masks, guard), MODULES[name], [])
    (row,) = found["pairs"]
    ended = row["measurement"]
    assert (ended["state"], ended["reason"]) == ("crashed", "the process was ended by SIGSEGV")


def shape(extra: int, *nodes: str) -> Shape:
    return Shape([(node, "") for node in nodes], [], extra)


def test_what_both_add_is_foretold_and_what_neither_adds_is_not() -> None:
    plain, one, other = shape(0, "Mul"), shape(8, "Mul", "Clone"), shape(4, "Mul", "Clone")
    assert foretold(plain, one, other, shape(12, "Mul", "Clone", "Clone"), PAIR)
    assert foretold(plain, one, other, shape(8, "Mul", "Clone"), PAIR)
    assert not foretold(plain, one, other, shape(16, "Mul", "Clone", "Clone"), PAIR)
    assert not foretold(plain, one, other, shape(12, "Mul", "Clone", "Sum"), PAIR)


def test_a_dtype_that_a_condition_sets_is_foretold() -> None:
    def kept(dtype: str, *nodes: str) -> Shape:
        return Shape([(node, "") for node in nodes], [Kept((2, 3), dtype)], None)

    pair = Step((("bfloat16", ""), ("strided", "x")))
    plain, half, strided = kept("float32"), kept("bfloat16"), kept("float32", "Clone")
    assert foretold(plain, half, strided, kept("bfloat16", "Clone"), pair)
    assert not foretold(plain, half, strided, kept("float64", "Clone"), pair)
