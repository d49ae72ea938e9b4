"""The program by which a reader checks a formula at a size that it was not made from."""

from string import Template

from generator.catalogue.formulas.evaluation import (
    all_sizes,
    cost,
    dimensions,
    reference_pricing,
    shapes_of,
)
from generator.catalogue.model.formulas import ByteFormula, Pricing
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import OpRecord, Reference

_PROGRAM = Template("""\
import torch

torch.manual_seed(0)
$setup
$cut
$call
held = $held
kept, logical, nodes = {}, 0, [$grad_fns]
for node in nodes:
    for attribute in dir(node):
        value = getattr(node, attribute) if attribute.startswith("_saved_") else None
        for tensor in value if isinstance(value, (tuple, list)) else [value]:
            if isinstance(tensor, torch.Tensor):
                logical += tensor.nbytes
                kept[tensor.untyped_storage()._cdata] = tensor.untyped_storage().nbytes()
    nodes += [n for n, _ in node.next_functions if n is not None and n not in nodes]
outside = {tensor.untyped_storage()._cdata for tensor in held.values()}
extra = sum(size for storage, size in kept.items() if storage not in outside)
print(f"logical {logical}, storage {sum(kept.values())}, extra {extra} bytes")
""")
_WHOLE = ("int64", "int32")


def formula_program(record: OpRecord) -> str | None:
    """Return a program that makes the reference call with its arguments cut to a held-out size.

    None where there is no formula, where each of these sizes is larger somewhere, where the
    arguments cannot be cut one by one, and where the call names their sizes as numbers.
    """
    pricing, reference, point = _point(record)
    if pricing is None or pricing.formula is None or reference is None or point is None:
        return None
    formula = pricing.formula
    known = all_sizes(formula, dict(zip(dimensions(formula), point, strict=True)))
    tensors = [one for one in reference.arguments if one.shape is not None]
    requiring = {line.partition(".")[0] for line in reference.require.splitlines()}
    return _PROGRAM.substitute(
        setup=reference.setup,
        cut="\n".join(_cut(one, formula, known, requires=one.name in requiring) for one in tensors),
        call=reference.call,
        held=reference.held,
        grad_fns=reference.grad_fns,
    )


def formula_printed(record: OpRecord) -> str | None:
    """Return what the program prints, as the formula gives it."""
    pricing, _, point = _point(record)
    if pricing is None or pricing.formula is None or point is None:
        return None
    formula = pricing.formula
    found = cost(
        formula,
        dict(zip(dimensions(formula), point, strict=True)),
        next(iter(formula.dtypes), None),
    )
    return f"logical {found.logical}, storage {found.storage}, extra {found.extra} bytes\n"


def _point(
    record: OpRecord,
) -> tuple[Pricing | None, Reference | None, tuple[int, ...] | None]:
    """Return the first held-out size that the reference's arguments can be cut to."""
    pricing = reference_pricing(record)
    if pricing is None or pricing.formula is None or not record.references or pricing.call:
        return None, None, None
    formula, reference = pricing.formula, record.references[0]
    tensors = [one for one in reference.arguments if one.shape is not None]
    if not all(one.name.isidentifier() for one in tensors):
        return None, None, None
    for point in formula.held_out:
        known = all_sizes(formula, dict(zip(dimensions(formula), point, strict=True)))
        if all(_fits(one, formula, known) for one in tensors):
            return pricing, reference, point
    return None, None, None


def _fits(argument: Argument, formula: ByteFormula, known: dict[str, int]) -> bool:
    wanted = [known.get(str(size), size) for size in shapes_of(formula)[argument.name]]
    return all(
        isinstance(new, int) and new <= old
        for new, old in zip(wanted, argument.shape or (), strict=True)
    )


def _cut(argument: Argument, formula: ByteFormula, known: dict[str, int], *, requires: bool) -> str:
    sizes = [f":{known.get(str(size), size)}" for size in shapes_of(formula)[argument.name]]
    name = argument.name
    cut = f"{name}[{', '.join(sizes)}].clone()" if sizes else f"{name}.clone()"
    if argument.dtype in _WHOLE:
        cut += ".clamp(0, 0)" if argument.dtype == "int64" else ".clamp(1, 1)"
    return f"{name} = {cut}{'.requires_grad_()' if requires else ''}"
