"""The arguments that families share: each size is chosen here, once.

Matrices hold 131,072 elements (512 KiB in float32). Sequences, images, volumes, tokens and heads
hold four times as many, 524,288 elements (2 MiB), whatever their shape, so that the bytes that two
families keep can be compared too.
"""

from __future__ import annotations

MATRIX = "input = torch.randn(256, 512)"
PROBABILITIES = "input = torch.rand(256, 512)"
COMPLEX_MATRIX = "input = torch.randn(256, 512, dtype=torch.complex64)"
OTHER_MATRIX = "other = torch.randn(256, 512)"
MASK = "mask = torch.rand(256, 512) < 0.5"

TOKENS = "input = torch.randn(8, 128, 512)"
WORDS = "input = torch.randint(1000, (8, 128))"
HEADS = """\
query = torch.randn(8, 8, 128, 64)
key = torch.randn(8, 8, 128, 64)
value = torch.randn(8, 8, 128, 64)"""

SEQUENCES = "input = torch.randn(8, 16, 4096)"
IMAGES = "input = torch.randn(8, 16, 64, 64)"
VOLUMES = "input = torch.randn(8, 16, 16, 16, 16)"
CHANNEL_SCALE = """\
weight = torch.ones(16)
bias = torch.zeros(16)"""
CHANNEL_STATISTICS = """\
running_mean = torch.zeros(16)
running_var = torch.ones(16)"""
FIRST_CALL = "module(input)  # a lazy module makes its parameters when first called"
POOLED_SEQUENCES = (
    "input, indices = torch.nn.functional.max_pool1d("
    "torch.randn(8, 16, 4096), 2, return_indices=True)"
)
POOLED_IMAGES = (
    "input, indices = torch.nn.functional.max_pool2d("
    "torch.randn(8, 16, 64, 64), 2, return_indices=True)"
)
POOLED_VOLUMES = (
    "input, indices = torch.nn.functional.max_pool3d("
    "torch.randn(8, 16, 16, 16, 16), 2, return_indices=True)"
)

LOG_PROBABILITIES = "input = torch.randn(256, 512).log_softmax(dim=1)"
TWO_INPUTS = "input1 = torch.randn(256, 512)\ninput2 = torch.randn(256, 512)"
CLASSES = "target = torch.randint(512, (256,))"
TARGET_MATRIX = "target = torch.randn(256, 512)"
TARGET_PROBABILITIES = "target = torch.rand(256, 512)"
TARGET_DISTRIBUTION = "target = torch.randn(256, 512).softmax(dim=1)"
VARIANCE = "var = torch.rand(256, 512)"
LABELS = "target = torch.randint(-1, 8, (256, 512))"
SIGNS = "target = torch.randn(256, 512).sign()"
PAIR_SIGNS = "target = torch.randn(256).sign()"
ALIGNMENT = """\
log_probs = torch.randn(128, 8, 512).log_softmax(dim=2)
targets = torch.randint(1, 512, (8, 32))
input_lengths = torch.full((8,), 128)
target_lengths = torch.full((8,), 32)"""
