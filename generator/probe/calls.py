"""A call that can be made again: named arguments, a grad mask, and the same seed each time.

Three sources give calls: an OpInfo sample, a ModuleInfo sample and a reference program. Each
becomes a `Call`, whose `run` makes fresh arguments that require grad as the mask says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Callable, Literal, NamedTuple

import torch
from torch import Tensor

from generator.probe.seeds import seed_generators
from generator.tape.versions import version_of
from generator.tape.walk import Node, boundary_of

Written = Literal["nothing", "first", "anything"]


class CallRaisedError(Exception):
    """The call itself raised; the message is the error's type and the first line of its text."""


class OtherInputsError(Exception):
    """Not all inputs that the call was given with grad may require it; by now is known which."""


class Named(NamedTuple):
    """A tensor argument: its name, where it comes from (input, parameter, buffer), the tensor."""

    name: str
    source: str
    tensor: Tensor


# Given a mask, fresh arguments and a function that makes the call with them.
Prepare = Callable[[Sequence[str]], "tuple[list[Named], Callable[[], Any]]"]


class Run(NamedTuple):
    """One call that was made: its tensor arguments, its output tensors, and its boundary.

    The boundary maps the node where an argument's history begins to the argument's name. It is
    read before the call, since an in-place op gives its argument a new `grad_fn`. `wrote` says
    whether the call wrote into an argument, by the version counters.
    """

    arguments: list[Named]
    outputs: list[Tensor]
    boundary: dict[Node, str]
    wrote: bool


class Call(NamedTuple):
    """A repeatable call.

    `tensors` are the arguments as given, `literals` the printed other arguments, `text` is the
    call as a reader would write it. `prepare(mask)` returns fresh arguments and a function that
    makes the call with them; `remake(inputs)` returns the same call of other inputs, one for each
    tensor that comes from no module. `attempt` stands for `prepare` where which inputs may require
    grad is still to be found out, and the run that it is for tells.
    """

    text: str
    tensors: list[Named]
    literals: list[tuple[str, str]]
    seed: int
    prepare: Prepare
    remake: Callable[..., Call]
    attempt: Prepare | None = None

    def run(self, mask: Sequence[str]) -> Run:
        """Make the call once with the arguments in `mask` requiring grad.

        Raises CallRaisedError.
        """
        seed_generators(self.seed)
        arguments, make = (self.attempt or self.prepare)(mask)
        boundary = boundary_of((named.name, named.tensor) for named in arguments)
        versions = [version_of(named.tensor) for named in arguments]
        try:
            outputs = tensors_in(make())
        except OtherInputsError:
            return self.run(mask)
        except Exception as error:
            raise CallRaisedError(first_line(error)) from error
        wrote = versions != [version_of(named.tensor) for named in arguments]
        return Run(arguments, outputs, boundary, wrote)


def differentiable(named: Named) -> bool:
    """Tell whether an argument can require grad: floating point or complex, and no buffer."""
    dtype = named.tensor.dtype
    return named.source != "buffer" and (dtype.is_floating_point or dtype.is_complex)


def accepting_grad(call: Call, names: list[str]) -> list[str]:
    """Return those of `names` that may require grad without making the call raise.

    Some formulas are not differentiable with respect to an argument, and the call says so at once.
    """
    if _runs(call, names):
        return names
    return [name for name in names if _runs(call, [name])]


def tensors_in(value: Any) -> list[Tensor]:
    """Return the tensors of a nested output, in order."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors_in(item)]
    return []


def named_tensors(name: str, value: Any) -> list[tuple[str, Tensor]]:
    """Return the tensors of a nested argument, named by their place: `tensors[0]`."""
    if isinstance(value, Tensor):
        return [(name, value)]
    if isinstance(value, (list, tuple)):
        return [
            pair
            for position, item in enumerate(value)
            for pair in named_tensors(f"{name}[{position}]", item)
        ]
    return []


def sample_call(
    function: Callable[..., Any],
    text: str,
    arguments: dict[str, Any],
    keywords: dict[str, Any],
    *,
    seed: int,
    written: Written = "nothing",
) -> Call:
    """Make a call of `function` with positional `arguments` (by name, in order) and `keywords`.

    What is going to be `written` into, by the call or after it, is given as a clone, since
    autograd refuses to write into a leaf.
    """
    given = {**arguments, **keywords}
    tensors = _unique(
        [
            Named(place, "input", tensor)
            for name, value in given.items()
            for place, tensor in named_tensors(name, value)
        ]
    )

    def prepare(mask: Sequence[str]) -> tuple[list[Named], Callable[[], Any]]:
        fresh = [
            named._replace(tensor=named.tensor.detach().requires_grad_(named.name in mask))
            for named in tensors
        ]
        for place in range({"nothing": 0, "first": 1, "anything": len(fresh)}[written]):
            fresh[place] = fresh[place]._replace(tensor=fresh[place].tensor.clone())
        replaced = {id(old.tensor): new.tensor for old, new in zip(tensors, fresh)}
        positional = [_replace(value, replaced) for value in arguments.values()]
        named = {name: _replace(value, replaced) for name, value in keywords.items()}
        return fresh, lambda: function(*positional, **named)

    def remake(inputs: Sequence[Tensor], change: Callable[[Any], Any] = lambda one: one) -> Call:
        replaced = {id(old.tensor): new for old, new in zip(tensors, inputs)}
        return sample_call(
            function,
            text,
            {name: _replace(change(value), replaced) for name, value in arguments.items()},
            {name: _replace(change(value), replaced) for name, value in keywords.items()},
            seed=seed,
            written=written,
        )

    return Call(text, tensors, literals_of(given), seed, prepare, remake)


def first_line(error: BaseException) -> str:
    """Return an error as its type and the first line of its message."""
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def literals_of(given: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the printed arguments that hold no tensor."""
    return [
        (name, printed(value)) for name, value in given.items() if not named_tensors(name, value)
    ]


def printed(value: Any) -> str:
    """Print a value without addresses: what has no plain form is named by its type."""
    if isinstance(value, (tuple, list)):
        inner = ", ".join(map(printed, value))
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {printed(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Tensor):
        return f"{str(value.dtype).replace('torch.', '')}{list(value.shape)}"
    if isinstance(value, _PLAIN):
        # The repr of an infinity is no name of Python's.
        infinite = isinstance(value, float) and not math.isfinite(value)
        return f"float('{value}')" if infinite else repr(value)
    return str(getattr(value, "__qualname__", type(value).__name__))


_PLAIN = (
    *(bool, int, float, complex, str, slice, type(None), type(Ellipsis)),
    *(torch.dtype, torch.layout, torch.device, torch.memory_format),
)


def _runs(call: Call, mask: Sequence[str]) -> bool:
    try:
        call.run(mask)
    except CallRaisedError:
        return False
    return True


def _unique(tensors: list[Named]) -> list[Named]:
    # One tensor given twice (`x * x`) is one argument, under its first name.
    seen: dict[int, Named] = {}
    for named in tensors:
        seen.setdefault(id(named.tensor), named)
    return list(seen.values())


def _replace(value: Any, replaced: dict[int, Tensor]) -> Any:
    if isinstance(value, Tensor):
        return replaced[id(value)]
    if isinstance(value, (list, tuple)):
        items = [_replace(item, replaced) for item in value]
        if hasattr(value, "_fields"):
            return type(value)(*items)
        return type(value)(items)
    return value
