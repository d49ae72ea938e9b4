"""Call an op by its other spellings: aliases, methods and in-place methods.

Each is measured on the op's reference call, where that can be written in the spelling, and else on
a sample, whose arguments are by value and which no program can show. At depth `full` the reference
call is made under all of its grad masks, on which it may depend whether one in place hides a clone.
"""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any, Callable, NamedTuple

import torch

from generator.probe.adapted import OPS
from generator.probe.calls import CallRaisedError, Written
from generator.probe.cases import RecordBody
from generator.probe.depth import FULL
from generator.probe.guard import StepEndedError
from generator.probe.masks import op_masks
from generator.probe.opinfo import OpSample
from generator.probe.program_calls import program_call
from generator.probe.spelling_program import run_program, spelled

Json = dict[str, Any]
Mask = tuple[str, ...]
WRITTEN: dict[str, Written] = {"in-place": "first", "method": "nothing", "alias": "nothing"}


class Spelling(NamedTuple):
    """Another way to call an op: what it is to the op, and what to call."""

    relation: str
    function: Callable[..., Any]


def variants(
    body: RecordBody, entry: Any, name: str, sample: OpSample, depth: str = FULL
) -> list[Json]:
    """Return each other spelling of `entry`'s op and what it keeps.

    The first grad mask is the widest one of the reference call, or the one that the sample asks
    for; `further` has the others of the reference call.
    """
    listed = _listed(entry)
    known = sorted({**_in_place_functions(name), **listed}.items())
    found: list[Json] = []
    shown = _Shown(name, depth)
    for spelled_as, spelling in known:
        if spelled_as == name:
            continue
        made = {"name": spelled_as, "relation": spelling.relation}
        on_reference = shown.measured(body, spelled_as, WRITTEN[spelling.relation])
        if on_reference is not None:
            found.append({**made, **on_reference})
            continue
        called = sample if spelling.relation == "alias" else _of_method(sample)
        call = called.called_as(spelling.function, spelled_as, WRITTEN[spelling.relation])
        measured = body.measurement("op variant", call, sample.asked)
        # What nobody lists as a spelling and takes other arguments is another function.
        if spelled_as in listed or measured.get("state") != "raised":
            found.append({**made, "measurement": measured})
    shown.run(body, [one for one in found if "call" in one])
    return found


class _Shown:
    """The spellings that an op's reference call can be written in, all under the same masks."""

    def __init__(self, name: str, depth: str) -> None:
        self._name = name
        self._depth = depth
        self._program = OPS.get(name)
        self._masks: list[Mask] = []
        self._arguments: list[str] = []

    def measured(self, body: RecordBody, spelled_as: str, written: Written) -> Json | None:
        """Measure the call in a spelling; None where there is none, or it keeps no graph."""
        text = spelled(self._program.call, self._name, spelled_as) if self._program else None
        if self._program is None or text is None:
            return None
        try:
            make = partial(program_call, self._program.setup, text, seed=0, written=written)
            call = body.guard.step(make)
        except (CallRaisedError, StepEndedError):
            return None
        masks = op_masks(call)
        if self._depth != FULL:
            masks = masks[:1]
        if not masks or self._masks not in ([], masks):
            return None
        measurement = body.measurement("op variant", call, masks[0])
        if "policy" not in measurement:
            return None
        self._masks, self._arguments = masks, [named.name for named in call.tensors]
        further = [body.measurement("op variant", call, mask) for mask in masks[1:]]
        return {"call": text, "measurement": measurement, "further": further}

    def run(self, body: RecordBody, made: list[Json]) -> None:
        """Run the program that shows them all."""
        if self._program is None or not self._masks:
            return
        show = partial(run_program, self._program.setup, self._masks, self._arguments, made)
        try:
            body.guard.step(show)
        except StepEndedError as error:
            for one in made:
                one["printed"] = str(error)


def _of_method(sample: OpSample) -> OpSample:
    """Give the input first, as methods take it: `torch.where` has the condition before it."""
    first = {name: value for name, value in sample.arguments.items() if name == "input"}
    return sample._replace(arguments={**first, **sample.arguments})


def _listed(entry: Any) -> dict[str, Spelling]:
    """Return the aliases, methods and in-place methods that OpInfo lists."""
    found: dict[str, Spelling] = {}
    for source, function_name in [(entry, None)] + [(a, a.name) for a in entry.aliases]:
        if function_name is not None:
            # Some entries name an alias below torch, some in full.
            below = function_name.removeprefix("torch.")
            found[f"torch.{below}"] = Spelling("alias", source.op)
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
