"""Stand in for PyTorch's own op tests where a release's cannot be imported.

Each overload that the release declares a derivative for gets an entry that behaves like an OpInfo
as far as this probe asks: one sample, with arguments made from the ATen schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import torch

from generator.probe.calls import tensors_in
from generator.probe.declared import load_declared
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.probe.recipes.search import TRIES, without_refused
from generator.probe.recipes.synthesis import overload_of, synthesized
from generator.probe.seeds import seed_generators

PREFIXES = ("linalg", "fft", "special")


class Sample(NamedTuple):
    """A call's arguments, as an OpInfo gives them."""

    input: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class SchemaEntry:
    """An ATen overload in the place of an OpInfo: what it is called, and one sample of it."""

    supports_autograd = True
    aliases: tuple[Any, ...] = ()
    method_variant = None
    inplace_variant = None

    def __init__(self, overload: str) -> None:
        base, _, variant = overload.partition("::")[2].partition(".")
        self.overload = overload
        self.aten_name = base
        self.name = _public(base)
        self.variant_test_name = f"{variant or 'default'}, from its ATen schema"
        self.op = overload_of(overload)

    def supported_dtypes(self, _device: str) -> set[torch.dtype]:
        """Return the dtype that arguments are made in."""
        return {torch.float32}

    supported_backward_dtypes = supported_dtypes

    def sample_inputs_func(self, *_: Any, **__: Any) -> Iterator[Sample]:
        """Yield the first arguments, in the order of `synthesized`, that make a graph.

        Raises ProgramError, as the plainest arguments do, where none makes one.
        """
        refused: ProgramError | None = None
        for program in islice(synthesized(self.overload), TRIES):
            try:
                made = _made(program)
            except ProgramError as error:
                refused = refused or error
                continue
            if made is not None:
                yield made
                return
        if refused is not None:
            raise refused


def schema_entries() -> list[SchemaEntry]:
    """Return an entry for each overload with a declared derivative that does not write."""
    declared = load_declared().by_type.values()
    names = {one["overload"] for declarations in declared for one in declarations}
    return [
        SchemaEntry(name)
        for name in sorted(names)
        if not name.partition(".")[0].endswith("_") and _exists(name)
    ]


def _exists(overload: str) -> bool:
    try:
        overload_of(overload)
    except AttributeError:
        return False
    return True


def _public(base: str) -> str:
    """Return the name under which people know an ATen op, in OpInfo's way of writing it."""
    for prefix in PREFIXES:
        rest = base[len(prefix) + 1 :]
        if base.startswith(f"{prefix}_") and hasattr(getattr(torch, prefix), rest):
            return f"{prefix}.{rest}"
    if not hasattr(torch, base) and hasattr(torch.nn.functional, base):
        return f"nn.functional.{base}"
    return base


def _made(program: str) -> Sample | None:
    """Return the arguments of a program that makes a graph, None where it makes none.

    Raises ProgramError.
    """
    while True:
        try:
            namespace = _run(program)
            break
        except ProgramError as error:
            freed = without_refused(program, str(error))
            if freed is None:
                raise
            program = freed
    if not any(output.requires_grad for output in tensors_in(namespace["output"])):
        return None
    setup, _, call = program.rpartition("\n")
    given = f"output = (lambda *args, **kwargs: (args, kwargs))({call.partition('(')[2]}"
    args, kwargs = _run(f"{setup}\n{given}")["output"]
    return Sample(args[0], args[1:], kwargs) if args else None


def _run(program: str) -> dict[str, Any]:
    namespace = new_namespace()
    seed_generators(0)
    run_block(f"import torch\n{program}", namespace)
    return namespace
