"""Recipes for node types of convolutions, pooling and everything else on images and volumes."""

from __future__ import annotations

from generator.probe.recipes.program import calls

FIELDS = {
    **calls(
        "x = torch.rand(1, 1, 4, 4, requires_grad=True)",
        {
            "AdaptiveAvgPool3DBackward0": "torch._adaptive_avg_pool3d(x, [1, 1, 1])",
            "AdaptiveMaxPool3DBackward0": ("torch.nn.functional.adaptive_max_pool3d(x, [1, 1, 1])"),
            "AvgPool3DBackward0": "torch.nn.functional.avg_pool3d(x, [1, 1, 1])",
            "FractionalMaxPool2DBackward0": (
                "torch.nn.functional.fractional_max_pool2d(x, 2, output_size=2)"
            ),
            "MaxPool3DWithIndicesBackward0": (
                "torch.nn.functional.max_pool3d_with_indices(x, [1, 1, 1])"
            ),
            "ReplicationPad3DBackward0": ("torch._C._nn.replication_pad3d(x, [1, 1, 1, 1, 1, 1])"),
            "UpsampleBicubic2DAaBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="bicubic", antialias=True)'
            ),
            "UpsampleBicubic2DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="bicubic")'
            ),
            "UpsampleBilinear2DAaBackward0": (
                "torch.nn.functional.interpolate(x, "
                'scale_factor=2, mode="bilinear", '
                "antialias=True)"
            ),
            "UpsampleBilinear2DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="bilinear")'
            ),
            "UpsampleLanczos2DAaBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="lanczos", antialias=True)'
            ),
            "UpsampleNearest2DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")'
            ),
            "UpsampleNearestExact2DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest-exact")'
            ),
        },
    ),
    **calls(
        "x = torch.rand(1, 1, 4, 4, 4, requires_grad=True)",
        {
            "FractionalMaxPool3DBackward0": (
                "torch.nn.functional.fractional_max_pool3d(x, 2, output_size=2)"
            ),
            "ReflectionPad3DBackward0": "torch._C._nn.reflection_pad3d(x, [1, 1, 1, 1, 1, 1])",
            "UpsampleNearest3DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")'
            ),
            "UpsampleNearestExact3DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest-exact")'
            ),
            "UpsampleTrilinear3DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="trilinear")'
            ),
        },
    ),
    **calls(
        ("x = torch.rand(1, 1, 4, 4, requires_grad=True)\nweight = torch.rand(1, 1, 2, 2)"),
        {
            "MkldnnConvolutionBackward0": (
                "torch.mkldnn_convolution(x, weight, None, (0, 0), (1, 1), (1, 1), 1)"
            ),
            "SlowConv2DBackward0": (
                "torch.ops.aten._slow_conv2d_forward.default(x, weight, "
                "[2, 2], None, [1, 1], [0, 0])"
            ),
            "SlowConvDilated2DBackward0": (
                "torch.ops.aten.slow_conv_dilated2d.default(x, weight, [2, 2])"
            ),
            "SlowConvTranspose2DBackward0": (
                "torch.ops.aten.slow_conv_transpose2d.default(x, weight, [2, 2])"
            ),
        },
    ),
    **calls(
        ("x = torch.rand(1, 1, 4, 4, 4, requires_grad=True)\nweight = torch.rand(1, 1, 2, 2, 2)"),
        {
            "SlowConv3DBackward0": (
                "torch.ops.aten.slow_conv3d_forward.default(x, weight, "
                "[2] * 3, None, [1] * 3, [0] * 3)"
            ),
            "SlowConvDilated3DBackward0": (
                "torch.ops.aten.slow_conv_dilated3d.default(x, weight, [2, 2, 2])"
            ),
            "SlowConvTranspose3DBackward0": (
                "torch.ops.aten.slow_conv_transpose3d.default(x, weight, [2, 2, 2])"
            ),
        },
    ),
    **calls(
        ("x = torch.rand(1, 1, 4, 4, requires_grad=True)\ngrid = torch.rand(1, 2, 2, 2)"),
        {
            "GridSampler2DBackward0": (
                "torch.nn.functional.grid_sample(x, grid, align_corners=False)"
            ),
            "GridSampler2DCpuFallbackBackward0": (
                "torch.ops.aten._grid_sampler_2d_cpu_fallback.default(x, grid, 0, 0, False)"
            ),
        },
    ),
    **calls(
        ("x = torch.rand(1, 1, 4, requires_grad=True)\nweight = torch.rand(1, 1, 2)"),
        {
            "ConvolutionBackward0": "torch.nn.functional.conv1d(x, weight)",
            "ConvolutionBackward1": (
                "torch.ops.aten._convolution.deprecated(x, weight, None, "
                "[1], [0], [1], False, [0], 1, False, False, False)"
            ),
        },
    ),
    "ConvTbcBackward0": (
        "x = torch.rand(3, 1, 2, requires_grad=True)\n"
        "weight, bias = torch.rand(1, 2, 2), torch.rand(2)\n"
        "output = torch.conv_tbc(x, weight, bias)"
    ),
    "GridSampler3DBackward0": (
        "x = torch.rand(1, 1, 4, 4, 4, requires_grad=True)\n"
        "grid = torch.rand(1, 2, 2, 2, 3)\n"
        "output = torch.nn.functional.grid_sample(x, grid, align_corners=False)"
    ),
    "MaxUnpool3DBackward0": (
        "x = torch.rand(1, 1, 4, 4, requires_grad=True)\n"
        "indices = torch.zeros(1, 1, 4, 4, dtype=torch.int64)\n"
        "output = torch._C._nn.max_unpool3d(x, indices, [1, 1, 1], [1, 1, 1], [1, 1, 1])"
    ),
    "NllLoss2DBackward0": (
        "x = torch.rand(1, 2, 1, 1, requires_grad=True)\n"
        "target = torch.tensor([[[0]]])\n"
        "output = torch.nn.functional.nll_loss(x, target)"
    ),
    "ScaledDotProductFlashAttentionForCpuBackward0": (
        "query = torch.rand(1, 1, 4, 4, requires_grad=True)\n"
        "key = torch.rand(1, 1, 4, 4)\n"
        "value = torch.rand(1, 1, 4, 4)\n"
        "output = torch._scaled_dot_product_flash_attention_for_cpu(query, key, value)"
    ),
    "NnpackSpatialConvolutionBackward0": (
        "x = torch.rand(1, 1, 4, 4, requires_grad=True)\n"
        "weight = torch.rand(1, 1, 3, 3)\n"
        "torch._nnpack_available()  # initializes it\n"
        "output = torch.ops.aten._nnpack_spatial_convolution.default(x, weight, None, [0, 0])"
    ),
}
