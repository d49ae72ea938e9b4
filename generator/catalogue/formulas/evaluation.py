"""Evaluate byte formulas: which dimensions they speak of, and what a call keeps at given sizes."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.catalogue.formulas.expressions import evaluate, names_in, shown
from generator.catalogue.model.formulas import (
    ByteFormula,
    FormulaTensor,
    Pricing,
    Refusal,
    Shape,
)
from generator.catalogue.model.records import OpRecord, Reference
from generator.errors import CatalogueError

# Bytes of one element.
ITEMSIZES = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "int16": 2,
    "bfloat16": 2,
    "float16": 2,
    "int32": 4,
    "float32": 4,
    "complex32": 4,
    "int64": 8,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}
FOLLOWING = ("same", "real", "complex", "float32 at least")
_REAL = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}
_COMPLEX = {real: one for one, real in _REAL.items()}


@dataclass(frozen=True)
class Cost:
    """What a call keeps, in bytes: each saved tensor in order, and the three totals."""

    tensors: tuple[int, ...]
    logical: int
    storage: int
    extra: int


def reference_pricing(record: OpRecord) -> Pricing | None:
    """Return the formula of an op's reference, or why there is none; None without a reference."""
    return next((one for one in record.formulas if one.case is None), None)


def case_pricings(record: OpRecord) -> dict[int, Pricing]:
    """Return the formula of each case that was priced, or why there is none, by its position."""
    return {one.case: one for one in record.formulas if one.case is not None}


def entry_pricings(record: OpRecord) -> dict[str, Pricing]:
    """Return a formula of each differentiable float32 entry, or why there is none.

    That is of the first of its cases that has one; where no case was priced, the reference speaks
    for it.
    """
    found: dict[str, Pricing] = {}
    reference = reference_pricing(record)
    by_case = case_pricings(record)
    for entry in record.entries:
        if entry.state != "measured" or not entry.samples.get("float32"):
            continue
        priced = [
            by_case[place]
            for place, case in enumerate(record.cases)
            if case.entry == entry.name and place in by_case
        ]
        if not priced and reference is not None:
            priced = [reference]
        if priced:
            found[entry.name] = next((one for one in priced if one.formula), priced[0])
    return found


def shapes_of(formula: ByteFormula) -> dict[str, Shape]:
    """Return the shape of each tensor argument, in the order of the call."""
    return {one.name: one.shape for one in formula.arguments}


def dimensions(formula: ByteFormula) -> tuple[str, ...]:
    """Return the dimensions that a formula speaks of, in the order of `held_out`."""
    found: list[str] = []
    for argument in formula.arguments:
        for size in argument.shape:
            if isinstance(size, str):
                found += _given(size, formula)
    return tuple(dict.fromkeys(found))


