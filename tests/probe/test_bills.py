"""The bills of blocks, at sizes of the test's own, against what the maths of each layer needs."""

import re
from functools import cache
from typing import Any

import pytest

from generator.probe.bills import billed
from generator.probe.guard import Guard
from generator.probe.references.blocks import BLOCKS, Block

FLOAT = 4
BATCH, TOKENS, WIDTH, HEADS, HIDDEN = 2, 8, 24, 12, 96
ALL = BATCH * TOKENS
IMAGES, CHANNELS, SIDE = 4, 64, 7

SMALLER = {
    r"torch.randn\(2, 256, 768\)": f"torch.randn({BATCH}, {TOKENS}, {WIDTH})",
    r"torch.randn\(4, 64, 56, 56\)": f"torch.randn({IMAGES}, {CHANNELS}, {SIDE}, {SIDE})",
    r"\(2, 128\)": f"({BATCH}, {TOKENS})",
    r"\b16384\b": "50",
    r"\b3072\b": str(HIDDEN),
    r"\b2048\b": str(HIDDEN),
    r"\b768\b": str(WIDTH),
    r"torch.randn\(16, 64, 512\)": "torch.randn(3, 5, 16)",
    r"\b512, 512, batch_first": "16, 16, batch_first",
}


def small(name: str) -> Block:
    setup = BLOCKS[name].setup
    for old, new in SMALLER.items():
        setup = re.sub(old, new, setup)
    return BLOCKS[name]._replace(setup=setup)


@cache
def record(name: str) -> dict[str, Any]:
    return billed(name, small(name), Guard())


def bill(name: str, *mask: str, mode: str = "train", autocast: bool = False) -> dict[str, Any]:
    (found,) = [
        one
        for one in record(name)["bills"]
        if one["mask"] == mask and mode in one["modes"] and one["autocast"] == autocast
    ]
    return found


def items(name: str, found: dict[str, Any]) -> list[tuple[str, int, str, int]]:
    """The items as (role, bytes of all alike, dtype, times)."""
    listed = [record(name)["items"][place] for place in found["items"]]
    return [(role, size * times, dtype, times) for role, size, _, dtype, _, times in listed]


def kept(name: str, found: dict[str, Any]) -> set[str]:
    return {role for role, *_ in items(name, found)}


def test_a_gpt_block_keeps_fifteen_widths_a_token() -> None:
    # The norm's output, q, k and v, attention's output, the second norm's input and output, and
    # four widths on either side of the GELU; a row of statistics for each norm and head.
    statistics = ALL * (4 + HEADS) * FLOAT
    trained = bill("gpt-block", "parameters")["extra_bytes"]
    assert trained == 15 * ALL * WIDTH * FLOAT + statistics
    # Frozen, linear layers keep no inputs: neither norm's output, nor the GELU's, remains.
    frozen = bill("gpt-block", "inputs")["extra_bytes"]
    assert frozen == 9 * ALL * WIDTH * FLOAT + statistics
    assert bill("gpt-block", "biases")["extra_bytes"] == frozen


def test_frozen_or_with_biases_alone_no_linear_layer_keeps_its_input() -> None:
    for mask in (("inputs",), ("biases",)):
        found = bill("mlp", *mask)
        attributes = {
            record("mlp")["keepers"][keeper][2]
            for place in found["items"]
            for keeper in record("mlp")["items"][place][4]
        }
        assert "_saved_mat1" not in attributes


def test_dropout_keeps_a_mask_of_floats_while_it_trains() -> None:
    trained, evaluated = bill("mlp", "parameters"), bill("mlp", "parameters", mode="eval")
    mask = ALL * WIDTH * FLOAT
    assert trained["extra_bytes"] == 2 * ALL * HIDDEN * FLOAT + mask
    assert evaluated["extra_bytes"] == 2 * ALL * HIDDEN * FLOAT


