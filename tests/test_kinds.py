"""One test per kind of question that people ask about what autograd keeps.

Each expectation is worked out from the derivative or quoted from the release's own message; the
tape has to find it in a live graph, and backward has to agree with what the tape found.
"""

import re
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as f
from torch import Tensor, nn

from generator.tape.hooks import packed_tensors
from generator.tape.roles import Holder, Roles
from generator.tape.saved import is_wrapped_number, saved_values
from generator.tape.storages import distinct_storages, weigh
from generator.tape.walk import type_name, walk_nodes

MODIFIED = (
    "one of the variables needed for gradient computation has been modified by an inplace"
    " operation: {what}; expected version {expected} instead."
)


def leaf(*shape: int) -> Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.rand(*shape, generator=generator).requires_grad_()


def kept(result: Tensor, **held: Tensor) -> dict[str, dict[str, str]]:
    """Name the role of each saved tensor of each node that saved one; `held` are those outside."""
    roles = Roles([Holder(name, tensor) for name, tensor in held.items()])
    saved = {
        type_name(node): {
            value.attribute: roles.of(tensor)
            for value in saved_values(node)
            for tensor in value.tensors
        }
        for node in walk_nodes([result])
    }
    return {name: tensors for name, tensors in saved.items() if tensors}


def refused(output: Tensor, what: str, expected: int = 0) -> None:
    words = MODIFIED.format(what=what, expected=expected)
    with pytest.raises(RuntimeError, match="^" + re.escape(words)):
        output.sum().backward()


@pytest.mark.parametrize(
    ("op", "saves_input", "saves_output"),
    [
        (torch.exp, False, True),
        (torch.sin, True, False),
        (torch.sqrt, False, True),
        (lambda u: u**2, True, False),
        (lambda u: u * 10, False, False),
        (torch.std, True, True),
        (torch.linalg.vector_norm, True, True),
        (torch.sigmoid, False, True),
        (f.silu, True, False),
        (torch.sum, False, False),
    ],
    ids=["exp", "sin", "sqrt", "square", "times10", "std", "norm", "sigmoid", "silu", "sum"],
)
def test_a_write_is_refused_exactly_where_the_tape_holds_the_memory(
    op: Callable[[Tensor], Tensor], saves_input: bool, saves_output: bool
) -> None:
    for which, saves in (("input", saves_input), ("output", saves_output)):
        u = leaf(3) * 1
        y = op(u)
        written = u if which == "input" else y
        (node,) = walk_nodes([y], {u.grad_fn: "u"})
        tensors = [tensor for saved in saved_values(node) for tensor in saved.tensors]
        held = distinct_storages(tensors).keys() & distinct_storages([written]).keys()
        assert bool(held) == saves
        written.add_(5)
        if saves:
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                y.sum().backward()
        else:
            y.sum().backward()


def test_a_factor_is_kept_only_for_the_other_ones_gradient() -> None:
    q, rotation = leaf(3), torch.ones(3)
    assert kept(q * rotation, q=q, rotation=rotation) == {
        "MulBackward0": {"_saved_other": "rotation"}
    }
    rotation.requires_grad_()
    assert kept(q * rotation, q=q, rotation=rotation) == {
        "MulBackward0": {"_saved_other": "rotation", "_saved_self": "q"}
    }


def test_a_number_is_kept_as_a_wrapped_number_that_no_hook_sees() -> None:
    with packed_tensors() as packed:
        y = leaf(2) * 2
    assert packed == []
    (number,) = (tensor for saved in saved_values(y.grad_fn) for tensor in saved.tensors)
    assert is_wrapped_number(number)
    assert number.item() == 2
    y.sum().backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.sum().backward()


def test_a_saved_input_is_named_by_its_last_recorded_writer() -> None:
    u = -leaf(2)
    y = u * u
    u.add_(1).fill_(0)
    refused(y, "[torch.FloatTensor [2]], which is output 0 of Fill2, is at version 2")

    u = -leaf(2)
    y = u * u
    u[0] = 0
    assert type_name(u.grad_fn) == "CopySlices"
    name = "torch::autograd::CopySlices"
    refused(y, f"[torch.FloatTensor [2]], which is output 0 of {name}, is at version 1")

    u = -leaf(2)
    y = u * u
    u.detach().add_(1)
    refused(y, "[torch.FloatTensor [2]], which is output 0 of Neg, is at version 1")