def all_sizes(formula: ByteFormula, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the sizes of the dimensions together with those that the call computes from them."""
    known = dict(sizes)
    for name, text in formula.computed.items():
        known[name] = evaluate(text, known)
    return known


def sizes_from(formula: ByteFormula, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Read the dimensions off the shapes of a call's arguments.

    Where the first dimension may stand for several or for none, its size is their product.
    Raises CatalogueError, with what contradicts what, where the shapes are not the formula's.
    """
    found: dict[str, tuple[int, str]] = {}
    stands: dict[str, tuple[int, ...]] = {}
    for name, shape in shapes_of(formula).items():
        given = shapes.get(name)
        if given is None:
            raise CatalogueError(f"{name} ({shape_of(shape)}) needs a shape")
        more = len(given) - len(shape)
        if more and more + 1 not in leading_in(formula, shape):
            raise CatalogueError(
                f"{name} has {ranks_text(formula, shape)} ({shape_of(shape)}), not {len(given)}"
            )
        if shape and shape[0] == leading_name(formula):
            before = stands.setdefault(name, given[: more + 1])
            if before != next(iter(stands.values())):
                raise CatalogueError(f"{name} does not begin with the dimensions of the others")
            given = (math.prod(before), *given[more + 1 :])
        for size, number in zip(shape, given, strict=True):
            if isinstance(size, int):
                if size != number:
                    raise CatalogueError(f"{name} is {shape_of(shape)}, so {number} must be {size}")
            elif (
                size not in formula.computed and found.setdefault(size, (number, name))[0] != number
            ):
                first, where = found[size]
                raise CatalogueError(f"{size} is {first} in {where} and {number} in {name}")
    sizes = {name: number for name, (number, _) in found.items()}
    return _computed_agree(formula, {name: sizes[name] for name in dimensions(formula)}, shapes)


def _computed_agree(
    formula: ByteFormula, sizes: dict[str, int], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, int]:
    known = all_sizes(formula, sizes)
    for name, shape in shapes_of(formula).items():
        for size, number in zip(reversed(shape), reversed(shapes[name]), strict=False):
            if isinstance(size, str) and size in formula.computed and known[size] != number:
                raise CatalogueError(
                    f"{size} is {known[size]}, which is {shown(formula.computed[size])},"
                    f" and {number} in {name}"
                )
    return sizes


def leading_name(formula: ByteFormula) -> str | None:
    """Return the dimension that may stand for several or for none; None where none may."""
    if not formula.leading:
        return None
    first = next((one.shape[0] for one in formula.arguments if one.shape), None)
    return first if isinstance(first, str) else None


def leading_in(formula: ByteFormula, shape: Shape) -> tuple[int, ...]:
    """Return for how many dimensions, besides one, the first of an argument may stand."""
    return formula.leading if shape and shape[0] == leading_name(formula) else ()


def ranks_text(formula: ByteFormula, shape: Shape) -> str:
    """Say how many dimensions an argument can have: `1, 2 or 3 dimensions`."""
    numbers = sorted({len(shape), *(len(shape) - 1 + one for one in leading_in(formula, shape))})
    *before, last = map(str, numbers)
    return f"{', '.join(before)} or {last} dimensions" if before else _dims(numbers[0])


def kept_under(formula: ByteFormula, mask: int) -> tuple[int, ...] | None:
    """Return the positions of the tensors kept under a mask; None where that is not confirmed."""
    if formula.masks is None:
        return tuple(range(len(formula.tensors)))
    return formula.masks[mask]


def cost(
    formula: ByteFormula,
    sizes: Mapping[str, int],
    dtype: str | None,
    kept: Iterable[int] | None = None,
) -> Cost:
    """Return what a call keeps at these sizes of its dimensions, of all or of some tensors.

    `dtype` is that of the arguments of floating point, None where the formula names none.
    """
    known = all_sizes(formula, sizes)
    chosen = range(len(formula.tensors)) if kept is None else kept
    tensors, counted, storage, extra = [], set(), 0, 0
    for place in chosen:
        tensor = formula.tensors[place]
        item = itemsize(tensor, dtype)
        tensors.append(evaluate(tensor.elements, known) * item)
        if tensor.storage not in counted:
            counted.add(tensor.storage)
            behind = formula.storages[tensor.storage]
            size = evaluate(behind.elements, known) * item
            storage += size
            extra += size if behind.extra else 0
    return Cost(tuple(tensors), sum(tensors), storage, extra)


def itemsize(tensor: FormulaTensor, dtype: str | None) -> int:
    """Return the bytes of one element of a saved tensor in a call of `dtype`."""
    saved = saved_dtype(tensor.dtype, dtype)
    if saved not in ITEMSIZES:
        raise CatalogueError(f"{saved} is no dtype")
    return ITEMSIZES[saved]


def saved_dtype(rule: str, dtype: str | None) -> str:
    """Return the dtype of a saved tensor, by its rule, in a call of `dtype`."""
    if rule not in FOLLOWING:
        return rule
    if dtype is None:
        raise CatalogueError(f"a tensor follows a dtype ({rule}) that its formula does not name")
    if rule == "real":
        return _REAL.get(dtype, dtype)
    if rule == "complex":
        return _COMPLEX.get(dtype, dtype)
    if rule == "float32 at least":
        return "float32" if dtype in ("bfloat16", "float16") else dtype
    return dtype


def broken_conditions(formula: ByteFormula, sizes: Mapping[str, int]) -> list[str]:
    """Return the conditions of a formula that these sizes do not meet, as expressions."""
    known = all_sizes(formula, sizes)
    broken = [text for text in formula.where if not evaluate(text, known)]
    at_one = (*formula.refused_at_one, *formula.wrong_at_one)
    return broken + [f"{name} > 1" for name in at_one if sizes[name] == 1]


def refusal_at(formula: ByteFormula, sizes: Mapping[str, int]) -> Refusal | None:
    """Return the condition that these sizes do not meet and calls were seen to raise without."""
    known = all_sizes(formula, sizes)
    return next((one for one in formula.refuses if not evaluate(one.condition, known)), None)


def own_sizes(formula: ByteFormula, reference: Reference) -> dict[str, int]:
    """Return the dimensions of the reference call itself."""
    shapes = {one.name: one.shape for one in reference.arguments if one.shape is not None}
    return sizes_from(formula, shapes)


def shape_of(shape: Shape) -> str:
    """Write a shape: `N × C × 3`."""
    return " × ".join(map(str, shape)) if shape else "one number"


def _given(size: str, formula: ByteFormula) -> list[str]:
    if size not in formula.computed:
        return [size]
    return [name for one in names_in(formula.computed[size]) for name in _given(one, formula)]


def _dims(count: int) -> str:
    return f"{count} dimension" if count == 1 else f"{count} dimensions"
