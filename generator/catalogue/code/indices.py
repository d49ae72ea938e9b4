"""What reading or writing a part of a tensor calls, as far as its indices can be seen."""

import ast

from generator.catalogue.code.operators import (
    COPIED,
    FILLED,
    GETITEM,
    INDEXED,
    PART,
    SLICED,
    WHOLE,
    Written,
)

# What indices make, by the node of it, or the op where it is called by more than indices.
NEW_AXIS = "torch.unsqueeze"
ONE = "SelectBackward0"
SOME = "SliceBackward0"
LISTED = "IndexBackward0"
ALL = "AliasBackward0"


def get_item(index: ast.expr) -> tuple[str, ...]:
    """Name what `x[index]` may be, the likeliest first: an op where it is one alone."""
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    rest = [one for one in indices if not _is_whole(one)]
    if not rest:
        return (GETITEM, SOME if isinstance(index, ast.Slice) else ALL)
    made = [name for one in rest for name in _made_by(one)]
    return tuple(dict.fromkeys((*made, GETITEM) if {*made} == {NEW_AXIS} else (GETITEM, *made)))


def _made_by(index: ast.expr) -> tuple[str, ...]:
    """Name what one index makes that does not leave the tensor whole."""
    match index:
        case ast.Constant(value=None):
            return (NEW_AXIS,)
        case ast.Constant(value=bool()):
            return (LISTED,)
        case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return (ONE,)
        case ast.Slice():
            return (SOME,)
        case ast.Name(id=name) if len(name) == 1:
            return (ONE, LISTED)
    return (LISTED, ONE)


def set_item(index: ast.expr, value: ast.expr | None) -> Written:
    """Read `x[index] = value` by what can be seen of the index.

    One number, None or slice makes a view of it, and only `:` and `...` leave the tensor whole.
    """
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    if all(map(_is_whole, indices)):
        number = isinstance(value, ast.Constant)
        return Written((FILLED, COPIED) if number else (COPIED, FILLED), WHOLE)
    rest = [one for one in indices if not _is_whole(one)]
    if all(map(_makes_view, rest)):
        return Written((SLICED,), PART)
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
