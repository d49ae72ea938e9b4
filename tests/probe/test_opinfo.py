"""Calls made from OpInfo and ModuleInfo, against those databases themselves."""

from typing import Any

import pytest
import torch

from generator.probe.calls import Call
from generator.probe.opinfo import (
    DTYPES,
    OpSample,
    entry_dtypes,
    entry_name,
    module_calls,
    modules,
    op_samples,
    ops,
)
from generator.probe.signatures import parse


def samples(name: str, dtype: torch.dtype = torch.float32) -> list[OpSample]:
    entry = ops()[name][0]
    return list(op_samples(entry, name, parse(name, entry.aten_name), "cpu", dtype))


def test_every_entry_is_listed_once_under_a_name() -> None:
    from torch.testing._internal.common_methods_invocations import op_db

    listed = [entry for entries in ops().values() for entry in entries]
    assert len(listed) == len(op_db) == 702
    assert {id(entry) for entry in listed} == {id(entry) for entry in op_db}
    assert sum(bool(entry.supports_autograd) for entry in listed) == 547
    assert list(ops()) == sorted(ops())
    assert [entry_name(entry) for entry in ops()["torch.div"]] == [
        "div.floor_rounding",
        "div.no_rounding_mode",
        "div.trunc_rounding",
    ]


def test_every_module_is_listed_under_its_class() -> None:
    from torch.testing._internal.common_modules import module_db

    assert len(modules()) == len(module_db) == 114
    linear = modules()["torch.nn.Linear"]
    assert linear.module_cls is torch.nn.Linear


def test_dtypes_are_floating_point_or_complex_and_supported_for_backward() -> None:
    assert len(set(DTYPES)) == 7
    assert all(dtype.is_floating_point or dtype.is_complex for dtype in DTYPES)
    (entry,) = ops()["torch.exp"]
    supported = entry.supported_backward_dtypes("cpu")
    assert set(entry_dtypes(entry, "cpu")) == supported & set(DTYPES)
    assert torch.float32 in entry_dtypes(entry, "cpu")
    (shift,) = ops()["torch.bitwise_left_shift"]
    assert entry_dtypes(shift, "cpu") == []


@pytest.mark.parametrize("name", ["torch.exp", "torch.addmm", "torch.cat", "torch.where"])
def test_samples_are_opinfos_own(name: str) -> None:
    entry = ops()[name][0]
    own = list(entry.sample_inputs("cpu", torch.float32, requires_grad=True))
    made = samples(name)
    assert len(made) == len(own)
    for mine, theirs in zip(made, own, strict=True):
        shapes = [tuple(named.tensor.shape) for named in mine.call.tensors]
        tensors: dict[int, Any] = {}
        for value in [theirs.input, *theirs.args, *theirs.kwargs.values()]:
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(item, torch.Tensor):
                    tensors.setdefault(id(item), item)
        assert shapes == [tuple(tensor.shape) for tensor in tensors.values()]
        asked = [tensor.requires_grad for tensor in tensors.values()]
        assert [named.name in mine.asked for named in mine.call.tensors] == asked


def test_a_sample_reads_as_a_call_by_documented_names() -> None:
    texts = {sample.call.text for sample in samples("torch.add")}
    assert "torch.add(input, other)" in texts
    assert "torch.add(input, other, alpha=2)" in texts
    (first, *_) = samples("torch.cat")
    assert first.call.text.startswith("torch.cat(tensors, ")
    assert [named.name for named in first.call.tensors] == ["tensors[0]", "tensors[1]"]


def test_samples_are_the_same_each_time() -> None:
    first, again = samples("torch.nn.functional.dropout"), samples("torch.nn.functional.dropout")
    for one, other in zip(first, again, strict=True):
        outputs = [sample.call.run(sample.asked).outputs for sample in (one, other)]
        assert all(map(torch.equal, *outputs))


def test_an_op_without_autograd_is_tried_all_the_same() -> None:
    (entry,) = ops()["torch.floor_divide"]
    assert not entry.supports_autograd
    (first, *_) = samples("torch.floor_divide")
    assert not any(named.tensor.requires_grad for named in first.call.tensors)
    assert first.asked == [named.name for named in first.call.tensors]


def test_the_same_sample_can_be_called_by_another_spelling() -> None:
    (first, *_) = samples("torch.exp")
    spelled = first.called_as(torch.Tensor.exp_, "torch.Tensor.exp_", written="first")
    assert spelled.text == "torch.Tensor.exp_(input)"
    assert spelled.run(["input"]).wrote
    assert torch.equal(spelled.run([]).outputs[0], first.call.run([]).outputs[0])


def test_a_sample_can_be_made_of_arguments_to_write_into() -> None:
    (first, *_) = samples("torch.exp")
    before = first.call.tensors[0].tensor.clone()
    run = first.writable().run(["input"])
    run.arguments[0].tensor.data.zero_()
    assert torch.equal(first.call.tensors[0].tensor, before)
    assert torch.equal(run.outputs[0], before.exp())


def module_samples(name: str, *, training: bool) -> list[Call]:
    return list(module_calls(modules()[name], name, "cpu", torch.float32, training=training))


def test_module_samples_carry_parameters_and_the_constructor() -> None:
    calls = module_samples("torch.nn.Linear", training=True)
    call = calls[0]
    assert call.text == "torch.nn.Linear(10, 8)(input=input)"
    assert [(n.name, n.source, tuple(n.tensor.shape)) for n in call.tensors[1:]] == [
        ("weight", "parameter", (8, 10)),
        ("bias", "parameter", (8,)),
    ]
    own = modules()["torch.nn.Linear"].module_inputs_func(
        modules()["torch.nn.Linear"], "cpu", torch.float32, requires_grad=True, training=True
    )
    assert len(calls) == len([sample for sample in own if sample.forward_input is not None])


def test_modules_are_called_in_their_mode() -> None:
    """In training, batch norm writes its running statistics; in evaluation it reads them."""
    for training in (True, False):
        call = module_samples("torch.nn.BatchNorm1d", training=training)[0]
        buffers = {n.name: n.tensor for n in call.tensors if n.source == "buffer"}
        before = int(buffers["num_batches_tracked"])
        assert call.run(["parameters"]).wrote == training
        assert int(buffers["num_batches_tracked"]) - before == training


def test_lazy_modules_have_their_parameters() -> None:
    (call, *_) = module_samples("torch.nn.LazyConv1d", training=True)
    names = {named.name for named in call.tensors if named.source == "parameter"}
    assert names == {"weight", "bias"}
    assert call.run(["parameters"]).outputs[0].requires_grad
