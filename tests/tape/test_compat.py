"""What a release may lack: on the release that is here, and where it is taken away."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from generator.tape import compat


def test_the_storage_of_a_view_is_that_of_its_base() -> None:
    base = torch.ones(4, 5, dtype=torch.float64)
    storage = compat.storage_of(base[1:])
    assert storage._cdata == compat.storage_of(base)._cdata
    assert storage._cdata != compat.storage_of(base.clone())._cdata
    assert storage.nbytes() == 4 * 5 * 8


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated:UserWarning")
def test_a_typed_storage_has_the_same_identity_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = torch.ones(3, dtype=torch.float64)
    untyped = compat.storage_of(tensor)
    monkeypatch.setattr(compat, "STORAGE", "storage")
    typed = compat.storage_of(tensor)
    assert type(typed) is not type(untyped)
    assert (
        (typed._cdata, typed.nbytes())
        == (untyped._cdata, untyped.nbytes())
        == (
            untyped._cdata,
            24,
        )
    )


def test_layouts_are_those_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("strided", "sparse_bsr", "sparse_of_tomorrow")
    assert compat.layouts(*names) == [torch.strided, torch.sparse_bsr]
    monkeypatch.delattr(torch, "sparse_bsr")
    assert compat.layouts(*names) == [torch.strided]


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
@pytest.mark.parametrize("any_layout", [True, False])
def test_a_matrix_becomes_sparse_either_way(
    monkeypatch: pytest.MonkeyPatch, any_layout: bool
) -> None:
    assert compat.TO_ANY_LAYOUT
    monkeypatch.setattr(compat, "TO_ANY_LAYOUT", any_layout)
    dense = torch.tensor([[0.0, 2.0], [3.0, 0.0]])
    for layout in (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc):
        made = compat.as_layout(dense, layout)
        assert made.layout == layout
        assert torch.equal(made.to_dense(), dense)


def test_classes_that_no_module_lists_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but those that stand for Python code are subclasses of `object` itself."""
    listed = compat.node_classes()
    named = {name for name in vars(torch._C._functions) if name.endswith("Backward0")}
    assert len(named) > 300
    assert named <= listed.keys()
    few = SimpleNamespace(AccumulateGrad=listed["AccumulateGrad"])
    monkeypatch.setattr(torch._C, "_functions", few)
    found = compat.node_classes()
    assert found.keys() == listed.keys()
    assert all(found[name] is listed[name] for name in named)


def test_a_stack_that_a_release_lacks_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    depth = compat.depth_of("_len_torch_dispatch_stack")
    assert depth() == torch._C._len_torch_dispatch_stack() == 0
    monkeypatch.delattr(torch._C, "_len_torch_dispatch_stack")
    assert compat.depth_of("_len_torch_dispatch_stack")() == 0


@pytest.mark.filterwarnings("ignore:.*is_autocast_cpu_enabled:DeprecationWarning")
@pytest.mark.parametrize("of_each_device", [True, False])
def test_autocast_is_told_on_or_off(monkeypatch: pytest.MonkeyPatch, of_each_device: bool) -> None:
    if not of_each_device:
        of_cuda: Any = lambda: False  # noqa: E731  # which takes no device
        monkeypatch.setattr(torch, "is_autocast_enabled", of_cuda)
    enabled = compat.autocast_reader()
    monkeypatch.undo()
    assert not enabled()
    with torch.autocast("cpu"):
        assert enabled()


def test_the_processors_kernels_are_named_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    named = torch.backends.cpu.get_cpu_capability()
    assert compat.cpu_capability() == named
    monkeypatch.setattr(torch, "backends", SimpleNamespace())
    assert compat.cpu_capability() == named
    monkeypatch.setattr(torch.__config__, "show", lambda: "PyTorch built with:\n  - nothing")
    assert compat.cpu_capability() == "unknown"


def test_rows_are_multiplied_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compat.MULTIPLIES_ROWS
    rows = torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse_csr()
    for directly in (True, False):
        monkeypatch.setattr(compat, "MULTIPLIES_ROWS", directly)
        made = compat.times(rows, 1.5)
        assert made.layout == torch.sparse_csr
        assert made.to_dense().tolist() == [[0.0, 3.0], [4.5, 0.0]]
    assert compat.times(torch.ones(2), 0.5).tolist() == [0.5, 0.5]


def without_nan_of_complex(one: torch.Tensor, *rest: Any, **how: Any) -> bool:
    """Refuse complex numbers, as the oldest releases do."""
    if one.is_complex():
        raise RuntimeError("isclose with equal_nan=True is not supported for complex inputs.")
    return ALLCLOSE(one, *rest, **how)


ALLCLOSE = torch.allclose


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64])
@pytest.mark.parametrize("of_parts", [False, True])
def test_not_a_number_is_like_itself(
    monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype, of_parts: bool
) -> None:
    if of_parts:
        monkeypatch.setattr(torch, "allclose", without_nan_of_complex)
    one = torch.tensor([1.0, float("nan")], dtype=dtype)
    assert compat.are_equal(one, one.clone())
    assert not compat.are_equal(one, torch.tensor([1.0, 2.0], dtype=dtype))
    assert not compat.are_equal(one, torch.tensor([1.5, float("nan")], dtype=dtype))


@pytest.mark.parametrize("absent", [(), ("_PreserveDispatchKeyGuard",)])
def test_a_key_that_is_left_behind_is_told_and_taken_back(
    monkeypatch: pytest.MonkeyPatch, absent: tuple[str, ...]
) -> None:
    for name in absent:
        monkeypatch.delattr(torch._C, name)
    key = torch._C.DispatchKey.Python
    before = compat.dispatch_keys()
    assert len(before) == 2
    with compat.preserved_dispatch_keys():
        torch._C._dispatch_tls_set_dispatch_key_included(key, True)  # noqa: FBT003
        assert compat.dispatch_keys() != before
    assert compat.dispatch_keys() == before


def test_without_key_sets_nothing_is_told_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_PreserveDispatchKeyGuard", "_dispatch_tls_local_include_set"):
        monkeypatch.delattr(torch._C, name)
    assert len(compat.dispatch_keys()) == 1
    with compat.preserved_dispatch_keys() as given:
        assert given is None
