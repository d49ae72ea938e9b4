"""Name the arguments of a call as its documentation does, from the release's own signatures."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

import torch
from torch import Tensor


class ParsedName(NamedTuple):
    """Where a canonical op name leads: the ATen base names that may stand behind it."""

    public: Callable[..., Any] | None
    bases: list[str]


def parse(name: str, aten_name: str | None = None) -> ParsedName:
    """Return the public object of a canonical name and its possible ATen names, best first."""
    parts = name.split(".")[1:] or [name]
    public: Any = torch
    for part in parts:
        public = getattr(public, part, None)
    if parts[:2] == ["ops", "aten"]:
        return ParsedName(None, [parts[2]])
    candidates = [aten_name, "_".join(parts), parts[-1], parts[-1].rstrip("_")]
    bases = [base for base in candidates if base is not None and schemas(base)]
    return ParsedName(public if callable(public) else None, list(dict.fromkeys(bases)))


def schemas(base: str) -> list[Any]:
    """Return the ATen schemas of a base name, `[]` where there is no such operator."""
    return list(torch._C._jit_get_schemas_for_operator(f"aten::{base}"))


def overloads(parsed: ParsedName) -> list[str]:
    """Return the overload names behind an op: `aten::add.Tensor`."""
    if not parsed.bases:
        return []
    return sorted(
        schema.name + (f".{schema.overload_name}" if schema.overload_name else "")
        for schema in schemas(parsed.bases[0])
    )


def positional_names(
    parsed: ParsedName, values: Sequence[Any], keywords: dict[str, Any]
) -> list[str]:
    """Name positional argument values.

    A Python function's own parameters come first, then those of the first schema that accepts
    the values; where neither is known, an argument is named by its position: `args[0]`.
    """
    names = _python_names(parsed.public, len(values)) or _schema_names(parsed, values, keywords)
    # OpInfo calls some ops through a function of its own, whose arguments have other names.
    if names is None or keywords.keys() & set(names):
        return [f"args[{position}]" for position in range(len(values))]
    return names


def _python_names(public: Callable[..., Any] | None, count: int) -> list[str] | None:
    if public is None:
        return None
    try:
        parameters = list(inspect.signature(public).parameters.values())
    except (TypeError, ValueError):
        return None
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{place}]" for place in range(count - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return _documented(names[:count]) if len(names) >= count else None


def _schema_names(
    parsed: ParsedName, values: Sequence[Any], keywords: dict[str, Any]
) -> list[str] | None:
    for base in parsed.bases:
        for schema in schemas(base):
            accepted = schema.arguments
            positional = [argument for argument in accepted if not argument.kwarg_only]
            if len(positional) < len(values) or not keywords.keys() <= {a.name for a in accepted}:
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
