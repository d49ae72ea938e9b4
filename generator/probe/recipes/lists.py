"""Recipes for node types that ops on lists of tensors make."""

from __future__ import annotations

from generator.probe.recipes.program import calls

LISTS = {
    **calls(
        "x = torch.rand(3, requires_grad=True)",
        {
            "ForeachAbsBackward0": "torch._foreach_abs([x])",
            "ForeachAcosBackward0": "torch._foreach_acos([x])",
            "ForeachAddBackward1Scalar": "torch._foreach_add([x], 2)",
            "ForeachAddBackward1ScalarList": "torch._foreach_add([x], [2.0])",
            "ForeachAsinBackward0": "torch._foreach_asin([x])",
            "ForeachAtanBackward0": "torch._foreach_atan([x])",
            "ForeachCeilBackward0": "torch._foreach_ceil([x])",
            "ForeachClampMaxBackward0Scalar": "torch._foreach_clamp_max([x], 2)",
            "ForeachClampMaxBackward0ScalarList": "torch._foreach_clamp_max([x], [2.0])",
            "ForeachClampMinBackward0Scalar": "torch._foreach_clamp_min([x], 2)",
            "ForeachClampMinBackward0ScalarList": "torch._foreach_clamp_min([x], [2.0])",
            "ForeachCloneBackward0": "torch._foreach_clone([x])",
            "ForeachCosBackward0": "torch._foreach_cos([x])",
            "ForeachCoshBackward0": "torch._foreach_cosh([x])",
            "ForeachDivBackward0Tensor": "torch._foreach_div([x], torch.tensor(2.0))",
            "ForeachDivBackward1Scalar": "torch._foreach_div([x], 2)",
            "ForeachDivBackward1ScalarList": "torch._foreach_div([x], [2.0])",
            "ForeachErfBackward0": "torch._foreach_erf([x])",
            "ForeachErfcBackward0": "torch._foreach_erfc([x])",
            "ForeachExpBackward0": "torch._foreach_exp([x])",
            "ForeachExpm1Backward0": "torch._foreach_expm1([x])",
            "ForeachFloorBackward0": "torch._foreach_floor([x])",
            "ForeachFracBackward0": "torch._foreach_frac([x])",
            "ForeachLgammaBackward0": "torch._foreach_lgamma([x])",
            "ForeachLog10Backward0": "torch._foreach_log10([x])",
            "ForeachLog1PBackward0": "torch._foreach_log1p([x])",
            "ForeachLog2Backward0": "torch._foreach_log2([x])",
            "ForeachLogBackward0": "torch._foreach_log([x])",
            "ForeachMaxBackward1": "torch._foreach_max([x])",
            "ForeachMulBackward0Tensor": "torch._foreach_mul([x], torch.tensor(2.0))",
            "ForeachMulBackward1Scalar": "torch._foreach_mul([x], 2)",
            "ForeachMulBackward1ScalarList": "torch._foreach_mul([x], [2.0])",
            "ForeachNegBackward0": "torch._foreach_neg([x])",
            "ForeachPowBackward0Scalar": "torch._foreach_pow([x], 2)",
            "ForeachReciprocalBackward0": "torch._foreach_reciprocal([x])",
            "ForeachRoundBackward0": "torch._foreach_round([x])",
            "ForeachRsqrtBackward0": "torch._foreach_rsqrt([x])",
            "ForeachSigmoidBackward0": "torch._foreach_sigmoid([x])",
            "ForeachSignBackward0": "torch._foreach_sign([x])",
            "ForeachSinBackward0": "torch._foreach_sin([x])",
            "ForeachSinhBackward0": "torch._foreach_sinh([x])",
            "ForeachSqrtBackward0": "torch._foreach_sqrt([x])",
            "ForeachSubBackward1Scalar": "torch._foreach_sub([x], 2)",
            "ForeachSubBackward1ScalarList": "torch._foreach_sub([x], [2.0])",
            "ForeachTanBackward0": "torch._foreach_tan([x])",
            "ForeachTanhBackward0": "torch._foreach_tanh([x])",
            "ForeachTruncBackward0": "torch._foreach_trunc([x])",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\ny = torch.rand(3)"),
        {
            "ForeachAddBackward0List": "torch._foreach_add([x], [y])",
            "ForeachClampMaxBackward1List": "torch._foreach_clamp_max([x], [y])",
            "ForeachClampMinBackward1List": "torch._foreach_clamp_min([x], [y])",
            "ForeachLerpBackward0Scalar": "torch._foreach_lerp([x], [y], 0.5)",
            "ForeachLerpBackward0ScalarList": "torch._foreach_lerp([x], [y], [2.0])",
            "ForeachMaximumBackward0List": "torch._foreach_maximum([x], [y])",
            "ForeachMinimumBackward0List": "torch._foreach_minimum([x], [y])",
            "ForeachMulBackward0List": "torch._foreach_mul([x], [y])",
            "ForeachSubBackward0List": "torch._foreach_sub([x], [y])",
        },
    ),
    **calls(
        "x = [torch.rand(3, requires_grad=True)]",
        {
            "ForeachMaximumBackward0": "torch._foreach_maximum(x, 1)",
            "ForeachMaximumBackward1": "torch._foreach_maximum(x, [2.0])",
            "ForeachMinimumBackward0": "torch._foreach_minimum(x, 1)",
            "ForeachMinimumBackward1": "torch._foreach_minimum(x, [2.0])",
            "ForeachNormBackward0": "torch._foreach_norm(x)",
            "ForeachPowBackward1": "torch._foreach_pow(x, [2.0])",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True)\ny = torch.rand(3)\nz = torch.rand(3)"),
        {
            "ForeachAddcdivBackward0Scalar": "torch._foreach_addcdiv([x], [y], [z])",
            "ForeachAddcdivBackward0ScalarList": ("torch._foreach_addcdiv([x], [y], [z], [2.0])"),
            "ForeachAddcmulBackward0Scalar": "torch._foreach_addcmul([x], [y], [z])",
            "ForeachAddcmulBackward0ScalarList": ("torch._foreach_addcmul([x], [y], [z], [2.0])"),
            "ForeachLerpBackward1List": "torch._foreach_lerp([x], [y], [z])",
        },
    ),
    **calls(
        "tensors = [torch.rand(3, requires_grad=True)]",
        {
            "BlockDiagBackward0": "torch.ops.aten.block_diag.default(tensors)",
            "CatBackward0": "torch.cat(tensors)",
            "StackBackward0": "torch.stack(tensors)",
        },
    ),
    "ForeachDivBackward0": (
        "x = [torch.rand(3, requires_grad=True)]\n"
        "other = [torch.rand(3)]\n"
        "output = torch._foreach_div(x, other)"
    ),
    "ForeachMmBackward0": (
        "x = [torch.rand(3, 3, requires_grad=True)]\n"
        "mat2 = [torch.rand(3, 3)]\n"
        "output = torch._foreach_mm(x, mat2)"
    ),
    "ForeachPowBackward0": (
        "x = [torch.rand(3, requires_grad=True)]\n"
        "exponent = [torch.rand(3)]\n"
        "output = torch._foreach_pow(x, exponent)"
    ),
    "ForeachPowBackward2": (
        "exponent = [torch.rand(3, requires_grad=True)]\noutput = torch._foreach_pow(1, exponent)"
    ),
    "NestedTensorFromTensorListBackward0": (
        "tensors = [torch.rand(3, requires_grad=True)]\n"
        "output = torch._nested_tensor_from_tensor_list(tensors)"
    ),
}
