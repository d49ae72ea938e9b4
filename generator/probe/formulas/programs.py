"""Write a reference program so that its sizes can vary: `(256, 512)` becomes `input.shape`'s.

A call that names the sizes of its arguments as numbers, such as `input.view(256, 8, 64)`, could be
made at no other sizes otherwise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from generator.probe.calls import Named


def with_own_sizes(call: str, tensors: Sequence[Named]) -> str:
    """Return a program's call with each number that is a size of an argument taken from it.

    The first argument with that size gives it; numbers below 8
    are left alone, since they are counts of other things.
    """
    sizes: dict[int, str] = {}
    for named in tensors:
        for place, size in enumerate(named.tensor.shape):
            if size >= SMALLEST:
                # Counted from the last, so that it may be had with more dimensions before.
                sizes.setdefault(size, f"{named.name}.shape[{place - named.tensor.dim()}]")

    class Sizes(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            if type(node.value) is int and node.value in sizes:
                return ast.parse(sizes[node.value], mode="eval").body
            return node

    return ast.unparse(Sizes().visit(ast.parse(call)))


def named_sizes(text: str, arguments: dict[str, list[Any]]) -> str:
    """Write a formula's own names of sizes in the place of `input.shape[0]`."""
    return re.sub(r"([\w\[\]]+)\.shape\[(-?\d+)\]", lambda m: str(arguments[m[1]][int(m[2])]), text)


SMALLEST = 8
