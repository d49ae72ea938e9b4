"""Derive what a call keeps in terms of its arguments' dimensions, by fake tensors.

The call is made under a fake tensor mode whose sizes are symbols, so that the graph's saved
tensors have sizes that are expressions. No dimension is tied to another unless the call asks.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from generator.probe.calls import Call, Named, first_line
from generator.probe.formulas.names import dimension_names, outcome_name
from generator.probe.formulas.rows import Kept, Key, NotStridedError, read_kept
from generator.tape.compat_tracing import size_hints, symbolic_sizes

Size = Any  # a name or a number
_SOURCE = re.compile(r"\S*\.(cpp|h):\d+: ")  # of the machine that built the release


class Term(NamedTuple):
    """One saved tensor: its elements as an expression, its dtype, the number of its storage."""

    key: Key
    elements: str
    dtype: torch.dtype
    storage: int


class Memory(NamedTuple):
    """One storage: its elements, of the dtype of its first term, and whether it is extra."""

    elements: str
    extra: bool


class Derived(NamedTuple):
    """What one call keeps, in expressions of named dimensions.

    `arguments` gives shapes of names and numbers, `sizes` the dimensions of the call
    that it was derived from, `computed` the sizes that the call computes from them. `conditions`
    are what the derivation took for granted, `meant` which dimensions documentation calls the same.
    """

    arguments: dict[str, list[Size]]
    sizes: dict[str, int]
    computed: dict[str, str]
    terms: list[Term]
    memories: list[Memory]
    conditions: list[str]
    meant: dict[str, str]


class UnderivedError(Exception):
    """There is no formula, for the reason that the message gives."""


class RefusedError(UnderivedError):
    """The call raises at other sizes, or nothing is left that could vary."""

    def __init__(self) -> None:
        super().__init__("the call accepts no other sizes that were tried")


def derive(call: Call, mask: Sequence[str]) -> Derived:
    """Derive what `call` keeps under `mask`. Raises UnderivedError."""
    symbolic = symbolic_sizes()
    if symbolic is None:
        raise UnderivedError("this release has no fake tensors whose equal sizes stay apart")
    environment = symbolic.environment
    mode = symbolic.mode(shape_env=environment)
    mode.cache_enabled = False
    logging.disable(logging.CRITICAL)
    try:
        fakes = [_fake(mode, named) for named in call.tensors]
        with mode:
            run = call.remake(fakes).run(mask)
        kept = read_kept(run)
        return _Reader(environment, call, fakes).derived(kept)
    except NotStridedError as error:
        raise UnderivedError("it keeps a sparse tensor") from error
    except UnderivedError:
        raise
    except Exception as error:
        raise UnderivedError(_SOURCE.sub("", first_line(error))) from error
    finally:
        logging.disable(logging.NOTSET)


def _fake(mode: Any, named: Named) -> Tensor:
    from torch._dynamo.source import ConstantSource
    from torch.fx.experimental.symbolic_shapes import DimDynamic, StatelessSymbolicContext

    sizes = [DimDynamic.DYNAMIC if one > 1 else DimDynamic.STATIC for one in named.tensor.shape]
    place = named.name.replace("[", "_").replace("]", "_").replace(".", "_")
    fake: Tensor = mode.from_tensor(
        named.tensor.detach(),
        symbolic_context=StatelessSymbolicContext(dynamic_sizes=sizes),
        source=ConstantSource(place),
    )
    return fake


class _Reader:
    """Turns symbols into names, and the expressions of one derivation into text."""

    def __init__(self, environment: Any, call: Call, fakes: list[Tensor]) -> None:
        self._environment = environment
        shapes = [
            (named.name, [self.expression(size) for size in fake.shape])
            for named, fake in zip(call.tensors, fakes)
        ]
        order: dict[Any, int] = {}
        for _, sizes in shapes:
            for size in sizes:
                if _number(size) is None:
                    for symbol in sorted(size.free_symbols, key=str):
                        order.setdefault(symbol, len(order))
        names, self._meant = dimension_names(
            [(name, [order.get(size) for size in sizes]) for name, sizes in shapes]
        )
        for number in order.values():
            names.setdefault(number, outcome_name(None, names.values()))
        self.names = {symbol: names[number] for symbol, number in order.items()}
        self.computed: dict[str, str] = {}
        self._by_text: dict[str, str] = {}
        self.arguments = {name: [self.size(one) for one in sizes] for name, sizes in shapes}

    def derived(self, kept: Kept) -> Derived:
        terms = [
            Term(row.key, self.product(row.shape), row.dtype, row.storage) for row in kept.rows
        ]
        memories = [self._memory(number, kept, terms) for number in range(len(kept.stored))]
        hints = size_hints(self._environment)
        sizes = {name: int(hints[symbol]) for symbol, name in self.names.items()}
        return Derived(
            arguments=self.arguments,
            sizes=sizes,
            computed=self.computed,
            terms=terms,
            memories=memories,
            conditions=self._conditions(),
            meant={a: b for a, b in self._meant.items() if sizes.get(a) == sizes.get(b)},
        )

    def expression(self, size: Any) -> Any:
        """Return a size as an expression in which symbols that the call tied are one."""
        return size if isinstance(size, int) else self._environment.replace(size.node.expr)

    def size(self, expression: Any) -> Size:
        """Return a size as a number or a name; what the call computes gets a name of its own."""
        number = _number(expression)
        if number is not None:
            return number
        if expression.is_Symbol:
            return self.names[expression]
        text = self.text(expression)
        if text not in self._by_text:
            known = [name for one, name in self.names.items() if one in expression.free_symbols]
            plain = len(known) == 1 or type(expression).__name__ in ("Add", "FloorDiv")
            base = known[0] if known and plain else None
            name = outcome_name(base, [*self.names.values(), *self.computed])
            self._by_text[text] = name
            self.computed[name] = text
        return self._by_text[text]

    def product(self, shape: Sequence[Any]) -> str:
        """Return the elements of a shape as text: a number, then names."""
        return self.product_of(
            [factor for size in shape for factor in _factors(self.expression(size))]
        )

    def text(self, expression: Any) -> str:
        """Write an expression in whole numbers, names, + - * // % ** min and max."""
        return _written(expression, self.names)

    def _memory(self, number: int, kept: Kept, terms: list[Term]) -> Memory:
        stored = kept.stored[number]
        element = itemsize(stored.dtype)
        elements = _hint(stored.bytes) // element
        for row, term in zip(kept.rows, terms):
            if row.storage == number and _hint(_numel(row.shape)) == elements:
                return Memory(term.elements, stored.extra)
        expression = (self.expression(stored.bytes).expand() / element).expand()
        factors = _factors(expression)
        if all(_number(one) is not None or one.is_Symbol for one in factors):
            return Memory(self.product_of(factors), stored.extra)
        return Memory(self.text(expression), stored.extra)

    def product_of(self, factors: Sequence[Any]) -> str:
        """Return a product of expressions as text."""
        number, names = 1, []
        for factor in factors:
            size = self.size(factor)
            if isinstance(size, int):
                number *= size
            else:
                names.append(size)
        return product_text(number, names, [*self.names.values(), *self.computed])

    def _conditions(self) -> list[str]:
        texts = []
        for guard in self._environment.guards:
            expression = guard.expr.xreplace(self._environment.replacements)
            if expression.free_symbols and expression not in (True, False):
                try:
                    texts.append(self.text(expression))
                except UnderivedError:
                    continue
        return list(dict.fromkeys(texts))


