"""Ops that reduce, accumulate, sort or normalize along the columns of a matrix of 256 × 512."""

from __future__ import annotations

from generator.probe.references.arguments import MASK, MATRIX, OTHER_MATRIX
from generator.probe.references.program import Program, alike, called, programs

REDUCTION = "reduction"
ALONG = "along a dimension"
MASKED = "masked"
DISTANCE = "distance"

WITH_MASK = f"{MATRIX}\n{MASK}"
ROWS = "x1 = torch.randn(256, 512)\nx2 = torch.randn(256, 512)"

REDUCTIONS: dict[str, Program] = {
    **programs(
        REDUCTION,
        MATRIX,
        alike(
            "{}(input, dim=1)",
            """
            amax amin aminmax logsumexp max mean median min mode nanmean nanmedian nansum norm prod
            std std_mean sum var var_mean
            """,
        )
        | alike("{}(input)", "corrcoef cov trace")
        | called(
            "torch.kthvalue(input, 8, dim=1)",
            "torch.nanquantile(input, 0.5, dim=1)",
            "torch.quantile(input, 0.5, dim=1)",
        )
        | {"torch.Tensor.sum_to_size": "input.sum_to_size(256, 1)"},
    ),
    **programs(REDUCTION, "A = torch.randn(256, 512)", called("torch.linalg.norm(A, dim=1)")),
    **programs(
        REDUCTION, "x = torch.randn(256, 512)", called("torch.linalg.vector_norm(x, dim=1)")
    ),
    **programs(REDUCTION, "y = torch.randn(256, 512)", alike("{}(y, dim=1)", "trapezoid trapz")),
    **programs(
        REDUCTION,
        "data = torch.randn(256, 512)\nlengths = torch.full((8,), 32)",
        called('torch._segment_reduce(data, "sum", lengths=lengths)'),
    ),
    **programs(
        ALONG,
        MATRIX,
        alike(
            "{}(input, dim=1)",
            "cummax cummin cumprod cumsum diff gradient logcumsumexp sort nn.functional.normalize",
        )
        | called(
            "torch.msort(input)",
            "torch.renorm(input, p=2, dim=0, maxnorm=1.0)",
            "torch.topk(input, 8, dim=1)",
        ),
    ),
    **programs(
        ALONG,
        "y = torch.randn(256, 512)",
        called("torch.cumulative_trapezoid(y, dim=1)"),
    ),
    **programs(
        MASKED,
        WITH_MASK,
        alike(
            "{}(input, dim=1, mask=mask)",
            """
            amax amin cumprod cumsum log_softmax logsumexp mean median prod softmax softmin std sum
            var
            """,
            module="torch.masked",
        )
        | called(
            "torch.masked.norm(input, ord=2, dim=1, mask=mask)",
            "torch.masked.normalize(input, ord=2, dim=1, mask=mask)",
            "torch.masked_fill(input, mask, 0.0)",
            "torch.masked_select(input, mask)",
        ),
    ),
    **programs(
        MASKED,
        f"""\
{MATRIX}
{OTHER_MATRIX}
input_mask = torch.rand(256, 512) < 0.5
other_mask = torch.rand(256, 512) < 0.5""",
        {
            "torch.masked.logaddexp": (
                "torch.masked.logaddexp(input, other, input_mask=input_mask, other_mask=other_mask)"
            ),
        },
    ),
    **programs(
        MASKED,
        f"{WITH_MASK}\nsource = torch.randn(256, 512)",
        called("torch.masked_scatter(input, mask, source)"),
    ),
    **programs(
        DISTANCE,
        ROWS,
        called(
            "torch.cdist(x1, x2)",
            "torch.nn.functional.cosine_similarity(x1, x2, dim=1)",
            "torch.nn.functional.pairwise_distance(x1, x2)",
        ),
    ),
    **programs(DISTANCE, MATRIX, called("torch.nn.functional.pdist(input)")),
    **programs(DISTANCE, f"{MATRIX}\n{OTHER_MATRIX}", called("torch.dist(input, other)")),
}
