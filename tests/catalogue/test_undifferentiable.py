"""What has no derivative is said in the claim, against backward of the same calls in live torch."""

import re
import warnings
from functools import cache
from typing import Any

import pytest
import torch

from generator.catalogue.citations import sentence
from generator.catalogue.claims import claim
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.model.writes import Writes
from generator.catalogue.names import resolve

MISSING = re.compile(r"derivative for .+ is not implemented|is not differentiable with respect to")


def forward(setup: str, call: str, requires: str) -> tuple[torch.Tensor, Any]:
    """Make a call with one argument requiring grad; it is given a clone, to be written into."""
    named: dict[str, Any] = {"torch": torch}
    torch.manual_seed(0)
    exec(setup, named)  # noqa: S102 - our own programs
    leaf = named[requires].requires_grad_()
    named[requires] = leaf.clone()
    exec(call, named)  # noqa: S102 - our own programs
    return leaf, named["output"]


def ended(setup: str, call: str, requires: str) -> str:
    """Say how it ends: `fine`, `no gradient`, `raises` or `backward raises`."""
    try:
        leaf, output = forward(setup, call, requires)
    except RuntimeError as error:
        return "raises" if MISSING.search(str(error)) else str(error)
    outputs = [output] if isinstance(output, torch.Tensor) else list(output)
    starts = [one.abs().sum() for one in outputs if one.requires_grad]
    if not starts:
        return "no gradient"
    try:
        torch.autograd.grad(starts, [leaf], allow_unused=True)
    except RuntimeError as error:
        return "backward raises" if MISSING.search(str(error)) else str(error)
    return "fine"


def runnable(op: OpRecord) -> Writes | None:
    """The call of an op of two arguments or more that a person can run, at its small size."""
    found = op.writes if op.references else None
    names = {name for one in op.references for m in one.measurements for name in m.mask}
    return found if found is not None and found.setup is not None and len(names) > 1 else None


@cache
def said_of(told: str) -> dict[str, str]:
    """Read how the call ends for each argument that a claim names as one without a derivative."""
    found = {}
    for words, end in (
        (r"(?:has|have) no derivative", "backward raises"),
        ("must not require grad", "raises"),
        (r"gets? no gradient", "no gradient"),
    ):
        for names in re.findall(rf"((?:`\w+`(?:, | and )?)+) {words}", told):
            found |= dict.fromkeys(re.findall(r"`(\w+)`", names), end)
    return found


def test_every_argument_without_a_derivative_is_named_in_the_claim(committed: Catalogue) -> None:
    wrong, tried = {}, 0
    for name, op in committed.ops.items():
        call = runnable(op)
        if call is None or "not implemented" in claim(op):
            continue
        asked = {one for each in op.references[0].measurements for one in each.mask}
        if not all(one.isidentifier() for one in asked):  # members of a list have no name
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            live = {one: ended(call.setup or "", call.call, one) for one in sorted(asked)}
        tried += 1
        told = said_of(claim(op))
        if {one: told.get(one, "fine") for one in live} != live:
            wrong[name] = (live, told)
    assert not wrong
    assert tried > 120


@pytest.mark.parametrize("name", ["acosh_", "arcsinh_", "atanh_", "heaviside_", "igamma_"])
def test_a_spelling_without_a_derivative_says_so(committed: Catalogue, name: str) -> None:
    found = resolve(committed, name)
    assert isinstance(found.record, OpRecord)
    assert found.spelling is not None
    assert found.spelling.call is not None
    assert ended(found.record.references[0].setup, found.spelling.call, "input") == (
        "backward raises"
    )
    said = sentence(found.record, found.spelling, committed.nodes)
    assert re.search("no derivative|not implemented", said)


@pytest.mark.parametrize("name", ["relu_", "exp_", "lgamma_", "mul_"])
def test_a_spelling_with_a_derivative_says_nothing_of_it(committed: Catalogue, name: str) -> None:
    found = resolve(committed, name)
    assert not re.search(
        "no derivative|not implemented", sentence(found.record, found.spelling, committed.nodes)
    )


def test_a_node_says_what_the_release_declares_to_be_missing(committed: Catalogue) -> None:
    said = claim(committed.nodes["IgammaBackward0"])
    assert said.endswith("; no derivative is declared for `self`")
    assert "no derivative" not in claim(committed.nodes["LgammaBackward0"])
