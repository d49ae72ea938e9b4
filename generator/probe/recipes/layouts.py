"""Recipes for node types of sparse, nested and MKL-DNN tensors."""

from __future__ import annotations

from generator.probe.recipes.program import calls

LAYOUTS = {
    **calls(
        (
            "x = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)], "
            "requires_grad=True)"
        ),
        {
            "ChunkBackwardAutogradNestedTensor0": "torch.chunk(x, 3, -1)",
            "SelectBackwardAutogradNestedTensor0": "x.select(0, 0)",
            "SplitWithSizesBackwardAutogradNestedTensor0": "x.split_with_sizes([1, 2], -1)",
            "SumBackwardAutogradNestedTensor1": "x.sum(-1, keepdim=True)",
            "TestAutogradMultipleDispatchBackwardAutogradNestedTensor0": (
                "torch._test_autograd_multiple_dispatch(x)"
            ),
            "TestAutogradMultipleDispatchBackwardAutogradNestedTensor1": (
                "torch._test_autograd_multiple_dispatch(x, True)"
            ),
            "ToPaddedTensorBackward0": "x.to_padded_tensor(0.0)",
            "UnbindBackwardAutogradNestedTensor0": "x.unbind()",
            "ValuesBackwardAutogradNestedTensor0": "x.values()",
            "ViewBackwardAutogradNestedTensor0": "x.view(2, -1, 3, 1)",
        },
    ),
    **calls(
        "x = torch.eye(2).to_sparse().requires_grad_()",
        {
            "SparseLogSoftmaxBackward0": "torch.sparse.log_softmax(x, 0)",
            "SparseSoftmaxBackward0": "torch.sparse.softmax(x, 0)",
            "SparseSparseMatmulBackward0": "torch.sparse.mm(x, x)",
            "SparseSumBackward0": "torch.sparse.sum(x, 0)",
            "ToDenseBackward0": "x.to_dense()",
            "ValuesBackward0": "x.coalesce().values()",
        },
    ),
    **calls(
        "x = torch.rand(2, 3, requires_grad=True)",
        {
            "ToSparseBscBackward0": "x._to_sparse_bsc([1, 1])",
            "ToSparseBsrBackward0": "x._to_sparse_bsr([1, 1])",
            "ToSparseCscBackward0": "x._to_sparse_csc()",
            "ToSparseCsrBackward0": "x._to_sparse_csr()",
        },
    ),
    **calls(
        "x = torch.eye(2).to_sparse_csr().requires_grad_()",
        {
            "SparseMmReduceImplBackward0": 'torch.sparse.mm(x, torch.rand(2, 2), "sum")',
            "SparseSampledAddmmBackward0": (
                "torch.sparse.sampled_addmm(x, torch.rand(2, 2), torch.rand(2, 2))"
            ),
            "ValuesBackward0_copy": "torch.values_copy(x)",
        },
    ),
    **calls(
        (
            "x = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)], "
            "layout=torch.jagged, requires_grad=True)"
        ),
        {
            "MeanBackwardAutogradNestedTensor0": "x.mean()",
            "NestedGetValuesBackward0": "x.values()",
            "SumBackwardAutogradNestedTensor0": "x.sum()",
        },
    ),
    **calls(
        "x = torch.rand(1, 1, 4, 4).to_mkldnn().requires_grad_()",
        {
            "MkldnnAdaptiveAvgPool2DBackward0": ("torch.nn.functional.adaptive_avg_pool2d(x, 2)"),
            "MkldnnMaxPool2DBackward0": "torch.mkldnn_max_pool2d(x, 2)",
            "MkldnnReshapeBackward0": "torch.ops.aten._mkldnn_reshape.default(x, [16])",
        },
    ),
    **calls(
        "x = torch.rand(3, requires_grad=True)",
        {
            "ToMkldnnBackward0": "x.to_mkldnn()",
            "ToSparseBackward0": "x._to_sparse(1)",
            "ToSparseBackward1": "x._to_sparse()",
        },
    ),
    **calls(
        (
            "x = torch.nested.nested_tensor([torch.rand(2, 1), torch.rand(1, 1)], "
            "requires_grad=True)"
        ),
        {
            "SqueezeBackwardAutogradNestedTensor0": "x.squeeze(-1)",
            "SqueezeBackwardAutogradNestedTensor1": "x.squeeze((2,))",
        },
    ),
    **calls(
        (
            "x = torch.rand(5, requires_grad=True)\n"
            "lengths, strides, starts = torch.tensor([[2], [3]]), torch.tensor([[1], [1]]), "
            "torch.tensor([0, 2])"
        ),
        {
            "NestedViewFromBufferBackward0": (
                "torch.ops.aten._nested_view_from_buffer.default(x, lengths, strides, starts)"
            ),
            "NestedViewFromBufferBackward0_copy": (
                "torch.ops.aten._nested_view_from_buffer_copy.default(x, lengths, strides, starts)"
            ),
        },
    ),
    "CoalesceBackward0": (
        "x = torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (2,), requires_grad=True)\n"
        "output = x.coalesce()"
    ),
    "MatmulBackward0": (
        "x = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)], "
        "requires_grad=True)\n"
        "y = torch.nested.nested_tensor([torch.rand(3, 2), torch.rand(3, 1)])\n"
        "output = torch.matmul(x, y)"
    ),
    "LinearBackward0": (
        "x = torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)], requires_grad=True)\n"
        "weight = torch.rand(2, 3)\n"
        "output = torch.nn.functional.linear(x, weight)"
    ),
    "MkldnnLinearBackward0": (
        "x = torch.rand(2, 3).to_mkldnn().requires_grad_()\n"
        "weight, bias = torch.rand(1, 3).to_mkldnn(), torch.rand(1).to_mkldnn()\n"
        "output = torch.nn.functional.linear(x, weight, bias)"
    ),
    "MkldnnMaxPool3DBackward0": (
        "x = torch.rand(1, 1, 4, 4, 4).to_mkldnn().requires_grad_()\n"
        "output = torch.mkldnn_max_pool3d(x, 2)"
    ),
    "NestedFromPaddedBackward0": (
        "padded = torch.rand(1, 2, 3, requires_grad=True)\n"
        "cpu_nested_shape_example = torch.tensor([[0, 1]])\n"
        "output = torch._nested_from_padded(padded, cpu_nested_shape_example)"
    ),
    "NestedTensorFromMaskBackward0": (
        "x = torch.rand(1, 2, 3, requires_grad=True)\n"
        "output = torch._nested_tensor_from_mask(x, torch.ones(1, 2, dtype=torch.bool))"
    ),
    "NestedViewFromJaggedBackward0": (
        "x = torch.rand(3, 2, requires_grad=True)\n"
        "output = torch.nested.nested_tensor_from_jagged(x, torch.tensor([0, 2, 3]))"
    ),
    "SparseAddmmBackward0": (
        "x = torch.rand(3)\n"
        "mat1 = torch.rand(3, 3, requires_grad=True)\n"
        "mat2 = torch.rand(3, 3)\n"
        "output = torch.ops.aten._sparse_addmm.default(x, mat1, mat2)"
    ),
    "SparseCompressedTensorBackward0": (
        "values = torch.rand(2, requires_grad=True)\n"
        "crow, col = torch.tensor([0, 1, 2]), torch.tensor([0, 1])\n"
        "output = torch.sparse_compressed_tensor(crow, col, values, (2, 2), "
        "layout=torch.sparse_csr)"
    ),
    "SparseCooTensorWithDimsAndTensorsBackward0": (
        "values = torch.rand(1, requires_grad=True)\n"
        "output = torch.sparse_coo_tensor([[0]], values, (2,))"
    ),
    "SparseMaskBackward0": (
        "x = torch.rand(2, 2, requires_grad=True)\n"
        "mask = torch.eye(2).to_sparse()\n"
        "output = x.sparse_mask(mask)"
    ),
}
