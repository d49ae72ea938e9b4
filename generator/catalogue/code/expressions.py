"""The op that one expression of Python calls, as the names that it may have, the likeliest first.

What its operands are made by is left out: `simple` says whether they are made by nothing else.
"""

import ast
import builtins

from generator.catalogue.code.indices import get_item
from generator.catalogue.code.no_op import SAID, statement
from generator.catalogue.code.operators import (
    BINARY,
    COMPARED,
    NUMBER_FIRST,
    UNARY,
    UNBOUND,
    special_method,
)

Names = tuple[str, ...]

_NAMESPACES = ("torch", "nn", "F")
# What is called on these is no method of a tensor.
_OTHERS = ("math", "cmath", "np", "numpy", "scipy")
_SELF = "self"
# What Python's own functions call of a tensor, where that is one method.
_BUILTINS = {"abs": "torch.abs", "pow": "torch.pow", "reversed": "torch.flip"}
_BY_ROW = ("sum", "min", "max", "list", "tuple", "iter", "sorted", "set", "any", "all")
_ROWS_OF_ALL = ("enumerate", "zip", "map", "filter")


def called_by(value: ast.expr) -> Names:
    """Return the names of what the outermost operator, index or call of an expression calls."""
    match value:
        case ast.BinOp(left=left, op=binary):
            first = NUMBER_FIRST if _is_number(left) else BINARY
            name = first.get(type(binary)) or BINARY.get(type(binary))
        case ast.UnaryOp(op=unary):
            name = None if _is_number(value) else UNARY.get(type(unary))
        case ast.Compare(ops=[one]):
            name = COMPARED.get(type(one))
        case ast.Subscript():
            return () if is_plain(value) else get_item(value.slice)
        case ast.Call(func=ast.Name(id=name)):
            return _function(name, value)
        case ast.Call(func=ast.Attribute() as method):
            return () if is_plain(value) else _method(method)
        case ast.Call(func=ast.Call(func=ast.Name() | ast.Attribute() as module) as made):
            return ast.unparse(made), ast.unparse(module)
        case ast.Attribute(value=owner, attr=attribute) if _owner(owner) not in _NAMESPACES:
            return (f"torch.Tensor.{attribute}", f"torch.{attribute}")
        case _:
            name = None
    return (f"torch.{name}",) if name else ()


def _function(name: str, call: ast.Call) -> Names:
    if name in _BUILTINS:
        return (_BUILTINS[name],)
    if is_by_row(call):
        return (UNBOUND,)
    return () if hasattr(builtins, name) else (name,)


def is_by_row(value: ast.expr) -> bool:
    """Say whether a call of Python's own goes through a tensor row by row: `list(x)`, `sum(x)`."""
    match value:
        case ast.Call(func=ast.Name(id=name), args=[_]) if name in _BY_ROW:
            return True
        case ast.Call(func=ast.Name(id=name), args=[_, *_]):
            return name in _ROWS_OF_ALL
    return False


def _method(function: ast.Attribute) -> Names:
    """Name a method, or a function of one of torch's namespaces: `x.sum`, `F.relu`."""
    owner = _owner(function.value)
    if owner in _NAMESPACES:
        return (ast.unparse(function),)
    if owner in _OTHERS:
        return ()
    if owner == _SELF and isinstance(function.value, ast.Name):
        return (function.attr,)
    special = special_method(function.attr) if function.attr.startswith("__") else None
    if special is not None:
        return special.names
    return (f"torch.Tensor.{function.attr}", f"torch.{function.attr}")


def is_index(value: ast.expr) -> bool:
    """Say whether an expression reads a part of a tensor: `x[0]`."""
    return isinstance(value, ast.Subscript)


def is_of_self(value: ast.expr) -> bool:
    """Say whether a call is one of what a module of the reader's own holds: `self.norm(x)`."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))):
            return owner == _SELF
    return False


def _owner(value: ast.expr) -> str:
    """Return the name that a dotted name begins with, or nothing where it is no such name."""
    while isinstance(value, ast.Attribute):
        value = value.value
    return value.id if isinstance(value, ast.Name) else ""


def method_of(text: str) -> str | None:
    """Return the method of a tensor that a line calls last: `y = torch.rand(3).exp()` calls exp."""
    read = statement(text)
    match read:
        case ast.Assign(value=ast.Call(func=ast.Attribute(value=owner, attr=called))):
            pass
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=called))):
            pass
        case _:
            return None
    return None if _owner(owner) in _NAMESPACES else called


def is_one_call(value: ast.expr) -> bool:
    """Say whether an expression calls one thing, with names and numbers alone."""
    operands: list[ast.expr]
    match value:
        case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
            operands = [left, right]
        case ast.UnaryOp(operand=operand) | ast.Subscript(value=operand):
            operands = [operand]
        case ast.Attribute(value=owner):
            return isinstance(owner, ast.Name)
        case ast.Call(func=function, args=given, keywords=named):
            values = [*given, *(each.value for each in named)]
            return _is_named(function) and all(map(_is_argument, values))
        case _:
            return False
    return is_plain(*operands)


def _is_named(function: ast.expr) -> bool:
    match function:
        case ast.Name():
            return True
        case ast.Attribute(value=owner):
            return is_plain(owner)
        case ast.Call(func=ast.Name() | ast.Attribute()):
            return True
    return False


def _is_argument(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple | ast.List):
        return all(map(_is_argument, value.elts))
    return is_plain(value) or isinstance(value, ast.UnaryOp)


def is_plain(*values: ast.expr) -> bool:
    """Say whether operands are names and numbers: what is more is more than one op."""
    return all(map(_is_plain, values))


def _is_plain(value: ast.expr) -> bool:
    match value:
        case ast.Name() | ast.Constant() | ast.Attribute():
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attribute)):
            return attribute in SAID
        case ast.Call(func=ast.Name(id="len")):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
    return _is_number(value)


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.USub | ast.UAdd) and _is_number(value.operand)
    return isinstance(value, ast.Constant)
