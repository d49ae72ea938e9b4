"""Read what Python writes without naming an op: `x * y` is torch.mul, `x[mask] = 0` an index_put_.

The names are those of the methods that Python's data model calls, of the ops that these are, and,
where a call makes a node that no op is called by, of that node. What cannot be told from the text
alone, such as whether an index is a number or a tensor, has several names and a sentence.
"""

import ast
import builtins
import re
from dataclasses import dataclass

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
    ast.LShift: "bitwise_left_shift",
    ast.RShift: "bitwise_right_shift",
}
# Where a number comes first, Python calls the other one's method.
_NUMBER_FIRST: dict[type[ast.operator], str] = {
    ast.Sub: "rsub",
    ast.Div: "Tensor.__rdiv__",
    ast.Pow: "Tensor.__rpow__",
}
_UNARY: dict[type[ast.unaryop], str] = {
    ast.USub: "neg",
    ast.UAdd: "positive",
    ast.Invert: "bitwise_not",
}
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
_METHODS = {"truediv": "div", "floordiv": "floor_divide", "mod": "remainder"}
_SAME = ("add", "sub", "mul", "pow", "matmul", "neg", "abs")
_REVERSED = {
    "radd": "radd",
    "rmul": "rmul",
    "rpow": "rpow",
    "rmatmul": "rmatmul",
    "rtruediv": "rdiv",
}
_ITEMS = ("getitem", "setitem")
_NAMESPACES = ("torch", "nn", "F")
# A name of several words, such as `lora-linear`, and no difference of two tensors.
HYPHENATED = re.compile(r"[A-Za-z]\w+(?:-[A-Za-z]\w+)+")

GETITEM = "torch.Tensor.__getitem__"
PUT = "torch.index_put"
INDEXED = "torch.Tensor.index_put_"
SLICED = "CopySlices"
# Python gives the number as a tensor, and the release names the node of that.
FILLED = "aten::fill_.Tensor"
COPIED = "torch.Tensor.copy_"

PART = (
    "a write to a part of a tensor. Where an index is a number, None or a slice that leaves"
    " something out, it goes to a view, and the tensor has the node"
    f" {SLICED}; with lists, masks and tensors of indices alone it is index_put_"
)
WHOLE = "a write to the whole tensor: fill_ with a number, copy_ with a tensor"
AGAIN = "three calls: x[i], the operator in place on that, and x[i] = … of what it made"

# The methods of Python that make what is called so, to search for.
ITEMS_OF = {GETITEM: ("getitem",), PUT: ("setitem",), SLICED: ("setitem",)}


@dataclass(frozen=True)
class Written:
    """The names that a piece of code stands for, the likeliest first, and what decides, if any."""

    names: tuple[str, ...]
    decided: str = ""


def written(text: str) -> Written | None:
    """Read an operator, a special method, or a statement of one call; None where it is none."""
    if HYPHENATED.fullmatch(text.strip()):
        return None
    return _method(text) or _statement(text) or _statement(f"x {text} y")


def _method(text: str) -> Written | None:
    """Read the name of a special method: `torch.Tensor.__mul__`, `__iadd__`, `operator.setitem`."""
    last = text.rpartition(".")[2]
    bare = last.strip("_")
    special = last == f"__{bare}__"
    if not special and text not in (bare, f"operator.{bare}"):
        return None
    if bare in _ITEMS:
        return Written((GETITEM,)) if bare == "getitem" else Written((INDEXED, SLICED), PART)
    if (special or text != bare) and (bare in _SAME or bare in _METHODS):
        return Written((f"torch.{_METHODS.get(bare, bare)}",))
    if bare in _REVERSED:
        return Written((f"torch.Tensor.__{_REVERSED[bare]}__",))
    plain = bare.removeprefix("i")
    if plain != bare and (plain in _SAME or plain in _METHODS):
        return Written((f"torch.Tensor.{_METHODS.get(plain, plain)}_",))
    return Written((f"torch.{_METHODS[bare]}",)) if bare in ("truediv", "floordiv") else None


def _statement(text: str) -> Written | None:
    try:
        (read,) = ast.parse(text.strip()).body
    except (SyntaxError, ValueError):
        return None
    match read:
        case ast.AugAssign(target=target, op=operator) if not _is_hidden(target):
            return _in_place(target, operator)
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            return None if _is_hidden(target) else _set_item(target.slice, value)
        case ast.Assign(targets=[ast.Tuple(elts=each)], value=ast.Call() as value):
            named = all(isinstance(one, ast.Name) for one in each)
            return Written(names) if named and (names := _value(value)) else None
        case ast.Assign(targets=[ast.Name()], value=value) | ast.Expr(value=value):
            names = _value(value)
            return Written(names, PART if names[1:] == (SLICED,) else "") if names else None
    return None


