"""What PyTorch's own OpInfo and ModuleInfo say to call, as `Call`s with documented names.

`torch.testing._internal` parses `sys.argv` and seeds generators on import, so it is imported here
alone and once. Where that fails, `unimported` says why, and entries made from schemas stand in.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Callable, NamedTuple

import torch

from generator.probe.calls import (
    Call,
    Written,
    differentiable,
    first_line,
    named_tensors,
    printed,
    sample_call,
)
from generator.probe.names import canonical_name
from generator.probe.program_calls import with_module
from generator.probe.schema_entries import schema_entries
from generator.probe.seeds import seed_generators, seed_of
from generator.probe.signatures import ParsedName, call_text, positional_names
from generator.probe.unwrapping import inner_call
from generator.tape.compat import dtypes
from generator.tape.compat_listings import module_name, module_samples_of, samples_of

_arguments, sys.argv = sys.argv, sys.argv[:1]
op_db: list[Any]
module_db: list[Any]
unimported: str | None = None
try:
    from torch.testing._internal.common_methods_invocations import op_db
except Exception as error:  # whatever a release's own tests stumble over, or lack
    unimported = first_line(error)
    op_db = list(schema_entries())
try:
    from torch.testing._internal.common_modules import module_db
except Exception:  # modules rest on their reference programs then
    module_db = []
finally:
    sys.argv = _arguments

DTYPES = [
    torch.float32,
    torch.float64,
    torch.bfloat16,
    torch.float16,
    torch.complex64,
    torch.complex128,
    *dtypes("complex32"),
]


def ops() -> dict[str, list[Any]]:
    """Return the entries of `op_db` by canonical op name, both in sorted order."""
    by_name: dict[str, list[Any]] = {}
    for entry in op_db:
        by_name.setdefault(canonical_name(entry.name), []).append(entry)
    return {name: sorted(by_name[name], key=entry_name) for name in sorted(by_name)}


def modules() -> dict[str, Any]:
    """Return the entries of `module_db` by canonical module name, sorted."""
    return dict(sorted((f"torch.{module_name(m)}", m) for m in module_db))


def entry_name(entry: Any) -> str:
    """Return an OpInfo's full name: `div.floor_rounding`."""
    variant = entry.variant_test_name
    return f"{entry.name}.{variant}" if variant else str(entry.name)


def entry_dtypes(entry: Any, device: str) -> list[torch.dtype]:
    """Return the floating-point and complex dtypes for which OpInfo has samples.

    For a differentiable op these are the dtypes whose backward it supports.
    """
    if entry.supports_autograd:
        supported = entry.supported_backward_dtypes(device)
    else:
        supported = entry.supported_dtypes(device)
    return [dtype for dtype in DTYPES if dtype in supported]


class OpSample(NamedTuple):
    """One OpInfo sample: the call, the grad mask it asks for, and what it was made of."""

    call: Call
    asked: list[str]
    arguments: dict[str, Any]
    keywords: dict[str, Any]

    function: Callable[..., Any]

    def called_as(self, function: Callable[..., Any], name: str, written: Written) -> Call:
        """Return the same call under another spelling of the op."""
        text = call_text(name, _texts(self.arguments), _texts(self.keywords))
        return sample_call(
            function, text, self.arguments, self.keywords, seed=self.call.seed, written=written
        )

    def writable(self) -> Call:
        """Return the same call with arguments that may be written into afterwards."""
        return self.called_as(self.function, self.call.text, "anything")


def op_samples(
    entry: Any, name: str, parsed: ParsedName, device: str, dtype: torch.dtype
) -> Iterator[OpSample]:
    """Yield each sample of an entry.

    The samples of an op that OpInfo calls not differentiable ask for no grad; their mask is all
    floating-point arguments, so that the claim is tried.
    """
    seed = seed_of(entry_name(entry), dtype)
    seed_generators(seed)
    differs = bool(entry.supports_autograd)
    samples = samples_of(entry, device, dtype, requires_grad=differs)
    for position, sample in enumerate(samples):
        function, values, keywords = entry.op, [sample.input, *sample.args], dict(sample.kwargs)
        known = parsed
        if parsed.wrapper is not None:
            inner = inner_call(parsed.wrapper, parsed.public, values, keywords)
            if inner is not None:
                function, values, keywords = parsed.public, list(inner.arguments), inner.keywords
                known = parsed._replace(wrapper=None)
        names = positional_names(known, values, keywords)
        arguments = dict(zip(names, values))
        # A wrapper may have an order of its own, so its arguments are written by name.
        by_name = known.wrapper is not None and len(arguments) > 1
        ordered, named = ({}, {**arguments, **keywords}) if by_name else (arguments, keywords)
        text = call_text(name, _texts(ordered), _texts(named))
        written: Written = "first" if _writes(name) else "nothing"
        call = sample_call(
            function, text, arguments, keywords, seed=seed + position, written=written
        )
        asked = [
            named.name
            for named in call.tensors
            if (named.tensor.requires_grad if differs else differentiable(named))
        ]
        yield OpSample(call, asked, arguments, keywords, function)


def _writes(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


def module_calls(
    entry: Any, name: str, device: str, dtype: torch.dtype, training: bool
) -> Iterator[Call]:
    """Yield each sample of a ModuleInfo as a call of its module in train or eval mode."""
    seed = seed_of(name, dtype, training)
    seed_generators(seed)
    samples = module_samples_of(entry, device, dtype, training=training)
    for position, sample in enumerate(samples):
        forward = sample.forward_input
        if forward is None:
            continue
        seed_generators(seed + position)
        made = sample.constructor_input
        module = entry.module_cls(*made.args, **made.kwargs).to(device=device, dtype=dtype)
        module.train(training)
        names = positional_names(ParsedName(module.forward, []), forward.args, forward.kwargs)
        arguments = dict(zip(names, forward.args))
        maker = call_text(name, _texts(_numbered(made.args)), _texts(made.kwargs))
        text = call_text(maker, _texts(arguments), _texts(forward.kwargs))
        call = sample_call(module, text, arguments, forward.kwargs, seed=seed + position)
        if any(isinstance(p, torch.nn.UninitializedParameter) for p in module.parameters()):
            call.run([])
        yield with_module(call, module)


def _numbered(values: tuple[Any, ...]) -> dict[str, Any]:
    return {str(position): value for position, value in enumerate(values)}


def _texts(given: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, name if named_tensors(name, value) else printed(value))
        for name, value in given.items()
    ]
