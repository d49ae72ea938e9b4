"""Rules about byte formulas: a formula must be readable, and give what was measured.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

import contextlib
from collections.abc import Iterator

from generator.catalogue.expressions import steps
from generator.catalogue.formulas import (
    FOLLOWING,
    ITEMSIZES,
    broken_conditions,
    cost,
    dimensions,
    kept_under,
    own_sizes,
    reference_pricing,
)
from generator.catalogue.model import Catalogue, OpRecord, Reference
from generator.catalogue.model_formulas import ByteFormula, Pricing
from generator.catalogue.rules_of_calls import Finding
from generator.errors import CatalogueError

HELD_OUT = 2


def priced_calls_exist(catalogue: Catalogue) -> Iterator[Finding]:
    """A formula is of the reference or of a case, each of them once; without one there is a reason.

    It names the tensor arguments of that call, by their ranks.
    """
    for op in catalogue.ops.values():
        label = f"op {op.name}"
        if len({one.case for one in op.formulas}) != len(op.formulas):
            yield label, "has two formulas for one call"
        for pricing in op.formulas:
            if (pricing.state == "none") != (pricing.formula is None):
                yield label, f"has a formula of the state {pricing.state}, or lacks it"
            if (pricing.state == "none") != (pricing.reason is not None):
                yield label, f"has a formula of the state {pricing.state} and {pricing.reason!r}"
            ranks = _ranks(op, pricing)
            if ranks is None:
                yield label, f"has a formula for a call that it does not have: {pricing.case}"
            elif pricing.formula is not None and pricing.case is None:
                named = {one.name: len(one.shape) for one in pricing.formula.arguments}
                if named != ranks:
                    yield label, f"has a formula for {named}, but its call has {ranks}"


def formulas_are_readable(catalogue: Catalogue) -> Iterator[Finding]:
    """Every expression can be evaluated at every held-out size; positions lead somewhere."""
    for label, formula in _formulas(catalogue):
        try:
            names = dimensions(formula)
            points = [dict(zip(names, sizes, strict=True)) for sizes in formula.held_out]
            for one in formula.where:
                steps(one)
            for sizes in points:
                cost(formula, sizes, next(iter(formula.dtypes), "float32"))
        except (CatalogueError, ValueError, IndexError) as error:
            yield label, f"has a formula that cannot be evaluated: {error}"
        if not {one.dtype for one in formula.tensors} <= {*FOLLOWING, *ITEMSIZES}:
            yield label, "has a formula with a tensor of no dtype"
        for kept in formula.masks or ():
            if kept is not None and not {*range(len(formula.tensors))}.issuperset(kept):
                yield label, f"has a formula that keeps tensors which it does not list: {kept}"


def formulas_were_confirmed(catalogue: Catalogue) -> Iterator[Finding]:
    """A formula was confirmed at two sizes or more, all of which meet its own conditions."""
    for label, formula in _formulas(catalogue):
        if len(formula.held_out) < HELD_OUT:
            yield label, f"has a formula that was confirmed at {len(formula.held_out)} sizes"
        # What cannot be evaluated is found by the rule above.
        with contextlib.suppress(CatalogueError):
            names = dimensions(formula)
            for point in formula.held_out:
                sizes = dict(zip(names, point, strict=False))
                if len(point) == len(names) and broken_conditions(formula, sizes):
                    yield label, f"was confirmed at {sizes}, where its formula does not hold"


def formulas_give_what_was_measured(catalogue: Catalogue) -> Iterator[Finding]:
    """At the sizes of the reference call, the formula gives its bytes under every mask.

    It was not made from these figures: fake tensors have none, and held-out calls are others.
    """
    for op in catalogue.ops.values():
        pricing = reference_pricing(op)
        if pricing is None or pricing.formula is None or not op.references:
            continue
        formula, reference = pricing.formula, op.references[0]
        if formula.masks is not None and len(formula.masks) != len(reference.measurements):
            yield f"op {op.name}", "has a formula for another number of masks"
            continue
        try:
            yield from _misfits(op, formula, reference)
        except (CatalogueError, IndexError) as error:
            yield f"op {op.name}", f"has a formula that is not of its reference call: {error}"


def cases_speak_of_every_mask(catalogue: Catalogue) -> Iterator[Finding]:
    """A case's formula has as many masks as the case has measurements, none for a single one.

    It keeps all that it lists under the first, which is one of the arguments that it names.
    """
    for op in catalogue.ops.values():
        for pricing in op.formulas:
            formula, case = pricing.formula, pricing.case
            if formula is None or case is None or case >= len(op.cases):
                continue
            measurements = op.cases[case].measurements
            number = 1 if formula.masks is None else len(formula.masks)
            if number != len(measurements):
                found = len(measurements)
                yield f"op {op.name}", f"speaks of {number} masks of case {case}, of {found}"
            elif kept_under(formula, 0) != tuple(range(len(formula.tensors))):
                yield f"op {op.name}", f"has a formula with tensors that case {case} does not keep"
            elif not {one.name for one in formula.arguments}.issuperset(measurements[0].mask):
                yield f"op {op.name}", f"has a formula without the arguments of case {case}"


def _misfits(op: OpRecord, formula: ByteFormula, reference: Reference) -> Iterator[Finding]:
    sizes = own_sizes(formula, reference)
    for place, measured in enumerate(reference.measurements):
        kept = kept_under(formula, place)
        if kept is None or measured.state != "measured":
            continue
        given = cost(formula, sizes, next(iter(formula.dtypes), None), kept)
        totals = (given.logical, given.storage, given.extra)
        found = (measured.logical_bytes, measured.storage_bytes, measured.extra_bytes)
        if totals != found or given.tensors != tuple(one.bytes for one in measured.tensors):
            yield (
                f"op {op.name}",
                f"keeps {found} bytes under {measured.mask}, but its formula gives {totals}",
            )


def _formulas(catalogue: Catalogue) -> Iterator[tuple[str, ByteFormula]]:
    for op in catalogue.ops.values():
        for pricing in op.formulas:
            if pricing.formula is not None:
                yield f"op {op.name}", pricing.formula


def _ranks(op: OpRecord, pricing: Pricing) -> dict[str, int] | None:
    """Return the ranks of the tensor arguments of a priced call, None where there is none."""
    if pricing.case is None:
        made = op.references[:1]
        arguments = made[0].arguments if made else None
    else:
        arguments = op.cases[pricing.case].arguments if pricing.case < len(op.cases) else None
    if arguments is None:
        return None
    return {one.name: len(one.shape) for one in arguments if one.shape is not None}


RULES = (
    priced_calls_exist,
    formulas_are_readable,
    formulas_were_confirmed,
    formulas_give_what_was_measured,
    cases_speak_of_every_mask,
)
