"""Kinds of write, against what the documentation of each says of the version counter."""

from functools import cache
from typing import Any

import pytest

from generator.probe.unseen.trial import KINDS, UnseenWrite, write_record

Json = dict[str, Any]


@cache
def record(name: str) -> Json:
    return write_record(name)


# Ops of PyTorch count, whatever the mode and whichever alias of the tensor is written to.
SEEN = [
    *("tensor.add_", "tensor.copy_", "tensor[...] = value", "through a view", "out="),
    *("under torch.no_grad", "under torch.inference_mode", "tensor.detach().add_"),
    *("torch._foreach_add_", "torch.nn.init.zeros_", "module.load_state_dict"),
    *("torch.optim.SGD(foreach=False).step", "torch.optim.Adam(foreach=True).step"),
    "ctx.save_for_backward",
]
# These change the memory and count nothing.
UNCOUNTED = [
    *(
        "tensor.data",
        "tensor.detach().numpy()",
        "DLPack",
        "a raw pointer",
        "tensor.detach().apply_",
    ),
    *("untyped_storage().fill_", "untyped_storage().copy_", "untyped_storage().resize_"),
    "torch.autograd._unsafe_preserve_version_counter",
    "torch._C._autograd._unsafe_set_version_counter",
    *("torch.optim.SGD(fused=True).step", "torch.optim.Adam(fused=True).step"),
    *("torch.optim.AdamW(fused=True).step", "torch.optim.Adagrad(fused=True).step"),
    "batch norm in train mode, after eval mode",
    "torch.nn.utils.vector_to_parameters",
    "torch._amp_foreach_non_finite_check_and_unscale_",
]


@pytest.mark.parametrize("name", SEEN)
def test_a_counted_write_makes_backward_raise(name: str) -> None:
    made = record(name)
    before, after = made["versions"]
    assert after > before
    assert made["plain"][0] == "raises"
    assert f"is at version {after}; expected version {before}" in made["plain"][1]
    assert made["hooked"][0] == "silently wrong"


@pytest.mark.parametrize("name", UNCOUNTED)
def test_an_uncounted_write_makes_the_gradient_wrong(name: str) -> None:
    made = record(name)
    assert made["versions"][0] == made["versions"][1]
    assert made["plain"] == made["hooked"]
    assert made["plain"][0] == "silently wrong"
    assert made["plain"][2] > 0


def test_the_error_is_what_arithmetic_says() -> None:
    """The gradient of x² is 2x: of 1, 2, 3 plus one it is 4, 6, 8 for 2, 4, 6."""
    assert record("tensor.data")["plain"][2] == pytest.approx(2 / 6, abs=1e-3)
    assert record("untyped_storage().fill_")["plain"][2] == 1


def test_what_is_put_on_ctx_is_counted_and_not_compared() -> None:
    made = record("an attribute of ctx")
    assert made["versions"] == [0, 1]
    assert made["plain"] == ["silently wrong", None, pytest.approx(2 / 6, abs=1e-3)]


def test_a_replaced_memory_shows_where_the_tensor_itself_was_saved() -> None:
    assert record("tensor.data = ..., of a saved input")["plain"][0] == "silently wrong"
    assert record("tensor.data = ..., of a saved output")["plain"][0] == "correct"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("torch.distributed.all_reduce", "silently wrong"),
        ("torch.distributed.broadcast", "silently wrong"),
        ("torch.distributed.all_gather", "raises"),
    ],
)
def test_a_collective_of_two_processes(name: str, verdict: str) -> None:
    made = record(name)
    assert made["state"] == "measured", made
    assert made["plain"][0] == verdict


def test_what_a_release_lacks_is_a_state_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = UnseenWrite("family", "pass", "tensor = torch.no_such_thing()")
    monkeypatch.setitem(KINDS, "lacking", lacking)
    made = write_record("lacking")
    assert made["state"] == "raised"
    assert "no_such_thing" in made["reason"]
    assert "plain" not in made


def test_a_write_that_changes_nothing_is_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = KINDS["tensor.data"]._replace(write="tensor.data.add_(0)")
    monkeypatch.setitem(KINDS, "nothing", kind)
    made = write_record("nothing")
    assert made["plain"] == made["hooked"] == ["correct", None, None]


def test_every_kind_has_a_family_and_a_name_of_its_own() -> None:
    assert all(kind.family and kind.made and kind.write for kind in KINDS.values())
    assert len({(kind.made, kind.write, kind.imports) for kind in KINDS.values()}) == len(KINDS)
