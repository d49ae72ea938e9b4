"""Call an op by its other spellings: aliases, methods and in-place methods."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any, Callable, NamedTuple

import torch

from generator.probe.calls import Written
from generator.probe.cases import RecordBody
from generator.probe.opinfo import OpSample

Json = dict[str, Any]
WRITTEN: dict[str, Written] = {"in-place": "first", "method": "nothing", "alias": "nothing"}


class Spelling(NamedTuple):
    """Another way to call an op: what it is to the op, and what to call."""

    relation: str
    function: Callable[..., Any]


def variants(body: RecordBody, entry: Any, name: str, sample: OpSample) -> list[Json]:
    """Return each other spelling of `entry`'s op and what it keeps for the first sample."""
    listed = _listed(entry)
    found = []
    for spelled, spelling in sorted({**_in_place_functions(name), **listed}.items()):
        if spelled == name:
            continue
        call = sample.called_as(spelling.function, spelled, WRITTEN[spelling.relation])
        measured = body.measurement("op variant", call, sample.asked)
        # What nobody lists as a spelling and takes other arguments is another function.
        if spelled in listed or measured.get("state") != "raised":
            found.append({"name": spelled, "relation": spelling.relation, "measurement": measured})
    return found


def _listed(entry: Any) -> dict[str, Spelling]:
    """Return the aliases, methods and in-place methods that OpInfo lists."""
    found: dict[str, Spelling] = {}
    for source, function_name in [(entry, None)] + [(a, a.name) for a in entry.aliases]:
        if function_name is not None:
            found[f"torch.{function_name}"] = Spelling("alias", source.op)
        for relation, function in (
            ("method", _method(source, "method_variant")),
            ("in-place", _method(source, "inplace_variant")),
        ):
            if function is not None:
                spelled = f"torch.Tensor.{function.__name__}"
                found.setdefault(spelled, Spelling(relation, function))
    return found


def _in_place_functions(name: str) -> dict[str, Spelling]:
    """Return the in-place spellings of a function of `nn.functional`, which OpInfo does not list.

    Where there is one beside it (`torch.relu_`), the plain function and method are spellings too;
    others take `inplace=True`.
    """
    path, _, base = name.rpartition(".")
    if path != "torch.nn.functional":
        return {}
    found: dict[str, Spelling] = {}
    for place, owner in (
        ("torch.nn.functional", torch.nn.functional),
        ("torch", torch),
        ("torch.Tensor", torch.Tensor),
    ):
        function = getattr(owner, f"{base}_", None)
        plain = getattr(owner, base, None)
        if function is not None:
            found[f"{place}.{base}_"] = Spelling("in-place", function)
            if plain is not None:
                relation = "method" if owner is torch.Tensor else "alias"
                found[f"{place}.{base}"] = Spelling(relation, plain)
    function = getattr(torch.nn.functional, base, None)
    if inspect.isfunction(function) and "inplace" in inspect.signature(function).parameters:
        found[f"{name}(inplace=True)"] = Spelling("in-place", partial(function, inplace=True))
    return found


def _method(source: Any, attribute: str) -> Callable[..., Any] | None:
    # OpInfo's variant of an op without one is None; a lambda stands for no public spelling.
    function: Callable[..., Any] | None = getattr(source, attribute, None)
    if function is None or not hasattr(torch.Tensor, getattr(function, "__name__", "")):
        return None
    return function
