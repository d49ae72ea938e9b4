"""Every recipe is run, and a walk that knows nothing of the probe finds its node."""

from collections import Counter
from typing import Any, NamedTuple

import pytest
import torch

from generator.probe.guard import Guard
from generator.probe.nodes import node_records
from generator.probe.pool import run_tasks
from generator.probe.recipes import RECIPES
from generator.probe.recipes.layer import declarations, recipe_names, recipe_sighting
from generator.probe.recipes.stub import STUB

Json = dict[str, Any]
# What `DelayedError` and `UndefinedGrad` make when they are called are nodes of other types.
NO_NODES = {"DelayedError", "UndefinedGrad"}
# Some recipes call what is deprecated, or not finished: it warns.
pytestmark = pytest.mark.filterwarnings("ignore")


class Made(NamedTuple):
    """What the probe says of a type, and whether the program it gives makes one."""

    sighting: dict[str, Json]
    is_live: bool


def is_live(name: str, program: str) -> bool:
    namespace: Json = {}
    exec(f"import torch\n{STUB}\n{program}", namespace)  # noqa: S102 - our own programs
    waiting = [namespace["output"]]
    seen = []
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, tuple)):
            waiting += one
        elif isinstance(one, torch.Tensor):
            waiting.append(one.grad_fn)
        elif hasattr(one, "next_functions") and one not in seen:
            seen.append(one)
            waiting += [node for node, _ in one.next_functions]
    return any(name in (type(one).__name__, one.name()) for one in seen)


def make(name: str, guard: Guard) -> Made:
    sighting = recipe_sighting(name, guard)
    recipe = sighting.get(name, {}).get("recipe")
    return Made(sighting, recipe is not None and is_live(name, recipe["program"]))


@pytest.fixture(scope="module")
def made() -> dict[str, Made]:
    names = recipe_names()
    outcomes = list(run_tasks(make, names, workers=2))
    assert [(names[one.task], one.reason) for one in outcomes if one.state is not None] == []
    return {names[one.task]: one.result for one in outcomes}


@pytest.fixture(scope="module")
def records(made: dict[str, Made]) -> dict[str, Json]:
    sightings = {name: one for each in made.values() for name, one in each.sighting.items()}
    return {one["name"]: one for one in node_records(declarations(), sightings, "cpu")}


def test_each_recipe_makes_a_node_of_its_type(made: dict[str, Made]) -> None:
    assert {name for name in RECIPES if not made[name].is_live} == NO_NODES


def test_each_type_that_is_said_to_be_live_has_a_program_that_shows_it(
    made: dict[str, Made], records: dict[str, Json]
) -> None:
    live = {name for name, one in records.items() if one["state"] != "declared"}
    assert {name for name, one in made.items() if one.is_live} == live
    assert all(records[name]["recipe"]["printed"].strip() for name in live)


def test_nearly_all_of_the_registry_is_made_by_real_kernels_and_the_rest_over_a_stub(
    records: dict[str, Json],
) -> None:
    states = Counter(one["state"] for one in records.values())
    assert states["witnessed"] >= 595
    assert states["witnessed"] + states["stubbed"] >= 653
    assert states["unregistered"] >= 63
    assert {name for name, one in records.items() if one["state"] == "declared"} == NO_NODES


def test_what_no_real_kernel_makes_says_why(records: dict[str, Json]) -> None:
    reasons = {n: r["reason"] for n, r in records.items() if r["state"] in ("stubbed", "declared")}
    assert reasons["UndefinedGrad"].endswith("it makes other nodes: UndefinedGradBackward")
    assert reasons["CudnnBatchNormBackward0"] == "its op has no CPU kernel, only: CUDA"
    assert reasons["LstmMpsBackward0"] == "its op has no CPU kernel, only: MPS"
    assert reasons["ChunkBackward0"] == "called on cpu, it makes other nodes: SplitBackward0"
    assert "Cannot access accelerator device" in reasons["PinMemoryBackward0"]
    assert all(len(reason) > 20 for reason in reasons.values())


def test_a_stub_is_never_taken_for_a_real_kernel(made: dict[str, Made]) -> None:
    layers = {
        name: one.sighting[name]["witness"]["layer"] for name, one in made.items() if one.is_live
    }
    stubbed = {name for name, layer in layers.items() if layer == "stub"}
    programs = {name: made[name].sighting[name]["recipe"]["program"] for name in layers}
    assert stubbed == {name for name, text in programs.items() if "with stub(" in text}


def packs(program: str) -> int:
    packed = []
    hooks = torch.autograd.graph.saved_tensors_hooks(packed.append, lambda _: None)
    with hooks:
        exec(f"import torch\n{program}", {})  # noqa: S102 - our own programs
    return len(packed)


def test_a_type_outside_the_registry_shows_what_hooks_see(records: dict[str, Json]) -> None:
    outside = {name: one for name, one in records.items() if one["state"] == "unregistered"}
    assert outside["ForeachExpBackward0"]["packed"] == ["output"]  # d exp(x) = exp(x) dx
    assert outside["ForeachSinBackward0"]["packed"] == ["input x"]  # d sin(x) = cos(x) dx
    for name, one in outside.items():
        assert len(one["packed"]) == packs(one["recipe"]["program"])
        assert one["attributes"] == ([] if name.startswith("Foreach") else ["saved_tensors"])


def test_of_the_registry_one_type_hides_tensors_from_attributes(records: dict[str, Json]) -> None:
    inside = {name: one for name, one in records.items() if one["state"] != "unregistered"}
    hidden = {name: one["packed"] for name, one in inside.items() if "packed" in one}
    # d(x * weight) = weight * dx: what the multiplication in the slice saved
    assert hidden == {"CopySlices": ["input weight"]}
