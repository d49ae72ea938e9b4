"""Programs of plain PyTorch as a release can run them: what it lacks or names otherwise, rewritten.

Programs are written for newer releases. Each rewriting asks the release whether it needs it, so
that what a page shows is what was run there.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor

from generator.tape import compat, compat_listings


class Rewriting(NamedTuple):
    """Patterns and what to write in their place where the release needs that."""

    needed: Callable[[], bool]
    patterns: tuple[tuple[str, str], ...]


def in_this_release(program: str) -> str:
    """Write a program of plain PyTorch with the names that the release has for what it calls."""
    return rewritten(program, NEEDED)


def rewritten(program: str, rewritings: Iterable[Rewriting]) -> str:
    """Write a program with these rewritings, in their order."""
    for one in rewritings:
        for pattern, instead in one.patterns:
            program = re.sub(pattern, instead, program)
    return program


def _texts(*pairs: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return patterns for plain text."""
    return tuple((re.escape(old), new.replace("\\", r"\\")) for old, new in pairs)


def _raises(call: Callable[[], object]) -> bool:
    try:
        call()
    except (RuntimeError, TypeError, AttributeError):
        return True
    return False


def _takes(function: Callable[..., object], name: str) -> bool:
    return name in inspect.signature(function).parameters


def _imports_capsules_alone() -> bool:
    return _raises(lambda: import_module("torch.utils.dlpack").from_dlpack(torch.ones(1)))


def _lacks_nan_of_complex() -> bool:
    zero = torch.zeros(1, dtype=torch.complex64)
    return _raises(lambda: torch.allclose(zero, zero, equal_nan=True))


def _lacks_dense_of_strided() -> bool:
    return _raises(lambda: torch.empty(0).to_dense())


def _takes_dtype_in_softmax_backward() -> bool:
    one = torch.ones(1)
    return not _raises(lambda: torch._softmax_backward_data(one, one, 0, torch.float32))


_IDENTITY = "saved_tensors_hooks(lambda {one}: {one}, lambda {one}: {one})"


def _loses_saved_leaves() -> bool:
    grad, made = (torch.ones(1, requires_grad=True) for _ in range(2))
    backward: Any = torch._softmax_backward_data
    try:
        node: Any = backward(grad, made, 0, grad).grad_fn
    except TypeError:  # it takes a dtype where all that is saved can be read
        return False
    return _raises(lambda: node._saved_output)


# What programs have for the sake of hooks, and do without where there are none.
_OF_HOOKS = _texts(
    ("from torch.autograd.graph import save_on_cpu, saved_tensors_hooks\n", ""),
    ("from torch.autograd.graph import saved_tensors_hooks\n", ""),
    *(
        (f"def identity():\n    return {_IDENTITY.format(one=x)}\n\n\n", "")
        for x in ("one", "tensor")
    ),
    (', "identity hooks": outcome(identity)', ""),
    (', "identity hooks": identity, "save_on_cpu": save_on_cpu', ""),
)

_TIMES = '''\
def times(tensor, factor):
    """Multiply, also a matrix of compressed rows, which no product here takes a number with."""
    if tensor.layout == torch.sparse_csr:
        return (tensor.to_dense() * factor).to_sparse_csr()
    return tensor * factor


def other_values('''

_EDGES = """
$require
# A saved leaf can be read where an edge led to it when it was saved, and still does.
leaves = [one for one in list(globals().values()) if isinstance(one, torch.Tensor)]
edges = [one.view_as(one) for one in leaves if one.requires_grad]
$call
"""
_OF_PARTS = """\
parts = (torch.view_as_real(t) if t.is_complex() else t for t in (one, other))
        if torch.allclose(*parts, rtol=0,"""

