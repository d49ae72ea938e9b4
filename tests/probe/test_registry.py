"""The registry of node types, counted another way and met in live graphs."""

import torch

from generator.probe.registry import node_types


def test_the_registry_of_this_release_has_658_types() -> None:
    types = node_types()
    assert len(types) == 658
    assert list(types) == sorted(types)
    with_values = [t for t in types.values() if any(a.startswith("_saved_") for a in dir(t))]
    assert len(with_values) == 555


def test_the_registry_is_every_class_of_a_node() -> None:
    """Whatever has a node's methods and is defined by no Python module is a backward class."""
    module = torch._C._functions
    members = {name: getattr(module, name) for name in dir(module)}
    classes = {name for name, item in members.items() if hasattr(item, "next_functions")}
    assert set(node_types()) == classes - {"CppFunction"}


def test_the_class_of_nodes_without_one_of_their_own_is_not_listed() -> None:
    (listed,) = torch._foreach_exp([torch.ones(2, requires_grad=True)])
    shared = type(listed.grad_fn)
    assert shared in object.__subclasses__()
    assert hasattr(shared, "next_functions")
    assert shared not in node_types().values()


def test_types_are_those_of_live_nodes() -> None:
    types = node_types()
    x = torch.ones(2, requires_grad=True)
    base = x * 2
    base[0].mul_(3)
    for node in (x.exp().grad_fn, base.grad_fn, x.sum().grad_fn, x.clone().grad_fn):
        assert types[type(node).__name__] is type(node)