def test_a_convolution_block_keeps_its_input_the_convolution_and_the_output() -> None:
    name, image = "conv-bn-relu", IMAGES * CHANNELS * SIDE * SIDE * FLOAT
    found = bill(name, "parameters")
    large = {(role, size) for role, size, *_ in items(name, found) if size >= image}
    assert large >= {("input input", image), ("intermediate", image), ("output", image)}
    # Beside the convolution's output, batch norm keeps a mean and a deviation for each channel.
    assert found["extra_bytes"] == image + 2 * CHANNELS * FLOAT
    assert bill(name, "parameters", mode="eval")["extra_bytes"] == image


def test_frozen_convolutions_keep_all_the_same() -> None:
    assert (
        bill("resnet-basic-block", "inputs")["extra_bytes"]
        == bill("resnet-basic-block", "parameters")["extra_bytes"]
    )


def test_an_adapter_alone_keeps_the_input_and_its_own_rank() -> None:
    rank = 8
    found = bill("lora-linear", "adapters")
    assert kept("lora-linear", found) == {
        "input input",
        "intermediate",
        "parameter lora_up.weight",
    }
    assert found["extra_bytes"] == ALL * rank * FLOAT
    within = bill("lora-linear", "inputs", "adapters")
    assert "parameter base.weight" in kept("lora-linear", within)
    assert within["extra_bytes"] == found["extra_bytes"]


def test_attention_without_weights_keeps_a_row_and_with_weights_a_square() -> None:
    square = BATCH * HEADS * TOKENS * TOKENS * FLOAT
    row = BATCH * HEADS * TOKENS * FLOAT
    plain = [
        size
        for _, size, *_ in items("multihead-attention", bill("multihead-attention", "parameters"))
    ]
    name = "multihead-attention-weights"
    asked = [size for _, size, *_ in items(name, bill(name, "parameters"))]
    assert row in plain
    assert square not in plain
    assert square in asked


def test_a_classifier_keeps_each_hidden_layer_once_and_its_probabilities() -> None:
    rows, hidden, classes = 256, 512, 10
    found = bill("mlp-classifier", "parameters")
    # The loss itself keeps one number: the total weight of the targets.
    total_weight = FLOAT
    expected = FLOAT * (2 * rows * hidden + rows * classes) + total_weight
    assert found["extra_bytes"] == expected


def test_tokens_cannot_require_grad_so_a_head_is_never_frozen() -> None:
    masks = {one["mask"] for one in record("language-model-head")["bills"]}
    assert masks == {("parameters",), ("biases",)}


def test_under_autocast_the_gelu_keeps_half_the_bytes() -> None:
    found = items("mlp", bill("mlp", "parameters", autocast=True))
    assert ("intermediate", ALL * HIDDEN * 2, "bfloat16", 1) in found


def test_modes_that_agree_share_a_bill() -> None:
    assert bill("gpt-block", "parameters")["modes"] == ["train", "eval"]
    assert bill("mlp", "parameters")["modes"] == ["train"]


@pytest.mark.parametrize("name", BLOCKS)
def test_the_printed_bill_is_the_recorded_one(name: str) -> None:
    found = record(name)["bills"][0]
    assert record(name)["printed"].splitlines()[-1] == (
        f"{found['storage_bytes']:,} storage bytes, "
        f"of which the graph alone holds {found['extra_bytes']:,}"
    )


def test_a_block_that_raises_is_a_state_with_its_reason() -> None:
    block = small("mlp")._replace(call="output = module(input, input)")
    made = billed("mlp", block, Guard())
    assert made["state"] == "raised"
    assert "TypeError" in made["reason"]


def test_a_layer_that_the_release_lacks_is_a_state_of_the_block() -> None:
    block = small("mlp")._replace(setup="module = torch.nn.NoSuchLayer()")
    made = billed("mlp", block, Guard())
    assert made["state"] == "raised"
    assert "NoSuchLayer" in made["reason"]
    assert made["setup"] == block.setup


def test_a_block_without_a_graph_says_so() -> None:
    block = small("mlp")._replace(call="output = module(input).detach()")
    made = billed("mlp", block, Guard())
    assert made["state"] == "not differentiable"
    assert made["reason"] == "no output requires grad"