def product_text(number: int, names: list[Size], order: list[str]) -> str:
    """Write a product: `2*N*C`; names in the order in which the dimensions came."""
    if number == 0:
        return "0"
    ordered = sorted(names, key=order.index)
    parts = [str(number)] if number != 1 or not ordered else []
    return "*".join([*parts, *ordered])


def _numel(shape: Sequence[Any]) -> Any:
    number: Any = 1
    for size in shape:
        number = number * size
    return number


def _hint(value: Any) -> int:
    return int(value) if isinstance(value, int) else int(value.node.hint)


def itemsize(dtype: torch.dtype) -> int:
    """Return the bytes of one element."""
    return torch.empty((), dtype=dtype).element_size()


def _number(expression: Any) -> int | None:
    if isinstance(expression, int) or expression.is_Integer:
        return int(expression)
    return None


def _factors(expression: Any) -> list[Any]:
    if isinstance(expression, int):
        return [expression]
    factors: list[Any] = []
    for part in expression.args if expression.is_Mul else (expression,):
        if part.is_Pow and part.exp.is_Integer and part.exp > 0:
            factors += [part.base] * int(part.exp)
        else:
            factors.append(part)
    # A fraction belongs to the rest: N*(N - 1)/2 is one size.
    if any(one.is_Rational and not one.is_Integer for one in factors):
        return [expression]
    return factors


def _written(expression: Any, names: dict[Any, str]) -> str:
    kind = type(expression).__name__
    if expression.is_Integer:
        return str(int(expression))
    if expression.is_Symbol:
        if expression not in names:
            raise UnderivedError("a size depends on the values in a tensor")
        return names[expression]
    if kind == "Mul":
        return _written_product(expression, names)
    return _written_operation(kind, [_written(one, names) for one in expression.args])


def _written_operation(kind: str, parts: list[str]) -> str:
    if kind == "Add":
        ordered = sorted(parts, key=lambda one: (one.lstrip("-").isdigit(), one.startswith("-")))
        return "(" + " + ".join(ordered).replace("+ -", "- ") + ")"
    if kind in ("Min", "Max"):
        return f"{kind.lower()}({', '.join(sorted(parts))})"
    if kind not in _BINARY:
        raise UnderivedError(f"a size is no whole-number expression: {kind}")
    return f"({parts[0]} {_BINARY[kind]} {parts[1]})"


def _written_product(expression: Any, names: dict[Any, str]) -> str:
    number, rest = expression.as_coeff_Mul()
    above, below = int(number.p), int(number.q)
    parts = [_written(one, names) for one in (rest.args if rest.is_Mul else (rest,))]
    text = "*".join(sorted(parts, key=lambda one: (len(one) > 2, one)))
    text = text if above == 1 else f"-{text}" if above == -1 else f"{above}*{text}"
    return text if below == 1 else f"({text} // {below})"


_BINARY = {
    "Pow": "**",
    "FloorDiv": "//",
    "CleanDiv": "//",
    "Mod": "%",
    "PythonMod": "%",
    "Equality": "==",
    "Unequality": "!=",
    "StrictLessThan": "<",
    "LessThan": "<=",
    "StrictGreaterThan": ">",
    "GreaterThan": ">=",
}
