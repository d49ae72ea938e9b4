"""Names of node types against what the release declares of them."""

import pytest
import torch

from generator.probe.declared import Declared
from generator.probe.guard import Guard
from generator.probe.recipes import layer
from generator.probe.recipes.layer import declarations, recipe_sighting
from generator.probe.recipes.namesakes import namesakes


def test_every_declared_type_is_named_after_an_overload_that_it_is_declared_for() -> None:
    by_type = declarations().by_type
    assert len(by_type) > 600
    for name, declared in by_type.items():
        named = {(one["overload"], one["dispatch"]) for one in namesakes(name)}
        assert named & {(one["overload"], one["dispatch"]) for one in declared}, name


def test_types_without_an_operator_of_their_name_have_none() -> None:
    for name in ("CopySlices", "UndefinedGrad", "NoSuchOperatorBackward0"):
        assert namesakes(name) == []


def test_what_writes_into_a_keyword_is_no_namesake() -> None:
    overloads = [one["overload"] for one in namesakes("ExpBackward0")]
    assert overloads == ["aten::exp", "aten::exp_"]
    assert hasattr(torch.ops.aten.exp, "out")


def test_without_declarations_namesakes_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "CudnnBatchNormBackward0"
    monkeypatch.setattr(layer, "declarations", lambda: Declared({}, {}, shipped=False))
    found = recipe_sighting(name, Guard())[name]
    assert found["witness"]["layer"] == "stub"
    assert "torch.ops.aten.cudnn_batch_norm.default(" in found["recipe"]["program"]
    monkeypatch.setattr(layer, "declarations", lambda: Declared({}, {}, shipped=True))
    assert recipe_sighting(name, Guard())[name]["witness"] is None
