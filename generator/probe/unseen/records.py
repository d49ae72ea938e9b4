"""Tensors that backward uses without their having been saved for it, and so without a check."""

from __future__ import annotations

from generator.probe.unseen.program import UnseenWrite, saved_input

FUNCTION = "torch.autograd.Function"
CHECKPOINT = "checkpoint"
CUSTOM = "custom ops"

_SQUARE = """\
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensor):
        {keep}
        return tensor * tensor

    @staticmethod
    def backward(ctx, gradient):
        {read}
        return 2 * tensor * gradient

leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
tensor = leaf.clone()
output = Square.apply(tensor).sum()"""

_CHECKPOINTED = """\
leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
tensor = torch.tensor([4.0, 5.0, 6.0])
output = {output}.sum()"""

_CUSTOM_OP = """\
@torch.library.custom_op("demo::raise_by_one", mutates_args={mutates})
def raise_by_one(one: torch.Tensor) -> torch.Tensor:
    {body}
    return one.clone()"""

_BY_OP = "one.add_(1)"
# What a kernel of one's own does: it writes to memory, and no op of PyTorch counts it.
_BY_KERNEL = "one.detach().numpy()[:] += 1"


def _custom_op(body: str, mutates: str) -> UnseenWrite:
    call = "with torch.no_grad():\n    raise_by_one(tensor)"
    return saved_input(CUSTOM, call, _CUSTOM_OP.format(body=body, mutates=mutates))


_IMPORT = "from torch.utils.checkpoint import checkpoint"
_ADD = "tensor.add_(1)"


def _checkpointed(output: str) -> UnseenWrite:
    return UnseenWrite(CHECKPOINT, _ADD, _CHECKPOINTED.format(output=output), _IMPORT)


RECORD_WRITES: dict[str, UnseenWrite] = {
    "ctx.save_for_backward": UnseenWrite(
        FUNCTION,
        _ADD,
        _SQUARE.format(keep="ctx.save_for_backward(tensor)", read="(tensor,) = ctx.saved_tensors"),
    ),
    "an attribute of ctx": UnseenWrite(
        FUNCTION, _ADD, _SQUARE.format(keep="ctx.tensor = tensor", read="tensor = ctx.tensor")
    ),
    "a checkpoint's argument, reentrant": _checkpointed(
        "checkpoint(lambda one, other: one * other, leaf, tensor, use_reentrant=True)"
    ),
    "a checkpoint's argument, not reentrant": _checkpointed(
        "checkpoint(lambda one, other: one * other, leaf, tensor, use_reentrant=False)"
    ),
    "a tensor that a checkpoint closes over": _checkpointed(
        "checkpoint(lambda one: one * tensor, leaf, use_reentrant=False)"
    ),
    "a custom op that declares its write, by a kernel": _custom_op(_BY_KERNEL, '("one",)'),
    "a custom op that does not declare its write, by a kernel": _custom_op(_BY_KERNEL, "()"),
    "a custom op that does not declare its write, by an op": _custom_op(_BY_OP, "()"),
}
