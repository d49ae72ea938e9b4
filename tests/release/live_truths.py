"""Truths about releases, held against the probe run live in each: `make test-releases`.

Every one was seen in the releases themselves, with a few lines of plain PyTorch on the CPU. Which
releases are measured, `--releases` says; each gets its environment, or the one that is there.
"""

import os
from pathlib import Path

import pytest
from packaging.version import Version

from generator.catalogue.checks import violations
from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord
from generator.catalogue.policies import measured_nodes
from generator.checkout import Checkout
from generator.pipeline import prepare
from generator.release.environment import is_complete, remove
from generator.release.lock import only_run
from generator.release.releases import find_release
from generator.release.run import run_probe
from generator.release.transcript import read_transcript

CHECKOUT = Checkout(Path(__file__).parents[2])
# What is measured, and the first release whose own op tests have it.
ASKED = {
    "torch.exp": "1.9.1",
    "torch.mean": "1.9.1",
    "torch.softmax": "1.9.1",
    "torch.nn.functional.relu": "1.9.1",
    "torch.nn.functional.hardtanh": "1.9.1",
    "torch.nn.functional.embedding": "1.13.1",
    "torch.nn.functional.scaled_dot_product_attention": "2.0.1",
    "torch.nn.LSTM": "1.13.1",
}

# Backward classes, as counted in the releases themselves.
REGISTERED = {
    "1.9.1": 513,
    "1.10.2": 533,
    "1.11.0": 551,
    "1.12.1": 589,
    "1.13.1": 605,
    "2.0.1": 599,
    "2.2.2": 619,
    "2.6.0": 644,
    "2.10.0": 646,
    "2.13.0": 658,
    "2.15.0": 667,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make every test once in each release."""
    versions = metafunc.config.getoption("--releases").split()
    metafunc.parametrize("measured", versions, indirect=True, scope="module")


@pytest.fixture(scope="module")
def measured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """What the probe says in one release, whose environment goes again if it was not there."""
    release = find_release(request.param)
    folder = CHECKOUT.environment(release.version)
    lines = tmp_path_factory.mktemp("probe") / "lines.jsonl"
    stays = is_complete(release, folder) or os.environ.get("KEEP_ENVS", "0") != "0"
    names = [name for name, first in ASKED.items() if Version(first) <= Version(release.version)]
    run = ("--out", str(lines), "--workers", str(os.cpu_count() or 1), "--depth", "history")
    with only_run(CHECKOUT.lock):
        try:
            python = prepare(CHECKOUT, release, "cpu")
            run_probe(python, CHECKOUT.root, (*run, "--only", *names), lambda *_: None, print)
        finally:
            if not stays:
                remove(folder)
    return read_transcript(lines, release.version)


def within(measured: Catalogue, first: str, last: str = "1000") -> bool:
    """Say whether the release is one from `first` to `last`."""
    return Version(first) <= Version(measured.header.release) <= Version(last)


def numbered(measured: Catalogue, name: str) -> str:
    """Return the name of the one node type of its stem: it is numbered since 1.10."""
    return f"{name}0" if within(measured, "1.10") else name


def kept_by(record: OpRecord | ModuleRecord, node: str) -> set[str]:
    """Return the roles of all that nodes of a type were seen to keep."""
    nodes = [one for one in record.nodes if one.type == node]
    assert nodes, f"{record.name}: no {node}"
    return {role for one in nodes for value in one.saved for role in value.roles}


def test_the_records_do_not_contradict_each_other(measured: Catalogue) -> None:
    assert violations(measured) == []


def test_everything_that_was_asked_for_is_measured(measured: Catalogue) -> None:
    records = {**measured.ops, **measured.modules}
    names = {name for name, first in ASKED.items() if within(measured, first)}
    assert {name for name, one in records.items() if one.state == "measured"} == names


def test_the_registry_is_there(measured: Catalogue) -> None:
    registered = [one for one in measured.nodes.values() if one.state != "unregistered"]
    assert len(registered) == REGISTERED.get(measured.header.release, len(registered))
    assert len(registered) > 400


def test_exp_keeps_its_output(measured: Catalogue) -> None:
    assert kept_by(measured.ops["torch.exp"], numbered(measured, "ExpBackward")) == {"output"}


def test_mean_kept_its_input_in_2_0_and_2_1(measured: Catalogue) -> None:
    if within(measured, "1.13"):
        wanted = {"input input"} if within(measured, "2.0", "2.1.2") else set()
        assert kept_by(measured.ops["torch.mean"], "MeanBackward0") == wanted


def test_embedding_no_longer_keeps_its_weight_since_2_0(measured: Catalogue) -> None:
    if within(measured, "1.13"):
        weight = set() if within(measured, "2.0") else {"input weight"}
        record = measured.ops["torch.nn.functional.embedding"]
        assert kept_by(record, "EmbeddingBackward0") == {"input input", *weight}


def test_relu_keeps_its_output_since_1_10(measured: Catalogue) -> None:
    wanted = {"output"} if within(measured, "1.10") else {"input input"}
    assert kept_by(measured.ops["torch.nn.functional.relu"], "ReluBackward0") == wanted


def test_softmax_keeps_its_output_alone_since_1_11(measured: Catalogue) -> None:
    kept = kept_by(measured.ops["torch.softmax"], numbered(measured, "SoftmaxBackward"))
    if within(measured, "1.11"):
        assert kept == {"output"}
    else:  # where a sample asks for another dtype, the input is an intermediate of that dtype
        assert kept - {"intermediate"} == {"output", "input input"}


def test_hardtanh_in_place_keeps_a_hidden_clone_since_1_10(measured: Catalogue) -> None:
    record = measured.ops["torch.nn.functional.hardtanh"]
    (spelling,) = [one for one in record.variants if one.name.endswith("hardtanh_")]
    assert spelling.measurement is not None
    (node,) = measured_nodes(record, spelling.measurement)
    roles = {role for value in node.saved for role in value.roles}
    assert roles == ({"intermediate"} if within(measured, "1.10") else {"output"})


def test_attention_on_the_cpu_is_one_fused_node_since_2_3(measured: Catalogue) -> None:
    if within(measured, "2.0"):
        record = measured.ops["torch.nn.functional.scaled_dot_product_attention"]
        types = {one.type for one in record.nodes}
        fused = "ScaledDotProductFlashAttentionForCpuBackward0" in types
        assert fused == within(measured, "2.3")


def test_the_output_of_attention_is_spelled_right_since_2_2(measured: Catalogue) -> None:
    if within(measured, "2.0"):
        names = measured.nodes["ScaledDotProductFlashAttentionBackward0"].attributes
        right = within(measured, "2.2")
        assert ("_saved_output" in names, "_saved_ouput" in names) == (right, not right)


def test_lstm_is_one_fused_node_since_2_0(measured: Catalogue) -> None:
    if within(measured, "1.13"):
        types = {one.type for one in measured.modules["torch.nn.LSTM"].nodes}
        assert ("MkldnnRnnLayerBackward0" in types) == within(measured, "2.0")
        assert len(types) > 10


def test_the_error_names_the_op_and_no_longer_its_node_since_2_13(measured: Catalogue) -> None:
    writes = measured.ops["torch.exp"].writes
    assert writes is not None
    (message,) = {one.message for one in writes.trials if one.message is not None}
    named = "Exp" if within(measured, "2.13") else numbered(measured, "ExpBackward")
    assert f"which is output 0 of {named}, is at version 1; expected version 0" in message
