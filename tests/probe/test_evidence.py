"""Evidence programs: they are plain PyTorch, and a fresh process prints what the record says."""

import json
import subprocess
import sys
from functools import cache
from string import Template
from typing import Any

import pytest

from generator.probe.cases import RecordBody
from generator.probe.evidence import TEMPLATES, reference
from generator.probe.masks import module_masks, op_masks
from generator.probe.program_calls import program_call
from generator.probe.references import MODULES, OPS, Program

PROGRAMS = {
    "torch.exp": OPS["torch.exp"],
    "torch.mul": OPS["torch.mul"],
    "torch.nn.functional.layer_norm": OPS["torch.nn.functional.layer_norm"],
    "torch.nn.functional.dropout": OPS["torch.nn.functional.dropout"],
    "torch.unbind": OPS["torch.unbind"],
    "torch.nn.Linear": MODULES["torch.nn.Linear"],
    "sparse": Program("sparse", "input = torch.eye(3).to_sparse()", "output = input * 2"),
}
PARTS = ("setup", "require", "call", "held", "grad_fns")


@cache
def made(name: str) -> dict[str, Any]:
    program = PROGRAMS[name]
    call = program_call(program.setup, program.call, seed=0)
    masks = module_masks if name == "torch.nn.Linear" else op_masks
    return reference(RecordBody(name, "op", masks), program, call, masks(call), None)


def source(name: str) -> str:
    record = made(name)
    return Template(TEMPLATES[record["template"]]).substitute({p: record[p] for p in PARTS})


@pytest.fixture(scope="module")
def printed_elsewhere() -> dict[str, str]:
    """Run every program in one fresh process that knows nothing of this project."""
    runner = """
import contextlib, io, json, sys
printed = {}
for name, program in json.load(sys.stdin).items():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(program, name, "exec"), {"__name__": "__main__"})
    printed[name] = out.getvalue()
print(json.dumps(printed))
"""
    finished = subprocess.run(
        [sys.executable, "-I", "-c", runner],
        input=json.dumps({name: source(name) for name in PROGRAMS}),
        capture_output=True,
        text=True,
        check=True,
    )
    printed: dict[str, str] = json.loads(finished.stdout)
    return printed


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_fresh_process_prints_what_was_recorded(
    name: str, printed_elsewhere: dict[str, str]
) -> None:
    assert printed_elsewhere[name] == made(name)["printed"] != ""
    assert "import torch\n" in source(name)
    assert "generator" not in source(name)


def test_exp_shows_its_output() -> None:
    record = made("torch.exp")
    assert record["template"] == "memory"
    lines = record["printed"].splitlines()
    assert lines[0] == "ExpBackward0"
    assert lines[1].strip() == "_saved_result = (256, 512) torch.float32, held by output"
    assert "input.requires_grad_()" in record["require"]


def test_layer_norm_shows_what_the_graph_alone_holds() -> None:
    printed = made("torch.nn.functional.layer_norm")["printed"]
    kept = dict(line.strip().split(" = ") for line in printed.splitlines() if " = " in line)
    assert kept["_saved_input"].endswith("held by input")
    assert kept["_saved_weight"].endswith("held by weight")
    assert kept["_saved_result1"].endswith("held by the graph alone")
    assert kept["_saved_result2"].endswith("held by the graph alone")


def test_many_outputs_share_one_node() -> None:
    record = made("torch.unbind")
    assert record["grad_fns"].count("grad_fn") == 1
    assert record["printed"].startswith("UnbindBackward0\n")


def test_a_modules_parameters_are_held_by_name() -> None:
    record = made("torch.nn.Linear")
    assert "**dict(module.named_parameters())" in record["held"]
    assert [row["mask"] for row in record["measurements"]] == [
        ["parameters"],
        ["inputs", "parameters"],
        ["inputs"],
        ["biases"],
    ]
    # the first mask asks for the gradients of parameters: no argument requires grad
    assert record["require"] == ""
    assert "_saved_mat2 = None" in record["printed"]


def test_a_sparse_call_shows_layouts() -> None:
    record = made("sparse")
    assert record["template"] == "layouts"
    assert "input.requires_grad_()" in record["require"]


def test_the_measurements_say_what_the_program_prints() -> None:
    for name in ("torch.exp", "torch.mul"):
        assert made(name)["measurements"][0]["extra_bytes"] == 0
        assert "the graph alone" not in made(name)["printed"]
    dropout = made("torch.nn.functional.dropout")
    assert "(256, 512) torch.float32, held by the graph alone" in dropout["printed"]
    assert dropout["measurements"][0]["extra_bytes"] == 256 * 512 * 4
