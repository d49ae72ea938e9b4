"""Try the reference call of an op under each condition, and keep what changes with it.

A condition changes a call where its graph has other nodes, attributes or roles, where what it
saved of its own has another shape or dtype, or where it costs other extra bytes. What the changed
argument itself weighs is no difference.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import torch

from generator.probe.calls import (
    Call,
    CallRaisedError,
    assigned_names,
    first_line,
    sample_call,
)
from generator.probe.cases import RecordBody
from generator.probe.conditions import DTYPES, GROUPS, Step, steps
from generator.probe.guard import StepEndedError
from generator.probe.masks import op_masks
from generator.probe.measure import NotDifferentiableError, Observed, observe
from generator.probe.references import Program
from generator.probe.seeds import seed_generators
from generator.probe.signatures import ParsedName

Json = dict[str, Any]
Mask = tuple[str, ...]

# The dtypes of what is kept are the point of these.
TELLING = ("bfloat16", "float16", "autocast", "number")
NO_GRAPH = "no output requires grad"
SINGLE = "float32"  # the dtype of the reference calls
COMPLEX = {"float16": "complex32", SINGLE: "complex64", "float64": "complex128"}


class _Shape(NamedTuple):
    """What must be the same for a condition to have changed nothing."""

    policy: str
    tensors: list[tuple[Any, str]]
    extra_bytes: int | None


def conditions(
    body: RecordBody, program: Program, parsed: ParsedName, dtypes: Sequence[str]
) -> Json:
    """Return the conditions of a reference program: unchanged, changed and refused.

    `dtypes` are those that OpInfo lists for the op: others are not tried.
    """
    namespace: dict[str, Any] = {"torch": torch}
    seed_generators(0)
    exec(compile(program.setup, "<setup>", "exec"), namespace)  # noqa: S102  # our own programs
    made = _call(namespace, Step("", "", "", program.call))
    mask = op_masks(made)[0]
    plain = observe(made, mask)
    unchanged: dict[str, list[str]] = {}
    changed: dict[str, Json] = {}
    refused: dict[str, list[list[str]]] = {}
    tried = list(steps(program, made, plain.run, mask, parsed=parsed, dtypes=dtypes))
    for step in tried:
        applied = [step.condition, step.argument] if step.argument else [step.condition]
        try:
            call, observed = body.guard.step(partial(_tried, namespace, step, mask))
        except NotDifferentiableError:
            refused.setdefault(NO_GRAPH, []).append(applied)
        except (CallRaisedError, StepEndedError) as error:
            refused.setdefault(str(error), []).append(applied)
        else:
            if _alike(_shape(plain, step), _shape(observed, step), step):
                unchanged.setdefault(step.argument, []).append(step.condition)
                continue
            row = body.measurement("reference", call, _required(call, mask))
            if step.condition not in TELLING and observed.policy != plain.policy:
                # Where other things are kept, their roles and sums say enough.
                row = {**row, "tensors": []}
            key = json.dumps([step.written, row])
            changed.setdefault(key, {"conditions": [], "call": step.written, "measurement": row})
            changed[key]["conditions"].append(applied)
    return {
        "unchanged": {
            argument: _grouped(each, {one.condition for one in tried if one.argument == argument})
            for argument, each in unchanged.items()
        },
        "changed": list(changed.values()),
        "refused": [{"conditions": each, "reason": reason} for reason, each in refused.items()],
    }


def _grouped(unchanged: list[str], tried: set[str]) -> list[str]:
    """Write the name of a group for its members, where all of them that were tried are there."""
    for group, members in GROUPS.items():
        present = [name for name in members if name in tried]
        if len(present) > 1 and set(present) <= set(unchanged):
            unchanged = [group, *(name for name in unchanged if name not in present)]
    return unchanged


def _tried(namespace: dict[str, Any], step: Step, mask: Mask) -> tuple[Call, Observed]:
    call = _call(namespace, step)
    return call, observe(call, _required(call, mask))


def _required(call: Call, mask: Mask) -> Mask:
    """Return the mask without what is no tensor of the call any more."""
    there = {named.name for named in call.tensors}
    return tuple(name for name in mask if name in there)


def _call(namespace: dict[str, Any], step: Step) -> Call:
    """Make the call of a program, whose setup left `namespace`, with a step taken besides.

    Raises CallRaisedError where a line of the step raises.
    """
    taken = {name: _copied(value) for name, value in namespace.items()}
    try:
        exec(compile(step.lines, "<condition>", "exec"), taken)  # noqa: S102  # our own programs
    except Exception as error:
        raise CallRaisedError(first_line(error)) from error
    code = compile(step.call, "<call>", "exec")

    def function(**values: Any) -> Any:
        local = {**taken, **values}
        exec(code, local)  # noqa: S102  # our own programs
        return [local[name] for name in assigned_names(step.call)]

    given = {
        name: value
        for name, value in taken.items()
        if not name.startswith("__") and name != "torch"
    }
    return sample_call(function, step.call, {}, given, seed=0)


def _copied(value: Any) -> Any:
    # A step replaces members of a list, which belongs to all other steps too.
    return list(value) if isinstance(value, list) else value


def _shape(observed: Observed, step: Step) -> _Shape:
    """Describe what was observed, save for what the step changes by itself."""
    roles = [role for node in observed.policy for _, _, each in node["saved"] for role in each]
    policy = json.dumps(observed.policy)
    if step.condition == "same tensor":
        first = step.lines.rpartition(" = ")[2]
        policy = policy.replace(f"input {step.argument}", f"input {first}")
    return _Shape(
        policy,
        [
            ((shape, layout), dtype)
            for role, (shape, dtype, _, _, layout) in zip(roles, observed.figures["tensors"])
            if not role.startswith("input ")
        ],
        # Bytes follow from shapes and dtypes where only the dtype is another.
        None if step.condition in DTYPES else observed.figures["extra_bytes"],
    )


def _alike(plain: _Shape, now: _Shape, step: Step) -> bool:
    if plain._replace(tensors=[]) != now._replace(tensors=[]):
        return False
    own = step.condition if step.condition in DTYPES else SINGLE
    return len(plain.tensors) == len(now.tensors) and all(
        facts == others and _follows(dtype, other, own)
        for (facts, dtype), (others, other) in zip(plain.tensors, now.tensors)
    )


def _follows(plain: str, now: str, own: str) -> bool:
    """Tell whether a saved tensor's dtype is what it was, or follows the arguments' `own`."""
    if plain == SINGLE:
        return now == own
    return now == plain or (plain == COMPLEX[SINGLE] and now == COMPLEX.get(own))
