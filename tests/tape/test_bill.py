"""The bill of a forward pass against sizes worked out by hand, and against pack hooks."""

import torch
from torch import Tensor, nn

from generator.tape.bill import Bill, Item, itemize
from generator.tape.hooks import packed_tensors
from generator.tape.places import placed_nodes
from generator.tape.roles import Holder
from generator.tape.storages import distinct_storages

ROWS, WIDE, HIDDEN = 8, 16, 64
FLOAT = 4


def network() -> nn.Sequential:
    return nn.Sequential(nn.Linear(WIDE, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, WIDE))


def bill_of(module: nn.Module, inputs: Tensor) -> Bill:
    with placed_nodes(module) as places:
        output = module(inputs)
    held = [Holder("input x", inputs), Holder("output", output)]
    held += [Holder(f"parameter {name}", one) for name, one in module.named_parameters()]
    return itemize([output], held, places)


def by_role(bill: Bill) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in bill.items:
        found.setdefault(item.role, []).append(item)
    return found


def test_a_trained_network_keeps_its_input_and_one_activation() -> None:
    bill = bill_of(network(), torch.randn(ROWS, WIDE))
    found = by_role(bill)
    assert set(found) == {"input x", "intermediate", "parameter 2.weight"}
    assert [one.bytes for one in found["input x"]] == [ROWS * WIDE * FLOAT]
    assert [one.bytes for one in found["intermediate"]] == [ROWS * HIDDEN * FLOAT]
    assert bill.weight.extra_bytes == ROWS * HIDDEN * FLOAT
    assert bill.weight.storage_bytes == FLOAT * (ROWS * WIDE + ROWS * HIDDEN + HIDDEN * WIDE)


def test_an_activation_names_both_who_keep_it_and_their_modules() -> None:
    (item,) = by_role(bill_of(network(), torch.randn(ROWS, WIDE)))["intermediate"]
    kept = {(one.place, one.attribute) for one in item.keepers}
    assert kept == {("1", "_saved_result"), ("2", "_saved_mat1")}


def test_a_frozen_network_keeps_weights_and_no_input() -> None:
    module = network().requires_grad_(requires_grad=False)
    found = by_role(bill_of(module, torch.randn(ROWS, WIDE, requires_grad=True)))
    assert set(found) == {"parameter 0.weight", "parameter 2.weight", "intermediate"}
    # The ReLU needs its output; nobody needs what a frozen linear layer was given.
    assert [one.attribute for one in found["intermediate"][0].keepers] == ["_saved_result"]


def test_with_biases_alone_no_linear_layer_keeps_its_input() -> None:
    module = network()
    for name, parameter in module.named_parameters():
        parameter.requires_grad_("bias" in name)
    bill = bill_of(module, torch.randn(ROWS, WIDE))
    assert "input x" not in by_role(bill)
    assert not any(one.attribute == "_saved_mat1" for item in bill.items for one in item.keepers)


def test_storages_that_are_alike_are_counted_not_repeated() -> None:
    x = torch.randn(ROWS, WIDE, requires_grad=True)
    output = x
    for _ in range(5):
        output = output.sin()
    bill = itemize([output], [Holder("input x", x), Holder("output", output)])
    times = {item.role: item.times for item in bill.items}
    assert times == {"input x": 1, "intermediate": 4}
    assert bill.tensors == 5
    assert bill.nodes == 5


def test_views_of_one_storage_are_one_item_with_the_bytes_of_the_whole() -> None:
    x = torch.randn(3, ROWS, requires_grad=True)
    first, second = x[0], x[1]
    bill = itemize([first.sin() * second.cos()], [Holder("input x", x)])
    whole = next(item for item in bill.items if item.role == "input x")
    assert whole.bytes == 3 * ROWS * FLOAT
    assert len(whole.keepers) == 2


def test_the_items_are_the_storages_that_a_hook_sees() -> None:
    module = nn.TransformerEncoderLayer(WIDE, 2, HIDDEN, batch_first=True)
    inputs = torch.randn(2, 4, WIDE)
    with packed_tensors() as packed:
        output = module(inputs)
    held = [Holder("input x", inputs), Holder("output", output)]
    bill = itemize([output], held)
    seen = distinct_storages(packed)
    assert sum(item.bytes * item.times for item in bill.items) == sum(seen.values())
    assert sum(item.times for item in bill.items) == len(seen)


def test_the_largest_item_comes_first() -> None:
    bill = bill_of(network(), torch.randn(ROWS, WIDE))
    weights = [item.bytes * item.times for item in bill.items]
    assert weights == sorted(weights, reverse=True)


def test_an_output_without_history_has_an_empty_bill() -> None:
    bill = itemize([torch.ones(2)], [])
    assert bill.items == ()
    assert bill.weight.storage_bytes == 0
