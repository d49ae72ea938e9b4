"""Symbolic sizes where a release has them, and a tracer that is spared what it would do twice.

All of it is told by asking the release: where it has no such part, it traces as it always does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from copy import copy, deepcopy
from importlib import import_module
from typing import Any, Callable, NamedTuple
from unittest.mock import patch
from warnings import catch_warnings, simplefilter

import torch
from torch import Tensor


@contextmanager
def frugal_tracing() -> Iterator[None]:
    """Let AOTAutograd trace, inside the block, one function of one set of inputs, and no others.

    What is traced is the same: a graph generates the code of its `forward` when that is called
    first, none is printed for the log, and a joint graph that was traced for one partitioner is not
    traced again for the next one, which is given a copy of it, as its own would be.
    """
    with ExitStack() as stack:
        stack.enter_context(_lazy_graphs())
        stack.enter_context(patch.object(torch.fx.GraphModule, "print_readable", _unprinted))
        for place, name, other in (_random_states(), _joint_graphs()):
            if place is not None:
                stack.enter_context(patch.object(place, name, other))
        yield


def _unprinted(*_: Any, **__: Any) -> str:
    return ""


def _lazy_graphs() -> AbstractContextManager[Any]:
    use: Any = getattr(_lazy(), "_use_lazy_graph_module", None)
    return nullcontext() if use is None else use(should_use=True)


def _lazy() -> Any:
    return getattr(torch.fx, "_lazy_graph_module", None)


def _found(module: str, name: str) -> Any:
    """Return a module of the release that has such a name, None where there is none."""
    try:
        found = import_module(module)
    except ImportError:
        return None
    return found if hasattr(found, name) else None


def _random_states() -> tuple[Any, str, Any]:
    """Leave out the states of random numbers, which each trace makes anew, twelve tensors in all.

    They are read where random operators are functions of such a state, which is an option.
    """
    config = _found("torch._functorch.config", "functionalize_rng_ops")
    states = _found("torch._decomp.decompositions_for_rng", "PhiloxStateTracker")
    if states is None or config is None or config.functionalize_rng_ops:
        return None, "", None
    return states.PhiloxStateTracker, "reset", classmethod(lambda _: None)


def _joint_graphs() -> tuple[Any, str, Any]:
    """Trace anew only what differs in inputs or in decompositions from what was traced before.

    What a trace notes in the description of the call, such as an effect that backward has, is noted
    again where its graph is used again.
    """
    name = "aot_dispatch_autograd_graph"
    compiling = _found("torch._functorch._aot_autograd.graph_compile", name)
    if compiling is None:
        return None, "", None
    trace: Callable[..., Any] = getattr(compiling, name)
    make = getattr(_lazy(), "_make_graph_module", torch.fx.GraphModule)
    kept: list[tuple[Any, dict[str, Any], Any]] = []

    def traced(function: Any, inputs: Any, *given: Any, fw_metadata: Any) -> Any:
        asked = [_facts(inputs), given[-1].decompositions]
        for place, (known, noted, made) in enumerate(kept):
            if known == asked:
                del kept[place]  # a partitioner changes the graph that it is given
                vars(fw_metadata).update(noted)
                return made
        before = dict(vars(fw_metadata))
        graph, *rest = trace(function, inputs, *given, fw_metadata=fw_metadata)
        noted = {
            name: copy(value)
            for name, value in vars(fw_metadata).items()
            if value is not before.get(name)
        }
        with catch_warnings():
            simplefilter("ignore")  # what the release copies may be deprecated in it
            copied = make(graph, deepcopy(graph.graph))
        copied.meta = dict(graph.meta)
        kept.append((asked, noted, (copied, *rest)))
        return (graph, *rest)

    return compiling, name, traced


def _facts(inputs: Any) -> list[Any]:
    return [
        (one.shape, one.stride(), one.dtype, one.requires_grad) if isinstance(one, Tensor) else one
        for one in inputs
    ]


class SymbolicSizes(NamedTuple):
    """The class of modes in which tensors are fake, and a new environment of symbols for sizes."""

    mode: Any
    environment: Any


def symbolic_sizes() -> SymbolicSizes | None:
    """Return what makes calls of symbolic sizes, None where the release cannot make them.

    Sizes that are equal must not share a symbol: some releases cannot be told so.
    """
    try:
        fakes: Any = import_module("torch._subclasses.fake_tensor")
        shapes: Any = import_module("torch.fx.experimental.symbolic_shapes")
        environment = shapes.ShapeEnv(duck_shape=False)
    except (ImportError, TypeError):
        return None
    return SymbolicSizes(fakes.FakeTensorMode, environment)


def size_hints(environment: Any) -> Any:
    """Return the mapping from a `ShapeEnv`'s symbols to the sizes that they stand for."""
    if hasattr(environment, "backed_var_to_val"):
        return environment.backed_var_to_val
    return environment.var_to_val
