"""Recipes for node types that are no op's own, or that take several statements."""

from __future__ import annotations

# The class of a Python custom op is named after the op.
CHUNKED = "GeneratedBackwardFor_torch_nn__linear_cross_entropy_batch_chunked"

SINGULAR: dict[str, str] = {
    "AccumulateGrad": ("x = torch.rand(3, requires_grad=True)\noutput = x.exp()"),
    "CopyBackwards": (
        "x = torch.rand(3, requires_grad=True)\ny = torch.zeros(3)\noutput = y.copy_(x)"
    ),
    "CopySlices": (
        "x, weight = torch.rand(2, 3, requires_grad=True), torch.rand(3)\n"
        "output = x.clone()\n"
        "output[0].mul_(weight)"
    ),
    "DelayedError": (
        "x = torch.rand(3, requires_grad=True)\n"
        'output = torch._C._functions.DelayedError("no gradient", 1)(x)'
    ),
    "Error": (
        "x = torch.rand(3, requires_grad=True)\n"
        'output = torch._C._functions.DelayedError("no gradient", 1)(x)'
    ),
    "FusedMovingAvgObsFqHelperBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "scale, zero_point = torch.tensor([0.1]), torch.tensor([0], dtype=torch.int32)\n"
        "on, low, high = torch.tensor([1]), torch.zeros(1), torch.ones(1)\n"
        "output = torch.fused_moving_avg_obs_fake_quant(\n"
        "    x, on, on, low, high, scale, zero_point, 0.01, 0, 255, 0\n"
        ")"
    ),
    f"{CHUNKED}_defaultBackward": (
        "x = torch.rand(2, 3, requires_grad=True)\n"
        "weight, target = torch.rand(4, 3), torch.tensor([0, 1])\n"
        "options = torch.nn.LinearCrossEntropyOptions()\n"
        "output = torch.nn.functional.linear_cross_entropy(\n"
        '    x, weight, target, reduction="mean", options=options\n'
        ")"
    ),
    f"{CHUNKED}_no_reduction_defaultBackward": (
        "x = torch.rand(2, 3, requires_grad=True)\n"
        "weight, target = torch.rand(4, 3), torch.tensor([0, 1])\n"
        "options = torch.nn.LinearCrossEntropyOptions()\n"
        "output = torch.nn.functional.linear_cross_entropy(\n"
        '    x, weight, target, reduction="none", options=options\n'
        ")"
    ),
    "NestedFromPaddedTensorBackward0": (
        "from torch.nested._internal.nested_tensor import nested_from_padded\n"
        "\n"
        "x = torch.rand(2, 2, 3, requires_grad=True)\n"
        "offsets = torch.tensor([0, 2, 3])\n"
        "output = nested_from_padded(x, offsets, ragged_idx=1, sum_S=3)"
    ),
    "NotImplemented": (
        "x = torch.rand(3, requires_grad=True)\noutput = torch._chunk_cat([x], 0, 1)"
    ),
    "SendRpcBackward": (
        "import tempfile\n"
        "from torch.distributed import autograd, rpc\n"
        "\n"
        'file = f"file://{tempfile.mkdtemp()}/rendezvous"\n'
        "options = rpc.TensorPipeRpcBackendOptions(init_method=file)\n"
        'rpc.init_rpc("self", rank=0, world_size=1, rpc_backend_options=options)\n'
        "x = torch.rand(3, requires_grad=True)\n"
        "with autograd.context():\n"
        '    rpc.rpc_sync("self", torch.neg, args=(x,))\n'
        "    output = autograd._current_context()._send_functions().popitem()[1]\n"
        "rpc.shutdown()"
    ),
    "UndefinedGrad": (
        "x = torch.rand(3, requires_grad=True)\noutput = torch._C._functions.UndefinedGrad()(x)"
    ),
    "UndefinedGradBackward": (
        "x = torch.rand(3, requires_grad=True)\noutput = torch._C._functions.UndefinedGrad()(x)"
    ),
}
