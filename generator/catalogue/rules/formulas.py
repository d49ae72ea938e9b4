"""Rules about byte formulas: a formula must be readable, and give what was measured.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

import contextlib
from collections.abc import Iterator

from generator.catalogue.formulas.evaluation import (
    FOLLOWING,
    ITEMSIZES,
    broken_conditions,
    cost,
    dimensions,
    kept_under,
    leading_name,
    own_sizes,
    reference_pricing,
    refusal_at,
    sizes_from,
)
from generator.catalogue.formulas.expressions import steps
from generator.catalogue.model.formulas import ByteFormula, Pricing
from generator.catalogue.model.records import Case, Catalogue, OpRecord, Reference
from generator.catalogue.rules.calls import Finding
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

    What it keeps under the first, which is one of the arguments that it names, it lists first.
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
            elif not _first_in_front(formula):
                yield f"op {op.name}", f"does not begin with what case {case} keeps first"
            elif not {one.name for one in formula.arguments}.issuperset(measurements[0].mask):
                yield f"op {op.name}", f"has a formula without the arguments of case {case}"


def formulas_give_their_reasons(catalogue: Catalogue) -> Iterator[Finding]:
    """A mask of which a formula says nothing has one reason, and no other mask has any.

    Catalogues made before reasons were recorded have none at all.
    """
    for label, formula in _formulas(catalogue):
        nothing = [place for place, kept in enumerate(formula.masks or ()) if kept is None]
        given = [one.mask for one in formula.unconfirmed]
        if given and given != nothing:
            yield label, f"has reasons for the masks {given}, but says nothing of {nothing}"


def refusals_are_of_other_sizes(catalogue: Catalogue) -> Iterator[Finding]:
    """What a call refuses is not what confirmed it, and its first dimension stands for others."""
    for label, formula in _formulas(catalogue):
        with contextlib.suppress(CatalogueError, ValueError):
            names = dimensions(formula)
            for point in formula.held_out:
                refusal = refusal_at(formula, dict(zip(names, point, strict=True)))
                if refusal is not None:
                    yield label, f"was confirmed at {point}, which it refuses: {refusal.condition}"
        first = leading_name(formula)
        later = [size for one in formula.arguments for size in one.shape[1:]]
        if formula.leading and (first is None or first in later or 1 in formula.leading):
            yield label, f"has a first dimension that cannot stand for {formula.leading}"


def cases_fit_their_own_figures(catalogue: Catalogue) -> Iterator[Finding]:
    """Where a case's own call is the one that was priced, the formula gives its logical bytes.

    It may have been made from a sample of other sizes: these are the representative's. Arguments
    that are expanded or overlap have storages of other sizes, and are not asked for those.
    """
    for op in catalogue.ops.values():
        for pricing in op.formulas:
            formula, case = pricing.formula, pricing.case
            if formula is not None and case is not None and case < len(op.cases):
                yield from _unlike_case(op, op.cases[case], formula, pricing.call)


def _unlike_case(
    op: OpRecord, case: Case, formula: ByteFormula, call: str | None
) -> Iterator[Finding]:
    shapes = {one.name: one.shape for one in case.arguments if one.shape is not None}
    dtypes = {one.dtype for one in case.arguments if one.shape is not None}
    if call != case.call or formula.dtypes[:1] != tuple(dtypes):
        return
    try:
        sizes = sizes_from(formula, shapes)
        if broken_conditions(formula, sizes) or refusal_at(formula, sizes):
            return
        for place, measured in enumerate(case.measurements):
            kept = kept_under(formula, place)
            if kept is not None and measured.state == "measured":
                given = cost(formula, sizes, formula.dtypes[0], kept).logical
                if given != measured.logical_bytes:
                    found = measured.logical_bytes
                    yield f"op {op.name}", f"keeps {found} bytes, its formula gives {given}"
    except (CatalogueError, IndexError):
        return  # of other sizes, of which the formula does not speak


def _first_in_front(formula: ByteFormula) -> bool:
    kept = kept_under(formula, 0)
    return kept is not None and kept == tuple(range(len(kept)))


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
    formulas_give_their_reasons,
    refusals_are_of_other_sizes,
    cases_fit_their_own_figures,
)
