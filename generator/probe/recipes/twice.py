"""Recipes for node types that live in the graphs of backward itself."""

from __future__ import annotations

from generator.probe.recipes.program import twice

TWICE = {
    **twice(
        "x = torch.rand(1, 1, 4, 4, requires_grad=True)",
        {
            "AvgPool2DBackwardBackward0": "torch.nn.functional.avg_pool2d(x, 2)",
            "FractionalMaxPool2DBackwardBackward0": (
                "torch.nn.functional.fractional_max_pool2d(x, 2, output_size=2)"
            ),
            "MaxPool2DWithIndicesBackwardBackward0": "torch.nn.functional.max_pool2d(x, 2)",
            "UpsampleBicubic2DAaBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="bicubic", antialias=True)'
            ),
            "UpsampleBicubic2DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="bicubic")'
            ),
            "UpsampleBilinear2DAaBackwardBackward0": (
                "torch.nn.functional.interpolate(x, "
                'scale_factor=2, mode="bilinear", '
                "antialias=True)"
            ),
            "UpsampleBilinear2DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="bilinear")'
            ),
            "UpsampleLanczos2DAaBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="lanczos", antialias=True)'
            ),
            "UpsampleNearest2DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")'
            ),
            "UpsampleNearestExact2DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest-exact")'
            ),
        },
    ),
    **twice(
        "x = torch.rand(1, 1, 4, 4, 4, requires_grad=True)",
        {
            "AvgPool3DBackwardBackward0": "torch.nn.functional.avg_pool3d(x, 2)",
            "FractionalMaxPool3DBackwardBackward0": (
                "torch.nn.functional.fractional_max_pool3d(x, 2, output_size=2)"
            ),
            "ReflectionPad3DBackwardBackward0": (
                'torch.nn.functional.pad(x, (1, 1, 1, 1, 1, 1), "reflect")'
            ),
            "UpsampleNearest3DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")'
            ),
            "UpsampleNearestExact3DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest-exact")'
            ),
            "UpsampleTrilinear3DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="trilinear")'
            ),
        },
    ),
    **twice(
        "x = torch.rand(1, 1, 4, requires_grad=True)",
        {
            "UpsampleLinear1DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="linear")'
            ),
            "UpsampleNearest1DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")'
            ),
            "UpsampleNearestExact1DBackwardBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest-exact")'
            ),
        },
    ),
    **twice(
        ("x = torch.rand(1, 1, 4, 4, requires_grad=True)\ngrid = torch.rand(1, 2, 2, 2)"),
        {
            "GridSampler2DBackwardBackward0": (
                "torch.nn.functional.grid_sample(x, grid, align_corners=False)"
            ),
            "GridSampler2DCpuFallbackBackwardBackward0": (
                "torch.ops.aten._grid_sampler_2d_cpu_fallback.default(x, grid, 0, 0, False)"
            ),
        },
    ),
    **twice(
        (
            "weight = torch.rand(3, 2, requires_grad=True)\n"
            "indices, offsets = torch.tensor([0, 1]), torch.tensor([0])"
        ),
        {
            "EmbeddingBagBackwardBackward0": (
                "torch.nn.functional.embedding_bag(indices, weight, offsets)"
            ),
        },
        of="weight",
    ),
    **twice(
        (
            "x = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)], "
            "requires_grad=True)\n"
            "weight = torch.rand(2, 3)"
        ),
        {
            "LinearBackwardBackward0": (
                "torch.nn.functional.linear(x, weight).to_padded_tensor(0.0)"
            ),
        },
    ),
    **twice(
        ("x = torch.rand(1, 1, 4, 4, 4, requires_grad=True)\ngrid = torch.rand(1, 2, 2, 2, 3)"),
        {
            "GridSampler3DBackwardBackward0": (
                "torch.nn.functional.grid_sample(x, grid, align_corners=False)"
            ),
        },
    ),
    **twice(
        ("x = torch.rand(1, 1, 4, 4, requires_grad=True)\nweight = torch.rand(1, 1, 2, 2)"),
        {
            "SlowConv2DBackwardBackward0": (
                "torch.ops.aten._slow_conv2d_forward.default(x, "
                "weight, [2, 2], None, [1, 1], [0, 0])"
            ),
        },
    ),
    **twice(
        ("x = torch.rand(1, 1, 4, requires_grad=True)\nweight = torch.rand(1, 1, 2)"),
        {
            "ConvolutionBackwardBackward0": "torch.nn.functional.conv1d(x, weight)",
        },
    ),
    **twice(
        ("x = torch.rand(1, 2, 1, 1, requires_grad=True)\ntarget = torch.tensor([[[0]]])"),
        {
            "NllLoss2DBackwardBackward0": "torch.nn.functional.nll_loss(x, target)",
        },
    ),
    **twice(
        ("x = torch.rand(1, 2, requires_grad=True)\ntarget = torch.tensor([0])"),
        {
            "NllLossBackwardBackward0": "torch.nn.functional.nll_loss(x, target)",
        },
    ),
    **twice(
        "x = torch.rand(2, 3, requires_grad=True)",
        {
            "NativeLayerNormBackwardBackward0": "torch.nn.functional.layer_norm(x, (3,))",
        },
    ),
    **twice(
        ("x = torch.rand(2, 3, requires_grad=True)\nmean, var = torch.zeros(3), torch.ones(3)"),
        {
            "NativeBatchNormBackwardBackward0": (
                "torch.nn.functional.batch_norm(x, mean, var, training=True)"
            ),
        },
    ),
    **twice(
        (
            "x = torch.rand(2, 3, requires_grad=True)\n"
            "weight, mean, var = torch.ones(3), torch.zeros(3), torch.ones(3)"
        ),
        {
            "BatchNormBackwardBackward0": (
                "torch.ops.aten._batch_norm_with_update.default(x, "
                "weight, None, mean, var, 0.1, 1e-5)[0]"
            ),
        },
    ),
    **twice(
        "x = torch.rand(3, requires_grad=True)",
        {
            "LogSigmoidBackwardBackward0": "torch.nn.functional.logsigmoid(x)",
        },
    ),
}
