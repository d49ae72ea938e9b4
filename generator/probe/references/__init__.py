"""Reference programs: one call of realistic size for every differentiable op and every module.

PyTorch's own sample inputs are small and odd, as tests should be. These are the sizes at which
people ask what an op keeps, the same for all ops of a family, so that bytes compare between ops.
"""

from __future__ import annotations

from generator.probe.references.elementwise import ELEMENTWISE
from generator.probe.references.images import IMAGE_OPS
from generator.probe.references.linalg import LINALG
from generator.probe.references.loss_modules import LOSS_MODULES
from generator.probe.references.losses import LOSSES
from generator.probe.references.modules import LAYERS
from generator.probe.references.more_modules import MORE_MODULES
from generator.probe.references.no_gradient import NO_GRADIENT
from generator.probe.references.products import PRODUCTS
from generator.probe.references.program import Program
from generator.probe.references.reductions import REDUCTIONS
from generator.probe.references.shapes import SHAPES
from generator.probe.references.signals import SIGNALS
from generator.probe.references.tokens import TOKEN_OPS

__all__ = ["MODULES", "OPS", "Program"]

OPS: dict[str, Program] = {
    **ELEMENTWISE,
    **REDUCTIONS,
    **SHAPES,
    **PRODUCTS,
    **LINALG,
    **SIGNALS,
    **TOKEN_OPS,
    **LOSSES,
    **IMAGE_OPS,
    **NO_GRADIENT,
}

MODULES: dict[str, Program] = {**LAYERS, **LOSS_MODULES, **MORE_MODULES}
