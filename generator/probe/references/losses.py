"""Losses over 256 rows of 512 numbers: against values, against classes, between pairs."""

from __future__ import annotations

from generator.probe.references.arguments import (
    ALIGNMENT,
    CLASSES,
    LABELS,
    LOG_PROBABILITIES,
    MATRIX,
    PAIR_SIGNS,
    PROBABILITIES,
    SIGNS,
    TARGET_DISTRIBUTION,
    TARGET_MATRIX,
    TARGET_PROBABILITIES,
    TWO_INPUTS,
    VARIANCE,
)
from generator.probe.references.program import Program, alike, called, programs

VALUES = "loss against values"
CLASS = "loss against classes"
PAIR = "loss between pairs"
SEQUENCE = "loss over sequences"

TRIPLET = """\
anchor = torch.randn(256, 512)
positive = torch.randn(256, 512)
negative = torch.randn(256, 512)"""

LOSSES: dict[str, Program] = {
    **programs(
        VALUES,
        f"{MATRIX}\n{TARGET_MATRIX}",
        alike(
            "{}(input, target)",
            "huber_loss l1_loss mse_loss smooth_l1_loss",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        VALUES,
        f"{MATRIX}\n{SIGNS}",
        alike(
            "{}(input, target)",
            "hinge_embedding_loss soft_margin_loss",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        VALUES,
        f"{MATRIX}\n{TARGET_PROBABILITIES}",
        alike(
            "{}(input, target)",
            "binary_cross_entropy_with_logits multilabel_soft_margin_loss poisson_nll_loss",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        VALUES,
        f"{PROBABILITIES}\n{TARGET_PROBABILITIES}",
        called("torch.nn.functional.binary_cross_entropy(input, target)"),
    ),
    **programs(
        VALUES,
        f"{LOG_PROBABILITIES}\n{TARGET_DISTRIBUTION}",
        called('torch.nn.functional.kl_div(input, target, reduction="batchmean")'),
    ),
    **programs(
        VALUES,
        f"{MATRIX}\n{TARGET_MATRIX}\n{VARIANCE}",
        called("torch.nn.functional.gaussian_nll_loss(input, target, var)"),
    ),
    **programs(
        VALUES,
        f"{MATRIX}\n{LABELS}",
        called("torch.nn.functional.multilabel_margin_loss(input, target)"),
    ),
    **programs(
        VALUES,
        f"{TWO_INPUTS}\n{SIGNS}",
        called("torch.nn.functional.margin_ranking_loss(input1, input2, target)"),
    ),
    **programs(
        CLASS,
        f"{MATRIX}\n{CLASSES}",
        alike("{}(input, target)", "cross_entropy multi_margin_loss", module="torch.nn.functional"),
    ),
    **programs(
        CLASS,
        f"{LOG_PROBABILITIES}\n{CLASSES}",
        called("torch.nn.functional.nll_loss(input, target)"),
    ),
    **programs(
        CLASS,
        f"{MATRIX}\nlinear_weight = torch.randn(512, 512)\n{CLASSES}",
        called("torch.nn.functional.linear_cross_entropy(input, linear_weight, target)"),
    ),
    **programs(
        PAIR,
        f"{TWO_INPUTS}\n{PAIR_SIGNS}",
        called("torch.nn.functional.cosine_embedding_loss(input1, input2, target)"),
    ),
    **programs(
        PAIR,
        TRIPLET,
        alike(
            "{}(anchor, positive, negative)",
            "triplet_margin_loss triplet_margin_with_distance_loss",
            module="torch.nn.functional",
        ),
    ),
    **programs(
        SEQUENCE,
        ALIGNMENT,
        {
            "torch.nn.functional.ctc_loss": (
                "torch.nn.functional.ctc_loss(log_probs, targets, input_lengths, target_lengths)"
            ),
        },
    ),
}
