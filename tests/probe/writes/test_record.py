"""Writes after a call, against what the derivative of the op says of each tensor."""

from functools import cache
from itertools import islice
from typing import Any

import pytest
import torch

from generator.probe.opinfo import OpSample, op_samples, ops
from generator.probe.references import OPS
from generator.probe.signatures import parse
from generator.probe.small_calls import smaller
from generator.probe.writes.record import writes_after

Json = dict[str, Any]
pytestmark = pytest.mark.filterwarnings("ignore")  # samples of OpInfo warn of what they try


def sample_of(name: str) -> OpSample:
    entry = ops()[name][0]
    samples = op_samples(entry, name, parse(name, entry.aten_name), "cpu", torch.float32)
    return next(islice(samples, 1))


@cache
def written(name: str) -> Json:
    return writes_after(name, sample_of(name))


def verdicts(name: str, target: str) -> tuple[list[str], list[str], list[str]]:
    """Return the verdicts under the first mask: without hooks, with identity hooks, by saver."""
    (trial,) = (
        one for one in written(name)["trials"] if one["target"] == target and 0 in one["masks"]
    )
    return trial["plain"], trial["hooked"], trial["savers"]


def test_writes_are_tried_under_every_mask_of_four_arguments() -> None:
    tried = written("torch.nn.functional.bilinear")
    masks = [frozenset(mask) for mask in tried["masks"]]
    assert len(masks) == len(set(masks)) == 2**4 - 1
    # y = x1 W x2 + b: x1 is in the derivatives by W and by x2 alone
    under = {
        masks[place]: trial["plain"]
        for trial in tried["trials"]
        if trial["target"] == "input input1"
        for place in trial["masks"]
    }
    expected = {mask: NEEDED if mask & {"weight", "input2"} else FREE for mask in masks}
    assert under == expected


NEEDED = ["raises", "raises", "raises", "silently wrong"]
ALARM = ["raises", "raises", "raises", "correct"]
FREE = ["correct"] * 4


@pytest.mark.parametrize(
    ("name", "target", "plain", "saver"),
    [
        # d exp(x) = exp(x), the output
        ("torch.exp", "output", NEEDED, "ExpBackward0._saved_result"),
        ("torch.exp", "input input", FREE, None),
        # d sin(x) = cos(x), of the input
        ("torch.sin", "input input", NEEDED, "SinBackward0._saved_self"),
        ("torch.sin", "output", FREE, None),
        # d(xy) = y dx + x dy
        ("torch.mul", "input input", NEEDED, "MulBackward0._saved_self"),
        ("torch.mul", "input other", NEEDED, "MulBackward0._saved_other"),
        ("torch.mul", "output", FREE, None),
        # x > 0 exactly where the output is
        ("torch.nn.functional.relu", "output", NEEDED, "ReluBackward0._saved_result"),
        ("torch.nn.functional.relu", "input input", FREE, None),
        # where the maximum was is known from the indices, and the input is kept for its shape
        (
            *("torch.nn.functional.max_pool2d", "input input", ALARM),
            "MaxPool2DWithIndicesBackward0._saved_self",
        ),
        # the bias is added, so that no gradient depends on it
        (
            *("torch.nn.functional.layer_norm", "input bias", ALARM),
            "NativeLayerNormBackward0._saved_bias",
        ),
        (
            *("torch.nn.functional.layer_norm", "input weight", NEEDED),
            "NativeLayerNormBackward0._saved_weight",
        ),
        # what was gathered does not matter, but from where does
        ("torch.gather", "input input", ALARM, "GatherBackward0._saved_self"),
        ("torch.gather", "input index", NEEDED, "GatherBackward0._saved_index"),
    ],
)
def test_a_write_ends_as_the_derivative_says(
    name: str, target: str, plain: list[str], saver: str | None
) -> None:
    found, hooked, savers = verdicts(name, target)
    assert found == plain
    # Under hooks nothing is compared, and what is written shows wherever it is needed.
    assert hooked == [found[3]] * 4
    assert savers == ([] if saver is None else [saver])
    assert "printed" not in written(name)


def test_save_on_cpu_moves_nothing_that_is_on_the_cpu() -> None:
    assert written("torch.exp")["on_cpu"]
    assert not any("on_cpu" in trial for trial in written("torch.exp")["trials"])


def test_the_data_of_a_sparse_tensor_is_another_tensor() -> None:
    plain, hooked, _ = verdicts("torch.sparse.mm", "input mat1")
    assert (plain[0], plain[3]) == ("raises", "not tried")
    assert hooked[0] == "silently wrong"


def test_an_error_of_backward_itself_is_the_reason() -> None:
    for name in ("torch.unique", "torch.heaviside"):
        tried = written(name)
        assert tried["reason"].startswith("backward raises without any write: ")
        assert "trials" not in tried
        assert "printed" not in tried


def test_masks_without_a_backward_are_left_out() -> None:
    """igamma has a derivative for its second argument alone, of both arguments."""
    tried = written("torch.igamma")
    assert tried["masks"] == [("other",)]
    assert "the derivative for 'igamma: input' is not implemented" in tried["left_out"]
    assert "printed" not in tried
    ended = {one["target"]: one["plain"][0] for one in tried["trials"]}
    assert ended == {"input input": "raises", "input other": "raises", "output": "correct"}


def test_a_sparse_output_has_a_gradient() -> None:
    assert written("torch.Tensor.to_sparse")["trials"][0]["plain"] == FREE


def test_numbers_become_smaller_in_their_ratios() -> None:
    attention = smaller(OPS["torch.nn.functional.multi_head_attention_forward"])
    assert "query = torch.randn(4, 2, 16)" in attention.setup  # 128, 8, 512
    assert "in_proj_weight = torch.randn(48, 16)" in attention.setup  # three times 512
    assert ", 16, 2, in_proj_weight" in attention.call  # 512 in 8 heads
    unchanged = OPS["torch.imag"] if "torch.imag" in OPS else OPS["torch.real"]
    assert "complex64" in smaller(unchanged).setup
    assert "0.1" in smaller(OPS["torch.nn.functional.dropout"]).call


def test_the_smaller_call_is_the_same_call() -> None:
    for name in ("torch.nn.functional.conv2d", "torch.linalg.solve", "torch.stft"):
        tried = written(name)
        assert tried["setup"] != OPS[name].setup
        assert tried["call"].partition("(")[0] == OPS[name].call.partition("(")[0]
        assert max(size for one in tried["arguments"] for size in one.get("shape", ())) <= 64


def test_a_call_that_cannot_be_smaller_is_tried_as_it_is() -> None:
    assert written("torch.linalg.tensorinv")["setup"] == OPS["torch.linalg.tensorinv"].setup
