"""Decompositions, solvers and functions of square matrices, in a batch of 8 of 64 × 64."""

from __future__ import annotations

from generator.probe.references.program import Program, alike, called, programs

SQUARE = "square matrices"
TENSORS = "square matrices, folded"

A = "A = torch.randn(8, 64, 64)"
B = "B = torch.randn(8, 64, 64)"
INPUT = "input = torch.randn(8, 64, 64)"
SYMMETRIC = f"{A}\nA = A + A.mT"
POSITIVE_DEFINITE = f"{A}\nA = A @ A.mT + torch.eye(64)"
POSITIVE_DEFINITE_INPUT = f"{INPUT}\ninput = input @ input.mT + torch.eye(64)"
LOWER = "L = torch.randn(8, 64, 64).tril() + 8 * torch.eye(64)"
LU_DATA = "LU_data, LU_pivots = torch.linalg.lu_factor(torch.randn(8, 64, 64))"

LINALG: dict[str, Program] = {
    **programs(
        SQUARE,
        A,
        alike(
            "{}(A)",
            """
            cond det diagonal eig eigvals inv inv_ex lu lu_factor lu_factor_ex matrix_norm pinv qr
            slogdet svd svdvals
            """,
            module="torch.linalg",
        )
        | called(
            "torch.linalg.matrix_power(A, 3)",
            "torch.lu(A)",
            "torch.matrix_exp(A)",
            "torch.pca_lowrank(A, q=8)",
            "torch.svd_lowrank(A, q=8)",
        ),
    ),
    **programs(SQUARE, SYMMETRIC, alike("{}(A)", "linalg.eigh linalg.eigvalsh")),
    **programs(SQUARE, POSITIVE_DEFINITE, alike("{}(A)", "linalg.cholesky linalg.cholesky_ex")),
    **programs(SQUARE, INPUT, alike("{}(input)", "logdet pinverse qr svd")),
    **programs(SQUARE, POSITIVE_DEFINITE_INPUT, called("torch.cholesky(input)")),
    **programs(SQUARE, LOWER, called("torch.cholesky_inverse(L)")),
    **programs(SQUARE, f"{B}\n{LOWER}", called("torch.cholesky_solve(B, L)")),
    **programs(
        SQUARE,
        f"{A}\n{B}",
        alike("{}(A, B)", "linalg.lstsq linalg.solve linalg.solve_ex"),
    ),
    **programs(
        SQUARE,
        f"A = torch.randn(8, 64, 64).triu() + 8 * torch.eye(64)\n{B}",
        called("torch.linalg.solve_triangular(A, B, upper=True)"),
    ),
    **programs(
        SQUARE,
        "b = torch.randn(8, 64, 64)\nA = torch.randn(8, 64, 64).triu() + 8 * torch.eye(64)",
        called("torch.triangular_solve(b, A)"),
    ),
    **programs(
        SQUARE,
        f"LU, pivots = torch.linalg.lu_factor(torch.randn(8, 64, 64))\n{B}",
        called("torch.linalg.lu_solve(LU, pivots, B)"),
    ),
    **programs(SQUARE, LU_DATA, called("torch.lu_unpack(LU_data, LU_pivots)")),
    **programs(
        SQUARE,
        f"b = torch.randn(8, 64, 64)\n{LU_DATA}",
        called("torch.lu_solve(b, LU_data, LU_pivots)"),
    ),
    **programs(
        SQUARE,
        "A, tau = torch.geqrf(torch.randn(8, 64, 64))",
        called("torch.linalg.householder_product(A, tau)"),
    ),
    **programs(
        SQUARE,
        "input, tau = torch.geqrf(torch.randn(8, 64, 64))\nother = torch.randn(8, 64, 64)",
        called("torch.ormqr(input, tau, other)"),
    ),
    **programs(TENSORS, "A = torch.randn(8, 8, 64)", called("torch.linalg.tensorinv(A)")),
    **programs(
        TENSORS,
        "A = torch.randn(8, 8, 64)\nB = torch.randn(8, 8)",
        called("torch.linalg.tensorsolve(A, B)"),
    ),
}
