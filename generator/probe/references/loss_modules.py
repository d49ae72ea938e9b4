"""Every loss module of ModuleInfo, over the rows that the loss functions get."""

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
from generator.probe.references.program import Program, modules

LOSS_MODULES: dict[str, Program] = {
    **modules(
        "loss against values",
        f"{MATRIX}\n{TARGET_MATRIX}",
        "HuberLoss()",
        "L1Loss()",
        "MSELoss()",
        "SmoothL1Loss()",
        inputs="input, target",
    ),
    **modules(
        "loss against values",
        f"{MATRIX}\n{SIGNS}",
        "HingeEmbeddingLoss()",
        "SoftMarginLoss()",
        inputs="input, target",
    ),
    **modules(
        "loss against values",
        f"{MATRIX}\n{TARGET_PROBABILITIES}",
        "BCEWithLogitsLoss()",
        "MultiLabelSoftMarginLoss()",
        "PoissonNLLLoss()",
        inputs="input, target",
    ),
    **modules(
        "loss against values",
        f"{PROBABILITIES}\n{TARGET_PROBABILITIES}",
        "BCELoss()",
        inputs="input, target",
    ),
    **modules(
        "loss against values",
        f"{LOG_PROBABILITIES}\n{TARGET_DISTRIBUTION}",
        'KLDivLoss(reduction="batchmean")',
        inputs="input, target",
    ),
    **modules(
        "loss against values",
        f"{MATRIX}\n{TARGET_MATRIX}\n{VARIANCE}",
        "GaussianNLLLoss()",
        inputs="input, target, var",
    ),
    **modules(
        "loss against values",
        f"{MATRIX}\n{LABELS}",
        "MultiLabelMarginLoss()",
        inputs="input, target",
    ),
    **modules(
        "loss against values",
        f"{TWO_INPUTS}\n{SIGNS}",
        "MarginRankingLoss()",
        inputs="input1, input2, target",
    ),
    **modules(
        "loss against classes",
        f"{MATRIX}\n{CLASSES}",
        "CrossEntropyLoss()",
        "MultiMarginLoss()",
        inputs="input, target",
    ),
    **modules(
        "loss against classes",
        f"{LOG_PROBABILITIES}\n{CLASSES}",
        "NLLLoss()",
        inputs="input, target",
    ),
    **modules(
        "loss against classes",
        f"{MATRIX}\n{CLASSES}",
        "LinearCrossEntropyLoss(512, 512)",
        inputs="input, target",
    ),
    **modules(
        "loss between pairs",
        f"{TWO_INPUTS}\n{PAIR_SIGNS}",
        "CosineEmbeddingLoss()",
        inputs="input1, input2, target",
    ),
    **modules(
        "loss over sequences",
        ALIGNMENT,
        "CTCLoss()",
        inputs="log_probs, targets, input_lengths, target_lengths",
    ),
}
