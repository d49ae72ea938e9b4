"""Convolution, pooling, normalization and resampling over sequences, images and volumes.

All three kinds of batch are 8 × 16 channels × 4,096 positions.
"""

from __future__ import annotations

from generator.probe.references.arguments import (
    CHANNEL_SCALE,
    CHANNEL_STATISTICS,
    IMAGES,
    POOLED_IMAGES,
    POOLED_SEQUENCES,
    POOLED_VOLUMES,
    SEQUENCES,
    VOLUMES,
)
from generator.probe.references.program import Program, alike, called, programs

SEQUENCE_BATCH = "sequence batch"
IMAGE_BATCH = "image batch"
VOLUME_BATCH = "volume batch"
BIAS = "bias = torch.zeros(16)"
NORM = f"{IMAGES}\n{CHANNEL_SCALE}"
BATCH_NORM = f"{NORM}\n{CHANNEL_STATISTICS}"

IMAGE_OPS: dict[str, Program] = {
    **programs(
        SEQUENCE_BATCH,
        SEQUENCES,
        alike("{}(input, 2)", "avg_pool1d max_pool1d", module="torch.nn.functional")
        | alike(
            "{}(input, 64)",
            "adaptive_avg_pool1d adaptive_max_pool1d",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        IMAGE_BATCH,
        IMAGES,
        alike("{}(input, 2)", "avg_pool2d max_pool2d", module="torch.nn.functional")
        | alike(
            "{}(input, 8)",
            "adaptive_avg_pool2d adaptive_max_pool2d",
            module="torch.nn.functional",
        )
        | alike(
            "{}(input, scale_factor=2)",
            "upsample_bilinear upsample_nearest",
            module="torch.nn.functional",
        )
        | called(
            "torch.nn.functional.channel_shuffle(input, 4)",
            "torch.nn.functional.dropout2d(input, p=0.1, training=True)",
            "torch.nn.functional.feature_alpha_dropout(input, p=0.1, training=True)",
            "torch.nn.functional.fractional_max_pool2d(input, 2, output_size=32)",
            'torch.nn.functional.interpolate(input, scale_factor=2, mode="nearest")',
            "torch.nn.functional.local_response_norm(input, 5)",
            "torch.nn.functional.pad(input, (1, 1, 1, 1))",
            "torch.nn.functional.pixel_shuffle(input, 2)",
            "torch.nn.functional.pixel_unshuffle(input, 2)",
            "torch.nn.functional.unfold(input, kernel_size=3, padding=1)",
            "torch.ops.aten._upsample_bilinear2d_aa(input, (32, 32), False)",
        ),
    ),
    **programs(
        VOLUME_BATCH,
        VOLUMES,
        alike("{}(input, 2)", "avg_pool3d max_pool3d", module="torch.nn.functional")
        | alike(
            "{}(input, 4)",
            "adaptive_avg_pool3d adaptive_max_pool3d",
            module="torch.nn.functional",
        )
        | called(
            "torch.nn.functional.dropout3d(input, p=0.1, training=True)",
            "torch.nn.functional.fractional_max_pool3d(input, 2, output_size=8)",
        ),
    ),
    **programs(
        "sequence batch, convolution",
        f"{SEQUENCES}\nweight = torch.randn(16, 16, 3)\n{BIAS}",
        alike(
            "{}(input, weight, bias, padding=1)",
            "conv1d conv_transpose1d",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        "image batch, convolution",
        f"{IMAGES}\nweight = torch.randn(16, 16, 3, 3)\n{BIAS}",
        alike(
            "{}(input, weight, bias, padding=1)",
            "conv2d conv_transpose2d",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        "volume batch, convolution",
        f"{VOLUMES}\nweight = torch.randn(16, 16, 3, 3, 3)\n{BIAS}",
        alike(
            "{}(input, weight, bias, padding=1)",
            "conv3d conv_transpose3d",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        "image batch, normalization",
        NORM,
        {
            "torch.nn.functional.group_norm": (
                "torch.nn.functional.group_norm(input, 4, weight, bias)"
            ),
            "torch.nn.functional.instance_norm": (
                "torch.nn.functional.instance_norm(input, weight=weight, bias=bias)"
            ),
            "torch.native_group_norm": (
                "torch.native_group_norm(input, weight, bias, 8, 16, 4096, 4, 1e-5)"
            ),
        },
    ),
    **programs(
        "image batch, normalization",
        BATCH_NORM,
        {
            "torch.nn.functional.batch_norm": (
                "torch.nn.functional.batch_norm("
                "input, running_mean, running_var, weight, bias, training=True)"
            ),
            "torch.native_batch_norm": (
                "torch.native_batch_norm("
                "input, weight, bias, running_mean, running_var, True, 0.1, 1e-5)"
            ),
            "torch._native_batch_norm_legit": (
                "torch._native_batch_norm_legit("
                "input, weight, bias, running_mean, running_var, True, 0.1, 1e-5)"
            ),
            "torch.ops.aten._batch_norm_with_update": (
                "torch.ops.aten._batch_norm_with_update("
                "input, weight, bias, running_mean, running_var, 0.1, 1e-5)"
            ),
        },
    ),
    **programs(
        "sequence batch, unpooling",
        POOLED_SEQUENCES,
        called("torch.nn.functional.max_unpool1d(input, indices, 2)"),
    ),
    **programs(
        "image batch, unpooling",
        POOLED_IMAGES,
        called("torch.nn.functional.max_unpool2d(input, indices, 2)"),
    ),
    **programs(
        "volume batch, unpooling",
        POOLED_VOLUMES,
        called("torch.nn.functional.max_unpool3d(input, indices, 2)"),
    ),
    **programs(
        IMAGE_BATCH,
        f"{IMAGES}\ngrid = 2 * torch.rand(8, 64, 64, 2) - 1",
        called(
            "torch.grid_sampler_2d(input, grid, 0, 0, False)",
            "torch.nn.functional.grid_sample(input, grid, align_corners=False)",
        ),
    ),
    **programs(
        VOLUME_BATCH,
        f"{VOLUMES}\ngrid = 2 * torch.rand(8, 16, 16, 16, 3) - 1",
        called("torch.grid_sampler_3d(input, grid, 0, 0, False)"),
    ),
    **programs(
        IMAGE_BATCH,
        f"""\
grad_output = torch.randn(8, 16, 32, 32)
{IMAGES}
indices = torch.nn.functional.max_pool2d(input, 2, return_indices=True)[1]""",
        {
            "torch.ops.aten.max_pool2d_with_indices_backward": (
                "torch.ops.aten.max_pool2d_with_indices_backward("
                "grad_output, input, (2, 2), (2, 2), (0, 0), (1, 1), False, indices)"
            ),
        },
    ),
}
