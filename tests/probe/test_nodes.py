"""Node records: registry, declarations and sightings joined, each state with its reason."""

from typing import Any

import torch

from generator.probe.declared import Declared
from generator.probe.nodes import node_records

Json = dict[str, Any]


def declaration(overload: str) -> Json:
    formulas = [{"inputs": ["self"], "formula": "grad"}]
    return {"overload": overload, "dispatch": "Default", "line": 3, "formulas": formulas}


DECLARED = Declared(
    by_type={
        "ExpBackward0": [declaration("aten::exp")],
        "SinBackward0": [declaration("aten::sin")],
        "CudnnBatchNormBackward0": [declaration("aten::cudnn_batch_norm")],
        "MatmulBackward0": [declaration("aten::matmul")],
    },
    kernels={
        "aten::exp": ["CPU", "CUDA"],
        "aten::sin": ["CPU", "CUDA"],
        "aten::cudnn_batch_norm": ["CUDA"],
        "aten::matmul": ["CompositeImplicitAutograd"],
    },
    shipped=True,
)

SEEN = {
    "attributes": ["_saved_result"],
    "witness": {"layer": "op sample", "name": "torch.exp"},
    "observed": {"_saved_result": {"kinds": {"tensor": 2}, "roles": {"output": 2}}},
    "error": "the words",
}


def records(sightings: dict[str, Json], device: str = "cpu") -> dict[str, Json]:
    made = node_records(DECLARED, sightings, device)
    assert [record["name"] for record in made] == sorted(record["name"] for record in made)
    assert all(record["kind"] == "node" for record in made)
    return {record["name"]: record for record in made}


def test_every_type_of_the_registry_has_a_record() -> None:
    types = [t for t in vars(torch._C._functions).values() if hasattr(t, "next_functions")]
    names = {t.__name__ for t in types} - {"CppFunction"}
    assert records({}).keys() == names
    assert len(names) == 658


def test_a_type_that_was_seen_is_witnessed() -> None:
    record = records({"ExpBackward0": SEEN})["ExpBackward0"]
    assert record["state"] == "witnessed"
    assert "reason" not in record
    assert record["witness"] == {"layer": "op sample", "name": "torch.exp"}
    assert record["observed"] == [
        {"attribute": "_saved_result", "kinds": {"tensor": 2}, "roles": {"output": 2}}
    ]
    assert record["error"] == "the words"
    assert record["declared"] == [declaration("aten::exp")]
    assert record["kernels"] == ["CPU", "CUDA"]


def test_a_type_that_was_not_seen_is_declared_and_lists_its_attributes() -> None:
    record = records({})["MulBackward0"]
    assert record["state"] == "declared"
    assert record["attributes"] == ["_saved_other", "_saved_self"]
    assert record["reason"].startswith("not in derivatives.yaml")


def test_the_reason_tells_a_type_left_out_of_the_declarations_from_none_that_were_shipped() -> None:
    made = node_records(Declared({}, {}, shipped=False), {}, "cpu")
    assert {record["state"] for record in made} == {"declared"}
    assert all("ships no derivatives.yaml" in record["reason"] for record in made)
    assert "ships no" not in str(records({})["MulBackward0"]["reason"])


def test_the_reason_names_a_missing_kernel_only_where_it_is_missing() -> None:
    made = records({})
    expected = "its op has no CPU kernel, only: CUDA"
    assert made["CudnnBatchNormBackward0"]["reason"] == expected
    for name in ("SinBackward0", "MatmulBackward0"):
        assert "kernel" not in made[name]["reason"]
        assert "derivatives.yaml" not in made[name]["reason"]
    assert "kernel" not in records({}, "cuda")["CudnnBatchNormBackward0"]["reason"]


def test_a_type_outside_the_registry_is_unregistered() -> None:
    seen = {**SEEN, "attributes": []}
    made = records({"ForeachExpBackward0": seen})
    record = made["ForeachExpBackward0"]
    assert (record["state"], record["attributes"]) == ("unregistered", [])
    assert "registry" in record["reason"]
    assert len(made) == 659