def test_a_saved_view_is_named_as_strided_after_a_write_to_its_base() -> None:
    base = leaf(2, 2) * 1
    view = base.view(4)
    y = view * view
    base.add_(1)
    assert type_name(view.grad_fn) == "AsStridedBackward0"
    refused(y, "[torch.FloatTensor [4]], which is output 0 of AsStrided, is at version 1")


def test_a_leaf_has_no_name_and_a_slice_of_it_is_as_strided() -> None:
    weight = nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    whole, part = weight**2, leaf(3) * weight[0]
    weight.grad = torch.ones(2)
    optimizer.step()
    refused(whole, "[torch.FloatTensor [2]] is at version 1")
    refused(part, "[torch.FloatTensor []], which is output 0 of AsStrided, is at version 1")


def test_the_version_expected_is_the_one_at_the_time_of_saving() -> None:
    u = leaf(2) * 1
    u.add_(1)
    y = u.sin()
    u.mul_(2).mul_(2)
    refused(y, "[torch.FloatTensor [2]], which is output 0 of Mul, is at version 3", expected=1)


def test_a_node_that_does_not_run_checks_nothing() -> None:
    u = leaf(3, 2) * 1
    spread = u.std()
    u[torch.tensor([0])] = 2.0
    u.sum().backward(retain_graph=True)
    refused(spread, "[torch.FloatTensor [3, 2]], which is output 0 of IndexPut, is at version 1")


def test_views_that_come_together_refuse_a_write_at_once() -> None:
    for split, name in ((lambda t: t.split(2), "Split"), (lambda t: t.unbind(), "Unbind")):
        part = split(leaf(4, 2) * 1)[1]
        with pytest.raises(RuntimeError, match=f"^Output 1 of {name} is a view and is being"):
            part.clamp_(0, 1)
    x = leaf(4) * 1
    right = x[2:]
    right.clamp_(0, 1)
    (x.sum() + right.sum()).backward()


def test_a_frozen_linear_lets_its_input_go_and_convolutions_and_norms_do_not() -> None:
    x, frozen = leaf(5, 4), nn.Linear(4, 3).requires_grad_(requires_grad=False)
    assert kept(frozen(x), x=x, weight=frozen.weight) == {
        "AddmmBackward0": {"_saved_mat2": "view of weight"}
    }
    image = leaf(2, 3, 8, 8)
    for layer in (nn.Conv2d(3, 4, 3), nn.BatchNorm2d(3).eval(), nn.LayerNorm(8)):
        layer.requires_grad_(requires_grad=False)
        ((_, saved),) = kept(layer(image), image=image, weight=layer.weight).items()
        assert saved["_saved_input"] == "image"
        assert saved["_saved_weight"] == "weight"


def test_a_frozen_linear_on_a_batch_that_is_not_contiguous_keeps_an_expanded_weight() -> None:
    weight = torch.ones(6, 4)
    x = leaf(3, 4, 5).transpose(1, 2)
    for batch, shape, logical in ((x, (3, 4, 6), 288), (x.contiguous(), (4, 6), 96)):
        with packed_tensors() as packed:
            f.linear(batch, weight)
        (saved,) = packed
        assert tuple(saved.shape) == shape
        assert weigh(packed, []) == (logical, 96, 96)
        assert weigh(packed, [weight]).extra_bytes == 0


def test_what_pooling_embedding_indexing_and_gather_keep() -> None:
    x = leaf(1, 1, 4, 4)
    pooled = f.max_pool2d(x, 2)
    assert kept(pooled, x=x, pooled=pooled) == {
        "MaxPool2DWithIndicesBackward0": {"_saved_result1": "intermediate", "_saved_self": "x"}
    }
    indices = pooled.grad_fn._saved_result1
    assert (indices.dtype, indices.numel()) == (torch.int64, 4)

    index, table = torch.tensor([[1], [0]]), leaf(9, 2)
    assert kept(f.embedding(index, table), index=index, table=table) == {
        "EmbeddingBackward0": {"_saved_indices": "index"}
    }

    mask, values = torch.tensor([True, False]), leaf(2)
    assert kept(values[mask], mask=mask, values=values) == {
        "IndexBackward0": {"_saved_indices": "mask"}
    }

    wide = leaf(2, 5)
    assert kept(wide.gather(1, index), index=index, wide=wide) == {
        "GatherBackward0": {"_saved_index": "index", "_saved_self": "wide"}
    }


