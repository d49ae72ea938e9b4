"""Every module of ModuleInfo at the sizes that the ops of its family have."""

from __future__ import annotations

from generator.probe.references.arguments import (
    ALIGNMENT,
    CLASSES,
    IMAGES,
    LABELS,
    LOG_PROBABILITIES,
    MATRIX,
    PAIR_SIGNS,
    PROBABILITIES,
    SEQUENCES,
    SIGNS,
    TARGET_DISTRIBUTION,
    TARGET_MATRIX,
    TARGET_PROBABILITIES,
    TOKENS,
    TWO_INPUTS,
    VARIANCE,
    VOLUMES,
    WORDS,
)
from generator.probe.references.program import Program


def modules(
    family: str, arguments: str, *constructors: str, inputs: str = "input"
) -> dict[str, Program]:
    """Give every module of a family its program, keyed by the class that its constructor names."""
    return {
        f"torch.nn.{constructor.partition('(')[0]}": Program(
            family, f"module = torch.nn.{constructor}\n{arguments}", f"output = module({inputs})"
        )
        for constructor in constructors
    }


MODULES: dict[str, Program] = {
    **modules(
        "element-wise, unary",
        MATRIX,
        "CELU()",
        "ELU()",
        "GELU()",
        "GLU()",
        "Hardshrink()",
        "Hardswish()",
        "Hardtanh()",
        "LeakyReLU()",
        "LogSigmoid()",
        "Mish()",
        "PReLU()",
        "ReLU()",
        "ReLU6()",
        "SELU()",
        "SiLU()",
        "Sigmoid()",
        "Softplus()",
        "Softshrink()",
        "Softsign()",
        "Tanh()",
        "Tanhshrink()",
        "Threshold(threshold=0.5, value=0.0)",
    ),
    **modules("matrix product", MATRIX, "Linear(512, 512)"),
    **modules(
        "bilinear form",
        "input1 = torch.randn(256, 64)\ninput2 = torch.randn(256, 64)",
        "Bilinear(64, 64, 64)",
        inputs="input1, input2",
    ),
    **modules(
        "recurrent cell", MATRIX, "GRUCell(512, 512)", "LSTMCell(512, 512)", "RNNCell(512, 512)"
    ),
    **modules(
        "tokens × width",
        TOKENS,
        "LayerNorm(512)",
        "LogSoftmax(dim=-1)",
        "RMSNorm(512)",
        "Softmax(dim=-1)",
        "Softmin(dim=-1)",
    ),
    **modules(
        "short sequences × width",
        "input = torch.randn(128, 8, 512)",
        "GRU(512, 512, batch_first=True)",
        "LSTM(512, 512, batch_first=True)",
        "RNN(512, 512, batch_first=True)",
    ),
    **modules("embedding", WORDS, "Embedding(1000, 512)"),
    **modules(
        "tokens × width, attention",
        """\
query = torch.randn(128, 8, 512)
key = torch.randn(128, 8, 512)
value = torch.randn(128, 8, 512)""",
        "MultiheadAttention(512, 8)",
        inputs="query, key, value",
    ),
    **modules(
        "tokens × width, transformer",
        "src = torch.randn(2, 128, 512)",
        "TransformerEncoderLayer(512, 8, batch_first=True)",
        inputs="src",
    ),
    **modules(
        "tokens × width, transformer",
        "tgt = torch.randn(2, 128, 512)\nmemory = torch.randn(2, 128, 512)",
        "TransformerDecoderLayer(512, 8, batch_first=True)",
        inputs="tgt, memory",
    ),
    **modules(
        "tokens × width, transformer",
        "src = torch.randn(2, 128, 512)\ntgt = torch.randn(2, 128, 512)",
        "Transformer(512, 8, num_encoder_layers=1, num_decoder_layers=1, batch_first=True)",
        inputs="src, tgt",
    ),
    "torch.nn.TransformerEncoder": Program(
        "tokens × width, transformer",
        """\
module = torch.nn.TransformerEncoder(
    torch.nn.TransformerEncoderLayer(512, 8, batch_first=True), num_layers=2
)
src = torch.randn(2, 128, 512)""",
        "output = module(src)",
    ),
    **modules(
        "sequence batch",
        SEQUENCES,
        "AdaptiveAvgPool1d(64)",
        "AdaptiveMaxPool1d(64)",
        "AvgPool1d(2)",
        "CircularPad1d(1)",
        "ConstantPad1d(1, value=0.5)",
        "LPPool1d(2, kernel_size=2)",
        "MaxPool1d(2)",
        "ReflectionPad1d(1)",
        "ReplicationPad1d(1)",
        "ZeroPad1d(1)",
    ),
    **modules(
        "sequence batch, convolution",
        SEQUENCES,
        "Conv1d(16, 16, kernel_size=3, padding=1)",
        "ConvTranspose1d(16, 16, kernel_size=3, padding=1)",
        "LazyConv1d(16, kernel_size=3, padding=1)",
        "LazyConvTranspose1d(16, kernel_size=3, padding=1)",
    ),
    **modules("sequence batch, normalization", SEQUENCES, "BatchNorm1d(16)", "InstanceNorm1d(16)"),
    **modules(
        "image batch",
        IMAGES,
        "AdaptiveAvgPool2d(8)",
        "AdaptiveMaxPool2d(8)",
        "AvgPool2d(2)",
        "CircularPad2d(1)",
        "ConstantPad2d(1, value=0.5)",
        "FractionalMaxPool2d(2, output_size=32)",
        "LPPool2d(2, kernel_size=2)",
        "LocalResponseNorm(5)",
        "MaxPool2d(2)",
        "ReflectionPad2d(1)",
        "ReplicationPad2d(1)",
        "Softmax2d()",
        "ZeroPad2d(1)",
    ),
    **modules(
        "image batch, convolution",
        IMAGES,
        "Conv2d(16, 16, kernel_size=3, padding=1)",
        "ConvTranspose2d(16, 16, kernel_size=3, padding=1)",
        "LazyConv2d(16, kernel_size=3, padding=1)",
        "LazyConvTranspose2d(16, kernel_size=3, padding=1)",
    ),
    **modules(
        "image batch, normalization",
        IMAGES,
        "BatchNorm2d(16)",
        "GroupNorm(4, 16)",
        "InstanceNorm2d(16)",
    ),
    **modules(
        "volume batch",
        VOLUMES,
        "AdaptiveAvgPool3d(4)",
        "AdaptiveMaxPool3d(4)",
        "AvgPool3d(2)",
        "CircularPad3d(1)",
        "ConstantPad3d(1, value=0.5)",
        "FractionalMaxPool3d(2, output_size=8)",
        "LPPool3d(2, kernel_size=2)",
        "MaxPool3d(2)",
        "ReflectionPad3d(1)",
        "ReplicationPad3d(1)",
        "ZeroPad3d(1)",
    ),
    **modules(
        "volume batch, convolution",
        VOLUMES,
        "Conv3d(16, 16, kernel_size=3, padding=1)",
        "ConvTranspose3d(16, 16, kernel_size=3, padding=1)",
        "LazyConv3d(16, kernel_size=3, padding=1)",
        "LazyConvTranspose3d(16, kernel_size=3, padding=1)",
    ),
    **modules("volume batch, normalization", VOLUMES, "BatchNorm3d(16)", "InstanceNorm3d(16)"),
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
