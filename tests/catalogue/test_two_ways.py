"""Why attributes and hooks differ, against PyTorch itself and against all that was measured."""

import weakref
from typing import Any

import msgspec
import torch

from generator.catalogue.model.records import Catalogue
from generator.catalogue.two_ways import hiding, let_go, only_wrapped_numbers


def test_a_hook_is_not_given_a_number_that_was_made_a_tensor() -> None:
    packed = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        packed.append(tensor)
        return tensor

    x = torch.rand(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = x.sum() / 2
    assert y.grad_fn is not None
    assert y.grad_fn._saved_other.item() == 2  # type: ignore[attr-defined]
    assert [one for one in packed if one.item() == 2] == []


def test_whatever_attributes_alone_hold_is_such_a_number(catalogues: dict[str, Catalogue]) -> None:
    compared = 0
    for release, catalogue in catalogues.items():
        for record in (*catalogue.ops.values(), *catalogue.modules.values()):
            compared += any(case.two_ways.attributes_only for case in record.cases)
            assert only_wrapped_numbers(record), (release, record.name)
    assert compared


def test_a_case_without_a_number_is_not_explained(committed: Catalogue) -> None:
    exp = committed.ops["torch.exp"]
    case = exp.cases[0]
    more = msgspec.structs.replace(case.two_ways, attributes_only=1)
    cases = (msgspec.structs.replace(case, two_ways=more),)
    assert not only_wrapped_numbers(msgspec.structs.replace(exp, cases=cases))


def test_whatever_hooks_alone_saw_was_let_go_or_is_hidden(
    catalogues: dict[str, Catalogue],
) -> None:
    compared, hidden = 0, set()
    for release, catalogue in catalogues.items():
        for record in (*catalogue.ops.values(), *catalogue.modules.values()):
            compared += any(case.two_ways.hooks_only for case in record.cases)
            if not let_go(record):
                assert hiding(record, catalogue.nodes), (release, record.name)
                hidden.update(hiding(record, catalogue.nodes))
    assert compared
    assert hidden == {"CopySlices"}


def test_a_case_without_a_node_that_hides_is_not_explained(committed: Catalogue) -> None:
    exp = committed.ops["torch.exp"]
    more = msgspec.structs.replace(exp.cases[0].two_ways, hooks_only=1)
    cases = (msgspec.structs.replace(exp.cases[0], two_ways=more),)
    one = msgspec.structs.replace(exp, cases=cases)
    assert not let_go(one)
    assert hiding(one, committed.nodes) == ()


def test_copy_slices_hides_what_the_write_saved() -> None:
    packed = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        packed.append(tensor.detach())
        return packed[-1]

    x, weight = torch.rand(2, 3, requires_grad=True), torch.rand(3)
    y = x.clone()
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y[0].mul_(weight)
    node: Any = y.grad_fn
    assert type(node).__name__ == "CopySlices"
    assert [name for name in dir(node) if name.startswith("_saved_")] == []
    behind = [type(one).__name__ for one, _ in node.next_functions if one is not None]
    assert behind == ["CloneBackward0"]
    assert [one.data_ptr() for one in packed] == [weight.data_ptr()]


def test_a_call_can_save_for_a_node_that_no_output_leads_to() -> None:
    """`cov` computes with weights that require grad what no output of it depends on."""
    packed = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        alias = tensor.detach()
        packed.append(weakref.ref(alias))
        return alias

    weights = torch.rand(6, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = torch.cov(torch.rand(5, 6), aweights=weights)
    assert any(alias() is None for alias in packed)
    del y
    assert all(alias() is None for alias in packed)
