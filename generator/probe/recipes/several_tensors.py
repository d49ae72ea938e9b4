"""Recipes for node types that several tensors make."""

from __future__ import annotations

from generator.probe.recipes.program import calls

SEVERAL_TENSORS = {
    **calls(
        ("x = torch.rand(3, requires_grad=True)\nother = torch.rand(3)"),
        {
            "AddBackward0": "torch.add(x, other)",
            "Atan2Backward0": "torch.atan2(x, other)",
            "CopysignBackward0": "torch.copysign(x, other)",
            "DistBackward0": "torch.dist(x, other)",
            "FmaxBackward0": "torch.fmax(x, other)",
            "FminBackward0": "torch.fmin(x, other)",
        },
    ),
    **calls(
        ("x = torch.rand(2, 3, requires_grad=True)\nmean, var = torch.zeros(3), torch.ones(3)"),
        {
            "BatchNormNoUpdateBackward0": (
                "torch.ops.aten._batch_norm_no_update.default(x, None, None, mean, var, 0.1, 1e-5)"
            ),
            "BatchNormWithUpdateBackward0": (
                ""
                "torch.ops.aten._batch_norm_with_update.default(x, "
                "None, None, mean, var, 0.1, 1e-5)"
            ),
        },
    ),
    **calls(
        (
            "x = torch.rand(2, 4, 4, requires_grad=True)\n"
            "mat2 = torch.rand(2, 4, 4, requires_grad=True)"
        ),
        {
            "BmmBackward0": "torch.bmm(x, mat2)",
            "GroupedMmBackward0": "torch._grouped_mm(x, mat2)",
        },
    ),
    **calls(
        ("x = torch.rand(3)\nother = torch.rand(3, requires_grad=True)"),
        {
            "DivBackward0": "torch.div(x, other)",
            "FmodBackward1": "torch.fmod(x, other)",
        },
    ),
    **calls(
        (
            "x = torch.rand(3, requires_grad=True)\n"
            "scale = torch.rand(3)\n"
            "zero_point = torch.rand(3)"
        ),
        {
            "FakeQuantizeLearnablePerChannelAffineBackward0": (
                "torch._fake_quantize_learnable_per_channel_affine(x, scale, zero_point, 0, 0, 0)"
            ),
            "FakeQuantizeLearnablePerTensorAffineBackward0": (
                "torch._fake_quantize_learnable_per_tensor_affine(x, scale, zero_point, 1, 1)"
            ),
        },
    ),
    "AddbmmBackward0": (
        "x = torch.rand(1)\n"
        "batch1 = torch.rand(2, 4, 4, requires_grad=True)\n"
        "batch2 = torch.rand(2, 4, 4, requires_grad=True)\n"
        "output = torch.addbmm(x, batch1, batch2)"
    ),
    "AddcdivBackward0": (
        "x = torch.rand(3)\n"
        "tensor1 = torch.rand(3)\n"
        "tensor2 = torch.rand(3, requires_grad=True)\n"
        "output = torch.addcdiv(x, tensor1, tensor2)"
    ),
    "AddcmulBackward0": (
        "x = torch.rand(3)\n"
        "tensor1 = torch.rand(3, requires_grad=True)\n"
        "tensor2 = torch.rand(3, requires_grad=True)\n"
        "output = torch.addcmul(x, tensor1, tensor2)"
    ),
    "AddmmBackward0": (
        "x = torch.rand(3)\n"
        "mat1 = torch.rand(3, 3, requires_grad=True)\n"
        "mat2 = torch.rand(3, 3, requires_grad=True)\n"
        "output = torch.addmm(x, mat1, mat2)"
    ),
    "AddmvBackward0": (
        "x = torch.rand(3)\n"
        "mat = torch.rand(3, 3, requires_grad=True)\n"
        "vec = torch.rand(3, requires_grad=True)\n"
        "output = torch.addmv(x, mat, vec)"
    ),
    "AddrBackward0": (
        "x = torch.rand(3)\n"
        "vec1 = torch.rand(3, requires_grad=True)\n"
        "vec2 = torch.rand(3, requires_grad=True)\n"
        "output = torch.addr(x, vec1, vec2)"
    ),
    "AsStridedScatterBackward0": (
        "x = torch.rand(2, 3, requires_grad=True)\n"
        "src = torch.rand(1, 2, 3)\n"
        "output = torch.as_strided_scatter(x, src, [1, 2, 3], [0, 1, 2])"
    ),
    "BaddbmmBackward0": (
        "x = torch.rand(2, 4, 4)\n"
        "batch1 = torch.rand(2, 4, 4, requires_grad=True)\n"
        "batch2 = torch.rand(2, 4, 4, requires_grad=True)\n"
        "output = torch.baddbmm(x, batch1, batch2)"
    ),
    "BinaryCrossEntropyBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "target = torch.rand(3)\n"
        "output = torch.nn.functional.binary_cross_entropy(x, target)"
    ),
    "BinaryCrossEntropyWithLogitsBackward0": (
        "x = torch.rand(2, 3, requires_grad=True)\n"
        "target = torch.rand(2, 3)\n"
        "pos_weight = torch.zeros(2, 3, dtype=torch.int64)\n"
        "output = torch.binary_cross_entropy_with_logits(x, target, pos_weight=pos_weight)"
    ),
    "CdistBackward0": (
        "x1 = torch.rand(2, 3, requires_grad=True)\n"
        "x2 = torch.rand(2, 3)\n"
        "output = torch.ops.aten._cdist_forward.default(x1, x2, 0.5, 1)"
    ),
    "CholeskySolveBackward0": (
        "x = torch.rand(3, 3, requires_grad=True)\n"
        "input2 = torch.rand(3, 3)\n"
        "output = torch.cholesky_solve(x, input2)"
    ),
    "ClampBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "min = torch.rand(3)\n"
        "max = torch.rand(3)\n"
        "output = torch.clamp(x, min, max)"
    ),
    "ClampMaxBackward1": (
        "x = torch.rand(3, requires_grad=True)\n"
        "max = torch.rand(3)\n"
        "output = torch.clamp_max(x, max)"
    ),
    "ClampMinBackward1": (
        "x = torch.rand(3, requires_grad=True)\n"
        "min = torch.rand(3)\n"
        "output = torch.clamp_min(x, min)"
    ),
    "ComplexBackward0": (
        "real = torch.rand(3, requires_grad=True)\n"
        "imag = torch.rand(3, requires_grad=True)\n"
        "output = torch.complex(real, imag)"
    ),
    "CtcLossBackward0": (
        "x = torch.rand(2, 1, 3, requires_grad=True)\n"
        "target = torch.tensor([[1]])\n"
        "output = torch.nn.functional.ctc_loss(x, target, [2], [1])"
    ),
    "CtcLossBackward1": (
        "x = torch.rand(2, 1, 3, requires_grad=True)\n"
        "target = torch.tensor([[1]])\n"
        "lengths, target_lengths = torch.tensor([2]), torch.tensor([1])\n"
        "output = torch.ops.aten._ctc_loss.Tensor(x, target, lengths, target_lengths)"
    ),
    "DiagonalScatterBackward0": (
        "x = torch.rand(2, 3, dtype=torch.complex64, requires_grad=True)\n"
        "src = torch.tensor([0, 1])\n"
        "output = torch.diagonal_scatter(x, src)"
    ),
    "DotBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "tensor = torch.rand(3, requires_grad=True)\n"
        "output = torch.dot(x, tensor)"
    ),
    "EmbeddingBackward0": (
        "weight = torch.rand(2, 3, requires_grad=True)\n"
        "indices = torch.zeros(2, 3, dtype=torch.int64)\n"
        "output = torch.embedding(weight, indices)"
    ),
    "EmbeddingBagBackward0": (
        "weight = torch.rand(3, 2, requires_grad=True)\n"
        "indices, offsets = torch.tensor([0, 1]), torch.tensor([0])\n"
        "output = torch.nn.functional.embedding_bag(indices, weight, offsets)"
    ),
    "EuclideanDistBackward0": (
        "x1 = torch.rand(3, requires_grad=True)\n"
        "x2 = torch.rand(2, 3)\n"
        "output = torch._euclidean_dist(x1, x2)"
    ),
    "FakeQuantizePerChannelAffineCachemaskBackward0": (
        "x = torch.rand(1, 3, requires_grad=True)\n"
        "scale, zero_point = torch.tensor([0.1]), torch.tensor([0], dtype=torch.int32)\n"
        "output = torch.fake_quantize_per_channel_affine(x, scale, zero_point, 0, 0, 255)"
    ),
    "FakeQuantizePerTensorAffineCachemaskTensorQparamsBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "scale, zero_point = torch.tensor([0.1]), torch.tensor([0], dtype=torch.int32)\n"
        "output = torch.fake_quantize_per_tensor_affine(x, scale, zero_point, 0, 255)"
    ),
    "FillBackward1": (
        "x = torch.rand(3, requires_grad=True)\n"
        "value = torch.rand(())\n"
        "output = torch.fill(x, value)"
    ),
    "GatherBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "index = torch.zeros(3, dtype=torch.int64)\n"
        "output = torch.gather(x, 0, index)"
    ),
    "HardshrinkBackwardBackward0": (
        "grad_out = torch.rand(3, requires_grad=True)\n"
        "x = torch.rand(3)\n"
        "output = torch.ops.aten.hardshrink_backward.default(grad_out, x, 1)"
    ),
    "HuberLossBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "target = torch.zeros(3, dtype=torch.int64)\n"
        "output = torch.nn.functional.huber_loss(x, target)"
    ),
    "HypotBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "other = torch.rand(3, requires_grad=True)\n"
        "output = torch.hypot(x, other)"
    ),
}
