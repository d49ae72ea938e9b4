"""Bytes of broadcast calls, worked out from formulas, against live calls of every such op."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from generator.catalogue.formulas.broadcast import broadcast, is_elementwise
from generator.catalogue.formulas.evaluation import cost, kept_under
from generator.catalogue.model.formulas import Pricing
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.errors import SizesError
from generator.review.sizes import call_of, choose

Sizes = tuple[int, ...]
PAIRS: list[tuple[Sizes, Sizes]] = [
    ((5, 7), (7,)),
    ((7,), (5, 7)),
    ((5, 7), (1, 7)),
    ((5, 1), (1, 7)),
    ((5, 7), ()),
    ((2, 3, 4, 5), (4, 1)),
]


def saved_tensors(value: Any) -> Iterator[torch.Tensor]:
    """Walk a graph and yield what its nodes saved, by their attributes."""
    waiting, seen = [value.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        waiting += [one for one, _ in node.next_functions]
        for name in dir(node):
            if name.startswith("_saved_"):
                saved = getattr(node, name)
                yield from (
                    one
                    for one in (saved if isinstance(saved, list | tuple) else [saved])
                    if isinstance(one, torch.Tensor)
                )


def live(op: OpRecord, pricing: Pricing, shapes: dict[str, Sizes]) -> tuple[int, int]:
    """Make the call with tensors of these shapes; return its logical and its storage bytes."""
    named: dict[str, Any] = {"torch": torch}
    exec(op.references[0].setup, named)  # noqa: S102 - our own programs
    required = op.references[0].measurements[0].mask
    for name, shape in shapes.items():
        like = named[name]
        tensor = torch.rand(shape) + 0.25 if like.is_floating_point() else None
        named[name] = torch.ones(shape, dtype=like.dtype) if tensor is None else tensor
        if name in required:
            named[name].requires_grad_()
    output = eval(call_of(op, pricing), named)  # noqa: S307
    saved = list(saved_tensors(output))
    storages = {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes() for one in saved}
    return sum(one.numel() * one.element_size() for one in saved), sum(storages.values())


def test_every_broadcast_call_keeps_what_its_formula_says(committed: Catalogue) -> None:
    tried, wrong = 0, []
    for op in committed.ops.values():
        priced = [one for one in op.formulas if one.case is None and one.formula is not None]
        for pricing in priced:
            formula = pricing.formula
            if formula is None or not is_elementwise(formula):
                continue
            for first, rest in PAIRS:
                names = [one.name for one in formula.arguments]
                shapes = dict.fromkeys(names, rest) | {names[0]: first}
                try:
                    found = broadcast(op, pricing, formula, shapes)
                except SizesError:
                    continue
                if found is None:
                    continue
                tried += 1
                told = cost(found.formula, found.sizes, "float32", kept_under(found.formula, 0))
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    made = live(op, pricing, shapes)
                if made != (told.logical, told.storage):
                    wrong.append((op.name, shapes, made, (told.logical, told.storage)))
    assert not wrong
    assert tried > 100


@pytest.mark.parametrize(
    ("name", "shape", "said"),
    [
        ("torch.mul", "input=3x5,other=4", "4 and 5 are neither"),
        ("torch.nn.functional.mse_loss", "input=3x5,target=5", "give every argument 3x5"),
        ("torch.mul", "input=3x5,who=5", "no argument 'who'"),
    ],
)
def test_what_is_not_known_is_said_in_one_sentence(
    committed: Catalogue, name: str, shape: str, said: str
) -> None:
    with pytest.raises(SizesError, match=said):
        choose(committed.ops[name], shape, None, None)


def test_a_row_weighs_its_own_size_alone(committed: Catalogue) -> None:
    """`mul` keeps both: 3 · 5 elements and 5, of 4 bytes; of `other` alone the mask decides."""
    priced = choose(committed.ops["torch.mul"], "input=3x5,other=5", None, None)
    assert priced.broadcast == ("other",)
    kept = cost(priced.formula, priced.sizes, priced.dtype, kept_under(priced.formula, 0))
    assert (kept.logical, kept.storage, kept.extra) == (80, 80, 0)