def test_layer_norm_keeps_its_input_and_the_linear_behind_it_its_output() -> None:
    norm, linear, h = nn.LayerNorm(8), nn.Linear(8, 8), leaf(4, 8)
    o = norm(h)
    held = {"h": h, "o": o, "norm.weight": norm.weight, "norm.bias": norm.bias}
    assert kept(linear(o), weight=linear.weight, **held) == {
        "AddmmBackward0": {"_saved_mat1": "o", "_saved_mat2": "view of weight"},
        "NativeLayerNormBackward0": {
            "_saved_bias": "norm.bias",
            "_saved_input": "h",
            "_saved_result1": "intermediate",
            "_saved_result2": "intermediate",
            "_saved_weight": "norm.weight",
        },
    }


@pytest.mark.parametrize(
    ("write", "clones"),
    [
        (lambda z: f.relu(z, inplace=True), 0),
        (lambda z: f.elu(z, inplace=True), 0),
        (lambda z: f.leaky_relu(z, inplace=True), 0),
        (lambda z: z.tanh_(), 0),
        (lambda z: z.mul_(2), 0),
        (lambda z: f.silu(z, inplace=True), 1),
        (lambda z: f.mish(z, inplace=True), 1),
        (lambda z: f.hardswish(z, inplace=True), 1),
        (lambda z: f.relu6(z, inplace=True), 1),
        (lambda z: z.clamp_(0, 1), 1),
    ],
    ids=["relu", "elu", "leaky", "tanh", "mul2", "silu", "mish", "hardswish", "relu6", "clamp"],
)
def test_an_in_place_op_that_needs_its_old_input_keeps_a_clone(
    write: Callable[[Tensor], Tensor], clones: int
) -> None:
    z = leaf(16, 16) * 1
    with packed_tensors() as packed:
        y = write(z)
    assert y is z
    assert weigh(packed, [y]).extra_bytes == clones * 16 * 16 * 4


def test_a_gated_product_keeps_three_activations_and_two_without_a_gradient_for_up() -> None:
    gate, up = leaf(4, 8), leaf(4, 8)
    for other, activations in ((up, 3), (up.detach(), 2)):
        with packed_tensors() as packed:
            f.silu(gate) * other
        assert weigh(packed, []).storage_bytes == activations * 4 * 8 * 4


def test_log_softmax_keeps_what_logsumexp_does_not() -> None:
    logits, index = leaf(4, 10), torch.zeros(4, 1, dtype=torch.int64)
    with packed_tensors() as packed:
        logits.log_softmax(-1).gather(-1, index)
    assert weigh(packed, [logits, index]).extra_bytes == 4 * 10 * 4
    with packed_tensors() as packed:
        logits.gather(-1, index) - logits.logsumexp(-1, keepdim=True)
    assert weigh(packed, [logits, index]).extra_bytes == 4 * 4


def test_a_power_keeps_its_exponent_readable_after_backward_has_freed_its_tensor() -> None:
    x = leaf(2)
    y = x.pow(3)
    kinds = {saved.attribute: saved.kind for saved in saved_values(y.grad_fn)}
    assert kinds == {"_saved_exponent": "scalar", "_saved_self": "tensor"}
    y.sum().backward()
    read = {saved.attribute: saved for saved in saved_values(y.grad_fn)}
    assert read["_saved_exponent"].value == 3
    assert read["_saved_self"].kind == "unreadable"
    assert "already been freed" in read["_saved_self"].value


class Keep(torch.autograd.Function):
    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        ctx.extra = x.clone()
        return x * 2


def test_a_custom_function_lists_what_it_saved_and_not_what_it_put_on_ctx() -> None:
    x = leaf(2)
    y = Keep.apply(x)
    assert kept(y, x=x) == {"KeepBackward": {"saved_tensors": "x"}}
    assert y.grad_fn.extra.shape == (2,)


def test_the_last_node_is_not_the_graph() -> None:
    logits, target = leaf(4, 10), torch.arange(4)
    loss = f.cross_entropy(logits, target)
    found = kept(loss, logits=logits, target=target)
    assert list(found) == ["NllLossBackward0", "LogSoftmaxBackward0"]
    assert found["NllLossBackward0"]["_saved_target"] == "target"
    first, second = walk_nodes([loss])
    assert distinct_storages([first._saved_self]) == distinct_storages([second._saved_result])


def test_a_negative_dim_is_read_as_it_was_written() -> None:
    node = leaf(2, 3).sum(-1).grad_fn
    assert node._saved_dim == (2**64 - 1,)
    assert {saved.attribute: saved.value for saved in saved_values(node)}["_saved_dim"] == (-1,)
