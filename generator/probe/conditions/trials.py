"""Try the reference call of a record under each condition, and keep what changes with it.

A condition changes a call where its graph has other nodes, attributes or roles, where what it
saved of its own has another shape or dtype, or where it costs other extra bytes. What the changed
argument itself weighs is no difference. Conditions that change it are then tried two at a
time, and of those that change it alike the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import torch

from generator.probe.calls import (
    Call,
    CallRaisedError,
    first_line,
    sample_call,
)
from generator.probe.cases import RecordBody
from generator.probe.conditions.shapes import Shape, alike, foretold, shape_of
from generator.probe.conditions.steps import GROUPS, MODULE, Step, module_steps, op_steps, together
from generator.probe.guard import StepEndedError
from generator.probe.masks import module_masks, op_masks
from generator.probe.measure import NotDifferentiableError, Observed, observe
from generator.probe.program_calls import assigned_names, with_module
from generator.probe.references import Program
from generator.probe.seeds import seed_generators
from generator.probe.signatures import ParsedName

Json = dict[str, Any]
Mask = tuple[str, ...]

# The dtypes of what is kept are the point of these.
TELLING = {"bfloat16", "float16", "autocast", "number"}
NO_GRAPH = "no output requires grad"
# Whatever dtypes a test database lists for modules, people run them in these.
MODULE_DTYPES = ("float64", "bfloat16", "float16")


class _Tried(NamedTuple):
    """A step that was taken: what it gave, or how it ended instead and why."""

    step: Step
    call: Call | None = None
    observed: Observed | None = None
    state: str = "measured"
    reason: str = ""

    def shape(self, step: Step | None = None) -> Shape | None:
        """Describe what is kept, save for what `step` changes by itself: this one, or another."""
        return None if self.observed is None else shape_of(self.observed, step or self.step)


def conditions(
    body: RecordBody, program: Program, parsed: ParsedName, dtypes: Sequence[str]
) -> Json:
    """Return the conditions of an op's reference program: unchanged, changed, refused, and pairs.

    `dtypes` are those that OpInfo lists for the op: others are not tried.
    """
    trials = _Trials(body, program)
    made = trials.make(Step(()))
    mask = op_masks(made)[0]
    plain = observe(made, mask)
    steps = op_steps(program, made, plain.run, parsed=parsed, dtypes=dtypes)
    return trials.outcomes(steps, plain, mask)


def module_conditions(body: RecordBody, program: Program, dtypes: Sequence[str]) -> Json:
    """Return the same of a module's reference program, in train mode under its widest mask.

    `require` has the lines by which its inputs require grad.
    """
    trials = _Trials(body, program)
    made = trials.make(Step(()))
    mask = max(module_masks(made), key=len)
    plain = observe(made, mask)
    steps = module_steps(made, plain.run, {*MODULE_DTYPES, *dtypes})
    asked = [one.name for one in plain.run.arguments if one.tensor.requires_grad]
    inputs = [one.name for one in made.tensors if one.source == "input" and one.name in asked]
    require = "".join(f"{name}.requires_grad_()\n" for name in inputs)
    return {"mask": mask, "require": require, **trials.outcomes(steps, plain, mask)}


class _Trials:
    """Takes steps of one program, whose setup runs once."""

    def __init__(self, body: RecordBody, program: Program) -> None:
        self._body = body
        self._program = program
        self._namespace: Json = {"torch": torch}
        seed_generators(0)
        exec(compile(program.setup, "<setup>", "exec"), self._namespace)  # noqa: S102  # our own

    def outcomes(self, steps: Iterable[Step], plain: Observed, mask: Mask) -> Json:
        """Take each step, and pairs of those that change something, and file what came of it."""
        tried = _chosen(self._take(step, mask) for step in steps)
        changed: list[_Tried] = []
        unchanged: dict[str, list[str]] = {}
        refused: dict[str, list[list[str]]] = {}
        for one in tried:
            ((condition, argument),) = one.step.applied
            now = one.shape()
            if now is None:
                refused.setdefault(one.reason, []).append(_named(one.step)[0])
            elif alike(shape_of(plain, one.step), now, one.step):
                unchanged.setdefault(argument, []).append(condition)
            else:
                changed.append(one)
        rows = self._rows(changed, plain, mask, "conditions")
        pairs = list(self._pairs([_first(row, changed) for row in rows], mask))
        untold = [both for one, other, both in pairs if not _foretold(plain, one, other, both)]
        return {
            "unchanged": {
                argument: _grouped(each, _conditions_of(argument, tried))
                for argument, each in unchanged.items()
            },
            "changed": rows,
            "refused": [{"conditions": each, "reason": reason} for reason, each in refused.items()],
            "pairs": self._rows(untold, plain, mask, "pairs"),
            "pairs_tried": len(pairs),
        }

    def make(self, step: Step) -> Call:
        """Make the call of the program, with a step taken besides.

        Raises CallRaisedError where a line of the step raises.
        """
        taken = {name: _copied(value) for name, value in self._namespace.items()}
        try:
            exec(compile(step.lines, "<condition>", "exec"), taken)  # noqa: S102  # our own
        except Exception as error:
            raise CallRaisedError(first_line(error)) from error
        text = step.call(self._program)
        code = compile(text, "<call>", "exec")

        def function(**values: Any) -> Any:
            local = {**taken, **values}
            exec(code, local)  # noqa: S102  # our own programs
            return [local[name] for name in assigned_names(text)]

        given = {
            name: value
            for name, value in taken.items()
            if not name.startswith("__") and name not in ("torch", MODULE)
        }
        call = sample_call(function, text, {}, given, seed=0)
        return with_module(call, taken[MODULE]) if MODULE in taken else call

    def _take(self, step: Step, mask: Mask) -> _Tried:
        try:
            return self._body.guard.step(partial(self._observed, step, mask))
        except NotDifferentiableError:
            return _Tried(step, state="not differentiable", reason=NO_GRAPH)
        except CallRaisedError as error:
            return _Tried(step, state="raised", reason=str(error))
        except StepEndedError as error:
            return _Tried(step, **error.as_fields())

    def _observed(self, step: Step, mask: Mask) -> _Tried:
        call = self.make(step)
        return _Tried(step, call, observe(call, self._required(step, call, mask)))

    def _pairs(
        self, changed: Sequence[_Tried], mask: Mask
    ) -> Iterator[tuple[_Tried, _Tried, _Tried]]:
        for one, other in combinations(changed, 2):
            step = together(one.step, other.step)
            if step is not None:
                yield one, other, self._take(step, mask)

    def _required(self, step: Step, call: Call, mask: Mask) -> Mask:
        """Return the mask without what is no tensor of the call any more, or is frozen.

        That of a module names groups.
        """
        if MODULE in self._namespace:
            frozen = ("frozen", "") in step.applied
            return tuple(name for name in mask if not frozen or name != "parameters")
        there = {named.name for named in call.tensors}
        return tuple(name for name in mask if name in there)

    def _rows(self, found: Sequence[_Tried], plain: Observed, mask: Mask, field: str) -> list[Json]:
        """Put together the steps that give the same, each `field` listing what they are."""
        rows: dict[str, Json] = {}
        for one in found:
            row = self._measurement(one, plain, mask)
            named = _named(one.step)
            key = json.dumps([one.step.written, row])
            rows.setdefault(key, {field: [], "call": one.step.written, "measurement": row})
            rows[key][field].append(named[0] if field == "conditions" else named)
        return list(rows.values())

    def _measurement(self, one: _Tried, plain: Observed, mask: Mask) -> Json:
        if one.call is None or one.observed is None:
            return {"mask": mask, "state": one.state, "reason": one.reason}
        required = self._required(one.step, one.call, mask)
        row = self._body.row("reference", required, one.observed)
        telling = TELLING.intersection(condition for condition, _ in one.step.applied)
        # Where other things are kept, their roles and sums say enough.
        return row if telling or one.observed.policy == plain.policy else {**row, "tensors": []}


def _first(row: Json, tried: Iterable[_Tried]) -> _Tried:
    """Return the first of the trials that a row stands for, all of which change the call alike."""
    return next(one for one in tried if _named(one.step)[0] == row["conditions"][0])


def _chosen(tried: Iterable[_Tried]) -> list[_Tried]:
    """Leave out one of two trials without rows: of the first argument alone where all can be so."""
    found = list(tried)
    without = [one for one in found if one.step.applied[0][0] == "empty"]
    if len(without) == 1:
        return found
    kept = next((one for one in without if one.observed is not None), None)
    return [one for one in found if one not in without or one is (kept or without[0])]


def _foretold(plain: Observed, one: _Tried, other: _Tried, both: _Tried) -> bool:
    first, second, now = (each.shape(both.step) for each in (one, other, both))
    if first is None or second is None or now is None:
        return False
    return foretold(shape_of(plain, both.step), first, second, now, both.step)


def _named(step: Step) -> list[list[str]]:
    return [[name, argument] if argument else [name] for name, argument in step.applied]


def _conditions_of(argument: str, tried: Iterable[_Tried]) -> set[str]:
    return {name for one in tried for name, about in one.step.applied if about == argument}


def _grouped(unchanged: list[str], tried: set[str]) -> list[str]:
    """Write the name of a group for its members, where all of them that were tried are there."""
    for group, members in GROUPS.items():
        present = [name for name in members if name in tried]
        if len(present) > 1 and set(present) <= set(unchanged):
            unchanged = [group, *(name for name in unchanged if name not in present)]
    return unchanged


def _copied(value: Any) -> Any:
    # A step replaces members of a list and changes a module, which belong to all other steps too.
    if isinstance(value, torch.nn.Module):
        return deepcopy(value)
    return list(value) if isinstance(value, list) else value
