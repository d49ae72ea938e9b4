"""Every spelling of a node in an error message, against every node of the committed catalogue."""

import re
from collections import Counter

import pytest

from generator.catalogue.model.records import Catalogue
from generator.catalogue.name_tiers import index
from generator.catalogue.names import find, resolve
from generator.errors import UnknownNameError
from tests.fixtures import tiny

MESSAGE = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an"
    " inplace operation: [torch.FloatTensor [3]], which is output 0 of {}, is at version 1;"
    " expected version 0 instead. Hint: enable anomaly detection to find the operation that failed"
    " to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)


def parts(node: str) -> tuple[str, str] | None:
    """A node's name before and after its last `Backward`, if digits alone follow that."""
    stem, backward, number = node.rpartition("Backward")
    return (stem, number) if backward and not number.strip("0123456789") else None


def of_forward(node: str) -> str:
    """The name after “output N of” in 2.13: digits alone may follow `Backward`, 0 is left out."""
    split = parts(node)
    return node if split is None else split[0] + {"0": ""}.get(split[1], split[1])


def test_each_node_is_found_by_all_its_spellings(committed: Catalogue) -> None:
    called = Counter(split[0] for split in map(parts, committed.nodes) if split)
    known, wrong = index(committed), []
    forwards = set(map(of_forward, committed.nodes))
    for node in committed.nodes:
        split, forward = parts(node), of_forward(node)
        spellings = [node, f"`{node}`", f"torch::autograd::{node}", MESSAGE.format(node)]
        # A forward name that is a node's own name means that node.
        if forward == node or forward not in committed.nodes:
            spellings += [
                f"output 0 of {forward}",
                f"output 12 of torch::autograd::{forward}",
                MESSAGE.format(forward),
            ]
        if node != "Error":  # a word of many messages
            spellings.append(f"Error detected in {node}. Traceback of forward call")
        # The forward op of `GeluBackwardBackward0` is called `GeluBackward`.
        if split and called[split[0]] == 1 and f"{split[0]}Backward" not in forwards:
            spellings += [f"output 0 of {split[0]}Backward", f"{split[0]}Backward"]
        wrong += [(text, node) for text in spellings if find(known, text).record.name != node]
    assert wrong == []


def test_the_messages_that_were_measured_find_the_node_that_they_mean(committed: Catalogue) -> None:
    own: dict[str, str] = {}
    for node in committed.nodes:
        own.setdefault(of_forward(node), node)
    known = index(committed)
    messages = [node.error for node in committed.nodes.values() if node.error]
    assert len(messages) > 300
    for message in messages:
        quoted = re.search(r"output \d+ of (?:torch::autograd::)?(\w+),", message)
        assert quoted
        assert find(known, message).record.name == own[quoted[1]]


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("output 0 of Exp", "ExpBackward0"),
        ("Fill2", "FillBackward2"),
        ("output 0 of Fill2", "FillBackward2"),
        ("output 0 of Pow1", "PowBackward1"),
        ("output 0 of Add", "AddBackward0"),
        ("output 0 of torch::autograd::CopySlices", "CopySlices"),
        ("output 0 of AsStrided", "AsStridedBackward0"),
        ("output 0 of Embedding", "EmbeddingBackward0"),
        ("output 0 of\n  Exp, is at", "ExpBackward0"),
        ("ExpBackward", "ExpBackward0"),
        ("<ExpBackward0 object at 0x7f589bf47400>", "ExpBackward0"),
        ("tensor([1.], grad_fn=<ExpBackward0>)", "ExpBackward0"),
        ("Function 'ExpBackward0' returned nan values in its 0th output.", "ExpBackward0"),
        ("Function 'ExpBackward' returned nan values in its 0th output.", "ExpBackward0"),
        ("Error detected in ExpBackward0. The variable is output 0 of Sin", "SinBackward0"),
    ],
)
def test_a_quoted_message_finds_its_node(committed: Catalogue, text: str, node: str) -> None:
    found = resolve(committed, text)
    assert (found.record.name, found.others) == (node, ())


def test_a_name_that_no_node_has_may_be_the_users_own() -> None:
    with pytest.raises(UnknownNameError, match=r"messages call 'MyFn'; .*of your own code$"):
        resolve(tiny.catalogue(), MESSAGE.format("MyFn"))


def test_an_old_name_of_several_nodes_lists_them(committed: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match="'MaxBackward' may mean MaxBackward0 or MaxBack"):
        resolve(committed, "output 0 of MaxBackward")
