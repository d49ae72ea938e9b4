"""Free the sizes that a sample's call names in a list: `torch.broadcast_to(input, (5, 5))`.

A call with such a list could be made at no other sizes. Numbers that are sizes of its first tensor,
counted from the last, are taken for these; whether the call means them so, real calls tell.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from torch import Tensor

from generator.probe.calls import Call
from generator.probe.formulas.price import Mask, free_sizes, price
from generator.probe.formulas.programs import named_sizes

Json = dict[str, Any]


def price_sample(call: Call, masks: Sequence[Mask]) -> Json:
    """Price a sample as it is, or with the lists of sizes that keep its own from varying freed."""
    priced = price(call, masks)
    text = _with_sizes(call)
    fixed = priced["state"] == "none" or _fixes_a_size(priced)
    if text is None or not fixed:
        return {"call": call.text, **priced}
    freed = price(_freed(call), masks)
    if freed["state"] == "none" or free_sizes(freed) <= free_sizes(priced):
        return {"call": call.text, **priced}
    return {"call": named_sizes(text, dict(freed["formula"]["arguments"])), **freed}


def _fixes_a_size(priced: Json) -> bool:
    shapes = [shape for _, shape in priced["formula"]["arguments"]]
    return any(isinstance(one, int) and one > 1 for shape in shapes for one in shape)


def _freed(call: Call) -> Call:
    old = call.tensors[0].tensor.shape

    def remake(inputs: Sequence[Tensor]) -> Call:
        new = inputs[0].shape
        return _freed(call.remake(inputs, lambda value: _aligned(value, old, new)))

    return call._replace(remake=remake)


def _aligned(value: Any, old: Sequence[int], new: Sequence[int]) -> Any:
    if isinstance(value, dict):
        return {name: _aligned(item, old, new) for name, item in value.items()}
    if not isinstance(value, (list, tuple)) or hasattr(value, "_fields"):
        return value
    places = _places(value, old)
    if places is None:
        return type(value)(_aligned(item, old, new) for item in value)
    return type(value)(
        item if place is None else new[place - len(old)] for item, place in zip(value, places)
    )


def _places(value: Sequence[Any], old: Sequence[int]) -> list[int | None] | None:
    """Return which size each number of a list is, counted from the last; None for other lists."""
    if not value or not all(type(item) is int for item in value):
        return None
    start = len(old) - len(value)
    return [
        start + at if start + at >= 0 and old[start + at] == item and item > 1 else None
        for at, item in enumerate(value)
    ]


def _with_sizes(call: Call) -> str | None:
    """Write the call with `input.shape[0]` in the place of such numbers; None if it has none."""
    if not call.tensors:
        return None
    named = call.tensors[0]
    found: list[int] = []

    class Sizes(ast.NodeTransformer):
        def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
            return self._list(node)

        def visit_List(self, node: ast.List) -> ast.AST:
            return self._list(node)

        def _list(self, node: Any) -> ast.AST:
            items = [one.value if isinstance(one, ast.Constant) else one for one in node.elts]
            places = _places(items, named.tensor.shape)
            for at, place in enumerate(places or ()):
                if place is not None:
                    found.append(place)
                    text = f"{named.name}.shape[{place}]"
                    node.elts[at] = ast.parse(text, mode="eval").body
            self.generic_visit(node)
            changed: ast.AST = node
            return changed

    try:
        text = ast.unparse(Sizes().visit(ast.parse(call.text)))
    except SyntaxError:
        return None  # a call that is told in words
    return text if found else None
