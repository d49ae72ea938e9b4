"""Which conditions a reference call is tried under, as steps that its program takes besides.

A step is a line after the setup, or another way to write the call. Both are text: what a reader
appends to the program is what was run.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch

from generator.probe.calls import Call, Named, Run, differentiable
from generator.probe.references import Program
from generator.probe.signatures import ParsedName, schemas

Mask = tuple[str, ...]

DTYPES = ("float64", "bfloat16", "float16", "complex64")
# For one argument `$name`; `$first` is the first argument that requires grad.
LINES = {
    "number": "$name = 2.0",
    "0-dim": "$name = $name.flatten()[0].clone()",
    "one row": "$name = $name[:1].clone()",
    "same tensor": "$name = $first",
    "transposed": "$name = $name.transpose(-1, -2).contiguous().transpose(-1, -2)",
    "strided": "$name = torch.repeat_interleave($name, 2, dim=-1)[..., ::2]",
    "offset": "$name = torch.cat([$name, $name])[len($name):]",
    "expanded": "$name = $name[:1].clone().expand_as($name)",
    "channels_last": "$name = $name.contiguous(memory_format=torch.channels_last)",
}
AUTOCAST = 'with torch.autocast("cpu", dtype=torch.bfloat16):\n    $call'
LAYOUTS = ("transposed", "strided", "offset", "expanded", "channels_last")
# What a record writes in the place of all that were tried of a group, if none changed anything.
GROUPS = {"dtypes": DTYPES, "layouts": LAYOUTS}
# The header's evidence templates by which a reader makes the same programs.
TEMPLATES = {
    **{f"condition {name}": line for name, line in LINES.items()},
    **{f"condition {name}": f"$name = $name.to(torch.{name})" for name in DTYPES},
    "condition autocast": AUTOCAST,
}


class Step(NamedTuple):
    """One condition: its name, the argument it is about, the lines it adds, and the call.

    `argument` is empty where the condition is about the whole call. `call` is the statement that
    makes the outputs, `written` that statement where no template leads to it.
    """

    condition: str
    argument: str
    lines: str
    call: str
    written: str | None = None


def steps(
    program: Program,
    call: Call,
    run: Run,
    mask: Mask,
    *,
    parsed: ParsedName,
    dtypes: Sequence[str],
) -> Iterator[Step]:
    """Yield the conditions that a reference program can be tried under.

    `run` is one of `call` under `mask`, its widest. `parsed` tells which arguments of the op may
    be Python numbers, and `dtypes` are those that OpInfo lists for it. Operands that broadcast are
    tried where an argument is as large as another and as the output.
    """
    yield from _of_dtypes(program, call, dtypes)
    yield from _of_training(program, parsed)
    numbers = _number_arguments(parsed)
    listed: set[str] = set()
    for named in call.tensors:
        stem = named.name.split("[")[0]
        # The members of a list are treated alike, so the first stands for all.
        if named.name in mask and named.tensor.layout == torch.strided and stem not in listed:
            for name in _of_argument(named, call, run, mask[0], numbers):
                yield Step(name, named.name, _line(name, named.name, mask[0]), program.call)
        listed.add(stem if stem != named.name else named.name)


def _of_dtypes(program: Program, call: Call, dtypes: Sequence[str]) -> Iterator[Step]:
    single = [one.name for one in call.tensors if one.tensor.dtype == torch.float32]
    if not single:
        return
    for dtype in (name for name in DTYPES if name in dtypes):
        lines = "\n".join(f"{name} = {name}.to(torch.{dtype})" for name in single)
        yield Step(dtype, "", lines, program.call)
    yield Step("autocast", "", "", AUTOCAST.replace("$call", program.call))


def _of_training(program: Program, parsed: ParsedName) -> Iterator[Step]:
    """Yield the same call in the other mode, for functions that have one."""
    default = _training_by_default(parsed)
    if default is None or not program.call.endswith(")"):
        return
    for mode in (True, False):
        if f"training={mode}" in program.call:
            turned = program.call.replace(f"training={mode}", f"training={not mode}")
            yield Step("training", "", "", turned, turned)
            return
    turned = f"{program.call[:-1]}, training={not default})"
    yield Step("training", "", "", turned, turned)


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


def _of_argument(
    named: Named, call: Call, run: Run, first: str, numbers: set[str]
) -> Iterator[str]:
    shape = named.tensor.shape
    twins = [
        other.name
        for other in call.tensors
        if other.name != named.name and other.tensor.shape == shape and differentiable(other)
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


def _line(condition: str, argument: str, first: str) -> str:
    return LINES[condition].replace("$name", argument).replace("$first", first)
