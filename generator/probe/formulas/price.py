"""Price a call: what it keeps in terms of its arguments' dimensions, held against real calls.

A formula is given only if it reproduces the bytes of real calls at two or more sizes that it was
not derived from; what those were is recorded with it.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence
from typing import Any

from generator.probe.calls import Call
from generator.probe.formulas.check import Confirmed, all_sizes, call_at, compare, value
from generator.probe.formulas.dtypes import dtypes_held
from generator.probe.formulas.fitted import fit
from generator.probe.formulas.masks import kept_by_mask
from generator.probe.formulas.programs import SMALLEST, named_sizes, with_own_sizes
from generator.probe.formulas.ranks import leading
from generator.probe.formulas.refusals import refusals
from generator.probe.formulas.rows import Kept
from generator.probe.formulas.sizes import changed, held_out, unresizable, whole, with_one
from generator.probe.formulas.symbolic import Derived, RefusedError, Term, UnderivedError, derive
from generator.probe.formulas.ties import inseparable, tied
from generator.probe.program_calls import program_call
from generator.probe.references import Program

Json = dict[str, Any]
Mask = Sequence[str]
Sizes = dict[str, int]

WANTED = 2


def price(call: Call, masks: Sequence[Mask]) -> Json:
    """Return the formula of a call under each of its masks, or the reason why there is none."""
    reasons = [reason for named in call.tensors if (reason := unresizable(named))]
    if all(size == 1 for named in call.tensors for size in named.tensor.shape):
        reasons.append("no argument has a dimension that could be another")
    if reasons:
        return {"state": "none", "reason": reasons[0]}
    try:
        return _priced("symbolic", call, _derived(call, masks[0]), masks)
    except UnderivedError as error:
        reasons.append(str(error))
    try:
        return _priced("fitted", call, _fitted(call, masks[0]), masks)
    except UnderivedError as error:
        reasons.append(str(error))
    return {"state": "none", "reason": "; ".join(dict.fromkeys(reasons))}


def _priced(state: str, call: Call, confirmed: Confirmed, masks: Sequence[Mask]) -> Json:
    return {"state": state, "formula": _described(call, confirmed, masks)}


def _derived(call: Call, mask: Mask) -> Confirmed:
    return _confirm(call, _tie(call, mask, derive(call, mask)), mask, [])


def _fitted(call: Call, mask: Mask) -> Confirmed:
    fitted = fit(call, mask, functools.partial(_tie, call, mask))
    return _confirm(call, fitted.derived, mask, fitted.used)


def _tie(call: Call, mask: Mask, derived: Derived) -> Derived:
    """Put one name in the place of dimensions that the call only accepts as equal."""
    # What is documented as equal comes first: a kernel may trust it to be, and read past the end.
    derived = tied(derived, derived.meant)
    if any(whole(named.tensor) for named in call.tensors):
        # Nor does every kernel look whether the sizes of indices, offsets and lengths fit.
        return tied(derived, inseparable(derived.sizes, []))
    for sizes in itertools.islice(held_out(derived.sizes), 2):
        if not inseparable(derived.sizes, [sizes]) and call_at(call, derived, sizes, None, mask):
            return derived
    accepted = [
        sizes
        for sizes in changed(derived.sizes)
        if call_at(call, derived, sizes, None, mask) is not None
    ]
    return tied(derived, inseparable(derived.sizes, accepted))


def _confirm(call: Call, derived: Derived, mask: Mask, used: list[Sizes]) -> Confirmed:
    """Hold a formula against real calls. Raises UnderivedError where they do not confirm it."""
    points: list[tuple[Sizes, Kept]] = []
    where: list[str] = []
    for sizes in held_out(derived.sizes):
        kept = None if sizes in used else call_at(call, derived, sizes, None, mask)
        if kept is None:
            continue
        if _same(derived, sizes, kept):
            points.append((sizes, kept))
        else:
            where += _broken(derived, sizes)
        if len(points) == WANTED:
            where = [one for one in dict.fromkeys(where) if _holds(derived, one, points)]
            return _at_one(call, Confirmed(derived, points, where, [], []), mask)
    raise RefusedError


def _same(derived: Derived, sizes: Sizes, kept: Kept) -> bool:
    return compare(derived, derived.terms, sizes, kept)


def _broken(derived: Derived, sizes: Sizes) -> list[str]:
    known = all_sizes(derived, sizes)
    broken = [text for text in derived.conditions if not value(text, known)]
    if not broken:
        shown = " × ".join(f"{name} = {size}" for name, size in sizes.items())
        raise UnderivedError(f"what was derived is not what a real call keeps at {shown}")
    return broken


def _holds(derived: Derived, condition: str, points: list[tuple[Sizes, Kept]]) -> bool:
    # What does not hold where the formula does is no condition of it.
    return all(value(condition, all_sizes(derived, sizes)) for sizes, _ in points)


def _at_one(call: Call, confirmed: Confirmed, mask: Mask) -> Confirmed:
    """Try each dimension at 1 as well: sizes of 1 are broadcast, squeezed and special-cased."""
    derived = confirmed.derived
    for name in derived.sizes:
        for sizes in with_one(derived.sizes, name):
            kept = call_at(call, derived, sizes, None, mask)
            if kept is not None:
                if not _same(derived, sizes, kept):
                    confirmed.wrong.append(name)
                elif all(_holds(derived, one, [(sizes, kept)]) for one in confirmed.where):
                    confirmed.points.append((sizes, kept))
                break
        else:
            confirmed.refused.append(name)
    return confirmed


def _described(call: Call, confirmed: Confirmed, masks: Sequence[Mask]) -> Json:
    derived = confirmed.derived
    named = {one for shape in derived.arguments.values() for one in shape}
    if not named.issuperset(derived.sizes):
        raise UnderivedError("the sizes of its arguments depend on each other in too many ways")
    kept = kept_by_mask(call, confirmed, masks)
    derived, terms, places = kept.derived, kept.derived.terms, kept.places
    dtypes, rules = dtypes_held(call, derived, confirmed.points, list(zip(masks, places)))
    refused = refusals(call, confirmed, masks[0])
    conditions = [*confirmed.where, *(condition for condition, _ in refused)]
    return {
        "arguments": [[name, shape] for name, shape in derived.arguments.items()],
        "computed": _used(derived, terms, conditions),
        "tensors": [[term.elements, rule, term.storage] for term, rule in zip(terms, rules)],
        "storages": [[memory.elements, memory.extra] for memory in derived.memories],
        "masks": None if all(kept == places[0] for kept in places) else places,
        "unconfirmed": kept.reasons,
        "dtypes": dtypes,
        "where": confirmed.where,
        "held_out": [list(sizes.values()) for sizes, _ in confirmed.points],
        "refused_at_one": confirmed.refused,
        "wrong_at_one": confirmed.wrong,
        "leading": leading(call, confirmed, masks[0]),
        "refuses": refused,
    }


def _used(derived: Derived, terms: Sequence[Term], where: Sequence[str]) -> dict[str, str]:
    """Return the computed sizes that the formula speaks of."""
    shapes = [str(one) for shape in derived.arguments.values() for one in shape]
    texts = [*shapes, *where, *(term.elements for term in terms)]
    texts += [memory.elements for memory in derived.memories]
    spoken = {name for text in texts for name in re.findall(r"[A-Za-z]\w*", text)}
    return {name: text for name, text in derived.computed.items() if name in spoken}


def price_program(program: Program, call: Call, masks: Sequence[Mask]) -> Json:
    """Price a reference program; where its call names sizes as numbers, with its own sizes."""
    priced = price(call, masks)
    text = with_own_sizes(program.call, call.tensors)
    if text == program.call or (priced["state"] != "none" and not _fixes_a_size(priced)):
        return priced
    freed = price(program_call(program.setup, text, seed=0), masks)
    if freed["state"] == "none" or free_sizes(freed) <= free_sizes(priced):
        return priced
    return {**freed, "call": named_sizes(text, dict(freed["formula"]["arguments"]))}


def _fixes_a_size(priced: Json) -> bool:
    shapes = [shape for _, shape in priced["formula"]["arguments"]]
    return any(isinstance(one, int) and one >= SMALLEST for shape in shapes for one in shape)


def free_sizes(priced: Json) -> int:
    """Return how many dimensions of its arguments a formula leaves free; 0 without a formula."""
    if priced["state"] == "none":
        return 0
    shapes = [shape for _, shape in priced["formula"]["arguments"]]
    return len({one for shape in shapes for one in shape if isinstance(one, str)})
