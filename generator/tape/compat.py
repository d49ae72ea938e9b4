"""What differs between the releases that are measured, each difference told by asking the release.

Nothing here knows a version number: an entry says what a release may lack, and what stands in.
"""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Callable

import torch
import torch.overrides
from torch import Tensor

# Tensors show their storage as `untyped_storage`, or as a typed `storage` with the same `_cdata`.
STORAGE = "untyped_storage" if hasattr(Tensor, "untyped_storage") else "storage"


def storage_of(tensor: Tensor) -> Any:
    """Return the storage object of a strided tensor; its `_cdata` is the storage's identity."""
    try:
        return getattr(tensor, STORAGE)()
    except RuntimeError:
        if not tensor.is_complex():
            raise
        # A typed storage of complex numbers may be unknown where that of their parts is not.
        return getattr(torch.view_as_real(tensor), STORAGE)()


def storage_bytes(storage: Any) -> int:
    """Return the bytes of a storage; a typed one may count nothing but its elements."""
    # As they come: those of a fake tensor are symbolic, and `int` would make a number of them.
    counted: int = (
        storage.nbytes() if hasattr(storage, "nbytes") else storage.size() * storage.element_size()
    )
    return counted


def _reads_counted() -> bool:
    one = torch.ones(1, requires_grad=True).clone()
    read: Tensor = one.abs().grad_fn._saved_self  # type: ignore[union-attr]
    with torch.no_grad():
        one.zero_()
    return read._version == one._version


# What is read of a node shares the version counter of what was saved, or has one of its own.
READS_COUNTED = _reads_counted()


def is_nested(tensor: Tensor) -> bool:
    """Tell whether a tensor is a nested one; not each release has such tensors."""
    return bool(getattr(tensor, "is_nested", False))


def to_dense(tensor: Tensor) -> Tensor:
    """Return the strided tensor of the same values; not each release takes a strided one."""
    return tensor if tensor.layout == torch.strided else tensor.to_dense()


def layouts(*names: str) -> list[torch.layout]:
    """Return those of the layouts that the release has; not each compressed one is in each."""
    return [getattr(torch, name) for name in names if hasattr(torch, name)]


def dtypes(*names: str) -> list[torch.dtype]:
    """Return those of the dtypes that the release has."""
    return [getattr(torch, name) for name in names if hasattr(torch, name)]


# `to_sparse` takes a layout, or there is a method for each.
TO_ANY_LAYOUT = any(
    argument.name == "layout"
    for schema in torch._C._jit_get_schemas_for_operator("aten::to_sparse")
    for argument in schema.arguments
)


def as_layout(dense: Tensor, layout: torch.layout) -> Tensor:
    """Convert a strided tensor to a sparse layout; `to_sparse` may know but the coordinates."""
    if layout == torch.sparse_coo:
        return dense.to_sparse()
    if TO_ANY_LAYOUT:
        return dense.to_sparse(layout=layout)
    method: Callable[[], Tensor] = getattr(dense, str(layout).replace("torch.", "to_"))
    return method()


def _multiplies_rows() -> bool:
    if not hasattr(Tensor, "to_sparse_csr"):
        return True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.eye(2).to_sparse_csr() * 1.5
        except RuntimeError:
            return False
    return True


# A matrix of compressed rows can be multiplied by a number, or the strided one alone.
MULTIPLIES_ROWS = _multiplies_rows()


def times(tensor: Tensor, factor: float) -> Tensor:
    """Return a tensor of the same layout, multiplied by a number."""
    if tensor.layout == getattr(torch, "sparse_csr", None) and not MULTIPLIES_ROWS:
        return as_layout(tensor.to_dense() * factor, tensor.layout)
    return tensor * factor


def are_equal(one: Tensor, other: Tensor) -> bool:
    """Tell whether two strided tensors of one dtype are equal, not-a-number like itself.

    Not each release compares complex numbers so, but their parts.
    """
    try:
        return torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)
    except RuntimeError:
        if not one.is_complex():
            raise
        return are_equal(torch.view_as_real(one), torch.view_as_real(other))


