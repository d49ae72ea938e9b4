"""Recipes for node types that one tensor of some particular shape or dtype makes."""

from __future__ import annotations

from generator.probe.recipes.program import calls

ONE_TENSOR_MORE = {
    **calls(
        "x = torch.rand(2, 3, requires_grad=True)",
        {
            "DiagonalBackward0": "torch.diagonal(x)",
            "DiagonalBackward0_copy": "torch.diagonal_copy(x)",
            "FftR2CBackward0": "torch._fft_r2c(x, [1], 1, False)",
            "FlipBackward0": "torch.flip(x, [1])",
            "GeqrfBackward0": "torch.geqrf(x)",
            "LinalgPinvBackward0": "torch.linalg.pinv(x)",
            "LogsumexpBackward0": "torch.logsumexp(x, [1])",
            "MeanBackward1": "torch.mean(x, [1])",
            "MvBackward0": "torch.mv(x, torch.rand(3))",
            "NativeBatchNormLegitBackward1": (
                "torch.ops.aten._native_batch_norm_legit.no_stats(x, None, None, True, 0.1, 1e-5)"
            ),
            "NativeLayerNormBackward0": "torch.nn.functional.layer_norm(x, (3,))",
            "NormBackward1": "torch.ops.aten.norm.ScalarOpt_dim(x, 1, [1])",
            "NormBackward3": (
                "torch.ops.aten.norm.ScalarOpt_dim_dtype(x, 1, [1], False, dtype=torch.float32)"
            ),
            "PdistBackward0": "torch.ops.aten._pdist_forward.default(x)",
            "ReflectionPad1DBackward0": "torch._C._nn.reflection_pad1d(x, [1, 1])",
            "RenormBackward0": "torch.renorm(x, 1, 1, 1)",
            "ReplicationPad1DBackward0": "torch._C._nn.replication_pad1d(x, [1, 1])",
            "Rot90Backward0": "torch.rot90(x)",
            "SqueezeBackward2": "torch.squeeze(x, [1])",
            "SqueezeBackward2_copy": "torch.squeeze_copy(x, [1])",
            "SumBackward1": "torch.sum(x, [1])",
            "TraceBackward0": "torch.trace(x)",
            "TrilBackward0": "torch.tril(x)",
            "TriuBackward0": "torch.triu(x)",
            "UnfoldBackward0": "x.unfold(1, 1, 1)",
            "UnfoldBackward0_copy": "torch.unfold_copy(x, 1, 1, 1)",
        },
    ),
    **calls(
        "x = torch.rand(1, 2, 3, requires_grad=True)",
        {
            "AdaptiveAvgPool2DBackward0": "torch._adaptive_avg_pool2d(x, [1, 1])",
            "AdaptiveMaxPool2DBackward0": "torch.nn.functional.adaptive_max_pool2d(x, [1, 1])",
            "AvgPool2DBackward0": "torch.nn.functional.avg_pool2d(x, [1, 1])",
            "ChannelShuffleBackward0": "torch.channel_shuffle(x, 1)",
            "Im2ColBackward0": "torch._C._nn.im2col(x, [1, 1], [1, 1], [1, 1], [1, 1])",
            "MaxPool2DWithIndicesBackward0": (
                "torch.nn.functional.max_pool2d_with_indices(x, [1, 1])"
            ),
            "NativeGroupNormBackward0": "torch.nn.functional.group_norm(x, 1)",
            "PermuteBackward0": "torch.permute(x, [0, 1, 2])",
            "PixelShuffleBackward0": "torch.pixel_shuffle(x, 1)",
            "PixelUnshuffleBackward0": "torch.pixel_unshuffle(x, 1)",
            "ReflectionPad2DBackward0": "torch._C._nn.reflection_pad2d(x, [1, 1, 1, 1])",
            "ReplicationPad2DBackward0": "torch._C._nn.replication_pad2d(x, [1, 1, 1, 1])",
            "SplitWithSizesBackward0": "torch.split_with_sizes(x, [1])",
            "SplitWithSizesBackward0_copy": "torch.split_with_sizes_copy(x, [1])",
            "UnsafeSplitWithSizesBackward0": "torch.unsafe_split_with_sizes(x, [1])",
        },
    ),
    **calls(
        "x = torch.rand((), requires_grad=True)",
        {
            "ExpandBackward0": "x.expand([1])",
            "ExpandBackward0_copy": "torch.expand_copy(x, [1])",
            "ReshapeCopyBackward0": "torch.ops.aten._reshape_copy.default(x, [1])",
            "UnsafeViewBackward0": "torch.ops.aten._unsafe_view.default(x, [1])",
            "ViewBackward0": "x.view([1])",
            "ViewBackward0_copy": "torch.view_copy(x, [1])",
        },
    ),
    **calls(
        "A = torch.rand(2, 3, requires_grad=True)",
        {
            "LinalgLuBackward0": "torch.linalg.lu(A)",
            "LinalgLuFactorExBackward0": "torch.linalg.lu_factor_ex(A)",
            "LinalgQrBackward0": "torch.linalg.qr(A)",
            "LinalgSvdBackward0": "torch._linalg_svd(A)",
        },
    ),
    **calls(
        "A = torch.rand(3, 3, requires_grad=True)",
        {
            "LinalgDetBackward0": "torch._linalg_det(A)",
            "LinalgEighBackward0": "torch._linalg_eigh(A)",
            "LinalgInvExBackward0": "torch.linalg.inv_ex(A)",
            "LinalgSlogdetBackward0": "torch._linalg_slogdet(A)",
        },
    ),
    **calls(
        "x = torch.rand(3, 3, requires_grad=True)",
        {
            "CholeskyInverseBackward0": "torch.cholesky_inverse(x)",
            "LinalgCholeskyExBackward0": "torch.linalg.cholesky_ex(x)",
            "LinalgEigBackward0": "torch.linalg.eig(x)",
            "LinalgMatrixExpBackward0": "torch.linalg.matrix_exp(x)",
        },
    ),
    **calls(
        "x = torch.rand(3, dtype=torch.complex64, requires_grad=True)",
        {
            "ConjBackward0": "torch._conj(x)",
            "FftC2RBackward0": "torch._fft_c2r(x, [0], 1, 3)",
            "ViewAsRealBackward0": "torch.view_as_real(x)",
            "ViewAsRealBackward0_copy": "torch.view_as_real_copy(x)",
        },
    ),
    **calls(
        "other = torch.rand(3, requires_grad=True)",
        {
            "SpecialXlog1PyBackward1": "torch.special.xlog1py(1, other)",
            "SpecialZetaBackward1": "torch.special.zeta(1, other)",
            "XlogyBackward1": "torch.xlogy(1, other)",
        },
    ),
    **calls(
        "x = torch.rand(1, 1, 4, requires_grad=True)",
        {
            "UpsampleLinear1DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="linear")'
            ),
            "UpsampleNearest1DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest")'
            ),
            "UpsampleNearestExact1DBackward0": (
                'torch.nn.functional.interpolate(x, scale_factor=2, mode="nearest-exact")'
            ),
        },
    ),
    **calls(
        "x = torch.rand(2, 2, requires_grad=True)",
        {
            "GluBackward0": "torch.nn.functional.glu(x)",
            "OrmqrBackward0": "torch.ormqr(x, torch.rand(2), torch.rand(2, 2))",
        },
    ),
    "AffineGridGeneratorBackward0": (
        "theta = torch.rand(1, 2, 3, requires_grad=True)\n"
        "output = torch.ops.aten.affine_grid_generator.default(theta, [1, 1, 2, 2], False)"
    ),
    "CholeskyBackward0": ("x = torch.eye(2, requires_grad=True)\noutput = torch.cholesky(x)"),
    "Col2ImBackward0": (
        "x = torch.rand(1, 4, 1, requires_grad=True)\n"
        "output = torch.nn.functional.fold(x, (2, 2), 2)"
    ),
    "FftC2CBackward0": (
        "x = torch.rand(2, 2, dtype=torch.complex64, requires_grad=True)\n"
        "output = torch._fft_c2c(x, [1, 1], 2, True)"
    ),
    "MkldnnRnnLayerBackward0": (
        "x = torch.rand(2, 1, 3, requires_grad=True)\noutput = torch.nn.LSTM(3, 2)(x)[0]"
    ),
    "NativeDropoutBackward0": (
        "input = torch.rand(3, requires_grad=True)\n"
        "output = torch.native_dropout(input, 0.5, False)"
    ),
    "NormalBackward1": ("mean = torch.rand(3, requires_grad=True)\noutput = torch.normal(mean)"),
    "NormalBackward2": ("std = torch.rand(3, requires_grad=True)\noutput = torch.normal(0.5, std)"),
    "PowBackward2": (
        "exponent = torch.rand(3, requires_grad=True)\noutput = torch.pow(1, exponent)"
    ),
    "UnfoldBackwardBackward0": (
        "grad_in = torch.rand(3, requires_grad=True)\n"
        "output = torch.ops.aten.unfold_backward.default(grad_in, [0, 1, 2, 3], 0, 2, 1)"
    ),
    "ViewAsComplexBackward0": (
        "x = torch.rand(2, requires_grad=True)\noutput = torch.view_as_complex(x)"
    ),
}
