"""Read what Python writes without naming an op: `x * y` is torch.mul, `x[mask] = 0` an index_put_.

The names are those of the methods that Python's data model calls, of the ops that these are, and,
where a call makes a node that no op is called by, of that node. What cannot be told from the text
alone, such as whether an index is a number or a tensor, has several names and a sentence.
"""

import ast
from dataclasses import dataclass

BINARY: dict[type[ast.operator], str] = {
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
NUMBER_FIRST: dict[type[ast.operator], str] = {
    ast.Sub: "rsub",
    ast.Div: "Tensor.__rdiv__",
    ast.Pow: "Tensor.__rpow__",
}
UNARY: dict[type[ast.unaryop], str] = {
    ast.USub: "neg",
    ast.UAdd: "positive",
    ast.Invert: "bitwise_not",
}
COMPARED: dict[type[ast.cmpop], str] = {
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

GETITEM = "torch.Tensor.__getitem__"
PUT = "torch.index_put"
INDEXED = "torch.Tensor.index_put_"
SLICED = "CopySlices"
UNBOUND = "torch.unbind"
# Python gives the number as a tensor, and the release names the node of that.
FILLED = "aten::fill_.Tensor"
COPIED = "torch.Tensor.copy_"

PART = (
    "a write to a part of a tensor. Where an index is a number, None or a slice that leaves"
    " something out, it goes to a view, and the tensor has the node"
    f" {SLICED}; with lists, masks and tensors of indices alone it is index_put_"
)
WHOLE = "a write to the whole tensor: fill_ with a number, copy_ with a tensor"
ROWS = (
    "a tensor that is iterated over or unpacked: one unbind along its first dimension; what is done"
    " with the rows are calls of their own"
)
INDICES = (
    "each index is a call of its own: a number makes a select, a slice a slice, None an unsqueeze,"
    " a list, a mask or a tensor an index, and what leaves nothing out an alias"
)
OWN = "a part of your own class, taken for what is called so here; name its module if it is another"
NUMBER = (
    "in place with a number, which cannot require grad: where grad masks differ, that of the tensor"
    " alone is meant"
)
AGAIN = "three calls: x[i], the operator in place on that, and x[i] = … of what it made"

# The methods of Python that make what is called so, to search for.
ITEMS_OF = {GETITEM: ("getitem",), PUT: ("setitem",), SLICED: ("setitem",)}


@dataclass(frozen=True)
class Written:
    """The names that a piece of code stands for, the likeliest first, and what decides, if any."""

    names: tuple[str, ...]
    decided: str = ""


def special_method(text: str) -> Written | None:
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
