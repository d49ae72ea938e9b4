"""What a statement of Python calls: one op, as a person may paste it, or several."""

import ast
import re

from generator.catalogue.code.expressions import (
    Names,
    called_by,
    is_by_row,
    is_index,
    is_of_self,
    is_one_call,
    is_plain,
)
from generator.catalogue.code.indices import set_item
from generator.catalogue.code.no_op import is_hidden_write, statement, what_it_is
from generator.catalogue.code.operators import (
    AGAIN,
    BINARY,
    GETITEM,
    INDICES,
    NUMBER,
    OWN,
    PART,
    ROWS,
    SLICED,
    UNBOUND,
    Written,
    special_method,
)

# A name of several words, such as `lora-linear`, and no difference of two tensors.
HYPHENATED = re.compile(r"[A-Za-z]\w+(?:-[A-Za-z]\w+)+")
_WORDS = ast.Name | ast.Constant | ast.Attribute | ast.Tuple
_LOOPS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def written(text: str) -> Written | None:
    """Read an operator, a special method, or a statement of one call; None where it is none."""
    if HYPHENATED.fullmatch(text.strip()):
        return None
    return special_method(text) or _statement(text) or _statement(f"x {text} y")


def several(text: str) -> tuple[Names, ...] | None:
    """Return the names of each call of a statement as Python makes them; None where it is words."""
    read = statement(text)
    if read is None or (isinstance(read, ast.Expr) and isinstance(read.value, _WORDS)):
        return None
    functions = {id(one.func) for one in ast.walk(read) if isinstance(one, ast.Call)}
    values = [
        one for one in ast.walk(read) if isinstance(one, ast.expr) and id(one) not in functions
    ]
    values.sort(key=lambda one: (one.end_lineno, one.end_col_offset, -one.col_offset))
    return tuple(names for one in values if (names := called_by(one)))


def _statement(text: str) -> Written | None:
    read = statement(text)
    if read is None or is_hidden_write(read) or what_it_is(text, "") is not None:
        return None
    found = None
    match read:
        case ast.AugAssign(target=target, op=operator, value=value):
            found = _in_place(target, operator, value)
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            found = set_item(target.slice, value)
        case ast.Assign(targets=[ast.Tuple(elts=each) | ast.List(elts=each)], value=value):
            found = _rows(value) if all(map(_is_name, each)) else None
        case ast.Assign(targets=[ast.Name() | ast.Attribute()], value=value):
            found = _value(value)
        case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
            found = _value(value)
        case ast.For(iter=over):
            found = _rows(over)
    return found


def _is_name(target: ast.expr) -> bool:
    return isinstance(target.value if isinstance(target, ast.Starred) else target, ast.Name)


def _value(value: ast.expr) -> Written | None:
    if isinstance(value, _LOOPS):
        return _rows(value.generators[0].iter)
    names = called_by(value) if is_one_call(value) else ()
    if not names:
        return None
    decided = PART if names[1:] == (SLICED,) else ""
    for is_so, told in ((is_by_row, ROWS), (is_of_self, OWN), (is_index, INDICES)):
        decided = told if is_so(value) else decided
    return Written(names, decided)


def _rows(over: ast.expr) -> Written | None:
    """Read what is iterated over or unpacked: a tensor by its rows, a call by what it makes."""
    if isinstance(over, ast.Call) and not is_by_row(over):
        if isinstance(over.func, ast.Name) and over.func.id == "enumerate" and over.args:
            return _rows(over.args[0])
        return _value(over)
    if isinstance(over, ast.Call) or (is_plain(over) and not isinstance(over, ast.Constant)):
        return Written((UNBOUND,), ROWS)
    return _value(over)


def _in_place(target: ast.expr, operator: ast.operator, value: ast.expr) -> Written | None:
    name = BINARY.get(type(operator))
    if name is None:
        return None
    if isinstance(operator, ast.MatMult):
        return Written((f"torch.{name}",))
    if not isinstance(target, ast.Subscript):
        decided = NUMBER if isinstance(value, ast.Constant) else ""
        return Written((f"torch.Tensor.{name}_", f"torch.{name}"), decided)
    put = set_item(target.slice, None)
    return Written((f"torch.Tensor.{name}_", GETITEM, *put.names), AGAIN)
