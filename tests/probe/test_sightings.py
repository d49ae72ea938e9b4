"""Node types remembered over graphs and records, counted by hand."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from generator.probe.calls import sample_call
from generator.probe.measure import observe
from generator.probe.sightings import LAYERS, Sightings, merge, role_class


def seen(op: Callable[..., Tensor], layer: str, record: str, **given: Any) -> Sightings:
    made = Sightings()
    call = sample_call(op, "", given, {}, seed=0)
    mask = list(given)
    made.add(layer, record, observe(call, mask).sightings)
    return made


X = torch.full((2,), 0.5)


def test_a_type_is_seen_with_attributes_kinds_and_roles() -> None:
    sightings = seen(lambda x, y: (x * y).exp(), "op sample", "torch.op", x=X, y=X.clone())
    assert sightings.seen == {
        "ExpBackward0": {
            "attributes": ["_saved_result"],
            "witness": {"layer": "op sample", "name": "torch.op"},
            "observed": {"_saved_result": {"kinds": {"tensor": 1}, "roles": {"output": 1}}},
            "error": None,
        },
        "AccumulateGrad": {
            "attributes": [],
            "witness": {"layer": "op sample", "name": "torch.op"},
            "observed": {},
            "error": None,
        },
        "MulBackward0": {
            "attributes": ["_saved_other", "_saved_self"],
            "witness": {"layer": "op sample", "name": "torch.op"},
            "observed": {
                "_saved_other": {"kinds": {"tensor": 1}, "roles": {"input": 1}},
                "_saved_self": {"kinds": {"tensor": 1}, "roles": {"input": 1}},
            },
            "error": None,
        },
    }


def test_counts_add_up_and_the_earlier_layer_is_the_witness() -> None:
    variant = seen(torch.exp, "op variant", "torch.a", x=X).seen
    sample = seen(torch.exp, "op sample", "torch.z", x=X).seen
    other = seen(torch.exp, "op sample", "torch.b", x=X).seen
    merged = merge([variant, sample, other])["ExpBackward0"]
    assert merged["witness"] == {"layer": "op sample", "name": "torch.b"}
    assert merged["observed"]["_saved_result"] == {"kinds": {"tensor": 3}, "roles": {"output": 3}}


def test_the_first_error_is_kept() -> None:
    parts = []
    for message in (None, "first", "second"):
        made = seen(torch.exp, "op sample", "torch.exp", x=X)
        node = X.clone().requires_grad_().exp().grad_fn
        assert made.knows(node)
        assert not made.has_error(node)
        if message is not None:
            made.set_error(node, message)
            assert made.has_error(node)
        parts.append(made.seen)
    assert merge(parts)["ExpBackward0"]["error"] == "first"


def test_a_type_that_was_not_met_is_not_known() -> None:
    assert not Sightings().knows(X.clone().requires_grad_().exp().grad_fn)


@pytest.mark.parametrize(
    ("role", "kind"),
    [
        ("input x", "input"),
        ("input tensors[3]", "input"),
        ("parameter weight", "parameter"),
        ("view of parameter 0.weight", "view of parameter"),
        ("output", "output"),
        ("output 12", "output"),
        ("view of output 1", "view of output"),
        ("intermediate", "intermediate"),
        ("wrapped number", "wrapped number"),
        ("view of incoming gradient", "view of incoming gradient"),
    ],
)
def test_a_class_of_role_is_a_role_without_its_name(role: str, kind: str) -> None:
    assert role_class(role) == kind


def test_layers_are_those_of_the_catalogue() -> None:
    from typing import get_args

    from generator.catalogue.model.records import Layer

    assert sorted(LAYERS) == sorted(get_args(Layer))


def shown(layer: str, roles: dict[str, int]) -> dict[str, Any]:
    return {
        "ExpBackward0": {
            "attributes": ["_saved_result"],
            "witness": {"layer": layer, "name": "torch.exp"},
            "observed": {"_saved_result": {"kinds": {"tensor": 1}, "roles": roles}},
            "error": None,
            "recipe": {"program": layer, "printed": ""},
        }
    }


def test_a_stub_counts_only_where_no_real_kernel_was_shown() -> None:
    stub = shown("stub", {"intermediate": 1})
    real = shown("recipe", {"output": 1})
    unmade = {"ExpBackward0": {**shown("stub", {})["ExpBackward0"], "witness": None}}
    for parts in ([stub, unmade], [unmade, stub]):
        assert merge(parts)["ExpBackward0"]["witness"]["layer"] == "stub"
    for parts in ([stub, real, unmade], [unmade, real, stub], [real, stub]):
        (one,) = merge(parts).values()
        assert one["witness"]["layer"] == one["recipe"]["program"] == "recipe"
        assert one["observed"]["_saved_result"]["roles"] == {"output": 1}
