"""Writes into tensors of live calls, against derivatives and against torch called by hand."""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any

import pytest
import torch
import torch.nn.functional as f
from torch import Tensor

from generator.probe.calls import sample_call
from generator.probe.masks import op_masks
from generator.probe.opinfo import entry_dtypes, op_samples, ops
from generator.probe.signatures import parse
from generator.probe.writes import verdicts
from generator.probe.writes.other_values import scaled
from generator.probe.writes.trials import NoBackwardError, masks_with_gradient
from generator.probe.writes.verdicts import write_verdicts

Json = dict[str, Any]
Trials = dict[tuple[str, int], Json]
pytestmark = pytest.mark.filterwarnings("ignore")  # samples of OpInfo warn of what they try

FINE = ["correct"] * 4
WRONG = ["silently wrong"] * 4
NOTICED = ["raises", "raises", "raises", "silently wrong"]
FALSE_ALARM = ["raises", "raises", "raises", "correct"]


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) + 0.25


def tried(function: Callable[..., Any], **arguments: Any) -> Trials:
    """Return the trials by target and position of the mask, all requiring grad first."""
    call = sample_call(function, "call", arguments, {}, seed=0, written="anything")
    trials = write_verdicts(call, op_masks(call))
    return {(one["target"], mask): one for one in trials for mask in one["masks"]}


def told(trials: Trials, target: str, mask: int = 0) -> tuple[bool, list[str], list[str]]:
    one = trials[target, mask]
    return one["saved"], one["plain"], one["hooked"]


def test_exp_needs_its_output_alone() -> None:
    trials = tried(torch.exp, x=numbers(3, 4))
    assert told(trials, "input x") == (False, FINE, FINE)
    assert told(trials, "output") == (True, NOTICED, WRONG)
    assert trials["input x", 0]["message"] is trials["input x", 0]["relative_error"] is None


def test_the_message_is_what_backward_says_up_to_its_hint() -> None:
    x = numbers(3, 4).requires_grad_()
    y = torch.exp(x)
    kept = y.clone()
    with torch.no_grad():
        y.mul_(2)
    with pytest.raises(RuntimeError, match="Hint:") as caught:
        kept.sum().backward()
    words, _ = str(caught.value).split(" Hint:")
    assert tried(torch.exp, x=numbers(3, 4))["output", 0]["message"] == f"RuntimeError: {words}"


def test_the_relative_error_is_that_of_the_written_values() -> None:
    """The gradient of exp is its output times the incoming one, before and after the write."""
    x = numbers(3, 4).requires_grad_()
    y = torch.exp(x)
    other = scaled(y.detach())
    assert other is not None
    torch.manual_seed(0)
    incoming = torch.randn(3, 4)
    wrong = (incoming * other - incoming * y).abs().max() / (incoming * y).abs().max()
    found = tried(torch.exp, x=numbers(3, 4))["output", 0]["relative_error"]
    assert found == pytest.approx(wrong.item(), rel=1e-2)


def test_sin_needs_its_input_alone() -> None:
    trials = tried(torch.sin, x=numbers(5))
    assert told(trials, "input x") == (True, NOTICED, WRONG)
    assert told(trials, "output") == (False, FINE, FINE)


def test_a_factor_is_needed_only_for_the_other_one_s_gradient() -> None:
    trials = tried(torch.mul, a=numbers(3), b=numbers(3, seed=1))
    for target, needing in (("input a", (0, 2)), ("input b", (0, 1))):
        for mask in range(3):
            expected = (True, NOTICED, WRONG) if mask in needing else (False, FINE, FINE)
            assert told(trials, target, mask) == expected, (target, mask)
    assert told(trials, "output") == (False, FINE, FINE)


def test_a_square_needs_the_one_tensor_that_it_is_made_of() -> None:
    trials = tried(lambda x: x * x, x=numbers(3))
    assert told(trials, "input x") == (True, NOTICED, WRONG)


def test_pooling_keeps_an_input_of_which_it_needs_no_value() -> None:
    """Where the maxima were is remembered by the indices."""
    trials = tried(lambda x: f.max_pool2d(x, 2, return_indices=True), x=torch.randn(1, 1, 4, 4))
    assert told(trials, "input x") == (True, FALSE_ALARM, FINE)
    assert told(trials, "output 0") == (False, FINE, FINE)
    assert told(trials, "output 1") == (True, NOTICED, WRONG)


def test_layer_norm_needs_no_value_of_its_bias() -> None:
    x = numbers(3, 4)
    trials = tried(
        lambda x, w, b: f.layer_norm(x, (4,), w, b), x=x, w=numbers(4), b=numbers(4, seed=1)
    )
    assert told(trials, "input b") == (True, FALSE_ALARM, FINE)
    assert told(trials, "input x") == (True, NOTICED, WRONG)


def test_an_op_that_keeps_nothing_lets_everything_be_written() -> None:
    trials = tried(torch.add, a=numbers(3), b=numbers(3))
    assert {tuple(one["plain"] + one["hooked"]) for one in trials.values()} == {tuple(FINE * 2)}
    assert not any(one["saved"] for one in trials.values())


def test_one_of_several_views_refuses_to_be_written_in_place() -> None:
    trials = tried(torch.unbind, x=numbers(2, 3))
    assert told(trials, "output 0") == (
        False,
        ["refused", "refused", "correct", "correct"],
        ["refused", "refused", "correct", "correct"],
    )
    assert "is a view and is being modified inplace" in trials["output 0", 0]["message"]
    assert told(trials, "input x") == (False, FINE, FINE)


