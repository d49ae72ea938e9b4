"""Read what Python writes as an operator: `x * y` is torch.mul, `x += 1` torch.Tensor.add_.

The names are those of the methods that Python's data model calls, and of the ops that these are.
"""

import ast

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "bitwise_and",
    ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor",
}
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "neg", ast.Invert: "bitwise_not"}
_METHODS = {"truediv": "div", "floordiv": "floor_divide", "mod": "remainder"}
_SAME = ("add", "sub", "mul", "pow", "matmul", "neg", "abs")


def operator_name(text: str) -> str | None:
    """Return the name of the op behind an expression of one operator; None where it is none."""
    return _method(text) or _expression(text) or _expression(f"x {text} y")


def _method(text: str) -> str | None:
    """Read the name of a special method: `torch.Tensor.__mul__`, `__iadd__`."""
    last = text.rpartition(".")[2]
    if not (last.startswith("__") and last.endswith("__")):
        return None
    bare = last.strip("_")
    if bare in _SAME or bare in _METHODS:
        return f"torch.{_METHODS.get(bare, bare)}"
    written = bare.removeprefix("i")
    if written != bare and (written in _SAME or written in _METHODS):
        return f"torch.Tensor.{_METHODS.get(written, written)}_"
    return None


def _expression(text: str) -> str | None:
    try:
        (read,) = ast.parse(text.strip()).body
    except (SyntaxError, ValueError):
        return None
    if isinstance(read, ast.AugAssign):
        name = _BINARY.get(type(read.op))
        return name and f"torch.Tensor.{name}_"
    return _value(read.value) if isinstance(read, ast.Expr) else None


def _value(value: ast.expr) -> str | None:
    match value:
        case ast.BinOp(left=left, op=binary, right=right) if _is_simple(left) and _is_simple(right):
            name = _BINARY.get(type(binary))
        case ast.UnaryOp(op=unary, operand=operand) if _is_simple(operand):
            name = _UNARY.get(type(unary))
        case ast.Subscript():
            name = "Tensor.__getitem__"
        case _:
            name = None
    return name and f"torch.{name}"


def _is_simple(value: ast.expr) -> bool:
    """Say whether an operand is a name or a number: what is more is more than one op."""
    return isinstance(value, ast.Name | ast.Constant | ast.Attribute)
