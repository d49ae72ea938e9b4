"""Recipes for node types that several tensors make, from I on in the alphabet."""

from __future__ import annotations

from generator.probe.recipes.program import calls

SEVERAL_TENSORS_MORE = {
    **calls(
        ("x = torch.rand(3, requires_grad=True)\nother = torch.rand(3)"),
        {
            "LdexpBackward0": "torch.ldexp(x, other)",
            "Logaddexp2Backward0": "torch.logaddexp2(x, other)",
            "LogaddexpBackward0": "torch.logaddexp(x, other)",
            "MaximumBackward0": "torch.maximum(x, other)",
            "MinimumBackward0": "torch.minimum(x, other)",
            "NextafterBackward0": "torch.nextafter(x, other)",
            "RsubBackward0": "torch.rsub(x, other)",
            "SpecialXlog1PyBackward0": "torch.special.xlog1py(x, other)",
            "SubBackward0": "torch.sub(x, other)",
            "XlogyBackward0": "torch.xlogy(x, other)",
        },
    ),
    **calls(
        ("x = torch.rand(3)\nother = torch.rand(3, requires_grad=True)"),
        {
            "IgammaBackward0": "torch.igamma(x, other)",
            "IgammacBackward0": "torch.igammac(x, other)",
            "RemainderBackward1": "torch.remainder(x, other)",
            "SpecialZetaBackward0": "torch.special.zeta(x, other)",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\nindex = torch.zeros(3, dtype=torch.int64)"),
        {
            "IndexFillBackward0": "torch.index_fill(x, 0, index, 2.0)",
            "IndexSelectBackward0": "torch.index_select(x, 0, index)",
            "ScatterBackward1": "torch.scatter(x, 0, index, 2.0)",
            "TakeBackward0": "torch.take(x, index)",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\ntarget = torch.zeros(3, dtype=torch.int64)"),
        {
            "MseLossBackward0": "torch.nn.functional.mse_loss(x, target)",
            "MultilabelMarginLossBackward0": (
                "torch.ops.aten.multilabel_margin_loss_forward.default(x, target, 1)"
            ),
            "SmoothL1LossBackward0": "torch.nn.functional.smooth_l1_loss(x, target)",
            "SoftMarginLossBackward0": "torch.nn.functional.soft_margin_loss(x, target)",
        },
    ),
    **calls(
        ("x = torch.rand(2, 3, requires_grad=True)\nmean, var = torch.zeros(3), torch.ones(3)"),
        {
            "NativeBatchNormBackward0": (
                "torch.nn.functional.batch_norm(x, mean, var, None, None, True)"
            ),
            "NativeBatchNormLegitBackward0": (
                ""
                "torch.ops.aten._native_batch_norm_legit.default(x, "
                "None, None, mean, var, True, 0.1, 1e-5)"
            ),
            "NativeBatchNormLegitNoTrainingBackward0": (
                ""
                "torch.ops.aten._native_batch_norm_legit_no_training.default(x, "
                "None, None, mean, var, 0.1, 1e-5)"
            ),
        },
    ),
    **calls(
        (
            "x = torch.rand(3)\n"
            "index = torch.zeros(3, dtype=torch.int64)\n"
            "source = torch.rand(3, requires_grad=True)"
        ),
        {
            "IndexAddBackward0": "torch.index_add(x, 0, index, source)",
            "IndexCopyBackward0": "torch.index_copy(x, 0, index, source)",
            "PutBackward0": "torch.put(x, index, source)",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\nmask = torch.ones(3, dtype=torch.bool)"),
        {
            "MaskedFillBackward0": "torch.masked_fill(x, mask, 1)",
            "MaskedSelectBackward0": "torch.masked_select(x, mask)",
            "MaskedSoftmaxBackward0": "torch._masked_softmax(x, mask)",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\nother = torch.rand(3, requires_grad=True)"),
        {
            "LinalgCrossBackward0": "torch.linalg.cross(x, other)",
            "MulBackward0": "torch.mul(x, other)",
            "VdotBackward0": "torch.vdot(x, other)",
        },
    ),
    **calls(
        (
            "x = torch.rand(3, requires_grad=True)\n"
            "index = torch.zeros(3, dtype=torch.int64)\n"
            "src = torch.rand(3)"
        ),
        {
            "ScatterBackward0": "torch.scatter(x, 0, index, src)",
            "ScatterReduceBackward0": 'torch.scatter_reduce(x, 0, index, src, "mean")',
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\nindices = [torch.zeros(3, dtype=torch.int64)]"),
        {
            "IndexBackward0": "torch.ops.aten.index.Tensor(x, indices)",
            "UnsafeIndexBackward0": "torch._unsafe_index(x, indices)",
        },
    ),
    **calls(
        (
            "x = torch.rand(3, requires_grad=True)\n"
            "indices = [torch.zeros(3, dtype=torch.int64)]\n"
            "values = torch.rand(3)"
        ),
        {
            "IndexPutBackward0": "torch.index_put(x, indices, values)",
            "UnsafeIndexPutBackward0": "torch._unsafe_index_put(x, indices, values)",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\nsrc = torch.rand(3)"),
        {
            "SliceInverseBackward0": "torch.slice_inverse(x, src)",
            "SliceScatterBackward0": "torch.slice_scatter(x, src, step=1)",
        },
    ),
    "IndexFillBackward1": (
        "x = torch.rand(3, requires_grad=True)\n"
        "index = torch.zeros((), dtype=torch.int64)\n"
        "value = torch.rand(())\n"
        "output = torch.index_fill(x, 0, index, value)"
    ),
    "IndexReduceBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "index = torch.zeros(3, dtype=torch.int64)\n"
        "source = torch.rand(3)\n"
        'output = torch.index_reduce(x, 0, index, source, "mean")'
    ),
    "LerpBackward0": (
        "x = torch.rand(3, requires_grad=True)\nend = torch.rand(3)\noutput = torch.lerp(x, end, 1)"
    ),
    "LerpBackward1": (
        "x = torch.rand(3)\n"
        "end = torch.rand(3)\n"
        "weight = torch.rand(3, requires_grad=True)\n"
        "output = torch.lerp(x, end, weight)"
    ),
    "LinalgHouseholderProductBackward0": (
        "input = torch.rand(3, 3, requires_grad=True)\n"
        "tau = torch.rand(2)\n"
        "output = torch.linalg.householder_product(input, tau)"
    ),
    "LinalgLstsqBackward0": (
        "x = torch.rand(2, 3, requires_grad=True)\n"
        "b = torch.rand(2, 3)\n"
        "output = torch.linalg.lstsq(x, b)"
    ),
    "LinalgLuSolveBackward0": (
        "LU, pivots = torch.linalg.lu_factor(torch.eye(2))\n"
        "B = torch.rand(2, 2, requires_grad=True)\n"
        "output = torch.linalg.lu_solve(LU, pivots, B)"
    ),
    "LinalgSolveExBackward0": (
        "A = torch.rand(3, 3, requires_grad=True)\n"
        "B = torch.rand(3)\n"
        "output = torch._linalg_solve_ex(A, B)"
    ),
    "LinalgSolveTriangularBackward0": (
        "x = torch.rand(3, 3, requires_grad=True)\n"
        "B = torch.rand(3, 3)\n"
        "output = torch.linalg.solve_triangular(x, B, upper=False)"
    ),
    "LuUnpackBackward0": (
        "LU_data = torch.rand(2, 3, requires_grad=True)\n"
        "LU_pivots = torch.rand(3)\n"
        "output = torch.lu_unpack(LU_data, LU_pivots, False, False)"
    ),
    "MaskedFillBackward1": (
        "x = torch.rand(3, requires_grad=True)\n"
        "mask = torch.ones((), dtype=torch.bool)\n"
        "value = torch.rand(())\n"
        "output = torch.masked_fill(x, mask, value)"
    ),
    "MaskedScatterBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "mask = torch.ones(3, dtype=torch.bool)\n"
        "source = torch.rand(3)\n"
        "output = torch.masked_scatter(x, mask, source)"
    ),
    "MaxUnpool2DBackward0": (
        "x = torch.rand(1, 2, 3, requires_grad=True)\n"
        "indices = torch.zeros(1, 2, 3, dtype=torch.int64)\n"
        "output = torch.nn.functional.max_unpool2d(x, indices, [1, 1])"
    ),
    "MmBackward0": (
        "x = torch.rand(3, 3, requires_grad=True)\n"
        "mat2 = torch.rand(3, 3, requires_grad=True)\n"
        "output = torch.mm(x, mat2)"
    ),
    "MultiMarginLossBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "target = torch.zeros((), dtype=torch.int64)\n"
        "output = torch.nn.functional.multi_margin_loss(x, target)"
    ),
    "NllLossBackward0": (
        "x = torch.rand(1, 2, requires_grad=True)\n"
        "target = torch.tensor([0])\n"
        "output = torch.nn.functional.nll_loss(x, target)"
    ),
    "NormalBackward3": (
        "mean = torch.rand(3, requires_grad=True)\n"
        "std = torch.rand(3)\n"
        "output = torch.normal(mean, std)"
    ),
    "PackPaddedSequenceBackward0": (
        "input = torch.rand(2, 3, requires_grad=True)\n"
        "lengths = torch.tensor([1, 1])\n"
        "output = torch._pack_padded_sequence(input, lengths, True)"
    ),
    "PolarBackward0": (
        "abs = torch.rand(3, requires_grad=True)\n"
        "angle = torch.rand(3)\n"
        "output = torch.polar(abs, angle)"
    ),
    "PowBackward1": (
        "x = torch.rand(3, requires_grad=True)\n"
        "exponent = torch.rand(3)\n"
        "output = torch.pow(x, exponent)"
    ),
    "PreluKernelBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "weight = torch.rand(3)\n"
        "output = torch._prelu_kernel(x, weight)"
    ),
    "RreluWithNoiseBackward0": (
        "x = torch.rand(2, requires_grad=True)\n"
        "noise = torch.tensor([1, 1])\n"
        "output = torch._C._nn.rrelu_with_noise(x, noise)"
    ),
    "RreluWithNoiseFunctionalBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "noise = torch.rand(3)\n"
        "output = torch.ops.aten.rrelu_with_noise_functional.default(x, noise)"
    ),
    "ScatterAddBackward0": (
        "x = torch.rand(3)\n"
        "index = torch.zeros(3, dtype=torch.int64)\n"
        "src = torch.rand(3, requires_grad=True)\n"
        "output = torch.scatter_add(x, 0, index, src)"
    ),
    "SegmentReduceBackward0": (
        "data = torch.rand(4, requires_grad=True)\n"
        "offsets = torch.tensor([1, 1])\n"
        'output = torch.segment_reduce(data, "mean", offsets=offsets)'
    ),
    "SelectScatterBackward0": (
        "x = torch.rand(3, 3, requires_grad=True)\n"
        "src = torch.ones(3, dtype=torch.bool)\n"
        "output = torch.select_scatter(x, src, 0, 0)"
    ),
    "StandardGammaGradBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "result = torch.rand(3)\n"
        "output = torch._standard_gamma_grad(x, result)"
    ),
    "TriangularSolveBackward0": (
        "x = torch.rand(3, 3, requires_grad=True)\n"
        "A = torch.rand(3, 3)\n"
        "output = torch.triangular_solve(x, A)"
    ),
    "TrilinearBackward0": (
        "i1 = torch.rand(3, requires_grad=True)\n"
        "i2 = torch.rand(3, requires_grad=True)\n"
        "i3 = torch.rand(3)\n"
        "output = torch._trilinear(i1, i2, i3, [1], [1], [1], [1])"
    ),
    "UnsafeMaskedIndexBackward0": (
        "x = torch.rand(3, requires_grad=True)\n"
        "mask = torch.ones(3, dtype=torch.bool)\n"
        "indices = [torch.zeros(3, dtype=torch.int64)]\n"
        "output = torch._unsafe_masked_index(x, mask, indices, 1)"
    ),
    "UnsafeMaskedIndexPutAccumulateBackward0": (
        "x = torch.rand(3)\n"
        "mask = torch.ones(3, dtype=torch.bool)\n"
        "indices = [torch.zeros(3, dtype=torch.int64)]\n"
        "values = torch.rand(3, requires_grad=True)\n"
        "output = torch._unsafe_masked_index_put_accumulate(x, mask, indices, values)"
    ),
    "WeightNormInterfaceBackward0": (
        "v = torch.rand(3, requires_grad=True)\n"
        "g = torch.rand(3)\n"
        "output = torch._weight_norm_interface(v, g)"
    ),
    "WhereBackward0": (
        "condition = torch.ones(3, dtype=torch.bool)\n"
        "x = torch.rand(3, requires_grad=True)\n"
        "other = torch.rand(3)\n"
        "output = torch.where(condition, x, other)"
    ),
}
