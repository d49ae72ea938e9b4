"""Name the arguments of a call as its documentation does, from the release's own signatures."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from types import CodeType
from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor

from generator.tape.compat_listings import is_overload


class ParsedName(NamedTuple):
    """Where a canonical op name leads.

    `public` is the Python callable, `bases` are the ATen base names that may stand behind it, and
    `wrapper` is the lambda through which OpInfo calls the op, if it does: in some, the arguments
    have another order.
    """

    public: Callable[..., Any] | None
    bases: list[str]
    wrapper: Callable[..., Any] | None = None


def parse(
    name: str, aten_name: str | None = None, called: Callable[..., Any] | None = None
) -> ParsedName:
    """Return what stands behind a canonical name; `called` is what OpInfo calls for it."""
    parts = name.split(".")[1:] or [name]
    public: Any = torch
    for part in parts:
        public = getattr(public, part, None)
    wrapper = called if getattr(called, "__name__", "") == "<lambda>" else None
    if parts[:2] == ["ops", "aten"]:
        return ParsedName(None, [parts[2]], wrapper)
    # `__radd__` is `add` with its operands the other way round; the method is called on the second.
    reflected = re.fullmatch(r"__r(\w+)__", parts[-1])
    candidates = [aten_name, "_".join(parts), parts[-1], parts[-1].rstrip("_")]
    candidates += [reflected[1]] if reflected else []
    bases = [base for base in candidates if base is not None and schemas(base)]
    return ParsedName(public if callable(public) else None, list(dict.fromkeys(bases)), wrapper)


def schemas(base: str) -> list[Any]:
    """Return the ATen schemas of a base name, `[]` where there is no such operator.

    What TorchScript adds of its own under the same names (`aten::add.str`) is no overload.
    """
    found = torch._C._jit_get_schemas_for_operator(f"aten::{base}")
    return [one for one in found if is_overload(overload_name(one))]


def overload_name(schema: Any) -> str:
    """Return the full name of a schema's overload: `aten::add.Tensor`."""
    name: str = schema.name
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


def overloads(parsed: ParsedName) -> list[str]:
    """Return the overload names behind an op: `aten::add.Tensor`."""
    if not parsed.bases:
        return []
    return sorted(map(overload_name, schemas(parsed.bases[0])))


def positional_names(
    parsed: ParsedName, values: Sequence[Any], keywords: dict[str, Any]
) -> list[str]:
    """Name the positional argument values of a call.

    The parameters of the wrapper come first, then those of the public function, then those of the
    first schema that accepts the values. Where none does, an argument is named by its position:
    `args[0]`.
    """
    names = (
        _wrapper_names(parsed.wrapper, values)
        or _python_names(parsed.public, values)
        or _schema_names(parsed, values, keywords)
        or _schema_names(parsed, values, {})
        or _method_names(parsed.public, values)
    )
    if names is None or keywords.keys() & set(names):
        return [f"args[{position}]" for position in range(len(values))]
    return names


def _method_names(public: Any, values: Sequence[Any]) -> list[str] | None:
    """Name the tensor that a method is called on, where nothing tells of other arguments."""
    return ["input"] if inspect.ismethoddescriptor(public) and len(values) == 1 else None


def _wrapper_names(wrapper: Callable[..., Any] | None, values: Sequence[Any]) -> list[str] | None:
    names = _python_names(wrapper, values) or _inner_names(wrapper, values)
    if names and names[0] in ("x", "inp"):
        return ["input", *names[1:]]
    return names


def _inner_names(wrapper: Callable[..., Any] | None, values: Sequence[Any]) -> list[str] | None:
    """Name the values after the one lambda inside a wrapper that only hands `*args` on to it."""
    code = getattr(wrapper, "__code__", None)
    inner = [one for one in code.co_consts if isinstance(one, CodeType)] if code else []
    if len(inner) != 1 or inner[0].co_argcount != len(values):
        return None
    return list(inner[0].co_varnames[: len(values)])


def _python_names(function: Callable[..., Any] | None, values: Sequence[Any]) -> list[str] | None:
    if not inspect.isroutine(function):
        return None
    if inspect.isfunction(function):
        # One that picks between two functions by a flag has the parameters of either.
        while function in torch._jit_internal.boolean_dispatched:
            function = torch._jit_internal.boolean_dispatched[function]["if_true"]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    named = [one for one in parameters if one.kind in _POSITIONAL]
    rest = [one.name for one in parameters if one.kind is inspect.Parameter.VAR_POSITIONAL]
    missing = range(len(values) - len(named))
    # `*tensors` names its values; the `*args` of a wrapper says nothing.
    if missing and rest in ([], ["args"]):
        return None
    if not all(_annotated(one, value) for one, value in zip(named, values)):
        return None
    names = [one.name for one in named[: len(values)]]
    return _documented(names + [f"{rest[0]}[{place}]" for place in missing])


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _annotated(parameter: inspect.Parameter, value: Any) -> bool:
    # A tensor cannot stand for a parameter whose annotation speaks of none.
    annotation = str(parameter.annotation)
    untold = parameter.annotation is parameter.empty or "Any" in annotation
    return untold or "Tensor" in annotation or not isinstance(value, Tensor)


def _schema_names(
    parsed: ParsedName, values: Sequence[Any], keywords: dict[str, Any]
) -> list[str] | None:
    for base in parsed.bases:
        for schema in schemas(base):
            accepted = schema.arguments
            positional = [argument for argument in accepted if not argument.kwarg_only]
            if len(positional) < len(values) or not keywords.keys() <= {a.name for a in accepted}:
                continue
            if keywords.keys() & {argument.name for argument in positional[: len(values)]}:
                continue
            if all(_fits(str(a.type), value) for a, value in zip(positional, values)):
                return _documented([argument.name for argument in positional[: len(values)]])
    return None


def _documented(names: list[str]) -> list[str]:
    # Schemas say `self` where the documentation and the keyword say `input`.
    return ["input" if name == "self" else name for name in names]


def _fits(kind: str, value: Any) -> bool:
    if isinstance(value, Tensor):
        return kind in ("Tensor", "Optional[Tensor]")
    if isinstance(value, (list, tuple)) and any(isinstance(item, Tensor) for item in value):
        return "List[" in kind and "Tensor" in kind
    return "Tensor" not in kind or value is None


def call_text(
    name: str, arguments: Sequence[tuple[str, str]], keywords: Sequence[tuple[str, str]]
) -> str:
    """Write a call as a reader would: tensors by name, other values as printed."""
    given = [text for _, text in arguments] + [f"{key}={text}" for key, text in keywords]
    return f"{name}({', '.join(given)})"