def _in_place(target: ast.expr, operator: ast.operator) -> Written | None:
    name = _BINARY.get(type(operator))
    if name is None:
        return None
    if isinstance(operator, ast.MatMult):
        return Written((f"torch.{name}",))
    if not isinstance(target, ast.Subscript):
        return Written((f"torch.Tensor.{name}_", f"torch.{name}"))
    put = _set_item(target.slice, None)
    return Written((f"torch.Tensor.{name}_", GETITEM, *put.names), AGAIN)


def is_code(text: str) -> bool:
    """Say whether a text that names nothing is Python that does something, not words."""
    try:
        read = ast.parse(text.strip())
    except (SyntaxError, ValueError):
        return False
    doing = (ast.BinOp, ast.Call, ast.Assign, ast.AugAssign, ast.Subscript, ast.IfExp, ast.Lambda)
    return any(isinstance(one, doing) for one in ast.walk(read))


def is_deletion(text: str) -> bool:
    """Say whether a text is Python's `del`."""
    try:
        return isinstance(ast.parse(text.strip()).body[0], ast.Delete)
    except (SyntaxError, ValueError, IndexError):
        return False


def is_hidden_write(text: str) -> bool:
    """Say whether a text is a statement that writes to `.data` or a part of it."""
    try:
        (read,) = ast.parse(text.strip()).body
    except (SyntaxError, ValueError):
        return False
    targets = read.targets if isinstance(read, ast.Assign) else [getattr(read, "target", read)]
    return any(map(_is_hidden, targets))


def _is_hidden(target: ast.AST) -> bool:
    """Say whether what is written to is `.data`, of which autograd makes no node."""
    parts = (one for one in ast.walk(target) if isinstance(one, ast.Attribute))
    return any(one.attr == "data" for one in parts)


def _set_item(index: ast.expr, value: ast.expr | None) -> Written:
    """Read `x[index] = value` by what can be seen of the index.

    One number, None or slice makes a view of it, and only `:` and `...` leave the tensor whole.
    """
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    if all(map(_is_whole, indices)):
        number = isinstance(value, ast.Constant)
        return Written((FILLED, COPIED) if number else (COPIED, FILLED), WHOLE)
    rest = [one for one in indices if not _is_whole(one)]
    if any(map(_makes_view, rest)):
        return Written((SLICED, INDEXED), PART)
    if any(isinstance(one, ast.Name) and len(one.id) == 1 for one in rest):
        return Written((SLICED, INDEXED), PART)
    return Written((INDEXED, SLICED), PART)


def _is_whole(index: ast.expr) -> bool:
    match index:
        case ast.Constant(value=value):
            return value is Ellipsis
        case ast.Slice(lower=None, upper=None, step=None):
            return True
    return False


def _makes_view(index: ast.expr) -> bool:
    match index:
        case ast.Constant() | ast.Slice() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
    return False


def _value(value: ast.expr) -> tuple[str, ...]:
    match value:
        case ast.BinOp(left=left, op=binary, right=right) if _are_simple(left, right):
            first = _NUMBER_FIRST if isinstance(left, ast.Constant) else _BINARY
            name = first.get(type(binary)) or _BINARY.get(type(binary))
        case ast.UnaryOp(op=unary, operand=operand) if _are_simple(operand):
            name = _UNARY.get(type(unary))
        case ast.Compare(left=left, ops=[one], comparators=[right]) if _are_simple(left, right):
            name = _COMPARED.get(type(one))
        case ast.Subscript(value=owner) if _are_simple(owner):
            return (GETITEM,)
        case ast.Call(func=ast.Name() | ast.Attribute() as function):
            return _called(value, function)
        case ast.Attribute(value=ast.Name(id=owner), attr=attribute) if owner not in _NAMESPACES:
            return f"torch.Tensor.{attribute}", f"torch.{attribute}"
        case _:
            name = None
    return (f"torch.{name}",) if name else ()


def _called(call: ast.Call, function: ast.Name | ast.Attribute) -> tuple[str, ...]:
    """Read a call of one function or method with names and numbers: `x.sum(dim=1)`, `F.relu(x)`."""
    given = [*call.args, *(each.value for each in call.keywords)]
    if not all(map(_is_argument, given)):
        return ()
    if isinstance(function, ast.Name):
        # Python's own sum and max go through a tensor row by row; its abs calls __abs__.
        return () if hasattr(builtins, function.id) and function.id != "abs" else (function.id,)
    owner = ast.unparse(function.value)
    if owner.partition(".")[0] in _NAMESPACES:
        return (f"{owner}.{function.attr}",)
    if not _are_simple(function.value):
        return ()
    special = _method(function.attr) if function.attr.startswith("__") else None
    if special is not None:
        return special.names
    return f"torch.Tensor.{function.attr}", f"torch.{function.attr}"


def _is_argument(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple | ast.List):
        return all(map(_is_argument, value.elts))
    return _are_simple(value) or isinstance(value, ast.UnaryOp)


def _are_simple(*values: ast.expr) -> bool:
    """Say whether operands are names and numbers: what is more is more than one op."""
    return all(isinstance(value, ast.Name | ast.Constant | ast.Attribute) for value in values)
