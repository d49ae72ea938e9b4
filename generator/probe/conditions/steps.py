"""Which conditions a reference call is tried under, as steps that its program takes besides.

A step is a line after the setup, or another way to write the call. Both are text: what a reader
appends to the program is what was run.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from generator.probe.calls import Call, Named, Run, differentiable
from generator.probe.references import Program
from generator.probe.signatures import ParsedName, schemas

Mask = tuple[str, ...]

DTYPES = ("float64", "bfloat16", "float16", "complex64")
MODULE = "module"
# For one argument `$name`; `$first` is the first argument that requires grad.
LINES = {
    "nan": '$name = torch.full_like($name, float("nan"))',
    "empty": "$name = $name[:0]",
    "number": "$name = 2.0",
    "0-dim": "$name = $name.flatten()[0].clone()",
    "one row": "$name = $name[:1].clone()",
    "same tensor": "$name = $first",
    "transposed": "$name = $name.transpose(-1, -2).contiguous().transpose(-1, -2)",
    "strided": "$name = torch.repeat_interleave($name, 2, dim=-1)[..., ::2]",
    "offset": "$name = torch.cat([$name, $name])[len($name):]",
    "expanded": "$name = $name[:1].clone().expand_as($name)",
    "channels_last": "$name = $name.contiguous(memory_format=torch.channels_last)",
    **{name: f"$name = $name.to(torch.{name})" for name in DTYPES},
}
# For the module of the call.
MODULE_LINES = {"eval": "$name.eval()", "frozen": "$name.requires_grad_(False)"}
AUTOCAST = 'with torch.autocast("cpu", dtype=torch.bfloat16):\n    $call'
LAYOUTS = ("transposed", "strided", "offset", "expanded", "channels_last")
# What a record writes in the place of all that were tried of a group, if none changed anything.
GROUPS = {"dtypes": DTYPES, "layouts": LAYOUTS}
# The header's evidence templates by which a reader makes the same programs.
TEMPLATES = {
    **{f"condition {name}": line for name, line in {**LINES, **MODULE_LINES}.items()},
    "condition autocast": AUTOCAST,
}


class Step(NamedTuple):
    """One condition, or two at once: their names, the lines that they add, and the call.

    `applied` has a condition and its argument for each, the argument being empty where it is about
    the whole call. `written` is the statement that makes the outputs where no template leads to
    it, and None where it is the program's own.
    """

    applied: tuple[tuple[str, str], ...]
    lines: str = ""
    written: str | None = None

    def call(self, program: Program) -> str:
        """Return the statement that makes the outputs."""
        call = self.written or program.call
        wrapped = any(condition == "autocast" for condition, _ in self.applied)
        return AUTOCAST.replace("$call", call) if wrapped else call


def together(one: Step, other: Step) -> Step | None:
    """Return the step that takes two, the first before the other; None where they exclude it.

    Two dtypes exclude each other, and so do two conditions of one argument.
    """
    (first, argument), (second, another) = one.applied[0], other.applied[0]
    if (argument and argument == another) or {first, second} <= {*DTYPES}:
        return None
    lines = "\n".join(lines for lines in (one.lines, other.lines) if lines)
    return Step(one.applied + other.applied, lines, one.written or other.written)


def op_steps(
    program: Program,
    call: Call,
    run: Run,
    *,
    parsed: ParsedName,
    dtypes: Collection[str],
) -> Iterator[Step]:
    """Yield the conditions that the reference program of an op can be tried under.

    `run` is one of `call` under its widest mask. `parsed` tells which arguments of the op may
    be Python numbers, and `dtypes` are those that OpInfo lists for it. Operands that broadcast are
    tried where an argument is as large as another and as the output.
    """
    yield from _of_dtypes(call, dtypes, [])
    yield from _of_training(program, parsed)
    yield from _of_values(call)
    yield from _of_arguments(call, run, _number_arguments(parsed))


def module_steps(call: Call, run: Run, dtypes: Collection[str]) -> Iterator[Step]:
    """Yield the conditions that the reference program of a module can be tried under.

    `run` is one of `call` under its widest mask, and `dtypes` those to be tried.
    """
    yield from _of_dtypes(call, dtypes, [MODULE])
    yield Step((("eval", ""),), _line("eval", MODULE))
    sources = {named.source for named in run.arguments if named.tensor.requires_grad}
    if sources == {"input", "parameter"}:
        yield Step((("frozen", ""),), _line("frozen", MODULE))
    yield from _of_values(call)
    yield from _of_arguments(call, run, set())


def _of_dtypes(call: Call, dtypes: Collection[str], besides: list[str]) -> Iterator[Step]:
    own = [named for named in call.tensors if named.tensor.dtype == torch.float32]
    if not own:
        return
    names = besides + [named.name for named in own if named.source == "input"]
    for dtype in (name for name in DTYPES if name in dtypes):
        yield _whole(dtype, names)
    yield Step((("autocast", ""),))


def _of_training(program: Program, parsed: ParsedName) -> Iterator[Step]:
    """Yield the same call in the other mode, for functions that have one."""
    default = _training_by_default(parsed)
    if default is None or not program.call.endswith(")"):
        return
    for mode in (True, False):
        if f"training={mode}" in program.call:
            turned = program.call.replace(f"training={mode}", f"training={not mode}")
            yield Step((("training", ""),), "", turned)
            return
    turned = f"{program.call[:-1]}, training={not default})"
    yield Step((("training", ""),), "", turned)


def _training_by_default(parsed: ParsedName) -> bool | None:
    try:
        parameters = inspect.signature(_plain(parsed.public)).parameters
    except (TypeError, ValueError):
        return None
    default = parameters["training"].default if "training" in parameters else None
    return default if isinstance(default, bool) else None


def _plain(function: Any) -> Any:
    branches = torch._jit_internal.boolean_dispatched.get(function, {"if_true": function})
    return branches["if_true"]


def _of_values(call: Call) -> Iterator[Step]:
    """Yield the call with nothing but NaN, and without any row.

    All arguments that have as many rows as the first have none then; in the last step the first
    alone, which is another way where not all can.
    """
    inputs = [named for named in call.tensors if named.source == "input"]
    if any(named.tensor.layout != torch.strided for named in inputs):
        return
    able = [named.name for named in inputs if differentiable(named)]
    if able:
        yield _whole("nan", able)
    rows = len(inputs[0].tensor) if inputs and inputs[0].tensor.dim() else 0
    sharing = [one.name for one in inputs if one.tensor.dim() and len(one.tensor) == rows]
    if rows and len(sharing) > 1:
        yield _whole("empty", sharing)
    if rows:
        yield Step((("empty", sharing[0]),), _line("empty", sharing[0]))


def _whole(condition: str, names: Sequence[str]) -> Step:
    return Step(((condition, ""),), "\n".join(_line(condition, name) for name in names))


def _of_arguments(call: Call, run: Run, numbers: set[str]) -> Iterator[Step]:
    """Yield the conditions of one argument alone, for each that requires grad in `run`."""
    able = [
        named.name
        for named in run.arguments
        if named.source == "input" and named.tensor.requires_grad
    ]
    listed: set[str] = set()
    for named in call.tensors:
        stem = named.name.split("[")[0]
        # The members of a list are treated alike, so the first stands for all.
        if named.name in able and named.tensor.layout == torch.strided and stem not in listed:
            for name in _of_argument(named, call, run, able[0], numbers):
                yield Step(((name, named.name),), _line(name, named.name, able[0]))
        listed.add(stem if stem != named.name else named.name)


def _of_argument(
    named: Named, call: Call, run: Run, first: str, numbers: set[str]
) -> Iterator[str]:
    shape = named.tensor.shape
    twins = [
        other.name
        for other in call.tensors
        if other.name != named.name
        and other.source == named.source
        and other.tensor.shape == shape
        and differentiable(other)
    ]
    if named.name in numbers and len(call.tensors) > 1:
        yield "number"
    if len(shape) == 0:
        return
    if twins and "[" not in named.name and any(one.shape == shape for one in run.outputs):
        yield "0-dim"
        yield "one row"
    if first in twins:
        yield "same tensor"
    if len(shape) > 1:
        yield "transposed"
    yield from ("strided", "offset", "expanded")
    if len(shape) == 4:
        yield "channels_last"


def _number_arguments(parsed: ParsedName) -> set[str]:
    """Return the arguments that some overload declares to be a number."""
    return {
        "input" if argument.name == "self" else argument.name
        for base in parsed.bases
        for schema in schemas(base)
        for argument in schema.arguments
        if str(argument.type) in ("number", "Scalar", "Optional[number]", "Optional[Scalar]")
    }


def _line(condition: str, argument: str, first: str = "") -> str:
    line = {**LINES, **MODULE_LINES}[condition]
    return line.replace("$name", argument).replace("$first", first)
