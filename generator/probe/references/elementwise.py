"""Ops that work element by element on matrices of 256 × 512, activations and dropout included."""

from __future__ import annotations

from generator.probe.references.arguments import (
    COMPLEX_MATRIX,
    MATRIX,
    OTHER_MATRIX,
    PROBABILITIES,
)
from generator.probe.references.program import Program, alike, called, programs

UNARY = "element-wise, unary"
BINARY = "element-wise, binary"
TERNARY = "element-wise, ternary"
COMPLEX = "element-wise, complex"
CONJUGATE = "element-wise, lazily conjugated"
CONVERSION = "conversion of dtype"

PAIR = f"{MATRIX}\n{OTHER_MATRIX}"
POSITIVE_PAIR = """\
input = torch.rand(256, 512)
other = torch.rand(256, 512)"""
TRIPLE = f"""\
{MATRIX}
tensor1 = torch.randn(256, 512)
tensor2 = torch.randn(256, 512)"""

ELEMENTWISE: dict[str, Program] = {
    **programs(
        UNARY,
        MATRIX,
        alike(
            "{}(input)",
            """
            abs alias_copy angle asinh atan ceil clone cos cosh deg2rad erf erfc exp exp2 expm1
            floor frac frexp i0 nan_to_num neg positive rad2deg reciprocal round sgn sigmoid sign
            sin sinc sinh square tan tanh trunc special.erfcx special.i0e special.i1 special.i1e
            special.log_ndtr special.ndtr
            """,
        ),
    ),
    **programs(
        UNARY,
        PROBABILITIES,
        alike(
            "{}(input)",
            """
            acos asin atanh bernoulli digamma erfinv lgamma log log10 log1p log2 logit rsqrt sqrt
            special.entr special.ndtri
            """,
        ),
    ),
    **programs(
        UNARY,
        MATRIX,
        alike(
            "{}(input)",
            """
            celu elu gelu glu hardshrink hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish
            relu relu6 selu silu softplus softshrink softsign tanhshrink
            """,
            module="torch.nn.functional",
        ),
    ),
    **programs(
        UNARY,
        MATRIX,
        called(
            "torch.clamp(input, min=-1.0, max=1.0)",
            "torch.clamp_max(input, 1.0)",
            "torch.clamp_min(input, -1.0)",
            "torch.fill(input, 1.0)",
            "torch.pow(input, 2)",
            "torch.float_power(input, 2)",
            "torch.nn.functional.alpha_dropout(input, p=0.1, training=True)",
            "torch.nn.functional.dropout(input, p=0.1, training=True)",
            "torch.nn.functional.rrelu(input, training=True)",
            "torch.nn.functional.threshold(input, threshold=0.5, value=0.0)",
        ),
    ),
    **programs(
        UNARY,
        MATRIX,
        {
            "torch.Tensor.__radd__": "1.0 + input",
            "torch.Tensor.__rdiv__": "1.0 / input",
            "torch.Tensor.__rmod__": "1.0 % input",
            "torch.Tensor.__rmul__": "2.0 * input",
            "torch.Tensor.__rpow__": "2.0 ** input",
            "torch.Tensor.__rsub__": "1.0 - input",
            "torch.Tensor.zero_": "input.clone().zero_()",
        },
    ),
    **programs(UNARY, "input = torch.rand(256, 512) + 1", called("torch.acosh(input)")),
    **programs(
        UNARY,
        "input = torch.rand(256, 512) + 1",
        called(
            "torch.mvlgamma(input, p=2)",
            "torch.polygamma(1, input)",
            "torch.special.polygamma(1, input)",
        ),
    ),
    **programs(
        UNARY,
        f"{MATRIX}\nweight = torch.tensor([0.25])",
        called("torch.nn.functional.prelu(input, weight)"),
    ),
    **programs(
        BINARY,
        PAIR,
        alike(
            "{}(input, other)",
            """
            add atan2 copysign div fmax fmin fmod hypot ldexp logaddexp logaddexp2 maximum minimum
            mul nextafter remainder rsub sub
            """,
        ),
    ),
    **programs(BINARY, POSITIVE_PAIR, alike("{}(input, other)", "xlogy special.xlog1py")),
    **programs(
        BINARY,
        "dividend = torch.randn(256, 512)\ndivisor = torch.randn(256, 512)",
        called("torch.true_divide(dividend, divisor)"),
    ),
    **programs(
        BINARY,
        "real = torch.randn(256, 512)\nimag = torch.randn(256, 512)",
        called("torch.complex(real, imag)"),
    ),
    **programs(
        BINARY,
        "abs = torch.rand(256, 512)\nangle = torch.randn(256, 512)",
        called("torch.polar(abs, angle)"),
    ),
    **programs(
        BINARY,
        "mean = torch.randn(256, 512)\nstd = torch.rand(256, 512)",
        called("torch.normal(mean, std)"),
    ),
    **programs(
        BINARY,
        "grad_output = torch.randn(256, 512)\nmask = torch.rand(256, 512) < 0.5",
        called("torch.ops.aten.native_dropout_backward(grad_output, mask, 2.0)"),
    ),
    **programs(
        TERNARY,
        TRIPLE,
        called("torch.addcdiv(input, tensor1, tensor2)", "torch.addcmul(input, tensor1, tensor2)"),
    ),
    **programs(
        TERNARY,
        f"{MATRIX}\nend = torch.randn(256, 512)\nweight = torch.rand(256, 512)",
        called("torch.lerp(input, end, weight)"),
    ),
    **programs(
        TERNARY,
        f"condition = torch.rand(256, 512) < 0.5\n{PAIR}",
        called("torch.where(condition, input, other)"),
    ),
    **programs(
        COMPLEX,
        COMPLEX_MATRIX,
        alike("{}(input)", "conj conj_physical imag real view_as_real"),
    ),
    **programs(
        CONJUGATE,
        f"{COMPLEX_MATRIX}.conj()",
        called("torch.resolve_conj(input)"),
    ),
    **programs(
        CONJUGATE,
        f"{COMPLEX_MATRIX}.conj().imag",
        called("torch.resolve_neg(input)"),
    ),
    **programs(
        CONVERSION,
        MATRIX,
        {
            "torch.Tensor.bfloat16": "input.bfloat16()",
            "torch.Tensor.cdouble": "input.cdouble()",
            "torch.Tensor.cfloat": "input.cfloat()",
            "torch.Tensor.chalf": "input.chalf()",
            "torch.Tensor.double": "input.double()",
            "torch.Tensor.half": "input.half()",
            "torch.Tensor.to": "input.to(torch.float64)",
        },
    ),
    **programs(
        CONVERSION,
        "input = torch.randn(256, 512, dtype=torch.float64)",
        {"torch.Tensor.float": "input.float()"},
    ),
}
