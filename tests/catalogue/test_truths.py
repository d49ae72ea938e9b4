"""What the committed catalogue of the default release must say, known from elsewhere.

The figures follow from the shapes of the calls: 256 × 512 float32 elements weigh 524,288 bytes.
"""

import pytest

from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord, Reference
from generator.catalogue.policies import measured_nodes
from generator.catalogue.writes import answers

IMAGE = 524_288


def kept(record: OpRecord | ModuleRecord) -> tuple[Reference, list[str], list[str], list[str]]:
    """Read a record's first reference: node types, attributes of tensors, roles."""
    reference = record.references[0]
    nodes = measured_nodes(record, reference.measurements[0])
    tensors = [value for node in nodes for value in node.saved if value.roles]
    return (
        reference,
        [node.type for node in nodes],
        [value.attribute for value in tensors],
        [role for value in tensors for role in value.roles],
    )


@pytest.mark.parametrize(
    ("name", "node", "attributes", "roles", "storage", "extra"),
    [
        ("torch.sin", "SinBackward0", ["_saved_self"], ["input input"], IMAGE, 0),
        ("torch.exp", "ExpBackward0", ["_saved_result"], ["output"], IMAGE, 0),
        ("torch.nn.functional.relu", "ReluBackward0", ["_saved_result"], ["output"], IMAGE, 0),
        ("torch.tanh", "TanhBackward0", ["_saved_result"], ["output"], IMAGE, 0),
        (
            "torch.mul",
            "MulBackward0",
            ["_saved_other", "_saved_self"],
            ["input other", "input input"],
            2 * IMAGE,
            0,
        ),
        ("torch.neg", "NegBackward0", [], [], 0, 0),
        ("torch.mean", "MeanBackward1", [], [], 0, 0),
        ("torch.sum", "SumBackward1", [], [], 0, 0),
    ],
)
def test_an_op_of_one_node(
    committed: Catalogue,
    name: str,
    node: str,
    *,
    attributes: list[str],
    roles: list[str],
    storage: int,
    extra: int,
) -> None:
    reference, nodes, found_attributes, found_roles = kept(committed.ops[name])
    assert nodes == [node]
    assert found_attributes == attributes
    assert found_roles == roles
    assert reference.measurements[0].storage_bytes == storage
    assert reference.measurements[0].extra_bytes == extra


def test_mul_keeps_each_argument_for_the_other_one_s_gradient(committed: Catalogue) -> None:
    record = committed.ops["torch.mul"]
    roles = {
        one.mask: [
            role for node in measured_nodes(record, one) for v in node.saved for role in v.roles
        ]
        for one in record.references[0].measurements
    }
    assert roles[("input",)] == ["input other"]
    assert roles[("other",)] == ["input input"]


def test_embedding_keeps_its_indices_alone(committed: Catalogue) -> None:
    _, nodes, attributes, _ = kept(committed.ops["torch.nn.functional.embedding"])
    assert nodes == ["EmbeddingBackward0"]
    assert attributes == ["_saved_indices"]


def test_linear_keeps_its_input_and_a_view_of_its_weight(committed: Catalogue) -> None:
    record = committed.modules["torch.nn.Linear"]
    full = [one for one in record.references[0].measurements if len(one.mask) == 2]
    nodes = measured_nodes(record, full[0])
    assert sorted(role for node in nodes for value in node.saved for role in value.roles) == [
        "input input",
        "view of parameter weight",
    ]


def test_softmax_keeps_its_output_alone(committed: Catalogue) -> None:
    _, nodes, attributes, roles = kept(committed.ops["torch.softmax"])
    assert (nodes, attributes, roles) == (["SoftmaxBackward0"], ["_saved_result"], ["output"])


def test_attention_and_rnn_go_through_the_fused_nodes_of_the_processor(
    committed: Catalogue,
) -> None:
    _, attention, _, _ = kept(committed.ops["torch.nn.functional.scaled_dot_product_attention"])
    assert "ScaledDotProductFlashAttentionForCpuBackward0" in attention
    _, lstm, _, _ = kept(committed.modules["torch.nn.LSTM"])
    assert "MkldnnRnnLayerBackward0" in lstm


def test_the_registry_is_complete(committed: Catalogue) -> None:
    """658 classes and 702 entries, of which 547 are differentiable, as counted in live torch."""
    registered = [one for one in committed.nodes.values() if one.state != "unregistered"]
    assert len(registered) == 658
    assert sum(any(a.startswith("_saved_") for a in one.attributes) for one in registered) == 555
    assert sum(len(op.entries) for op in committed.ops.values()) == 702
    assert sum(1 for one in committed.modules.values() if one.entries) == 114
    declared = [one for one in registered if one.declared]
    assert len(declared) == 649


def test_enough_of_it_was_seen_live(committed: Catalogue) -> None:
    assert committed.header.counts["node"]["witnessed"] >= 440


