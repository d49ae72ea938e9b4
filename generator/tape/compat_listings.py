"""What releases list of themselves and how: overloads and their schemas, samples, declarations.

What differs is told by asking the release, as in `compat`.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.overrides


def is_overload(name: str) -> bool:
    """Tell whether the dispatcher knows an overload, `aten::add.Tensor`, besides TorchScript."""
    if hasattr(torch._C, "_dispatch_has_kernel"):
        return bool(torch._C._dispatch_has_kernel(name))
    return bool(torch._C._dispatch_dump(name))


def has_aten(base: str) -> bool:
    """Tell whether there is an operator `aten::base`; some releases raise where there is none."""
    try:
        return getattr(torch.ops.aten, base, None) is not None
    except RuntimeError:
        return False


# Overloads of an operator are objects of their own, or the operator is one function.
OVERLOAD_OBJECTS = hasattr(torch.ops.aten.add, "Tensor")


def schema_of(name: str) -> Any:
    """Return the schema of an overload. Raises AttributeError where there is none."""
    if OVERLOAD_OBJECTS:
        base, _, overload = name.partition("::")[2].partition(".")
        return getattr(getattr(torch.ops.aten, base), overload or "default")._schema
    for schema in torch._C._jit_get_schemas_for_operator(name.partition(".")[0]):
        if schema.overload_name == name.partition(".")[2]:
            return schema
    raise AttributeError(name)


def overload_call(name: str) -> str:
    """Write what calls an overload; where they are no objects, the arguments choose among them."""
    base, _, overload = name.partition("::")[2].partition(".")
    return f"torch.ops.aten.{base}" + (f".{overload or 'default'}" if OVERLOAD_OBJECTS else "")


def schema_type(argument: Any) -> str:
    """Return the type of a schema's argument: the real one, which tells a dtype from a number.

    Where there is no real one, a dtype reads as `int`.
    """
    return str(getattr(argument, "real_type", argument.type))


def is_written(schema: Any, argument: Any) -> bool:
    """Tell whether a call writes into an argument of a schema, whose text may be all that tells."""
    if hasattr(argument, "alias_info"):
        return argument.alias_info is not None and bool(argument.alias_info.is_write)
    written = rf"\(\w+!\)(\[\d*\])?\?? {re.escape(argument.name)}\b"
    return re.search(written, str(schema)) is not None


def samples_of(entry: Any, device: str, dtype: torch.dtype, *, requires_grad: bool) -> Any:
    """Return the samples of an OpInfo.

    Its function is called, for the method may wrap the same samples in an iterator that seeds
    every generator; where there is no function, the method makes them itself.
    """
    if entry.sample_inputs_func is None:
        return entry.sample_inputs(device, dtype, requires_grad=requires_grad)
    return entry.sample_inputs_func(entry, device, dtype, requires_grad=requires_grad)


def module_name(entry: Any) -> str:
    """Return the name of a ModuleInfo's class inside `torch`: `nn.Linear`.

    A release may write `nn_Linear`, or have the name of another namespace that holds the class:
    1.13's `ao.nn.quantized.MaxPool2d` is `nn.MaxPool2d` itself.
    """
    own = str(entry.module_cls.__name__)
    if getattr(torch.nn, own, None) is entry.module_cls:
        return f"nn.{own}"
    name = str(entry.name)
    return f"nn.{name[len('nn_') :]}" if name.startswith("nn_") else name


def module_dtypes(entry: Any) -> Any:
    """Return the dtypes that a ModuleInfo lists; one that lists none is for plain real numbers."""
    return getattr(entry, "dtypes", (torch.float32, torch.float64))


def module_samples_of(entry: Any, device: str, dtype: torch.dtype, *, training: bool) -> Any:
    """Return the samples of a ModuleInfo; some have the same for train and for eval mode."""
    function = entry.module_inputs_func
    taken = inspect.signature(function).parameters.values()
    mode = {"training": training}
    if not any(one.name == "training" or one.kind is one.VAR_KEYWORD for one in taken):
        mode = {}
    return function(entry, device=device, dtype=dtype, requires_grad=True, **mode)


class Packaged(NamedTuple):
    """The declarations that a wheel ships, and the modules of its code generator that read them."""

    generation: Any
    loader: Any
    derivatives: Path
    native: Path
    tags: Path


def packaged_declarations() -> Packaged | None:
    """Return where the release's own `derivatives.yaml` is; None where its wheel ships none.

    A wheel may have the code generator without the files, or the files of operators alone.
    """
    try:
        generation = import_module("torchgen.gen")
        loader = import_module("torchgen.packaged.autograd.load_derivatives")
    except ImportError:
        return None
    folder = Path(str(generation.__file__)).parent / "packaged"
    native = folder / "ATen" / "native"
    packaged = Packaged(
        generation,
        loader,
        derivatives=folder / "autograd" / "derivatives.yaml",
        native=native / "native_functions.yaml",
        tags=native / "tags.yaml",
    )
    there = all(path.exists() for path in (packaged.derivatives, packaged.native, packaged.tags))
    return packaged if there else None
