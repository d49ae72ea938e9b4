"""The calls of cases are ones that live torch accepts, as far as their text can tell."""

import inspect
import re
import warnings
from typing import Any

import pytest
import torch

from generator.catalogue.case_calls import uncallable, written_call
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Case, Catalogue, OpRecord

REFUSED = re.compile(r"failed to match any schema|missing .+ argument|unexpected keyword")


def tensor(argument: Argument) -> torch.Tensor:
    assert argument.dtype is not None
    dtype = getattr(torch, argument.dtype)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.rand(argument.shape or ()).to(dtype)
    return torch.ones(argument.shape or (), dtype=dtype)


def refused(text: str, case: Case) -> str | None:
    """Say why torch does not take a call at all; None where it does, whatever the values are."""
    named: dict[str, Any] = {"torch": torch}
    for one in case.arguments:
        if one.shape is not None:
            stem, _, place = one.name.partition("[")
            value = tensor(one)
            if place:
                named.setdefault(stem, []).append(value)
            else:
                named[one.name] = value
    try:
        eval(text, named)  # noqa: S307 - calls of the catalogue
    except (NameError, TypeError) as error:
        return str(error)
    except (RuntimeError, ValueError, IndexError) as error:
        return str(error) if REFUSED.search(str(error)) else None
    return None


def test_torch_takes_every_call_that_no_remark_is_about(committed: Catalogue) -> None:
    wrong, remarked, tried = {}, set(), set()
    for op in committed.ops.values():
        for case in op.cases:
            text = written_call(op, case)
            if text in tried or "(…)" in text:
                continue
            tried.add(text)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                why = refused(text, case)
            if uncallable(op, case):
                remarked.add(op.name)
                assert why is not None
            elif why is not None:
                wrong[text] = why
    assert not wrong
    assert remarked == {"torch.ops.aten.max_pool2d_with_indices_backward"}
    assert len(tried) > 700


@pytest.mark.parametrize("name", ["T", "H", "mT", "mH"])
def test_a_property_is_read_and_not_called(committed: Catalogue, name: str) -> None:
    assert inspect.isgetsetdescriptor(getattr(torch.Tensor, name))
    op = committed.ops[f"torch.Tensor.{name}"]
    assert {written_call(op, case) for case in op.cases} == {f"input.{name}"}


def test_an_object_is_written_as_one_that_was_made(committed: Catalogue) -> None:
    op = committed.ops["torch.nn.functional.triplet_margin_with_distance_loss"]
    texts = [written_call(op, case) for case in op.cases]
    assert any("distance_function=PairwiseDistance(…)" in text for text in texts)
    assert not any(re.search(r"=True\(|=None\(", text) for text in texts)


def test_a_method_is_no_property(committed: Catalogue) -> None:
    op: OpRecord = committed.ops["torch.exp"]
    assert [written_call(op, case) for case in op.cases] == [case.call for case in op.cases]
