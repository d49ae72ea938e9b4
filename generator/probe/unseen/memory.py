"""Writes to a tensor's memory: those that count a version, and those that go around the counter."""

from __future__ import annotations

from generator.probe.unseen.program import SAVED_OUTPUT, UnseenWrite, saved_input

COUNTED = "in place"
APART = "around the counter"
REPLACED = "another memory"

MEMORY_WRITES: dict[str, UnseenWrite] = {
    "tensor.add_": saved_input(COUNTED, "tensor.add_(1)"),
    "tensor.copy_": saved_input(COUNTED, "tensor.copy_(torch.zeros(3))"),
    "tensor[...] = value": saved_input(COUNTED, "tensor[0] = 10"),
    "through a view": saved_input(COUNTED, "tensor.view(3, 1).add_(1)"),
    "under torch.no_grad": saved_input(COUNTED, "with torch.no_grad():\n    tensor.add_(1)"),
    "under torch.inference_mode": saved_input(
        COUNTED, "with torch.inference_mode():\n    tensor.add_(1)"
    ),
    "tensor.detach().add_": saved_input(COUNTED, "tensor.detach().add_(1)"),
    "out=": saved_input(COUNTED, "with torch.no_grad():\n    torch.add(tensor, 1, out=tensor)"),
    "torch._foreach_add_": saved_input(COUNTED, "torch._foreach_add_([tensor], 1)"),
    "torch.nn.init.zeros_": saved_input(COUNTED, "torch.nn.init.zeros_(tensor)"),
    "tensor.data": saved_input(APART, "tensor.data.add_(1)"),
    "tensor.detach().apply_": saved_input(APART, "tensor.detach().apply_(lambda value: value + 1)"),
    "tensor.detach().map_": saved_input(
        APART, "tensor.detach().map_(torch.ones(3), lambda value, other: value + other)"
    ),
    "tensor.detach().numpy()": saved_input(APART, "tensor.detach().numpy()[:] += 1"),
    "DLPack": saved_input(
        APART,
        "torch.utils.dlpack.from_dlpack(tensor.detach()).add_(1)",
        "import torch.utils.dlpack",
    ),
    "a raw pointer": saved_input(
        APART,
        "ctypes.memset(tensor.data_ptr(), 0, tensor.numel() * tensor.element_size())",
        "import ctypes",
    ),
    "untyped_storage().fill_": saved_input(APART, "tensor.untyped_storage().fill_(0)"),
    "untyped_storage().copy_": saved_input(
        APART, "tensor.untyped_storage().copy_(torch.zeros(3).untyped_storage())"
    ),
    "untyped_storage().resize_": saved_input(
        APART, "tensor.untyped_storage().resize_(0)\ntensor.untyped_storage().resize_(12).fill_(0)"
    ),
    "tensor.set_, over the same storage": saved_input(
        APART, "torch.empty(0).set_(tensor.untyped_storage(), 0, (3,)).add_(1)"
    ),
    "torch.autograd._unsafe_preserve_version_counter": saved_input(
        APART, "with torch.autograd._unsafe_preserve_version_counter(tensor):\n    tensor.add_(1)"
    ),
    "torch._C._autograd._unsafe_set_version_counter": saved_input(
        APART,
        "tensor.add_(1)\ntorch._C._autograd._unsafe_set_version_counter((tensor,), (0,))",
    ),
    "tensor.data = ..., of a saved input": saved_input(REPLACED, "tensor.data = torch.zeros(3)"),
    "tensor.data = ..., of a saved output": UnseenWrite(
        REPLACED, "tensor.data = torch.zeros(3)", SAVED_OUTPUT
    ),
    "torch.utils.swap_tensors": saved_input(
        REPLACED, "torch.utils.swap_tensors(tensor, torch.zeros(3))"
    ),
}
