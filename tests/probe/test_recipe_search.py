"""The search for a program where no recipe serves, its stub, and what becomes of failures."""

import signal
from typing import Any

import pytest
import torch

from generator.probe.guard import Guard, StepEndedError
from generator.probe.pool import run_tasks
from generator.probe.programs import ProgramError
from generator.probe.recipes import RECIPES, layer, search
from generator.probe.recipes.layer import declarations, recipe_sighting
from generator.probe.recipes.stub import STUB, over_stub
from generator.probe.recipes.synthesis import synthesized
from generator.probe.recipes.trial import Live, OtherNodesError, run_recipe

Json = dict[str, Any]
# Ops warn of what the search tries, and torch of the kernel that a stub replaces.
pytestmark = pytest.mark.filterwarnings("ignore")


def described(live: Live) -> list[tuple[str, str, list[str]]]:
    return [(saved.attribute, saved.kind, roles) for saved, roles in live.values]


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        ("ExpBackward0", ["_saved_result"]),
        ("MulBackward0", ["_saved_other", "_saved_self"]),
        ("TopkBackward0", ["_saved_dim", "_saved_indices", "_saved_self_sym_sizes"]),
    ],
)
def test_a_type_without_a_working_recipe_is_found_by_its_schema(
    monkeypatch: pytest.MonkeyPatch, name: str, saved: list[str]
) -> None:
    monkeypatch.setitem(RECIPES, name, "output = torch.no_such_function()")
    sighting = recipe_sighting(name, Guard())[name]
    assert sighting["witness"] == {"layer": "synthesized call", "name": name}
    assert sorted(sighting["observed"]) == saved
    assert "torch.ops.aten." in sighting["recipe"]["program"]


def test_a_recipe_that_kills_its_process_costs_itself_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    die = f"import os\nos.kill(os.getpid(), {int(signal.SIGKILL)})"
    monkeypatch.setitem(RECIPES, "ExpBackward0", die)
    monkeypatch.setitem(RECIPES, "NoSuchBackward0", die)
    names = ["ExpBackward0", "NoSuchBackward0", "SinBackward0"]
    declarations()
    results = [one.result for one in run_tasks(recipe_sighting, names, workers=1)]
    by_name = {name: one for part in results for name, one in part.items()}
    assert by_name["ExpBackward0"]["witness"]["layer"] == "synthesized call"
    assert by_name["SinBackward0"]["witness"]["layer"] == "recipe"
    assert "NoSuchBackward0" not in by_name  # no registry has it, and nothing made it


def test_the_reason_is_what_better_arguments_would_not_mend() -> None:
    found, reason = search.search("MaxPool2DBackward0", declared("MaxPool2DBackward0"), Guard())
    assert found is not None
    assert found.layer == "stub"
    assert reason == "it makes other nodes: MaxPool2DWithIndicesBackward0"


def test_a_type_that_nothing_declares_says_what_its_recipe_did() -> None:
    assert search.search("DelayedError", [], Guard()) == (None, "it makes other nodes: Error")


def declared(name: str) -> list[Json]:
    return declarations().by_type[name]


# Types with kernels of all sorts: elementwise, several outputs, lists, views, sizes, reductions.
BOTH = """
    AbsBackward0 AddBackward0 AddmmBackward0 AminmaxBackward0 AsStridedBackward0 BmmBackward0
    CatBackward0 ClampBackward1 CumprodBackward0 DivBackward0 ExpandBackward0 FftC2CBackward0
    FrobeniusNormBackward0 GatherBackward0 GeluBackward0 HardtanhBackward0 IndexAddBackward0
    IndexBackward0 KthvalueBackward0 LerpBackward1 LinalgQrBackward0 LinalgSvdBackward0
    LogsumexpBackward0 MaskedFillBackward0 MaxBackward0 MeanBackward1 MulBackward0 NormBackward1
    PermuteBackward0 PowBackward1 PreluKernelBackward0 ProdBackward1 SelectBackward0 SortBackward0
    SplitBackward0 SqueezeBackward1 StackBackward0 StdBackward0 SumBackward1 TanhBackward0
    TopkBackward0 UnbindBackward0 UnsafeSplitBackward0 ViewBackward0 WhereBackward0
"""


def test_a_node_over_a_stub_saves_what_it_saves_over_the_real_kernel() -> None:
    def both(name: str, guard: Guard) -> tuple[Any, Any] | None:
        for one in declared(name):
            for program in synthesized(one["overload"], one["dispatch"]):
                try:
                    real = guard.step(lambda text=program: run_recipe(name, text, stubbed=False))
                except (OtherNodesError, ProgramError, StepEndedError):
                    continue
                stubbed = run_recipe(name, over_stub(program, one["dispatch"]), stubbed=True)
                return described(real), described(stubbed)
        return None

    names = [name for name in BOTH.split() if name in declarations().by_type]
    outcomes = {names[one.task]: one.result for one in run_tasks(both, names, workers=2)}
    compared = {name: result for name, result in outcomes.items() if result is not None}
    assert len(compared) >= 40
    assert [name for name, (real, stubbed) in compared.items() if real != stubbed] == []


def test_a_stub_ends_with_its_block() -> None:
    program = "x = torch.rand(3, requires_grad=True)\noutput = torch.ops.aten.exp.default(x)"
    namespace: Json = {}
    exec(f"import torch\n{STUB}\n{over_stub(program, 'Default')}", namespace)  # noqa: S102
    assert namespace["output"].tolist() == [0, 0, 0]
    namespace.clear()
    assert torch.exp(torch.zeros(3)).tolist() == [1, 1, 1]


def test_what_no_program_can_show_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node may be made, and what it saved not be read: the release's answer, not a fault."""

    def refuse(*_: object) -> None:
        raise ProgramError(9, "RuntimeError: No grad accumulator for a saved leaf!")

    monkeypatch.setattr(layer, "recipe_fields", refuse)
    sighting = recipe_sighting("ExpBackward0", Guard())["ExpBackward0"]
    assert (sighting["witness"], sighting["attributes"]) == (None, [])
    assert sighting["unmade"].endswith("RuntimeError: No grad accumulator for a saved leaf!")
    assert "the probe failed" not in sighting["unmade"]
