"""Ops that make a graph whose backward raises or is zero: what they keep is kept for nothing.

Random fills in place forget what they overwrite; the others have no derivative, or for some of
their arguments alone, and their node raises in backward.
"""

from __future__ import annotations

from generator.probe.references.arguments import MATRIX, PROBABILITIES
from generator.probe.references.program import Program, called, programs

FILLED = "random fill, in place"
UNDIFFERENTIATED = "without a derivative"
POINTS = "without a derivative, of points"

SYMMETRIC = """\
A = torch.randn(8, 64, 64)
A = A + A.mT"""
FACTORED = """\
LD, pivots = torch.linalg.ldl_factor(torch.eye(64) + torch.ones(8, 64, 64))
B = torch.randn(8, 64, 64)"""

NO_GRADIENT: dict[str, Program] = {
    **programs(
        FILLED,
        MATRIX,
        {
            f"torch.Tensor.{fill.partition('(')[0]}": f"input.clone().{fill}"
            for fill in (
                "cauchy_()",
                "exponential_()",
                "geometric_(0.5)",
                "log_normal_()",
                "uniform_()",
            )
        },
    ),
    **programs(
        UNDIFFERENTIATED,
        MATRIX,
        called(
            "torch.geqrf(input)",
            "torch.histogram(input, 16)",
            "torch.unique(input)",
            "torch.unique_consecutive(input)",
        ),
    ),
    **programs(
        POINTS,
        "input = torch.randn(256, 3)",
        {"torch.histogramdd": "torch.histogramdd(input, [4, 4, 4])"},
    ),
    **programs(
        UNDIFFERENTIATED,
        f"{MATRIX}\nother = torch.randn(256, 512)",
        called("torch.floor_divide(input, other)"),
    ),
    **programs(
        UNDIFFERENTIATED,
        f"{MATRIX}\nvalues = torch.randn(256, 512)",
        called("torch.heaviside(input, values)"),
    ),
    **programs(
        UNDIFFERENTIATED,
        f"{PROBABILITIES}\nother = torch.rand(256, 512)",
        called("torch.igamma(input, other)", "torch.igammac(input, other)"),
    ),
    **programs(
        UNDIFFERENTIATED,
        "input = torch.rand(256, 512) + 1.5\nother = torch.rand(256, 512) + 0.5",
        called("torch.special.zeta(input, other)"),
    ),
    **programs(
        UNDIFFERENTIATED,
        SYMMETRIC,
        called("torch.linalg.ldl_factor(A)", "torch.linalg.ldl_factor_ex(A)"),
    ),
    **programs(UNDIFFERENTIATED, FACTORED, called("torch.linalg.ldl_solve(LD, pivots, B)")),
    **programs(
        UNDIFFERENTIATED,
        "tensors = [torch.randn(256, 512), torch.randn(256, 512)]",
        called("torch._chunk_cat(tensors, 1, 4)"),
    ),
}
