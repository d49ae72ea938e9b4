"""Modules that people train with and that ModuleInfo does not list; their records rest on these."""

from __future__ import annotations

from generator.probe.references.arguments import IMAGES, MATRIX, SEQUENCES, VOLUMES, WORDS
from generator.probe.references.program import Program, modules

MORE_MODULES: dict[str, Program] = {
    **modules(
        "element-wise, unary",
        MATRIX,
        "AlphaDropout(p=0.5)",
        "Dropout(p=0.5)",
        "Identity()",
        "RReLU()",
    ),
    **modules("sequence batch", SEQUENCES, "Dropout1d(p=0.5)"),
    **modules(
        "image batch",
        IMAGES,
        "ChannelShuffle(4)",
        "Dropout2d(p=0.5)",
        "FeatureAlphaDropout(p=0.5)",
        "Flatten()",
        "PixelShuffle(2)",
        "PixelUnshuffle(2)",
        "Unfold(kernel_size=3, padding=1)",
        "Upsample(scale_factor=2, mode='bilinear')",
    ),
    **modules("volume batch", VOLUMES, "Dropout3d(p=0.5)"),
    **modules("embedding", WORDS, "EmbeddingBag(1000, 512)"),
    **modules(
        "pairs of vectors",
        "x1 = torch.randn(256, 512)\nx2 = torch.randn(256, 512)",
        "CosineSimilarity(dim=1)",
        "PairwiseDistance()",
        inputs="x1, x2",
    ),
    **modules(
        "triplets of vectors",
        "anchor = torch.randn(256, 512)\npositive = torch.randn(256, 512)\n"
        "negative = torch.randn(256, 512)",
        "TripletMarginLoss()",
        inputs="anchor, positive, negative",
    ),
}
