"""Ops that view, copy, split, join, index or rearrange without arithmetic."""

from __future__ import annotations

from generator.probe.references.arguments import (
    MATRIX,
    OTHER_MATRIX,
)
from generator.probe.references.program import Program, alike, called, programs

VIEW = "views and copies"
SQUEEZE = "views and copies, one spare dimension"
REAL_PAIRS = "views and copies, pairs of numbers"
STACK = "views and copies, three matrices"
VECTOR = "from a vector"
SCALAR = "from a scalar"
JOIN = "joining"
JOIN_VECTORS = "joining of vectors"
DIAGONAL = "writing a vector into a copy"
BLOCK = "writing a block into a copy"
SELECT_ROWS = "indexing by rows"
SELECT_ELEMENTS = "indexing by elements"
SELECT_POINTS = "indexing by points"

ROW_INDEX = f"{MATRIX}\nindex = torch.randperm(256)"
ROW_SOURCE = f"{ROW_INDEX}\nsource = torch.randn(256, 512)"
ELEMENT_INDEX = f"{MATRIX}\nindex = torch.randint(256, (256, 512))"
ELEMENT_SOURCE = f"{ELEMENT_INDEX}\nsrc = torch.randn(256, 512)"
TRANSPOSED = f"{MATRIX}\nother = torch.randn(512, 256)"
TWO_MATRICES = "tensors = [torch.randn(256, 512), torch.randn(256, 512)]"
TWO_VECTORS = "tensors = [torch.randn(256), torch.randn(512)]"
POINT_MASK = "mask = torch.rand(1024) < 0.5"
POINT_INDICES = "indices = [torch.randint(256, (1024,)), torch.randint(512, (1024,))]"
POINT_VALUES = "values = torch.randn(1024)"