def test_a_mask_is_negated_and_an_index_moved() -> None:
    condition = torch.tensor([True, False, True])
    trials = tried(torch.where, condition=condition, a=numbers(3), b=numbers(3, seed=1))
    assert told(trials, "input condition") == (True, NOTICED, WRONG)
    index = torch.tensor([[0, 1, 1]])
    trials = tried(lambda x, i: x.gather(0, i), x=numbers(2, 3), i=index)
    assert told(trials, "input i") == (True, NOTICED, WRONG)
    # of what is gathered from, the shape is all that is needed
    assert told(trials, "input x") == (True, FALSE_ALARM, FINE)


def test_a_set_of_indices_is_enough_to_depend_on() -> None:
    """The filled places have no gradient, in whatever order they are listed."""
    trials = tried(lambda x, i: x.index_fill(0, i, 1.0), x=numbers(4), i=torch.tensor([2, 0]))
    assert told(trials, "input i") == (True, NOTICED, WRONG)


def test_equal_whole_numbers_and_empty_tensors_are_not_written_over() -> None:
    trials = tried(lambda x, i: x.gather(0, i), x=numbers(2, 3), i=torch.zeros(1, 3).long())
    assert told(trials, "input i") == (True, ["not tried"] * 4, ["not tried"] * 4)
    trials = tried(torch.exp, x=numbers(0, 3))
    assert told(trials, "output") == (True, ["not tried"] * 4, ["not tried"] * 4)


def test_a_random_op_draws_the_same_each_time() -> None:
    trials = tried(lambda x: f.dropout(x, 0.5, training=True), x=numbers(64))
    assert told(trials, "input x") == (False, FINE, FINE)


def test_a_sign_is_enough_to_depend_on() -> None:
    """Values of the same sign would leave the gradient of abs as it is."""
    trials = tried(torch.abs, x=numbers(4))
    assert told(trials, "input x") == (True, NOTICED, WRONG)


@pytest.mark.parametrize("reads_counted", [True, False])
def test_a_view_that_counts_apart_hides_writes_from_autograd(
    monkeypatch: pytest.MonkeyPatch, reads_counted: bool
) -> None:
    """kron multiplies views whose version counters are their own: a write goes unnoticed."""
    monkeypatch.setattr(verdicts, "READS_COUNTED", reads_counted)
    trials = tried(torch.kron, a=numbers(2, 2), b=numbers(2, 3, seed=1))
    assert told(trials, "input a") == (True, WRONG, WRONG)
    assert trials["input a", 0]["uncounted"]
    assert not trials["output", 0]["uncounted"]
    # the same by hand: the gradient of b is the sum of a's elements, as they were in the call
    a, b = numbers(2, 2), numbers(2, 3, seed=1).requires_grad_()
    product, total = torch.kron(a, b), a.sum().item()
    a.mul_(2)
    product.sum().backward()
    assert b.grad is not None
    assert b.grad[0, 0].item() == pytest.approx(2 * total)


@pytest.mark.parametrize("reads_counted", [True, False])
def test_what_counts_as_usual_is_not_called_uncounted(
    monkeypatch: pytest.MonkeyPatch, reads_counted: bool
) -> None:
    monkeypatch.setattr(verdicts, "READS_COUNTED", reads_counted)
    trials = tried(lambda a, b: a.view(-1) * b, a=numbers(2, 2), b=numbers(4, seed=1))
    assert told(trials, "input a") == (True, NOTICED, WRONG)
    assert not trials["input a", 0]["uncounted"]


def test_the_first_write_does_not_hide_what_else_is_kept() -> None:
    """Once written to, a saved list of tensors can be read no more."""
    trials = tried(
        lambda x, i, j: x[i, j], x=numbers(3, 3), i=torch.tensor([0, 2]), j=torch.tensor([1, 0])
    )
    assert told(trials, "input i") == (True, NOTICED, WRONG)
    assert told(trials, "input j") == (True, NOTICED, WRONG)


def test_an_op_that_writes_by_itself_can_be_written_to_as_well() -> None:
    trials = tried(lambda x: x.mul_(2), x=numbers(3))
    assert told(trials, "output") == (False, FINE, FINE)
    trials = tried(lambda x: x.exp_(), x=numbers(3))
    assert told(trials, "output") == (True, NOTICED, WRONG)


def test_a_backward_that_raises_anyway_is_no_verdict() -> None:
    """A vector times a random number, added up, depends on how eigenvectors are scaled."""
    with pytest.raises(NoBackwardError, match="linalg_eig_backward"):
        tried(torch.linalg.eig, a=numbers(3, 3))


def trials_of(name: str) -> list[Json]:
    """Try writes after the first float32 sample of an op's first entry that has a gradient."""
    entry = ops()[name][0]
    if torch.float32 not in entry_dtypes(entry, "cpu"):
        return []
    parsed = parse(name, entry.aten_name, entry.op)
    for sample in islice(op_samples(entry, name, parsed, "cpu", torch.float32), 8):
        masks = masks_with_gradient(sample.writable(), op_masks(sample.call))
        if masks:
            with suppress(NoBackwardError):
                return write_verdicts(sample.writable(), masks)
    return []


def test_tracked_writes_raise_exactly_where_the_storage_is_kept() -> None:
    pairs = 0
    for name in sorted(ops())[::14]:
        for trial in trials_of(name):
            for verdict in trial["plain"][:3]:
                if verdict in ("correct", "raises", "silently wrong"):
                    assert (verdict == "raises") == trial["saved"], (name, trial)
                    pairs += 1
            assert not re.search("0x[0-9a-f]{6,}", trial["message"] or "")
    assert pairs > 100