@pytest.mark.parametrize(
    ("name", "target", "saved", "in_place", "by_data"),
    [
        ("torch.exp", "input input", False, "correct", "correct"),
        ("torch.exp", "output", True, "raises", "silently wrong"),
        ("torch.sin", "input input", True, "raises", "silently wrong"),
        ("torch.sin", "output", False, "correct", "correct"),
        ("torch.nn.functional.relu", "input input", False, "correct", "correct"),
        ("torch.nn.functional.relu", "output", True, "raises", "silently wrong"),
        # where the maxima were is remembered, their values are not needed
        ("torch.nn.functional.max_pool2d", "input input", True, "raises", "correct"),
        ("torch.nn.functional.layer_norm", "input bias", True, "raises", "correct"),
        ("torch.unbind", "output 0", False, "refused", "correct"),
        ("torch.nn.functional.embedding", "input input", True, "raises", "silently wrong"),
        ("torch.nn.functional.embedding", "input weight", False, "correct", "correct"),
    ],
)
def test_what_a_write_after_the_call_does(
    committed: Catalogue, name: str, target: str, *, saved: bool, in_place: str, by_data: str
) -> None:
    writes = committed.ops[name].writes
    assert writes is not None
    (trial,) = [one for one in writes.trials if one.target == target and 0 in one.masks]
    assert trial.saved == saved
    assert (trial.plain.in_place, trial.plain.through_data) == (in_place, by_data)


def test_autograd_notices_nearly_every_tracked_write_into_what_it_keeps(
    committed: Catalogue,
) -> None:
    trials = [one for op in committed.ops.values() if op.writes for one in op.writes.trials]
    assert sum(one.plain.in_place == "raises" for one in trials) > 400
    unnoticed = [one for one in trials if one.plain.in_place == "silently wrong"]
    assert all(one.uncounted for one in unnoticed)
    assert len(unnoticed) < 10


@pytest.mark.parametrize(
    ("name", "target", "ending"),
    [
        # d exp(x) = exp(x); d x² = 2x; d tanh(x) = 1 - tanh²(x); d sigmoid = s(1 - s)
        ("torch.exp", "input input", "fine"),
        ("torch.exp", "output", "backward raises"),
        ("torch.square", "input input", "backward raises"),
        ("torch.square", "output", "fine"),
        ("torch.tanh", "output", "backward raises"),
        ("torch.sigmoid", "output", "backward raises"),
        # d |x| = x / |x|, of the input and of the norm itself
        ("torch.linalg.vector_norm", "output", "backward raises"),
        # a sum forgets what it added up
        ("torch.sum", "input input", "fine"),
        ("torch.sum", "output", "fine"),
        ("torch.add", "output", "fine"),
        # the indices say where the maximum was
        ("torch.nn.functional.max_pool2d", "input input", "false alarm"),
    ],
)
def test_what_may_be_written_after_the_call(
    committed: Catalogue, name: str, target: str, ending: str
) -> None:
    writes = committed.ops[name].writes
    assert writes is not None
    found = {one: answer.ending for answer in answers(writes) for one in answer.targets}
    assert found[target] == ending


def test_views_made_together_refuse_the_write(committed: Catalogue) -> None:
    """`split`, `chunk` and `unbind` return several views of one node."""
    for name in ("torch.split", "torch.chunk", "torch.unbind"):
        writes = committed.ops[name].writes
        assert writes is not None
        outputs = [one for one in writes.trials if one.target.startswith("output")]
        assert {one.plain.in_place for one in outputs} == {"refused"}
        assert all("is a view and is being modified inplace" in str(one.message) for one in outputs)
        assert {one.plain.under_no_grad for one in outputs} == {"correct"}


def test_outputs_can_be_read_after_a_write_unless_one_op_made_several_views_at_once(
    committed: Catalogue,
) -> None:
    """Three have one node for all their views, `chunk` calls `split`, others slice one by one."""
    refused = {
        op.name
        for op in committed.ops.values()
        if op.reads and any(one.ended.in_place == "read raises" for one in op.reads.trials)
    }
    at_once = {"torch.split", "torch.split_with_sizes", "torch.chunk", "torch.unbind"}
    assert refused == at_once
    for name in ("torch.tensor_split", "torch.hsplit", "torch.transpose", "torch.Tensor.view"):
        reads = committed.ops[name].reads
        assert reads is not None
        assert {one.ended.in_place for one in reads.trials} == {"correct"}, name


def test_only_views_that_autograd_does_not_know_give_a_wrong_gradient_when_read_after_a_write(
    committed: Catalogue,
) -> None:
    wrong = {
        op.name
        for op in committed.ops.values()
        if op.reads and any(one.ended.in_place == "silently wrong" for one in op.reads.trials)
    }
    assert wrong == {"torch.unsafe_split", "torch.unsafe_chunk"}


def test_reads_were_measured_wherever_writes_were(committed: Catalogue) -> None:
    for op in committed.ops.values():
        tried = op.writes is not None and bool(op.writes.trials)
        assert (op.reads is not None and op.reads.reason is None) == tried, op.name
