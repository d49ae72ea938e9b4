"""Declarations as loaded, against the YAML files of the wheel read without the loader."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from generator.probe.declared import load_declared

PACKAGED = Path(torch.__file__).parents[1] / "torchgen" / "packaged"
DERIVATIVES = PACKAGED / "autograd" / "derivatives.yaml"
NATIVE = PACKAGED / "ATen" / "native" / "native_functions.yaml"
LOADER = yaml.CSafeLoader


@pytest.fixture(scope="module")
def declared() -> Any:
    return load_declared()


@cache
def entries_by_line() -> dict[int, dict[str, Any]]:
    """Read each entry of the file with the line on which it begins."""
    text = DERIVATIVES.read_text(encoding="utf-8")
    sequence = yaml.compose(text, Loader=LOADER)
    assert isinstance(sequence, yaml.SequenceNode)
    lines = [item.start_mark.line + 1 for item in sequence.value]
    return dict(zip(lines, yaml.load(text, Loader=LOADER), strict=True))  # noqa: S506 - safe


def only(declared: Any, node: str) -> dict[str, Any]:
    (declaration,) = declared.by_type[node]
    assert isinstance(declaration, dict)
    return declaration


def test_649_types_are_declared_and_all_of_the_registry(declared: Any) -> None:
    assert len(declared.by_type) == 649
    assert declared.by_type.keys() <= vars(torch._C._functions).keys()


def test_exp_is_declared_as_calculus_has_it(declared: Any) -> None:
    exp = only(declared, "ExpBackward0")
    assert exp["overload"] == "aten::exp"
    assert exp["formulas"] == [{"inputs": ["self"], "formula": "grad * result.conj()"}]
    assert [value["name"] for value in exp["saved_outputs"]] == ["result"]
    assert exp["saved_inputs"] == []


def test_mul_keeps_each_factor_for_the_other(declared: Any) -> None:
    mul = only(declared, "MulBackward0")
    assert mul["overload"] == "aten::mul.Tensor"
    formulas = {formula["inputs"][0]: formula["formula"] for formula in mul["formulas"]}
    assert formulas.keys() == {"self", "other"}
    assert "other" in formulas["self"]
    assert {value["name"] for value in mul["saved_inputs"]} >= {"self", "other"}
    assert {v["type"] for v in mul["saved_inputs"] if v["name"] in ("self", "other")} == {
        "at::Tensor"
    }


def test_a_saved_expression_is_written_where_it_is_not_the_name(declared: Any) -> None:
    values = {value["name"]: value for value in only(declared, "ExpandBackward0")["saved_inputs"]}
    assert values["self_sym_sizes"]["expression"] == "self.sym_sizes()"
    assert "expression" not in only(declared, "ExpBackward0")["saved_outputs"][0]


def test_lines_lead_to_the_entry_in_the_file(declared: Any) -> None:
    text = DERIVATIVES.read_text(encoding="utf-8").splitlines()
    checked = 0
    for declarations in declared.by_type.values():
        for declaration in declarations:
            overload = declaration["overload"].removeprefix("aten::")
            shared = re.sub(r"_copy(?=\.|$)", "", overload)
            line = text[declaration["line"] - 1]
            name = line.removeprefix("- name:").strip()
            assert line.startswith("- name:")
            assert name.startswith((f"{overload}(", f"{shared}("))
            checked += 1
    assert checked >= 649


def test_formulas_are_those_of_the_file(declared: Any) -> None:
    checked = 0
    for declarations in declared.by_type.values():
        for declaration in declarations:
            entry = entries_by_line()[declaration["line"]]
            source = entry
            if "dispatch" in entry:
                source = entry["dispatch"][declaration["dispatch"]]
            written = {
                tuple(re.split(r"\s*,\s*", inputs)): str(formula)
                for inputs, formula in source.items()
            }
            for formula in declaration["formulas"]:
                assert written[tuple(formula["inputs"])] == formula["formula"]
                checked += 1
    assert checked > 700


def test_kernels_are_those_of_native_functions(declared: Any) -> None:
    native = yaml.load(NATIVE.read_text(encoding="utf-8"), Loader=LOADER)  # noqa: S506 - safe
    by_name = {entry["func"].partition("(")[0]: entry for entry in native}

    def keys(name: str) -> set[str]:
        listed = by_name[name].get("dispatch", {})
        return {key.strip() for group in listed for key in group.split(",")}

    # a structured op has its kernels where it delegates to
    assert set(declared.kernels["aten::exp"]) >= keys("exp.out")
    assert keys("cudnn_batch_norm") == {"CUDA"} == set(declared.kernels["aten::cudnn_batch_norm"])
    assert "CompositeImplicitAutograd" in declared.kernels["aten::matmul"]
    assert set(declared.kernels["aten::mul.Tensor"]) >= {"CPU", "CUDA", "MPS"}
