"""Write the formula of equal shapes for shapes that are broadcast, where that was measured.

A call in which one argument had one row, which is broadcast, may have kept the same but for what
that argument weighs itself (see the conditions of a record). Then a formula for arguments of one
shape speaks of broadcast ones too: what is kept of an argument is of its own shape, and the rest of
the shape that all are broadcast to.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from msgspec.structs import replace

from generator.catalogue.formulas.evaluation import dimensions, shape_of
from generator.catalogue.model.formulas import (
    ByteFormula,
    FormulaArgument,
    FormulaStorage,
    FormulaTensor,
    Pricing,
    Shape,
)
from generator.catalogue.model.records import OpRecord
from generator.catalogue.policies import measured_nodes
from generator.errors import SizesError

Sizes = tuple[int, ...]

ONE_ROW = "one row"


@dataclass(frozen=True)
class Broadcast:
    """A formula for arguments of these shapes, its dimensions, and which of them are broadcast."""

    formula: ByteFormula
    sizes: dict[str, int]
    names: tuple[str, ...]


def is_elementwise(formula: ByteFormula) -> bool:
    """Say whether a formula is of several arguments of one shape, whose sizes may be any."""
    shapes = {one.shape for one in formula.arguments}
    free = all(isinstance(size, str) for shape in shapes for size in shape)
    bounds = (formula.where, formula.refuses, formula.refused_at_one, formula.wrong_at_one)
    return (
        len(formula.arguments) > 1 == len(shapes) and free and not any((*bounds, formula.computed))
    )


def broadcast(
    record: OpRecord, pricing: Pricing, formula: ByteFormula, given: Mapping[str, Sizes]
) -> Broadcast | None:
    """Return the formula for these shapes; None where they are not of its arguments, or are equal.

    Raises SizesError where the shapes do not broadcast, and where nobody measured what is kept.
    """
    names = [one.name for one in formula.arguments]
    if not is_elementwise(formula) or given.keys() != set(names) or len(set(given.values())) == 1:
        return None
    whole = _whole(record, {name: given[name] for name in names})
    smaller = tuple(name for name in names if given[name] != whole)
    dims = _dimensions(formula, len(whole))
    if dims is None:
        return None
    unknown = [name for name in smaller if not _was_measured(record, name)]
    roles = _roles(record, pricing, formula)
    if unknown or roles is None or not _are_whole(formula, roles, smaller):
        every = "x".join(map(str, whole)) or "()"
        raise SizesError(
            f"what {record.name} keeps where {' and '.join(unknown or smaller)} is broadcast was"
            f" not measured in a call that has a formula; give every argument {every}"
        )
    own = {name: _own(given[name], whole, dims) for name in names}
    changed = _rewritten(formula, roles, own, smaller, dims)
    sizes = dict(zip(dims, whole, strict=True))
    return Broadcast(changed, {name: sizes[name] for name in dimensions(changed)}, smaller)


def _whole(record: OpRecord, given: Mapping[str, Sizes]) -> Sizes:
    """Return the shape that all are broadcast to."""
    reversed_sizes = []
    for column in zip_longest(*(shape[::-1] for shape in given.values()), fillvalue=1):
        sizes = set(column) - {1}
        if len(sizes) > 1:
            told = ", ".join(f"{name} {shape_of(shape)}" for name, shape in given.items())
            raise SizesError(
                f"{record.name} is not called with {told}: counted from the last, sizes must be"
                f" equal or 1, and {' and '.join(map(str, sorted(sizes)))} are neither"
            )
        reversed_sizes.append(next(iter(sizes), 1))
    return tuple(reversed(reversed_sizes))


def _dimensions(formula: ByteFormula, rank: int) -> tuple[str, ...] | None:
    """Name the dimensions of the whole; the first of the formula may stand for several or none."""
    base = tuple(map(str, formula.arguments[0].shape))
    more = rank - len(base)
    if more == 0:
        return base
    if more + 1 not in formula.leading:
        return None
    return (*(f"{base[0]}{place + 1}" for place in range(more + 1)), *base[1:])


def _was_measured(record: OpRecord, name: str) -> bool:
    """Say whether a call with one row of an argument kept the same but for that argument."""
    found = record.conditions
    return found is not None and ONE_ROW in found.unchanged.get(name, ())


def _roles(record: OpRecord, pricing: Pricing, formula: ByteFormula) -> list[str] | None:
    """Return the role of each tensor of a formula; None where masks do not agree on them."""
    call = record.references[0] if pricing.case is None else record.cases[pricing.case]
    found: dict[int, str] = {}
    for place, one in enumerate(call.measurements):
        kept = range(len(formula.tensors)) if formula.masks is None else formula.masks[place]
        if kept is None or one.policy is None:
            continue
        held = [
            role
            for node in measured_nodes(record, one)
            for value in node.saved
            for role in value.roles
        ]
        if len(held) != len(kept):
            return None
        for position, role in zip(kept, held, strict=True):
            if found.setdefault(position, role) != role:
                return None
    every = range(len(formula.tensors))
    return [found[position] for position in every] if found.keys() == set(every) else None


def _are_whole(formula: ByteFormula, roles: list[str], smaller: tuple[str, ...]) -> bool:
    """Say whether what is kept of a broadcast argument is that itself, behind a storage alone."""
    about = {name: f"input {name}" for name in smaller}
    for tensor, role in zip(formula.tensors, roles, strict=True):
        touched = next((name for name, own in about.items() if role.endswith(own)), None)
        if touched is None:
            continue
        sharing = {
            other
            for one, other in zip(formula.tensors, roles, strict=True)
            if one.storage == tensor.storage
        }
        if role != about[touched] or sharing != {role}:
            return False
    return True


def _own(shape: Sizes, whole: Sizes, dims: tuple[str, ...]) -> Shape:
    """Name the dimensions of an argument: 1 where it is broadcast along one of them."""
    last = len(whole) - len(shape)
    pairs = zip(shape, whole[last:], dims[last:], strict=True)
    return tuple(name if size == full else 1 for size, full, name in pairs)


def _rewritten(
    formula: ByteFormula,
    roles: list[str],
    own: Mapping[str, Shape],
    smaller: tuple[str, ...],
    dims: tuple[str, ...],
) -> ByteFormula:
    elements = {
        f"input {name}": "*".join(one for one in own[name] if isinstance(one, str)) or "1"
        for name in smaller
    }
    base = str(formula.arguments[0].shape[0])
    standing = dims[: len(dims) - len(formula.arguments[0].shape) + 1]
    kept = [
        FormulaTensor(
            elements.get(role, _standing(one.elements, base, standing)), one.dtype, one.storage
        )
        for one, role in zip(formula.tensors, roles, strict=True)
    ]
    behind = {
        one.storage: elements[role]
        for one, role in zip(formula.tensors, roles, strict=True)
        if role in elements
    }
    storages = tuple(
        FormulaStorage(behind.get(place, _standing(one.elements, base, standing)), one.extra)
        for place, one in enumerate(formula.storages)
    )
    changed = replace(
        formula,
        arguments=tuple(FormulaArgument(one.name, own[one.name]) for one in formula.arguments),
        tensors=tuple(kept),
        storages=storages,
        leading=(),
    )
    return replace(changed, held_out=(_tried(formula, changed, base, standing),))


def _standing(elements: str, base: str, standing: tuple[str, ...]) -> str:
    """Write what the first dimension stands for in its place: `N*C` as `N1*N2*C`."""
    return re.sub(rf"\b{base}\b", "*".join(standing) or "1", elements)


def _tried(
    formula: ByteFormula, changed: ByteFormula, base: str, standing: tuple[str, ...]
) -> Sizes:
    """Give the changed formula's dimensions sizes with which a call of the plain one was made."""
    known = dict(zip(dimensions(formula), formula.held_out[0], strict=True))
    known |= dict.fromkeys(standing, 1) | dict.fromkeys(standing[:1], known[base])
    return tuple(known[name] for name in dimensions(changed))
