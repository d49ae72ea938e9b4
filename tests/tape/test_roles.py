"""Roles of saved tensors, decided for live graphs and for tensors made by hand."""

import pytest
import torch
from torch import Tensor

from generator.tape.roles import Holder, Roles
from generator.tape.saved import saved_values
from generator.tape.walk import walk_nodes


def roles_of(output: Tensor, **arguments: Tensor) -> dict[str, list[str]]:
    holders = [Holder(f"input {name}", tensor) for name, tensor in arguments.items()]
    roles = Roles([*holders, Holder("output", output)])
    return {
        saved.attribute: [roles.of(tensor) for tensor in saved.tensors]
        for node in walk_nodes([output])
        for saved in saved_values(node)
        if saved.tensors
    }


def leaf(*shape: int) -> Tensor:
    return torch.full(shape, 0.5, requires_grad=True)


def test_an_argument_the_output_and_neither() -> None:
    x = leaf(3)
    assert roles_of(x.sin(), x=x) == {"_saved_self": ["input x"]}
    assert roles_of(x.exp(), x=x) == {"_saved_result": ["output"]}
    assert roles_of(x.exp().neg(), x=x) == {"_saved_result": ["intermediate"]}


def test_the_square_keeps_its_one_argument_twice() -> None:
    x = leaf(3)
    assert roles_of(x * x, x=x) == {"_saved_self": ["input x"], "_saved_other": ["input x"]}


def test_arguments_by_name() -> None:
    x, y = leaf(3), leaf(3)
    assert roles_of(x * y, x=x, y=y) == {"_saved_self": ["input x"], "_saved_other": ["input y"]}


def test_a_python_number() -> None:
    x = leaf(3)
    assert roles_of(x * 2, x=x) == {"_saved_other": ["wrapped number"]}
    assert roles_of(x * torch.tensor(2), x=x) == {"_saved_other": ["intermediate"]}


def test_a_view_of_an_argument() -> None:
    x, weight = leaf(2, 3), leaf(4, 3)
    # y = x W^T: the product keeps the transposed weight
    assert roles_of(torch.mm(x, weight.t()), x=x, weight=weight) == {
        "_saved_self": ["input x"],
        "_saved_mat2": ["view of input weight"],
    }
    assert roles_of(x[0].sin(), x=x) == {"_saved_self": ["view of input x"]}


def test_a_view_of_the_output() -> None:
    x = leaf(2, 3)
    assert roles_of(x.exp().view(6), x=x) == {"_saved_result": ["view of output"]}


def test_a_detached_alias_is_the_argument_itself() -> None:
    x = leaf(3)
    assert Roles([Holder("input x", x)]).of(x.detach()) == "input x"


def test_the_same_shape_at_another_place_is_a_view() -> None:
    x = torch.ones(4, 3)
    roles = Roles([Holder("input x", x[0])])
    assert roles.of(x[0]) == "input x"
    assert roles.of(x[1]) == "view of input x"
    assert roles.of(torch.ones(3)) == "intermediate"


def test_another_dtype_or_strides_on_the_same_memory_is_a_view() -> None:
    x = torch.ones(3, 3)
    roles = Roles([Holder("input x", x)])
    assert roles.of(x.view(torch.int32)) == "view of input x"
    assert roles.of(x.t()) == "view of input x"


def test_the_earlier_holder_wins() -> None:
    x = torch.ones(3)
    assert Roles([Holder("input x", x), Holder("output", x.detach())]).of(x) == "input x"
    assert Roles([Holder("output", x.detach()), Holder("input x", x)]).of(x) == "output"


def test_an_exact_holder_wins_over_an_earlier_view() -> None:
    x = torch.ones(4)
    assert Roles([Holder("input x", x), Holder("output", x[:2])]).of(x[:2]) == "output"


def test_an_in_place_op_keeps_the_argument_that_it_overwrote() -> None:
    x = leaf(3)
    given = x.clone()
    output = given.exp_()
    roles = Roles([Holder("output", output), Holder("input given", given)])
    (saved,) = saved_values(output.grad_fn)
    assert roles.of(saved.tensors[0]) == "output"


def test_empty_tensors_do_not_share_memory() -> None:
    one, other = torch.empty(0), torch.empty(0)
    roles = Roles([Holder("input one", one)])
    assert roles.of(one.view(0)) == "input one"
    assert roles.of(other) == "intermediate"


def test_sparse_tensors_are_told_by_their_components() -> None:
    x = torch.eye(3).to_sparse().coalesce()
    roles = Roles([Holder("input x", x)])
    assert roles.of(x.detach()) == "input x"
    assert roles.of(x.values()) == "view of input x"
    assert roles.of(x.clone()) == "intermediate"


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_tensors_are_told_apart_by_what_holds_their_numbers() -> None:
    for layout in (torch.strided, torch.jagged):
        rows = [torch.rand(2, 3), torch.rand(1, 3)]
        x = torch.nested.nested_tensor(rows, layout=layout, requires_grad=True)
        assert roles_of(x.to_padded_tensor(0.0), x=x) == {"_saved_self": ["input x"]}


def test_hidden_memory_is_told_apart_by_the_object_alone() -> None:
    x = torch.rand(1, 1, 4, 4).to_mkldnn().requires_grad_()
    roles = roles_of(torch.mkldnn_max_pool2d(x, 2), x=x)
    assert roles == {"_saved_self": ["input x"], "_saved_result": ["opaque"]}
