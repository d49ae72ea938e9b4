"""Operators and special methods lead to the op that live torch calls for them."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - as people write it
from torch import nn

from generator.catalogue.code.statements import written
from generator.catalogue.model.records import Catalogue, NodeRecord
from generator.catalogue.names import Resolution, resolve
from generator.catalogue.policies import node_types
from generator.errors import UnknownNameError

# What is typed, and the first node of the graph that it makes in live torch.
EXPRESSIONS = [
    *("x * y", "x ** 2", "x @ y", "x + y", "x - y", "x / y", "-x", "x[m]", "x * 2"),
    *("2 ** x", "2 - x", "2 / x", "2 * x", "2 + x", "x.T", "x.mT", "abs(x)"),
    *("pow(x, 2)", "reversed(x)", "F.relu(x)", "nn.ReLU()(x)", "F.relu(x, inplace=False)"),
    *("x.view(x.size(0), -1)", "x.view(x.shape[0], len(x))", "torch.EXP(x)", "x ** -2"),
]


def likeliest(text: str) -> str | None:
    """Return the name of the op that a text most likely stands for."""
    found = written(text)
    return found.names[0] if found else None


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_leads_to_the_op_that_makes_its_node(committed: Catalogue, text: str) -> None:
    x, y = (torch.rand(3, 3, requires_grad=True) for _ in range(2))
    known = {"x": x, "y": y, "m": x > 0.5, "torch": torch, "nn": nn, "F": F}
    made = eval(text.replace("EXP", "exp"), known)  # noqa: S307 - the texts above
    found = resolve(committed, text).record
    assert hasattr(found, "nodes")
    assert made.grad_fn.name() in {node.type for node in found.nodes}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@", "torch.matmul"),
        ("*", "torch.mul"),
        ("+=", "torch.Tensor.add_"),
        ("x *= 2", "torch.Tensor.mul_"),
        ("__mul__", "torch.mul"),
        ("torch.Tensor.__imul__", "torch.Tensor.mul_"),
        ("torch.Tensor.__truediv__", "torch.div"),
        ("a * b + c", None),
        ("a, b = x.chunk(2)", "torch.Tensor.chunk"),
        ("a, b = x, y", None),
        ("a, b[0] = x.chunk(2)", None),
        ("2 ** x", "torch.Tensor.__rpow__"),
        ("f(x)", "f"),
        ("relu", None),
        ("x[0] = 1", "CopySlices"),
        ("x[[0, 1]] = 1", "torch.Tensor.index_put_"),
        ("x.data[0] = 1", None),
        ("x.data += 1", None),
        ("x.__setitem__(0, 1)", "torch.Tensor.index_put_"),
        ("x.exp()", "torch.Tensor.exp"),
        ("sum(x)", "torch.unbind"),
        ("max(x, y)", None),
        ("range(3)", None),
        ("self.norm(x)", "norm"),
        ("self.x = F.relu(x)", "F.relu"),
        ("return F.relu(x)", "F.relu"),
        ("for part in x.split(2):", "torch.Tensor.split"),
        ("for i in range(3): x = x * 2", None),
        ("np.exp(x)", None),
        ("x.data.mul_(2)", None),
        ("x.shape", None),
        ("a = b", None),
        ("y = x * 2", "torch.mul"),
        ("operator.imul", "torch.Tensor.mul_"),
        ("del x", None),
        ("x >", None),
    ],
)
def test_what_is_one_operator_and_what_is_not(text: str, expected: str | None) -> None:
    assert likeliest(text) == expected


def test_a_method_without_a_record_leads_to_the_node_that_its_recipe_makes(
    committed: Catalogue,
) -> None:
    """In live torch the node of `x.copy_(y)` is CopyBackwards, and no op is called copy_."""
    target = torch.rand(3, requires_grad=True) * 1
    made = target.copy_(torch.rand(3, requires_grad=True)).grad_fn
    assert made is not None
    assert resolve(committed, "copy_").record.name == made.name().rpartition("::")[2]
    assert resolve(committed, "torch.Tensor.copy_").record.name == "CopyBackwards"


def test_an_underscore_means_in_place_where_no_method_is_called_so(committed: Catalogue) -> None:
    """Live torch has no public `silu_`: people mean `silu(x, inplace=True)` by it."""
    assert not hasattr(torch.Tensor, "silu_")
    found = resolve(committed, "silu_")
    assert found.spelling is not None
    assert found.spelling.name == "torch.nn.functional.silu(inplace=True)"
    relu = resolve(committed, "relu_").spelling
    assert relu is not None
    assert relu.name.endswith("relu_")


# Writes to a part, and to the whole, whatever is written: which node they make is asked of torch.
WRITES = [
    *("x[0] = 0", "x[-1] = v", "x[1:3] = 0", "x[:, 1] = 0", "x[::2] = 0", "x[None] = 0"),
    *("x[0, index] = 0", "x[index, 0] = 0", "x[1:, index] = 0", "x[True] = 0", "x[i] = v"),
    *("x[mask] = 0", "x[index] = v", "x[[0, 1]] = 0", "x[x > 0] = 0", "x[~mask] = 0"),
    *("x[:, index] = 0", "x[..., index] = 0", "x[index, index] = 0"),
    *("x[...] = 0", "x[:] = 0", "x[:, :] = 0", "x[...] = w", "x[:] = w"),
    *("x[i] += 1", "x[mask] *= 2", "x[:] -= 1", "x += 1", "x *= 2", "x @= y"),
]


@pytest.mark.parametrize("text", WRITES)
def test_a_write_leads_to_the_node_that_the_tensor_has_after_it(
    committed: Catalogue, text: str
) -> None:
    x = torch.rand(3, 3, requires_grad=True) * 1
    known = {
        "x": x,
        "y": torch.rand(3, 3),
        "w": torch.rand(3, 3),
        "v": torch.rand(3),
        "i": 1,
        "mask": torch.tensor([True, False, True]),
        "index": torch.tensor([0, 2]),
    }
    exec(text, known)  # noqa: S102 - the texts above
    after: Any = known["x"]
    made = after.grad_fn.name().rpartition("::")[2]
    told = resolve(committed, text)
    found = [resolve(committed, name) for name in (told.record.name, *told.others)]
    if "+=" not in text and "*=" not in text and "-=" not in text:
        assert made in nodes_of(told)
    assert any(made in nodes_of(one) for one in (told, *found))


def nodes_of(found: Resolution) -> set[str]:
    """The types of node that a record is about."""
    record = found.record
    return {record.name} if isinstance(record, NodeRecord) else set(node_types(record))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("x[0] = 1", 0),
        ("x[1:, -1] = v", 0),
        ("x[0, [1, 2]] = v", 1),
        ("x[True] = v", 0),
        ("x[i] = v", 1),
    ],
)
def test_a_write_to_a_view_alone_is_not_said_to_be_index_put(
    committed: Catalogue, text: str, others: int
) -> None:
    """`index_put_` is called where live torch has its node in the graph, within CopySlices or not.

    What is left open by the text names both.
    """
    found = resolve(committed, text)
    assert len(found.others) == others
    packed: list[torch.Tensor] = []
    x, v, i = torch.rand(3, 3, requires_grad=True) * 1, torch.rand(()), torch.tensor([0, 2])
    with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        exec(text, {"x": x, "v": v, "i": i})  # noqa: S102 - the texts above
    # index_put_ saves its indices, copy_ and fill_ nothing.
    assert bool(packed) == bool(others)


def test_in_place_with_a_number_says_which_mask_it_is(committed: Catalogue) -> None:
    assert "cannot require grad" in resolve(committed, "x *= 2").decided
    assert resolve(committed, "x *= y").decided == ""


@pytest.mark.parametrize(
    "text", ["setitem", "__setitem__", "torch.Tensor.__setitem__", "operator.setitem"]
)
def test_the_name_of_a_write_leads_to_both_nodes_and_says_what_decides(
    committed: Catalogue, text: str
) -> None:
    found = resolve(committed, text)
    assert {found.record.name, *found.others} == {"torch.index_put", "CopySlices"}
    assert "number, None or a slice" in found.decided


@pytest.mark.parametrize("text", ["getitem", "operator.getitem", "__getitem__", "x[i, j]"])
def test_the_name_of_a_read_leads_to_its_op(committed: Catalogue, text: str) -> None:
    assert resolve(committed, text).record.name == "torch.Tensor.__getitem__"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("del x", "is no op"),
        ("x.data[0] = 1", "does not see"),
        ("x.data += 1", "does not see"),
        ("x * y + z", "of what it calls torch.mul and torch.add have records"),
        ("x.exp().sum()", "of what it calls torch.exp and torch.sum have records"),
        ("y = F.relu(self.fc(x))", "of what it calls torch.nn.functional.relu has a record"),
        ("x if c else y", "is not one op"),
        ("for i in range(3)", "is not one op"),
        ("with torch.no_grad():", "is not one op"),
        ("x.expp()", "did you mean torch.exp"),
    ],
)
def test_code_that_is_no_op_says_what_it_is(committed: Catalogue, text: str, said: str) -> None:
    with pytest.raises(UnknownNameError, match=said):
        resolve(committed, text)


# Each row of `x` that a statement hands out, by the name that it has after it.
BY_ROW = [
    *("for row in x: pass", "for i, row in enumerate(x): pass", "for row, _ in zip(x, y): pass"),
    *("row, _, _ = x", "[row, *_] = x", "row, _, _ = [one for one in x]", "row = list(x)"),
    *("row = tuple(x)", "row = sorted(x, key=len)"),
]


@pytest.mark.parametrize("text", BY_ROW)
def test_a_tensor_is_taken_apart_by_unbind(committed: Catalogue, text: str) -> None:
    known: dict[str, Any] = {"x": torch.rand(3, 3, requires_grad=True), "y": torch.rand(3, 3)}
    exec(text, known)  # noqa: S102 - the texts above
    row = known["row"][0] if isinstance(known["row"], (list, tuple)) else known["row"]
    told = resolve(committed, text)
    assert row.grad_fn.name() in nodes_of(told)
    assert "one unbind" in told.decided


def test_the_first_line_of_a_loop_is_a_loop(committed: Catalogue) -> None:
    for text in ("for row in x", "for row in x:", "for _, row in enumerate(batch):"):
        assert resolve(committed, text).record.name == "torch.unbind"


def test_a_part_of_the_readers_own_class_says_so(committed: Catalogue) -> None:
    found = resolve(committed, "self.relu(x)")
    assert found.record.name == "torch.nn.functional.relu"
    assert "your own class" in found.decided


READS = [
    *("x[:, None]", "x[None]", "x[0, None]", "x[..., None]", "x[...]", "x[:]", "x[:, :]"),
    *("x[0]", "x[-1]", "x[1:]", "x[:, 1]", "x[i]", "x[index]", "x[0, index]", "x[None, index]"),
    *("x[x > 0]", "x[::2]", "x[[0, 1]]", "x[0, 1]", "x[mask]", "x[n]", "x[True]"),
]


@pytest.mark.parametrize("text", READS)
def test_a_read_of_a_part_leads_to_the_node_that_it_makes(committed: Catalogue, text: str) -> None:
    x = torch.rand(3, 3, requires_grad=True) * 1
    known = {"x": x, "i": 1, "n": torch.tensor([1]), "index": torch.tensor([0, 2]), "mask": x > 0.5}
    made = eval(text, known).grad_fn  # noqa: S307 - the texts above
    told = resolve(committed, text)
    every = [told, *(resolve(committed, name) for name in told.others)]
    assert made.name() in set.union(*map(nodes_of, every))
    assert "each index is a call of its own" in told.decided


def test_a_name_with_a_hyphen_is_no_difference() -> None:
    assert likeliest("a-b") == likeliest("left - right") == "torch.sub"
    assert likeliest("lora-linear") is None
