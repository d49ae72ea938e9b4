"""Recipes for node types of ops that compute a gradient, called directly."""

from __future__ import annotations

from generator.probe.recipes.program import calls

GRADIENTS = {
    **calls(
        ("grad = torch.rand(3, requires_grad=True)\nx = torch.rand(3)"),
        {
            "GeluBackwardBackward0": "torch.ops.aten.gelu_backward.default(grad, x)",
            "HardswishBackwardBackward0": "torch.ops.aten.hardswish_backward.default(grad, x)",
            "HardtanhBackwardBackward0": (
                "torch.ops.aten.hardtanh_backward.default(grad, x, 1, 1)"
            ),
            "LeakyReluBackwardBackward0": (
                "torch.ops.aten.leaky_relu_backward.default(grad, x, 1, False)"
            ),
            "SoftplusBackwardBackward0": (
                "torch.ops.aten.softplus_backward.default(grad, x, 1, 1)"
            ),
            "SoftshrinkBackwardBackward0": (
                "torch.ops.aten.softshrink_backward.default(grad, x, 1)"
            ),
            "ThresholdBackwardBackward0": ("torch.ops.aten.threshold_backward.default(grad, x, 1)"),
        },
    ),
    **calls(
        ("grad = torch.rand(3, requires_grad=True)\nresult = torch.rand(3)"),
        {
            "LogSoftmaxBackwardDataBackward0": (
                "torch._log_softmax_backward_data(grad, result, 0, torch.float32)"
            ),
            "SigmoidBackwardBackward0": ("torch.ops.aten.sigmoid_backward.default(grad, result)"),
            "SoftmaxBackwardDataBackward0": (
                "torch._softmax_backward_data(grad, result, 0, torch.float32)"
            ),
            "TanhBackwardBackward0": "torch.ops.aten.tanh_backward.default(grad, result)",
        },
    ),
    **calls(
        (
            "grad = torch.rand(3, requires_grad=True)\n"
            "x = torch.rand(3)\n"
            "target = torch.zeros(3, dtype=torch.int64)"
        ),
        {
            "MseLossBackwardBackward0": (
                "torch.ops.aten.mse_loss_backward.default(grad, x, target, 1)"
            ),
            "SmoothL1LossBackwardBackward0": (
                "torch.ops.aten.smooth_l1_loss_backward.default(grad, x, target, 1, 0.5)"
            ),
            "SoftMarginLossBackwardBackward0": (
                "torch.ops.aten.soft_margin_loss_backward.default(grad, x, target, 1)"
            ),
        },
    ),
    **calls(
        ("grad = torch.rand(1, 1, 4, 4, 4, requires_grad=True)\nx = torch.rand(1, 1, 4, 4, 4)"),
        {
            "ReflectionPad1DBackwardBackward0": (
                "torch.ops.aten.reflection_pad1d_backward.default(grad, x, [0, 0])"
            ),
            "ReplicationPad3DBackwardBackward0": (
                "torch.ops.aten.replication_pad3d_backward.default(grad, x, [0, 0, 0, 0, 0, 0])"
            ),
        },
    ),
    **calls(
        ("grad = torch.rand(1, 1, 4, 4, requires_grad=True)\nx = torch.rand(1, 1, 4, 4)"),
        {
            "AdaptiveAvgPool3DBackwardBackward0": (
                "torch.ops.aten._adaptive_avg_pool3d_backward.default(grad, x)"
            ),
            "ReflectionPad2DBackwardBackward0": (
                "torch.ops.aten.reflection_pad2d_backward.default(grad, x, [0, 0, 0, 0])"
            ),
        },
    ),
    **calls(
        (
            "grad = torch.rand(1, 1, 4, 4, requires_grad=True)\n"
            "x = torch.rand(1, 1, 4, 4)\n"
            "indices = torch.zeros(1, 1, 4, 4, dtype=torch.int64)"
        ),
        {
            "AdaptiveMaxPool3DBackwardBackward0": (
                "torch.ops.aten.adaptive_max_pool3d_backward.default(grad, x, indices)"
            ),
            "MaxPool3DWithIndicesBackwardBackward0": (
                ""
                "torch.ops.aten.max_pool3d_with_indices_backward.default(grad, "
                "x, [2, 2, 2], [3, 3, 3], [0, 0, 0], "
                "[1, 1, 1], True, indices)"
            ),
        },
    ),
    "AdaptiveAvgPool2DBackwardBackward0": (
        "grad = torch.rand(1, 2, 3, requires_grad=True)\n"
        "x = torch.rand(1, 2, 3)\n"
        "output = torch.ops.aten._adaptive_avg_pool2d_backward.default(grad, x)"
    ),
    "AdaptiveMaxPool2DBackwardBackward0": (
        "grad = torch.rand(1, 2, 3, requires_grad=True)\n"
        "x = torch.rand(1, 2, 3)\n"
        "indices = torch.zeros(1, 2, 3, dtype=torch.int64)\n"
        "output = torch.ops.aten.adaptive_max_pool2d_backward.default(grad, x, indices)"
    ),
    "BinaryCrossEntropyBackwardBackward0": (
        "grad = torch.rand(4, requires_grad=True)\n"
        "x = torch.rand(())\n"
        "target = torch.rand(())\n"
        "output = torch.ops.aten.binary_cross_entropy_backward.default(grad, x, target)"
    ),
    "CdistBackwardBackward0": (
        "grad = torch.rand(3, requires_grad=True)\n"
        "x1 = torch.rand(2, 3)\n"
        "x2 = torch.rand(2, 3)\n"
        "cdist = torch.rand(3)\n"
        "output = torch.ops.aten._cdist_backward.default(grad, x1, x2, 0.5, cdist)"
    ),
    "DiagonalBackwardBackward0": (
        "grad = torch.rand(1, requires_grad=True)\n"
        "output = torch.ops.aten.diagonal_backward.default(grad, [1, 1, 1], 3, -1, 1)"
    ),
    "EluBackwardBackward0": (
        "grad = torch.rand(3, requires_grad=True)\n"
        "self_or_result = torch.rand(3)\n"
        "output = torch.ops.aten.elu_backward.default(grad, 1, 1, 1, False, "
        "self_or_result)"
    ),
    "EmbeddingBagDenseBackwardBackward0": (
        "grad = torch.rand(1, 2, requires_grad=True)\n"
        "indices, bags, counts = torch.tensor([0, 1]), torch.tensor([0, 0]), "
        "torch.tensor([2])\n"
        "output = torch.ops.aten._embedding_bag_dense_backward.default(grad, indices, "
        "bags, counts, torch.empty(0, dtype=torch.int64), 3, False, 0, None)"
    ),
    "EmbeddingDenseBackwardBackward0": (
        "grad = torch.rand(2, 3, requires_grad=True)\n"
        "indices = torch.tensor([0, 1])\n"
        "output = torch.ops.aten.embedding_dense_backward.default(grad, indices, 0, 3, "
        "False)"
    ),
    "GluBackwardBackward0": (
        "grad = torch.rand(4, requires_grad=True)\n"
        "x = torch.rand(2, 4, 4)\n"
        "output = torch.ops.aten.glu_backward.default(grad, x, 1)"
    ),
    "HuberLossBackwardBackward0": (
        "grad = torch.rand(3, requires_grad=True)\n"
        "x = torch.rand(3)\n"
        "target = torch.rand(3)\n"
        "output = torch.ops.aten.huber_loss_backward.default(grad, x, target, 3, 0.5)"
    ),
    "MaskedScatterBackwardBackward0": (
        "grad = torch.rand((), requires_grad=True)\n"
        "mask = torch.ones((), dtype=torch.bool)\n"
        "output = torch.ops.aten.masked_scatter_backward.default(grad, mask, [1])"
    ),
    "NativeDropoutBackwardBackward0": (
        "grad = torch.rand(3, requires_grad=True)\n"
        "mask = torch.ones(3, dtype=torch.bool)\n"
        "output = torch.ops.aten.native_dropout_backward.default(grad, mask, 0.5)"
    ),
    "PdistBackwardBackward0": (
        "grad = torch.rand(3, requires_grad=True)\n"
        "x = torch.rand(2, 3)\n"
        "pdist = torch.rand(3)\n"
        "output = torch.ops.aten._pdist_backward.default(grad, x, 0.5, pdist)"
    ),
    "PreluKernelBackwardBackward0": (
        "grad = torch.rand(3, requires_grad=True)\n"
        "x = torch.rand(3)\n"
        "weight = torch.rand(3)\n"
        "output = torch.ops.aten._prelu_kernel_backward.default(grad, x, weight)"
    ),
    "ReplicationPad1DBackwardBackward0": (
        "grad = torch.rand(3, 3, requires_grad=True)\n"
        "x = torch.rand(3, 3)\n"
        "output = torch.ops.aten.replication_pad1d_backward.default(grad, x, [0, 0])"
    ),
    "ReplicationPad2DBackwardBackward0": (
        "grad = torch.rand(2, 4, 4, requires_grad=True)\n"
        "x = torch.rand(2, 4, 4)\n"
        "output = torch.ops.aten.replication_pad2d_backward.default(grad, x, [0, 0, 0, 0])"
    ),
    "RreluWithNoiseBackwardBackward0": (
        "grad = torch.rand((), requires_grad=True)\n"
        "x = torch.tensor([1, 1])\n"
        "noise = torch.zeros(2, 2, 3, dtype=torch.int64)\n"
        "output = torch.ops.aten.rrelu_with_noise_backward.default(grad, x, noise, 0.5, "
        "2.0, False, False)"
    ),
    "SelectBackwardBackward0": (
        "grad = torch.rand((), requires_grad=True)\n"
        "output = torch.ops.aten.select_backward.default(grad, [1], 0, 0)"
    ),
    "SliceBackwardBackward0": (
        "grad = torch.rand(2, requires_grad=True)\n"
        "output = torch.ops.aten.slice_backward.default(grad, [2, 2, 2], 0, 2, 3, 1)"
    ),
}
