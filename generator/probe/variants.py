"""Call an op by its other spellings: aliases, methods and in-place methods."""

from __future__ import annotations

from typing import Any, Callable

import torch

from generator.probe.calls import Written
from generator.probe.cases import RecordBody
from generator.probe.opinfo import OpSample

Json = dict[str, Any]
WRITTEN: dict[str, Written] = {"in-place": "first", "method": "nothing", "alias": "nothing"}
Spelling = tuple[str, str, Callable[..., Any]]


def variants(body: RecordBody, entry: Any, name: str, sample: OpSample) -> list[Json]:
    """Return each other spelling of `entry`'s op and what it keeps for the first sample."""
    return [
        {
            "name": spelled,
            "relation": relation,
            "measurement": body.measurement(
                "op variant",
                sample.called_as(function, spelled, WRITTEN[relation]),
                sample.asked,
            ),
        }
        for spelled, relation, function in _spellings(entry)
        if spelled != name
    ]


def _spellings(entry: Any) -> list[Spelling]:
    found: dict[str, Spelling] = {}
    for source, function_name in [(entry, None)] + [(a, a.name) for a in entry.aliases]:
        if function_name is not None:
            found[f"torch.{function_name}"] = (f"torch.{function_name}", "alias", source.op)
        for relation, function in (
            ("method", _method(source, "method_variant")),
            ("in-place", _method(source, "inplace_variant")),
        ):
            if function is not None:
                spelled = f"torch.Tensor.{function.__name__}"
                found.setdefault(spelled, (spelled, relation, function))
    return [found[key] for key in sorted(found)]


def _method(source: Any, attribute: str) -> Callable[..., Any] | None:
    # OpInfo's variant of an op without one is None; a lambda stands for no public spelling.
    function: Callable[..., Any] | None = getattr(source, attribute, None)
    if function is None or not hasattr(torch.Tensor, getattr(function, "__name__", "")):
        return None
    return function
