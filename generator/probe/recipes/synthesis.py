"""Write programs that call an ATen overload, with arguments made from its schema alone.

Nothing is known about an op but the names and types of its arguments, so most programs raise; the
first whose graph holds the node type that is searched for becomes its recipe. The order is fixed:
plain arguments alike in shape first, then arguments drawn one by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from generator.probe.seeds import seed_of
from generator.tape.compat_listings import is_written, overload_call, schema_of, schema_type

SHAPES = ["3", "2, 3", "3, 3", "1, 2, 3", "1, 1, 4, 4", "1, 1, 4, 4, 4", "", "2, 2, 3", "2, 4, 4"]
INTEGERS = ["0", "1", "2", "-1", "3"]
DRAWN = 100
NESTED = "torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)], requires_grad=True)"

# What an argument's name says about the values that it takes, as PyTorch's schemas use names.
INDEX_NAMES = ("ind", "offset", "target", "lengths", "position", "map", "crow", "ccol", "bag")
MASK_NAMES = ("mask", "condition")
# Names of arguments that a program uses for something else.
PLACES = {"self": "x", "output": "result", "list": "tensors"}

VALUES = {
    "int": INTEGERS,
    "float": ["0.5", "1.0", "2.0", "0.0"],
    "number": ["2.0", "1", "0.5", "3"],
    "bool": ["False", "True"],
    "str": ["'mean'", "'none'", "'sum'", "'ij'"],
    "ScalarType": ["torch.float32", "torch.float64"],
    "Layout": ["torch.strided"],
    "Device": ["'cpu'"],
    "MemoryFormat": ["torch.contiguous_format"],
    "List[number]": ["[2.0]"],
}


class Argument(NamedTuple):
    """An argument of a schema; `length` is that of a list of fixed length, else None."""

    name: str
    type: str
    length: int | None
    required: bool
    keyword: bool
    written: bool


def overload_of(name: str) -> Any:
    """Return the overload object of `aten::add.Tensor`.

    Raises AttributeError when the release has no such overload.
    """
    base, _, overload = name.partition("::")[2].partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")


def synthesized(name: str, dispatch: str = "Default") -> Iterator[str]:
    """Yield programs that call the overload `name`, each ending in `output = …`, none twice.

    For the dispatch key of nested tensors the first tensor is one. Raises AttributeError when the
    release has no such overload.
    """
    schema = schema_of(name)
    arguments = [_argument(schema, one) for one in schema.arguments]
    seen = set()
    tensors = [one.name for one in arguments if one.type == "Tensor"]
    nested = {tensors[0]: NESTED} if tensors and "Nested" in dispatch else {}
    for choice in _choices(name, arguments):
        text = _program(name, arguments, {**choice, **nested})
        if text not in seen:
            seen.add(text)
            yield text


def _argument(schema: Any, described: Any) -> Argument:
    return Argument(
        described.name,
        schema_type(described),
        described.N,
        not described.has_default_value(),
        bool(described.kwarg_only),
        is_written(schema, described),
    )


def _choices(name: str, arguments: list[Argument]) -> Iterator[dict[str, str]]:
    """Yield values for the arguments as Python text; those left out keep their defaults."""
    required = [one for one in arguments if one.required]
    for given in (required, arguments):
        for shape in SHAPES:
            for integer in ("1", "0"):
                yield {one.name: _plain(one, shape, integer) for one in given}
    draw = random.Random(seed_of(name))  # noqa: S311  # arguments, no secrets
    for _ in range(DRAWN):
        shapes = draw.sample(SHAPES, 2)
        yield {
            one.name: draw.choice(_values(one, draw.choice(shapes)))
            for one in arguments
            if one.required or draw.random() < 1 / 3
        }


def _plain(one: Argument, shape: str, integer: str) -> str:
    values = _values(one, shape)
    return integer if integer in values else values[0]


def _values(one: Argument, shape: str) -> list[str]:
    """Return the texts that may stand for an argument, the plainest first."""
    kind = one.type
    if kind.startswith("Optional["):
        kind = kind[len("Optional[") : -1]
    if kind == "Tensor":
        return _tensors(one.name, shape)
    if kind in ("List[Tensor]", "List[Optional[Tensor]]"):
        values = _tensors(one.name, shape)
        return [f"[{value}]" for value in values] + [f"[{values[0]}, {values[0]}]"]
    if kind == "List[int]":
        return _sizes(one, shape)
    if kind == "List[bool]":
        return [f"[{', '.join(['True'] * (one.length or 1))}]"]
    return VALUES.get(kind, ["None"])


def _sizes(one: Argument, shape: str) -> list[str]:
    if one.length is not None:
        return [f"[{', '.join([digit] * one.length)}]" for digit in ("1", "2", "0", "3")]
    rank = shape.count(",") + 1 if shape else 0
    order = ", ".join(map(str, range(rank)))
    alike = [", ".join([digit] * n) for digit in ("1", "2", "0") for n in (1, 2, 3)]
    return [f"[{inner}]" for inner in (alike[0], shape, order, *alike[1:], "", "2, 1", "0, 1")]


def _tensors(name: str, shape: str) -> list[str]:
    size = f"({shape})" if shape else "(())"
    real = f"torch.rand{size}"
    others = [
        real,
        f"torch.zeros({shape + ', ' if shape else '(), '}dtype=torch.int64)",
        f"torch.ones({shape + ', ' if shape else '(), '}dtype=torch.bool)",
        f"torch.rand({shape + ', ' if shape else '(), '}dtype=torch.complex64)",
        "torch.rand(1)",
        "torch.rand(2)",
        "torch.rand(4)",
        "torch.tensor([0, 1])",
        "torch.tensor([1, 1])",
        "torch.tensor([[0, 1]])",
    ]
    if any(part in name for part in INDEX_NAMES):
        return [others[1], *others[7:], *others[:1]]
    if any(part in name for part in MASK_NAMES):
        return [others[2], *others[:1]]
    return [real, real, real, real, *others]


def _program(name: str, arguments: list[Argument], choice: dict[str, str]) -> str:
    lines = []
    given = []
    by_name = False
    for one in arguments:
        by_name = by_name or one.keyword or one.name not in choice
        if one.name not in choice:
            continue
        value = choice[one.name]
        if "Tensor" in one.type and value != "None":
            place = PLACES.get(one.name, one.name)
            lines.append(f"{place} = {_requiring(value, one.written)}")
            value = place
        given.append(f"{one.name}={value}" if by_name else value)
    return "\n".join([*lines, f"output = {overload_call(name)}({', '.join(given)})"])


def _requiring(value: str, written: bool) -> str:
    """Let tensors of random numbers require grad; one that is written to is no leaf."""
    if "requires_grad" in value or "torch.rand" not in value:
        return value
    if value.startswith("["):
        return value.replace(")", ", requires_grad=True)")
    return f"{value[:-1]}, requires_grad=True)" + (".clone()" if written else "")
