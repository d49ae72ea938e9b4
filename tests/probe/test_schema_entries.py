"""The probe where PyTorch's own tests cannot be imported: what stands in, and that it says so."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.catalogue.checks import violations
from generator.catalogue.model.records import NodeRecord, OpRecord
from generator.release.transcript import read_transcript

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
# None in the table of modules makes the import of that module fail.
WITHOUT_TESTS = """
import sys
sys.modules["torch.testing._internal.common_methods_invocations"] = None
from generator.probe.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
OPS = ["torch.exp", "torch.mul", "torch.topk", "torch.nn.functional.gelu"]
# One has no kernel here; the other is given arguments that it does not check.
UNABLE = {"torch._lstm_mps": "raised", "torch.mkldnn_rnn_layer": "crashed"}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("probe") / "out"
    command = [sys.executable, "-c", WITHOUT_TESTS, "--out", str(path), "--only"]
    done = subprocess.run(
        [*command, *OPS, *UNABLE, "ExpBackward0", "torch.nn.Linear"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return path


def records(out: Path, kind: str) -> dict[str, Json]:
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {one["name"]: one for one in lines if one["kind"] == kind}


def test_the_build_says_what_ops_were_called_with(out: Path) -> None:
    build = read_transcript(out, "2.13.0").header.build
    assert build.samples is not None
    assert build.samples.startswith("arguments made from ATen schemas, since PyTorch's own tests")
    assert "ModuleNotFoundError" in build.samples


def test_ops_are_measured_with_arguments_made_from_schemas(out: Path) -> None:
    made = records(out, "op")
    assert set(made) == {*OPS, *UNABLE}
    for name in OPS:
        record = made[name]
        assert record["state"] == "measured"
        assert all("from its ATen schema" in entry["name"] for entry in record["entries"])
        msgspec.convert(record, OpRecord)
    saved = {
        attribute
        for node in made["torch.exp"]["nodes"]
        for attribute, _, roles in node["saved"]
        if roles == ["output"]
    }
    assert saved == {"_saved_result"}


def test_what_cannot_be_called_says_why_and_nothing_contradicts_it(out: Path) -> None:
    catalogue = read_transcript(out, "2.13.0")
    ended = {name: catalogue.ops[name] for name in UNABLE}
    assert {name: op.state for name, op in ended.items()} == UNABLE
    reason = str(ended["torch.mkldnn_rnn_layer"].reason)
    assert reason.startswith("float32 samples: the process was ended by SIG")
    assert all(op.reason for op in ended.values())
    assert violations(catalogue) == []


def test_modules_and_nodes_are_measured_all_the_same(out: Path) -> None:
    assert records(out, "module")["torch.nn.Linear"]["state"] == "measured"
    nodes = records(out, "node")
    assert len(nodes) >= 658
    assert nodes["ExpBackward0"]["recipe"]["program"].endswith("output = torch.exp(x)")
    assert msgspec.convert(nodes["ExpBackward0"], NodeRecord).state == "witnessed"