SHAPES: dict[str, Program] = {
    **programs(
        VIEW,
        MATRIX,
        alike("{}(input)", "atleast_3d fliplr flipud ravel rot90 t t_copy tril triu")
        | alike("{}(input, (256, 512, 1))", "reshape view_copy")
        | alike("{}(input, size=(128, 256), stride=(512, 1))", "as_strided as_strided_copy")
        | alike("{}(input, (2, 256, 512))", "broadcast_to expand_copy")
        | alike("{}(input)", "diagonal diagonal_copy diag")
        | alike("{}(input, dim=0, start=0, length=128)", "narrow narrow_copy")
        | alike("{}(input, [128, 128])", "split_with_sizes split_with_sizes_copy")
        | alike("{}(input, 2)", "chunk hsplit tensor_split unsafe_chunk vsplit")
        | alike("{}(input, 0, 1)", "movedim transpose transpose_copy")
        | alike("{}(input, (1, 0))", "permute permute_copy")
        | alike("{}(input, 0)", "unsqueeze unsqueeze_copy")
        | called(
            "torch.constant_pad_nd(input, (1, 1), 0.0)",
            "torch.flatten(input)",
            "torch.flip(input, (0, 1))",
            "torch.repeat_interleave(input, 2, dim=0)",
            "torch.roll(input, 1, dims=0)",
            "torch.select(input, dim=0, index=0)",
            "torch.tile(input, (2, 1))",
            "torch.unflatten(input, 1, (8, 64))",
            "torch.unfold_copy(input, 1, 64, 32)",
            "torch.ops.aten.slice(input, dim=0, start=0, end=128)",
        )
        | {
            "torch.Tensor.H": "input.H",
            "torch.Tensor.T": "input.T",
            "torch.Tensor.mH": "input.mH",
            "torch.Tensor.mT": "input.mT",
            "torch.Tensor.__getitem__": "input[:128]",
            "torch.Tensor.expand": "input.expand(2, 256, 512)",
            "torch.Tensor.repeat": "input.repeat(2, 1)",
            "torch.Tensor.to_sparse": "input.to_sparse()",
            "torch.Tensor.unfold": "input.unfold(1, 64, 32)",
            "torch.Tensor.view": "input.view(256, 8, 64)",
        },
    ),
    **programs(
        VIEW,
        "input = torch.randn(512, 256).T",
        {"torch.Tensor.contiguous": "input.contiguous()"},
    ),
    **programs(
        VIEW,
        TRANSPOSED,
        {
            "torch.Tensor.reshape_as": "input.reshape_as(other)",
            "torch.Tensor.view_as": "input.view_as(other)",
        },
    ),
    **programs(
        VIEW,
        "tensor = torch.randn(256, 512)",
        alike("{}(tensor, 128)", "split unsafe_split"),
    ),
    **programs(
        SQUEEZE, "input = torch.randn(256, 1, 512)", alike("{}(input)", "squeeze squeeze_copy")
    ),
    **programs(
        REAL_PAIRS, "input = torch.randn(256, 512, 2)", called("torch.view_as_complex(input)")
    ),
    **programs(
        STACK,
        "input = torch.randn(3, 256, 512)",
        alike("{}(input)", "unbind unbind_copy"),
    ),
    **programs(
        VECTOR,
        "input = torch.randn(512)",
        alike("{}(input)", "atleast_2d combinations diag_embed diagflat"),
    ),
    **programs(VECTOR, "x = torch.randn(512)", called("torch.linalg.vander(x)")),
    **programs(
        VECTOR,
        f"input = torch.randn(512)\n{OTHER_MATRIX}",
        {"torch.Tensor.expand_as": "input.expand_as(other)"},
    ),
    **programs(SCALAR, "input = torch.randn(())", called("torch.atleast_1d(input)")),
    **programs(
        JOIN,
        TWO_MATRICES,
        alike("{}(tensors)", "cat column_stack dstack hstack stack vstack")
        | called("torch.block_diag(*tensors)"),
    ),
    **programs(
        JOIN_VECTORS,
        TWO_VECTORS,
        called("torch.cartesian_prod(*tensors)", 'torch.meshgrid(*tensors, indexing="ij")'),
    ),
    **programs(
        "broadcasting",
        "tensors = [torch.randn(256, 1), torch.randn(1, 512)]",
        called("torch.broadcast_tensors(*tensors)"),
    ),
    **programs(
        DIAGONAL,
        f"{MATRIX}\nsrc = torch.randn(256)",
        called(
            "torch.as_strided_scatter(input, src, size=(256,), stride=(513,))",
            "torch.diagonal_scatter(input, src)",
            "torch.select_scatter(input, src, dim=1, index=0)",
        ),
    ),
    **programs(
        BLOCK,
        f"{MATRIX}\nsrc = torch.randn(128, 512)",
        # Every release has a step of its own by default, but 1.13 reads one that nobody wrote.
        called("torch.slice_scatter(input, src, dim=0, end=128, step=1)"),
    ),
    **programs(
        SELECT_ROWS,
        ROW_INDEX,
        called("torch.index_fill(input, 0, index, 0.0)", "torch.index_select(input, 0, index)"),
    ),
    **programs(
        SELECT_ROWS,
        ROW_SOURCE,
        alike("{}(input, 0, index, source)", "index_add index_copy")
        | called('torch.index_reduce(input, 0, index, source, "amax")'),
    ),
    **programs(
        SELECT_ELEMENTS,
        ELEMENT_INDEX,
        called("torch.gather(input, 0, index)", "torch.take(input, index)"),
    ),
    **programs(
        SELECT_ELEMENTS,
        f"{MATRIX}\nindices = torch.randint(256, (256, 512))",
        called("torch.take_along_dim(input, indices, dim=0)"),
    ),
    **programs(
        SELECT_ELEMENTS,
        ELEMENT_SOURCE,
        alike("{}(input, 0, index, src)", "scatter scatter_add")
        | called('torch.scatter_reduce(input, 0, index, src, "amax")'),
    ),
    **programs(
        SELECT_ELEMENTS,
        f"{ELEMENT_INDEX}\nsource = torch.randn(256, 512)",
        called("torch.put(input, index, source)"),
    ),
    **programs(
        SELECT_POINTS,
        f"{MATRIX}\n{POINT_INDICES}\n{POINT_VALUES}",
        called("torch.index_put(input, indices, values)"),
    ),
    **programs(
        SELECT_POINTS,
        f"{MATRIX}\n{POINT_MASK}\n{POINT_INDICES}",
        called("torch._unsafe_masked_index(input, mask, indices, 0.0)"),
    ),
    **programs(
        SELECT_POINTS,
        f"{MATRIX}\n{POINT_MASK}\n{POINT_INDICES}\n{POINT_VALUES}",
        {
            "torch._unsafe_masked_index_put_accumulate": (
                "torch._unsafe_masked_index_put_accumulate(input, mask, indices, values)"
            ),
        },
    ),
}
