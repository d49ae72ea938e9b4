"""Write a call at the sizes that are asked for, and at accepted ones, for a release to try."""

from typing import Any

from generator.catalogue.formulas.evaluation import all_sizes, dimensions, shapes_of
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import OpRecord
from generator.review.sizes import Priced, call_of

Json = dict[str, Any]
_FLOATING = ("float", "bfloat", "complex")


def question(record: OpRecord, priced: Priced) -> Json:
    """Return what `probe.meta_call` reads: the program, and its tensors at both sizes."""
    pricing, formula = priced.pricing, priced.formula
    call = record.references[0] if pricing.case is None else record.cases[pricing.case]
    required = call.measurements[0].mask
    names = dimensions(formula)
    known = all_sizes(formula, dict(zip(names, formula.held_out[0], strict=True)))
    accepted = {
        name: tuple(known[one] if isinstance(one, str) else one for one in shape)
        for name, shape in shapes_of(formula).items()
    }

    def given(shapes: dict[str, tuple[int, ...]], sizes: dict[str, int]) -> Json:
        tensors = {
            one.name: {
                "shape": shapes[one.name],
                "dtype": _dtype(one, priced.dtype),
                "requires": one.name in required,
            }
            for one in call.arguments
            if one.name in shapes
        }
        return {"sizes": sizes, "tensors": tensors}

    return {
        "setup": record.references[0].setup if pricing.case is None else "",
        "call": call_of(record, pricing),
        "known": given(accepted, known),
        "asked": given(priced.shapes, all_sizes(formula, priced.sizes)),
    }


def _dtype(argument: Argument, dtype: str | None) -> str:
    floating = (argument.dtype or "").startswith(_FLOATING)
    return dtype if dtype is not None and floating else argument.dtype or "float32"
