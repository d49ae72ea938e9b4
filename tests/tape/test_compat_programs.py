"""What programs are written with where a release lacks what newer ones have."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from generator.tape import compat, compat_listings
from generator.tape.compat_programs import NEEDED, REWRITINGS, in_this_release, rewritten

WITH_EDGES = """\
$require
# A saved leaf can be read where an edge led to it when it was saved, and still does.
leaves = [one for one in list(globals().values()) if isinstance(one, torch.Tensor)]
edges = [one.view_as(one) for one in leaves if one.requires_grad]
$call
"""
# What a rewriting is asked to write, and what it writes.
REWRITTEN = {
    "a typed storage's resize_ counts elements, and may return nothing": (
        "x.untyped_storage().resize_(12).fill_(0)",
        "x.storage().resize_(3)\nx.storage().fill_(0)",
    ),
    "DLPack passes a capsule, not a tensor": (
        "torch.utils.dlpack.from_dlpack(tensor.detach()).add_(1)",
        "torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(tensor.detach())).add_(1)",
    ),
    "a storage does not tell its bytes": (
        "{x: one.untyped_storage().nbytes()}",
        "{x: one.storage().size() * one.element_size()}",
    ),
    "there is but the typed storage": ("t.untyped_storage().data_ptr()", "t.storage().data_ptr()"),
    "there are no hooks": (
        'kinds = {"no hooks": nullcontext, "identity hooks": identity, "save_on_cpu": save_on_cpu}',
        'kinds = {"no hooks": nullcontext}',
    ),
    "there are no nested tensors": ("if value.is_nested:", "if False:"),
    "to_dense takes no strided tensor": (
        "one, other = one.to_dense(), other.to_dense()",
        "one, other = (t.to_dense() if t.is_sparse else t for t in (one, other))",
    ),
    "an operator's overloads are no objects": (
        "torch.ops.aten.add.Tensor(x, y)",
        "torch.ops.aten.add(x, y)",
    ),
    "to_sparse takes no layout": (
        "dense.to_sparse(layout=start.layout)",
        "dense.to_sparse_csr()",
    ),
    "there is no mT": ("A = A @ A.mT + A.mTx", "A = A @ A.transpose(-2, -1) + A.mTx"),
    "there is no lu_factor": (
        "LU, pivots = torch.linalg.lu_factor(A)",
        "LU, pivots = torch.lu(A)",
    ),
    "meshgrid indexes in one way": (
        'torch.meshgrid(*tensors, indexing="ij")',
        "torch.meshgrid(*tensors)",
    ),
    "the gradient of softmax takes its input, not a dtype": (
        "torch._softmax_backward_data(grad, result, 0, torch.float32)",
        "torch._softmax_backward_data(grad, result, 0, torch.zeros_like(grad))",
    ),
    "a saved leaf can be read only while an edge leads to it": (
        "x = 1\n$require\n$call\n",
        f"x = 1\n{WITH_EDGES}",
    ),
    "an op may be a function of Python": (
        'if attribute.startswith("_saved_"):',
        'if attribute.startswith("_saved_") or attribute == "saved_tensors":',
    ),
    "a checkpoint is always reentrant": (
        "checkpoint(run, one, use_reentrant=True), checkpoint(run, one, use_reentrant=False)",
        "checkpoint(run, one), checkpoint(run, one, use_reentrant=False)",
    ),
}
# These two are run below, on values.
RUN = {
    "no not-a-number of complex numbers is like another",
    "no matrix of compressed rows is multiplied by a number",
}


def test_each_rewriting_is_tested() -> None:
    assert REWRITINGS.keys() == REWRITTEN.keys() | RUN


@pytest.mark.parametrize("name", REWRITTEN)
def test_a_program_is_rewritten_where_that_is_needed(name: str) -> None:
    program, wanted = REWRITTEN[name]
    assert rewritten(program, [REWRITINGS[name]]) == wanted


def test_the_release_that_programs_are_written_for_needs_none() -> None:
    assert NEEDED == ()
    assert in_this_release("A.mT, t.untyped_storage()") == "A.mT, t.untyped_storage()"


def test_what_is_missing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise RuntimeError("not in this release")

    class Node:
        _saved_output = property(refuse)

    def of_input(*values: Any) -> Any:
        if not isinstance(values[-1], torch.Tensor):
            raise TypeError("argument 'input' must be Tensor, not torch.dtype")
        return SimpleNamespace(grad_fn=Node())

    monkeypatch.setattr(compat, "STORAGE", "storage")
    monkeypatch.setattr(compat, "storage_of", lambda _: SimpleNamespace(size=None))
    monkeypatch.setattr(compat, "PACK_HOOKS", None)
    for name in ("MULTIPLIES_ROWS", "TO_ANY_LAYOUT"):
        monkeypatch.setattr(compat, name, False)
    monkeypatch.setattr(compat_listings, "OVERLOAD_OBJECTS", False)
    monkeypatch.setattr("generator.tape.compat_programs.Tensor", object)
    monkeypatch.setattr(torch, "allclose", refuse)
    monkeypatch.setattr(torch, "_softmax_backward_data", of_input)
    of_python = SimpleNamespace(_LU=torch.autograd.Function)
    monkeypatch.setattr(torch, "_autograd_functions", of_python, raising=False)
    monkeypatch.setattr(torch.Tensor, "to_dense", refuse)
    monkeypatch.setattr("torch.utils.dlpack.from_dlpack", refuse)
    monkeypatch.delattr(torch.linalg, "lu_factor")
    monkeypatch.setattr(torch.functional, "meshgrid", lambda *tensors: tensors)
    monkeypatch.setattr("torch.utils.checkpoint.checkpoint", lambda _, *values: values)
    assert [name for name, one in REWRITINGS.items() if not one.needed()] == []


def test_rows_are_multiplied_by_way_of_the_strided_matrix() -> None:
    program = "def other_values(tensor):\n    near = tensor * 1.5\n"
    program += "    return [near, -near, near * 0.015625]\n"
    namespace: dict[str, Any] = {"torch": torch}
    rewriting = REWRITINGS["no matrix of compressed rows is multiplied by a number"]
    exec(rewritten(program, [rewriting]), namespace)  # noqa: S102  # a program of ours
    rows = torch.tensor([[0.0, 64.0], [128.0, 0.0]]).to_sparse_csr()
    made = [one.to_dense().tolist() for one in namespace["other_values"](rows)]
    assert made == [[[0, 96], [192, 0]], [[0, -96], [-192, 0]], [[0, 1.5], [3, 0]]]


def test_complex_numbers_are_compared_by_their_parts() -> None:
    program = "def same(one, other):\n    for _ in range(1):\n"
    program += "        if torch.allclose(one, other, rtol=0, atol=0, equal_nan=True):\n"
    program += "            return True\n"
    namespace: dict[str, Any] = {"torch": torch}
    rewriting = REWRITINGS["no not-a-number of complex numbers is like another"]
    text = rewritten(program, [rewriting])
    assert "view_as_real" in text
    exec(text, namespace)  # noqa: S102  # a program of ours
    one = torch.tensor([complex(1, float("nan"))])
    assert namespace["same"](one, one.clone())
    assert namespace["same"](one.real, one.real.clone())
    assert not namespace["same"](one, torch.tensor([1 + 2j]))
