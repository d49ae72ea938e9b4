"""The figures that the project started from, each measured live: with the tape, and without it."""

import re
from collections.abc import Callable, Iterable

import pytest
import torch
from torch import Tensor, nn

from generator.tape.hooks import packed_tensors
from generator.tape.roles import Holder, Roles
from generator.tape.saved import saved_values
from generator.tape.storages import distinct_storages, weigh
from generator.tape.versions import version_of
from generator.tape.walk import type_name, walk_nodes

ACTIVATION = 256 * 512 * 4
SECOND_WEIGHT = 512 * 512 * 4
THIRD_WEIGHT = 512 * 1 * 4


def square(x: Tensor) -> Tensor:
    return x * x


@pytest.mark.parametrize(
    ("op", "node", "roles"),
    [
        (torch.sin, "SinBackward0", {"_saved_self": "input x"}),
        (torch.exp, "ExpBackward0", {"_saved_result": "output"}),
        (torch.relu, "ReluBackward0", {"_saved_result": "output"}),
        (square, "MulBackward0", {"_saved_other": "input x", "_saved_self": "input x"}),
    ],
)
def test_what_four_ops_keep(
    op: Callable[[Tensor], Tensor], node: str, roles: dict[str, str]
) -> None:
    x = torch.ones(3, requires_grad=True)
    y = op(x)

    assert type(y.grad_fn).__name__ == node
    kept = {name for name in dir(y.grad_fn) if name.startswith("_saved_")}
    assert kept == roles.keys()
    for name, role in roles.items():
        tensor = getattr(y.grad_fn, name)
        assert (tensor is x) == (role == "input x")
        assert (tensor.data_ptr() == y.data_ptr()) == (role == "output")

    (only,) = walk_nodes([y])
    assert type_name(only) == node
    named = Roles([Holder("input x", x), Holder("output", y)])
    assert {
        saved.attribute: named.of(tensor)
        for saved in saved_values(only)
        for tensor in saved.tensors
    } == roles


def test_a_saved_output_is_another_object_on_the_same_memory() -> None:
    y = torch.ones(3, requires_grad=True).exp()
    saved = y.grad_fn._saved_result
    assert saved is not y
    assert saved.data_ptr() == y.data_ptr()
    assert distinct_storages([saved]) == distinct_storages([y])


def network() -> tuple[nn.Linear, nn.Sequential]:
    first = nn.Linear(512, 512)
    rest = (nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 1))
    return first, nn.Sequential(first, *rest)


def batch(requires_grad: bool) -> Tensor:
    return torch.ones(256, 512, requires_grad=requires_grad)


def bytes_by_hooks(model: nn.Module, x: Tensor) -> list[int]:
    storages = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        storages[storage.data_ptr()] = storage
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda packed: packed):
        model(x).sum().backward()
    return sorted(storage.nbytes() for storage in storages.values())


def bytes_by_the_tape(model: nn.Module, x: Tensor) -> list[int]:
    total = model(x).sum()
    tensors = [
        tensor
        for node in walk_nodes([total])
        for saved in saved_values(node)
        for tensor in saved.tensors
    ]
    by_attributes = distinct_storages(tensors)
    with packed_tensors() as packed:
        model(x).sum()
    assert sorted(distinct_storages(packed).values()) == sorted(by_attributes.values())
    assert weigh(tensors, [x]).storage_bytes == sum(by_attributes.values())
    return sorted(by_attributes.values())


@pytest.mark.parametrize("measure", [bytes_by_hooks, bytes_by_the_tape])
@pytest.mark.parametrize(
    ("input_grad", "freeze", "items", "total"),
    [
        (False, False, [THIRD_WEIGHT, *[ACTIVATION] * 3, SECOND_WEIGHT], 2_623_488),
        (True, False, [THIRD_WEIGHT, *[ACTIVATION] * 3, *[SECOND_WEIGHT] * 2], 3_672_064),
        (False, True, [THIRD_WEIGHT, *[ACTIVATION] * 2], 1_050_624),
    ],
    ids=["as built", "input requires grad", "first layer frozen"],
)
def test_the_bill_of_the_network(
    measure: Callable[[nn.Module, Tensor], list[int]],
    input_grad: bool,
    freeze: bool,
    items: list[int],
    total: int,
) -> None:
    assert (ACTIVATION, SECOND_WEIGHT, THIRD_WEIGHT) == (524_288, 1_048_576, 2_048)
    first, model = network()
    first.requires_grad_(not freeze)
    measured = measure(model, batch(input_grad))
    assert measured == items
    assert sum(measured) == total


def held_by(tensors: Iterable[Tensor], parameter: Tensor) -> bool:
    return bool(distinct_storages(tensors).keys() & distinct_storages([parameter]).keys())


def test_the_first_layers_weight_is_kept_only_for_the_inputs_gradient() -> None:
    first, model = network()
    third = model[2]
    for input_grad in (False, True):
        with packed_tensors() as packed:
            model(batch(input_grad))
        assert held_by(packed, first.weight) == input_grad
        assert held_by(packed, third.weight)


def test_a_write_moves_version_and_node_and_the_gradient_stays_right() -> None:
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    assert (version_of(y), y._version, type(y.grad_fn).__name__) == (0, 0, "MulBackward0")
    y.add_(1)
    assert (version_of(y), y._version, type(y.grad_fn).__name__) == (1, 1, "AddBackward0")
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2, 2, 2]


def test_a_view_and_its_base_count_writes_together() -> None:
    base = torch.ones(4)
    view = base[:2]
    view.add_(1)
    assert (base._version, view._version) == (1, 1)
    assert (version_of(base), version_of(view)) == (1, 1)


def overwrite_exp(x: Tensor) -> Tensor:
    z = x.exp()
    z.add_(1)
    return z.sum()


def test_an_overwritten_output_of_exp_is_refused_in_the_releases_words() -> None:
    words = (
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [torch.FloatTensor [1]], which is output 0 of Exp, is at version 1; expected "
        "version 0 instead. Hint: enable anomaly detection to find the operation that failed to "
        "compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    total = overwrite_exp(torch.ones(1, requires_grad=True))
    with pytest.raises(RuntimeError, match=f"^{re.escape(words)}$"):
        total.backward()


def test_under_identity_hooks_the_gradient_is_silently_wrong() -> None:
    x = torch.ones(1, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda packed: packed, lambda packed: packed):
        total = overwrite_exp(x)
    total.backward()
    assert x.grad is not None
    wrong, right = x.grad.item(), torch.ones(1).exp().item()
    assert f"{wrong:.4f} where {right:.4f} is right" == "3.7183 where 2.7183 is right"
