"""Frugal tracing: how often a function is run for its trace, and that the graphs are the same."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from functorch.compile import aot_function, default_partition, make_boxed_func
from functorch.compile import min_cut_rematerialization_partition as min_cut
from torch import Tensor

from generator.tape import compat_tracing
from generator.tape.compat_tracing import frugal_tracing
from tests.fixtures.absent import missing

PLAIN = torch.fx.GraphModule.print_readable
pytestmark = pytest.mark.filterwarnings("ignore")  # tracing uses what it deprecates


def traced(
    function: Callable[..., Any],
    given: Tensor,
    partition: Callable[..., Any],
    table: dict[Any, Any] | None = None,
) -> list[str]:
    """Trace and cut, and return the code of the graphs, forward and backward."""
    graphs: list[Any] = []

    def keep(graph: Any, _: Any) -> Any:
        graphs.append(graph)
        return make_boxed_func(graph.forward)

    options = {"fw_compiler": keep, "bw_compiler": keep, "decompositions": table}
    aot_function(function, partition_fn=partition, **options)(given.requires_grad_())
    return [str(graph.code) for graph in graphs]


def squared(times: list[int]) -> Callable[[Tensor], Tensor]:
    def function(x: Tensor) -> Tensor:
        times[0] += 1
        return x.sin() * x

    return function


def runs(block: Callable[[], AbstractContextManager[Any]], table: dict[Any, Any] | None) -> int:
    """Count how often tracing for two partitioners runs the function, the second with a table."""
    times = [0]
    function, given = squared(times), torch.ones(3)
    with block():
        traced(function, given, default_partition)
        traced(function, given, min_cut, table)
    return times[0]


def test_one_graph_for_two_partitioners_is_traced_once() -> None:
    # Each traces once to describe the outputs and once for the joint graph.
    assert runs(nullcontext, None) == 4
    assert runs(frugal_tracing, None) == 3


def test_other_decompositions_are_traced_anew() -> None:
    assert (
        runs(frugal_tracing, {torch.ops.aten.sin.default: lambda x: (x - torch.pi / 2).cos()}) == 4
    )


def test_other_inputs_are_traced_anew() -> None:
    times = [0]
    function = squared(times)
    with frugal_tracing():
        traced(function, torch.ones(3), default_partition)
        traced(function, torch.ones(4), min_cut)
    assert times == [4]


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda x: x.exp().sum(0), (3, 4)),
        (lambda x: torch.nn.functional.dropout(x, 0.5) + torch.tensor([1.0, 2.0]), (3, 2)),
        # Its backward has an effect, which the description of the call counts.
        (torch.linalg.eigvals, (3, 3)),
        (torch.linalg.eig, (3, 3)),
        (lambda x: (x.chunk(2), x.mul_(1)), (4, 2)),
    ],
    ids=["exp", "constant", "eigvals", "eig", "views"],
)
def test_the_graphs_are_those_of_a_trace_of_its_own(
    function: Callable[..., Any], shape: tuple[int, ...]
) -> None:
    def given() -> Tensor:
        return torch.rand(*shape, generator=torch.Generator().manual_seed(0))

    def both() -> list[Any]:
        found: list[Any] = []
        for partition in (default_partition, min_cut):
            try:
                found.append(traced(function, given(), partition))
            except RuntimeError as error:  # a leaf cannot be written to
                found.append(str(error))
        return found

    plain = both()
    with frugal_tracing():
        assert both() == plain


def test_a_release_traces_as_before_afterwards() -> None:
    with frugal_tracing():
        assert torch.fx.symbolic_trace(torch.nn.ReLU()).print_readable() == ""
    assert torch.fx.GraphModule.print_readable is PLAIN
    assert runs(nullcontext, None) == 4


def test_hints_go_by_either_name() -> None:
    newer, older = SimpleNamespace(backed_var_to_val={1: 2}), SimpleNamespace(var_to_val={3: 4})
    assert compat_tracing.size_hints(newer) == {1: 2}
    assert compat_tracing.size_hints(older) == {3: 4}


def test_symbolic_sizes_are_there_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    found = compat_tracing.symbolic_sizes()
    assert found is not None
    assert type(found.environment).__name__ == "ShapeEnv"
    assert not found.environment.duck_shape
    monkeypatch.setattr(compat_tracing, "import_module", missing("torch._subclasses.fake_tensor"))
    assert compat_tracing.symbolic_sizes() is None
    tying = SimpleNamespace(FakeTensorMode=object, ShapeEnv=lambda: None)
    monkeypatch.setattr(compat_tracing, "import_module", lambda _: tying)
    assert compat_tracing.symbolic_sizes() is None
