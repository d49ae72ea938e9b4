"""What is said of Python that calls no op: a write past autograd, a name, a test, a definition."""

import ast

_NUMBERS = ("len", "int", "float", "bool", "complex", "str", "repr", "print", "hash", "type", "id")
# What a tensor says of itself, which is no tensor.
SAID = ("shape", "size", "dim", "ndim", "numel", "dtype", "device", "requires_grad", "is_leaf")
_SAID = (*SAID, "grad_fn", "is_contiguous", "stride", "data_ptr", "tolist", "numpy")
# What nests deeper is no code that a person pastes, and reading it would end in a traceback.
DEEPEST = 100
_TESTED = (ast.Is, ast.IsNot, ast.In, ast.NotIn)

NO_TENSOR = "is no op: what it makes is no tensor, and no graph holds it"
A_TEST = "is not one op: Python tests a value, and the test makes no node"
DROPPED = "is no op: it drops a name, and what a graph keeps stays with the graph"
IMPORTS = "is no op: it imports; name the op that is meant"
LATER = "is no op: it defines what is called later; name the op that is meant"


def what_it_is(text: str, site: str) -> str | None:
    """Say of a statement that makes no node what it does; None where it may make one.

    `site` is the address of the release's pages.
    """
    read, told = statement(text), None
    if read is not None and is_hidden_write(read):
        return f"writes through .data, which autograd does not see; see {site}writes/unseen/"
    match read:
        case ast.Delete():
            told = f"{DROPPED}; see {site}guides/memory-that-grows/"
        case ast.Import() | ast.ImportFrom():
            told = IMPORTS
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            told = LATER
        case ast.Expr(value=value):
            told = _of_value(value)
        case ast.Assign(targets=[ast.Attribute()], value=ast.Name() | ast.Constant()):
            told = "is no op: it sets an attribute, and no node is made"
        case ast.Assign(targets=[ast.Name()], value=ast.Name()):
            told = "is no op: it gives a value a name, and no node is made"
    return told


def _of_value(value: ast.expr) -> str | None:
    told = None
    match value:
        case ast.Call(func=ast.Name(id=called)) if called in _NUMBERS:
            told = NO_TENSOR
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=said)) if said in _SAID:
            told = NO_TENSOR
        case ast.Attribute(value=ast.Name(), attr=said) if said in _SAID:
            told = NO_TENSOR
        case ast.BoolOp() | ast.IfExp() | ast.UnaryOp(op=ast.Not()):
            told = A_TEST
        case ast.Compare(ops=tests) if tests[1:] or isinstance(tests[0], _TESTED):
            told = A_TEST
        case ast.Lambda():
            told = LATER
    return told


def statement(text: str) -> ast.stmt | None:
    """Read a text as one statement, or as the first line of one; None where it is neither.

    What nests deeper than `DEEPEST` is not read.
    """
    plain = text.strip()
    for tried in (plain, f"{plain.removesuffix(':')}: pass"):
        try:
            (read,) = ast.parse(tried).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return None if _is_deep(read) else read
    return None


def _is_deep(read: ast.AST) -> bool:
    level = [read]
    for _ in range(DEEPEST):
        level = [child for one in level for child in ast.iter_child_nodes(one)]
    return bool(level)


def is_hidden_write(read: ast.AST) -> bool:
    """Say whether a statement writes to `.data` or a part of it, which makes no node."""
    match read:
        case ast.Assign(targets=targets):
            return any(map(_is_hidden, targets))
        case ast.AugAssign(target=target):
            return _is_hidden(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=called))):
            in_place = called.endswith("_") and not called.endswith("__")
            return in_place and _is_hidden(owner)
    return False


def _is_hidden(target: ast.AST) -> bool:
    parts = (one for one in ast.walk(target) if isinstance(one, ast.Attribute))
    return any(one.attr == "data" for one in parts)
