"""Recipes for node types that a write into a tensor makes."""

from __future__ import annotations

from generator.probe.recipes.program import calls

IN_PLACE = {
    **calls(
        "x = torch.rand(3, requires_grad=True).clone()",
        {
            "AcoshBackward1": "torch.acosh_(x)",
            "AsStridedBackward1": "torch.as_strided_(x, [1], [1])",
            "AsinhBackward1": "torch.asinh_(x)",
            "AtanhBackward1": "torch.atanh_(x)",
            "BernoulliBackward2": "x.bernoulli_()",
            "CauchyBackward0": "x.cauchy_()",
            "CeluBackward1": "torch.celu_(x)",
            "ConjPhysicalBackward1": "torch.conj_physical_(x)",
            "EluBackward1": "torch.nn.functional.elu_(x)",
            "EqBackward0": "x.eq_(1)",
            "ExponentialBackward0": "x.exponential_()",
            "FillBackward2": "torch.fill_(x, 1)",
            "GeBackward0": "x.ge_(1)",
            "GeometricBackward0": "x.geometric_(0.5)",
            "GtBackward0": "x.gt_(1)",
            "LeBackward0": "x.le_(1)",
            "LeakyReluBackward1": "torch.nn.functional.leaky_relu_(x)",
            "LogNormalBackward0": "x.log_normal_()",
            "LtBackward0": "x.lt_(1)",
            "NeBackward0": "x.ne_(1)",
            "NormalBackward0": "x.normal_()",
            "PolygammaBackward1": "x.polygamma_(1)",
            "RandomBackward0": "x.random_(0, 2)",
            "RandomBackward1": "x.random_(1)",
            "RandomBackward2": "x.random_()",
            "SqueezeBackward3": "x.squeeze_()",
            "SqueezeBackward4": "x.squeeze_(0)",
            "TBackward1": "x.t_()",
            "ThresholdBackward1": "torch.threshold_(x, 1, 1)",
            "TransposeBackward1": "x.transpose_(0, 0)",
            "UniformBackward0": "x.uniform_()",
            "UnsqueezeBackward1": "x.unsqueeze_(1)",
            "ZeroBackward0": "torch.zero_(x)",
        },
    ),
    **calls(
        ("x = torch.rand(3, requires_grad=True).clone()\nother = torch.rand(3)"),
        {
            "EqBackward1": "x.eq_(other)",
            "GeBackward1": "x.ge_(other)",
            "GtBackward1": "x.gt_(other)",
            "LeBackward1": "x.le_(other)",
            "LtBackward1": "x.lt_(other)",
            "NeBackward1": "x.ne_(other)",
        },
    ),
    "BernoulliBackward1": (
        "x = torch.rand(3, requires_grad=True).clone()\np = torch.rand(3)\noutput = x.bernoulli_(p)"
    ),
    "EmbeddingRenormBackward0": (
        "x = torch.rand(2, 3, requires_grad=True).clone()\n"
        "indices = torch.zeros(2, 3, dtype=torch.int64)\n"
        "output = torch.embedding_renorm_(x, indices, 0.5, 0.5)"
    ),
    "FillBackward3": (
        "x = torch.rand(3, requires_grad=True).clone()\n"
        "value = torch.rand(())\n"
        "output = torch.fill_(x, value)"
    ),
    "IndexPutImplBackward0": (
        "x = torch.rand(3, requires_grad=True).clone()\n"
        "indices = [torch.zeros(3, dtype=torch.int64)]\n"
        "values = torch.rand(3)\n"
        "output = torch._index_put_impl_(x, indices, values)"
    ),
    "RreluWithNoiseBackward1": (
        "x = torch.rand(1, 1, 4, 4, requires_grad=True).clone()\n"
        "noise = torch.ones(1, 1, 4, 4, dtype=torch.bool)\n"
        "output = torch._C._nn.rrelu_with_noise_(x, noise)"
    ),
    "SqueezeBackward5": (
        "x = torch.rand(2, 3, requires_grad=True).clone()\noutput = x.squeeze_([1])"
    ),
}
