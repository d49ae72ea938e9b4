"""Read, evaluate and write out the expressions of byte formulas, without running them as code.

An expression is made of whole numbers, names of dimensions, + - * // % **, min(), max() and
comparisons; anything else is refused. `steps` gives it in the order in which a machine with a
stack evaluates it, which is also what pages hand to the reader's browser.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache

from generator.errors import CatalogueError

Step = int | str

_BINARY: dict[type, tuple[str, Callable[[int, int], int]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_CALLS: dict[str, Callable[[int, int], int]] = {"min": min, "max": max}
OPERATORS = {**dict(_BINARY.values()), **_CALLS}


@lru_cache(maxsize=4096)
def steps(text: str) -> tuple[Step, ...]:
    """Return an expression in postfix order: `2*N + 1` is 2, N, *, 1, +.

    Raises CatalogueError for text that is no such expression.
    """
    try:
        return tuple(_steps(ast.parse(text, mode="eval").body))
    except (SyntaxError, ValueError, RecursionError) as error:
        raise CatalogueError(f"{text!r} is no expression of whole numbers") from error


def evaluate(text: str, sizes: Mapping[str, int]) -> int:
    """Return the value of an expression at these sizes.

    Raises CatalogueError for a name without a size, and for a division by zero.
    """
    stack: list[int] = []
    for step in steps(text):
        if isinstance(step, int):
            stack.append(step)
        elif step in OPERATORS:
            right, left = stack.pop(), stack.pop()
            stack.append(_applied(step, left, right, text))
        elif step in sizes:
            stack.append(sizes[step])
        else:
            raise CatalogueError(f"{text!r} speaks of {step}, which has no size")
    return int(stack.pop())


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of dimensions in an expression, each once, in order."""
    named = [one for one in steps(text) if isinstance(one, str) and one not in OPERATORS]
    return tuple(dict.fromkeys(named))


def shown(text: str) -> str:
    """Write an expression as people do: `2*N*(C // 2)` is 2·N·⌊C / 2⌋; leave what is none."""
    try:
        return _shown(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return text


def factors(text: str) -> tuple[int, tuple[str, ...]] | None:
    """Return a product of a number and names; None for any other expression."""
    parts = text.split("*")
    if not all(part.isidentifier() or part.isdigit() for part in parts):
        return None
    number = 1
    for part in parts:
        number *= int(part) if part.isdigit() else 1
    return number, tuple(part for part in parts if not part.isdigit())


def _applied(step: str, left: int, right: int, text: str) -> int:
    try:
        return OPERATORS[step](left, right)
    except ZeroDivisionError as error:
        raise CatalogueError(f"{text!r} divides by zero") from error


def _steps(node: ast.expr) -> list[Step]:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int(number)):
            return [number]
        case ast.Name(id=name):
            return [name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return [0, *_steps(operand), "-"]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return [*_steps(left), *_steps(right), _BINARY[type(op)][0]]
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _BINARY:
            return [*_steps(left), *_steps(right), _BINARY[type(op)][0]]
        case ast.Call(func=ast.Name(id=name), args=[first, *rest], keywords=[]) if name in _CALLS:
            found = _steps(first)
            for one in rest:
                found += [*_steps(one), name]
            return found
    raise ValueError(ast.dump(node))


_SIGNS: dict[type, str] = {
    ast.Add: " + ",
    ast.Sub: " - ",
    ast.Mult: "·",
    ast.Mod: " mod ",
    ast.Pow: "^",
}
_RELATIONS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
_TIGHT = (ast.Mult, ast.Mod, ast.Pow)


def _shown(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=number):
            return f"{number:,}" if isinstance(number, int) else str(number)
        case ast.Name(id=name):
            return name
        case ast.UnaryOp(operand=operand):
            return f"-{_grouped(operand)}"
        case ast.BinOp():
            return _shown_binary(node)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            sign = _BINARY[type(op)][0]
            return f"{_shown(left)} {_RELATIONS.get(sign, sign)} {_shown(right)}"
        case _:
            return ast.unparse(node)


def _shown_binary(node: ast.BinOp) -> str:
    left, right = node.left, node.right
    if isinstance(node.op, ast.FloorDiv):
        return f"⌊{_grouped(left)} / {_grouped(right)}⌋"
    before = _grouped if isinstance(node.op, _TIGHT) else _shown
    after = _shown if isinstance(node.op, ast.Add) else _grouped
    return f"{before(left)}{_SIGNS[type(node.op)]}{after(right)}"


def _grouped(node: ast.expr) -> str:
    sums = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return f"({_shown(node)})" if sums else _shown(node)