REWRITINGS: dict[str, Rewriting] = {
    "a typed storage's resize_ counts elements, and may return nothing": Rewriting(
        lambda: compat.STORAGE == "storage",
        (
            (
                r"(\w+)\.untyped_storage\(\)\.resize_\(12\)\.fill_\(0\)",
                r"\1.storage().resize_(3)\n\1.storage().fill_(0)",
            ),
        ),
    ),
    "DLPack passes a capsule, not a tensor": Rewriting(
        _imports_capsules_alone,
        (
            (
                r"torch\.utils\.dlpack\.from_dlpack\((\w+\.detach\(\))\)",
                r"torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(\1))",
            ),
        ),
    ),
    "a storage does not tell its bytes": Rewriting(
        lambda: not hasattr(compat.storage_of(torch.empty(0)), "nbytes"),
        (
            (
                r"\b(\w+)\.untyped_storage\(\)\.nbytes\(\)",
                r"\1.storage().size() * \1.element_size()",
            ),
        ),
    ),
    "there is but the typed storage": Rewriting(
        lambda: compat.STORAGE == "storage", (("untyped_storage", "storage"),)
    ),
    "there are no hooks": Rewriting(lambda: compat.PACK_HOOKS is None, _OF_HOOKS),
    "there are no nested tensors": Rewriting(
        lambda: not hasattr(Tensor, "is_nested"), _texts(("value.is_nested", "False"))
    ),
    "to_dense takes no strided tensor": Rewriting(
        _lacks_dense_of_strided,
        _texts(
            (
                "one, other = one.to_dense(), other.to_dense()",
                "one, other = (t.to_dense() if t.is_sparse else t for t in (one, other))",
            ),
        ),
    ),
    "no not-a-number of complex numbers is like another": Rewriting(
        _lacks_nan_of_complex,
        _texts(("if torch.allclose(one, other, rtol=0,", _OF_PARTS)),
    ),
    "no matrix of compressed rows is multiplied by a number": Rewriting(
        lambda: not compat.MULTIPLIES_ROWS,
        _texts(
            ("def other_values(", _TIMES),
            ("near = tensor * 1.5", "near = times(tensor, 1.5)"),
            ("[near, -near, near * 0.015625]", "[near, -near, times(near, 0.015625)]"),
        ),
    ),
    "an operator's overloads are no objects": Rewriting(
        lambda: not compat_listings.OVERLOAD_OBJECTS, ((r"(torch\.ops\.aten\.\w+)\.\w+\(", r"\1("),)
    ),
    "to_sparse takes no layout": Rewriting(
        lambda: not compat.TO_ANY_LAYOUT,
        _texts(("to_sparse(layout=start.layout)", "to_sparse_csr()")),
    ),
    "there is no mT": Rewriting(
        lambda: not hasattr(Tensor, "mT"), ((r"\.mT\b", ".transpose(-2, -1)"),)
    ),
    "there is no lu_factor": Rewriting(
        lambda: not hasattr(torch.linalg, "lu_factor"),
        ((r"\btorch\.linalg\.lu_factor\(", "torch.lu("),),
    ),
    "meshgrid indexes in one way": Rewriting(
        lambda: not _takes(torch.functional.meshgrid, "indexing"), _texts((', indexing="ij"', ""))
    ),
    "the gradient of softmax takes its input, not a dtype": Rewriting(
        lambda: not _takes_dtype_in_softmax_backward(),
        (
            (
                r"(_softmax_backward_data\((\w+), .*), torch\.float32\)",
                r"\1, torch.zeros_like(\2))",
            ),
        ),
    ),
    "a saved leaf can be read only while an edge leads to it": Rewriting(
        _loses_saved_leaves,
        _texts(("\n$require\n$call\n", _EDGES)),
    ),
    "an op may be a function of Python": Rewriting(
        lambda: hasattr(getattr(torch, "_autograd_functions", None), "_LU"),
        _texts(
            (
                'if attribute.startswith("_saved_"):',
                'if attribute.startswith("_saved_") or attribute == "saved_tensors":',
            ),
        ),
    ),
    "a checkpoint is always reentrant": Rewriting(
        lambda: not _takes(import_module("torch.utils.checkpoint").checkpoint, "use_reentrant"),
        _texts((", use_reentrant=True)", ")")),
    ),
}

NEEDED = tuple(one for one in REWRITINGS.values() if one.needed())
