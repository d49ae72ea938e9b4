"""Products of matrices and vectors, plain, batched and sparse."""

from __future__ import annotations

from generator.probe.references.arguments import MATRIX
from generator.probe.references.program import Program, called, programs

MATRIX_PRODUCT = "matrix product"
BATCHED = "matrix product, batched"
SPARSE = "matrix product, sparse"
VECTOR = "vectors"
BLOCKS = "small blocks"
BILINEAR = "bilinear form"

BATCH_PAIR = "batch1 = torch.randn(8, 64, 64)\nbatch2 = torch.randn(8, 64, 64)"

PRODUCTS: dict[str, Program] = {
    **programs(
        MATRIX_PRODUCT,
        f"{MATRIX}\nother = torch.randn(512, 512)",
        {
            "torch.matmul": "torch.matmul(input, other)",
            "torch.inner": "torch.inner(input, other)",
            "torch.Tensor.__rmatmul__": "other.__rmatmul__(input)",
        },
    ),
    **programs(
        MATRIX_PRODUCT,
        f"{MATRIX}\nmat2 = torch.randn(512, 512)",
        called("torch.mm(input, mat2)"),
    ),
    **programs(
        MATRIX_PRODUCT,
        f"{MATRIX}\nmat1 = torch.randn(256, 512)\nmat2 = torch.randn(512, 512)",
        called("torch.addmm(input, mat1, mat2)"),
    ),
    **programs(
        MATRIX_PRODUCT,
        f"{MATRIX}\nweight = torch.randn(512, 512)\nbias = torch.randn(512)",
        called("torch.nn.functional.linear(input, weight, bias)"),
    ),
    **programs(MATRIX_PRODUCT, f"{MATRIX}\nvec = torch.randn(512)", called("torch.mv(input, vec)")),
    **programs(
        MATRIX_PRODUCT,
        f"{MATRIX}\nvec1 = torch.randn(256)\nvec2 = torch.randn(512)",
        called("torch.addr(input, vec1, vec2)"),
    ),
    **programs(
        MATRIX_PRODUCT,
        "a = torch.randn(256, 512)\nb = torch.randn(512, 512)",
        called("torch.tensordot(a, b, dims=1)"),
    ),
    **programs(
        MATRIX_PRODUCT,
        "operands = [torch.randn(256, 512), torch.randn(512, 512)]",
        called('torch.einsum("ij,jk->ik", *operands)'),
    ),
    **programs(
        MATRIX_PRODUCT,
        "tensors = [torch.randn(256, 512), torch.randn(512, 512), torch.randn(512, 256)]",
        called("torch.linalg.multi_dot(tensors)"),
    ),
    **programs(
        BATCHED,
        "input = torch.randn(8, 64, 64)\nmat2 = torch.randn(8, 64, 64)",
        called("torch.bmm(input, mat2)"),
    ),
    **programs(
        BATCHED,
        f"input = torch.randn(8, 64, 64)\n{BATCH_PAIR}",
        called("torch.baddbmm(input, batch1, batch2)"),
    ),
    **programs(
        "matrix product, summed over a batch",
        f"input = torch.randn(64, 64)\n{BATCH_PAIR}",
        called("torch.addbmm(input, batch1, batch2)"),
    ),
    **programs(
        SPARSE,
        "mat1 = torch.randn(256, 512).relu().to_sparse()\nmat2 = torch.randn(512, 256)",
        called("torch.sparse.mm(mat1, mat2)"),
    ),
    **programs(
        SPARSE,
        """\
input = torch.randn(256, 256).relu().to_sparse_csr()
mat1 = torch.randn(256, 512)
mat2 = torch.randn(512, 256)""",
        called("torch.sparse.sampled_addmm(input, mat1, mat2)"),
    ),
    **programs(
        VECTOR,
        "input = torch.randn(512)\ntensor = torch.randn(512)",
        called("torch.dot(input, tensor)"),
    ),
    **programs(
        VECTOR,
        "input = torch.randn(512)\nother = torch.randn(512)",
        called("torch.vdot(input, other)"),
    ),
    **programs(
        VECTOR,
        "input = torch.randn(512)\nvec2 = torch.randn(512)",
        called("torch.outer(input, vec2)"),
    ),
    **programs(
        VECTOR,
        "input = torch.randn(512)\nmat = torch.randn(512, 256)\nvec = torch.randn(256)",
        called("torch.addmv(input, mat, vec)"),
    ),
    **programs(
        "rows of vectors",
        "x = torch.randn(256, 512)\ny = torch.randn(256, 512)",
        called("torch.linalg.vecdot(x, y)"),
    ),
    **programs(
        "vectors in space",
        "input = torch.randn(65536, 3)\nother = torch.randn(65536, 3)",
        called("torch.cross(input, other, dim=1)", "torch.linalg.cross(input, other)"),
    ),
    **programs(
        BLOCKS,
        "input = torch.randn(16, 32)\nother = torch.randn(16, 16)",
        called("torch.kron(input, other)"),
    ),
    **programs(
        BILINEAR,
        """\
input1 = torch.randn(256, 64)
input2 = torch.randn(256, 64)
weight = torch.randn(64, 64, 64)
bias = torch.randn(64)""",
        called("torch.nn.functional.bilinear(input1, input2, weight, bias)"),
    ),
}