def node_classes() -> dict[str, type]:
    """Return the classes of graph nodes by name, `CppFunction` among them.

    `torch._C._functions` lists them all, or a few: the others are then found as the direct
    subclasses of `object` that have a node's `next_functions` and no module of their own. Looking
    through these takes 20 ms.
    """
    listed = {
        name: item for name, item in vars(torch._C._functions).items() if isinstance(item, type)
    }
    unlisted = {
        item.__name__: item
        for item in object.__subclasses__()
        if hasattr(item, "next_functions") and item.__module__ == "builtins"
    }
    return {**unlisted, **listed}


# Hooks that keep what is saved in main memory: there is no such context manager in each release.
_graph = getattr(torch.autograd, "graph", None)
SAVE_ON_CPU: Callable[[], Any] | None = getattr(_graph, "save_on_cpu", None)
# Hooks on what is saved: where a release has none, nothing is told that needs them, and this why.
PACK_HOOKS: Callable[..., Any] | None = getattr(_graph, "saved_tensors_hooks", None)
WITHOUT_HOOKS = None if PACK_HOOKS is not None else "this release has no saved_tensors_hooks"


def depth_of(stack: str) -> Callable[[], int]:
    """Return what tells the depth of a stack of modes, by the name that `torch._C` gives it.

    The stacks came one by one; where a release has none, nothing can be left on it.
    """
    return getattr(torch._C, stack, lambda: 0)


def dispatch_keys() -> tuple[int, ...]:
    """Return which dispatch keys this thread adds and leaves out, backends' bits among them.

    Nothing where the release does not tell: it has no guard that could add any, either.
    """
    read = [getattr(torch._C, f"_dispatch_tls_local_{kind}_set", None) for kind in _KEY_SETS]
    sets = [one() for one in read if one is not None]
    return tuple(int(one.raw_repr()) for one in sets if hasattr(one, "raw_repr"))


def preserved_dispatch_keys() -> AbstractContextManager[Any]:
    """Return what gives this thread its dispatch keys back at the end of the block.

    The guard that adds a key may leave the bit of its backend behind, and every call after it is
    sent to that backend.
    """
    preserve = getattr(torch._C, "_PreserveDispatchKeyGuard", None)
    if preserve is not None:
        return preserve()  # type: ignore[no-any-return]
    force = getattr(torch._C, "_ForceDispatchKeyGuard", None)
    read = [getattr(torch._C, f"_dispatch_tls_local_{kind}_set", None) for kind in _KEY_SETS]
    if force is None or None in read:
        return nullcontext()
    return force(*(one() for one in read if one is not None))  # type: ignore[no-any-return]


_KEY_SETS = ("include", "exclude")


def autocast_reader() -> Callable[[], bool]:
    """Return what tells whether autocast is on for the CPU: a function of its own, or of each."""
    try:
        torch.is_autocast_enabled("cpu")
    except TypeError:
        return getattr(torch, "is_autocast_cpu_enabled", lambda: False)
    return lambda: torch.is_autocast_enabled("cpu")


def setting_of(name: str) -> Callable[[], Any]:
    """Return the function of `torch` that reads a setting; where it has none, that is None."""
    return getattr(torch, name, lambda: None)


# A mode sees each call that it may override; where there is none, frames of Python are all to see.
FUNCTION_MODE: Any = getattr(torch.overrides, "TorchFunctionMode", None)
# Kernels can be registered from Python, and so can stubs.
STUBS = hasattr(torch, "library")


def cpu_capability() -> str:
    """Return the class of kernels that the release chose for this processor.

    `torch.backends.cpu` tells it, or a line among the build's settings, or nothing.
    """
    backend = getattr(torch.backends, "cpu", None)
    if backend is not None:
        return str(backend.get_cpu_capability())
    for line in torch.__config__.show().splitlines():
        if "CPU capability usage:" in line:
            return line.split(":")[1].strip()
    return "unknown"
