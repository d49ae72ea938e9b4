"""Say which tensors of a formula a call keeps under each of its masks, or why that is not known.

The formula was confirmed under the first mask. Under another the call keeps some of its tensors,
or others, which are then derived under that mask; real calls confirm either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from torch import Tensor

from generator.probe.calls import Call, CallRaisedError
from generator.probe.formulas.check import (
    Confirmed,
    Sizes,
    all_sizes,
    attempts_at,
    compare,
    first_kept,
    pick,
)
from generator.probe.formulas.rows import Kept, NotStridedError, read_kept
from generator.probe.formulas.symbolic import Derived, Memory, Term, UnderivedError, derive

Json = dict[str, Any]
Mask = Sequence[str]
# Sizes that a formula was confirmed at, and arguments of those sizes to make the call of.
Point = tuple[Sizes, list[list[Tensor]]]


class ByMask(NamedTuple):
    """The tensors of all masks, and for each mask which of them it keeps or why that is not known.

    Those of the first mask come first. A place without positions has an entry in `reasons`.
    """

    derived: Derived
    places: list[list[int] | None]
    reasons: list[tuple[int, str]]


class UnconfirmedError(Exception):
    """What is kept under a mask is not confirmed, for the reason that the message gives."""


def lacking(call: Call, mask: Mask) -> list[str]:
    """Return what a mask names and a call lacks: samples of one case may differ in arguments."""
    return sorted(set(mask) - {named.name for named in call.tensors})


def kept_by_mask(call: Call, confirmed: Confirmed, masks: Sequence[Mask]) -> ByMask:
    """Find what is kept under the further masks among what is under the first, or derive it."""
    derived = confirmed.derived
    places: list[list[int] | None] = [list(range(len(derived.terms)))]
    reasons = []
    # The arguments at other sizes are those of every mask.
    points = [
        (sizes, list(attempts_at(call, derived, sizes, None)))
        for sizes, _ in confirmed.points
        if len(masks) > 1
    ]
    for number, mask in enumerate(masks[1:], start=1):
        derived, kept = _under(call, derived, points, mask)
        if isinstance(kept, str):
            reasons.append((number, kept))
        places.append(None if isinstance(kept, str) else kept)
    return ByMask(derived, places, reasons)


def by_mask(priced: Json, masks: Sequence[Mask]) -> Json:
    """Say for every mask of a case which tensors are kept, also where each keeps them all.

    The measurements of a case's further masks list no tensors, so that its formula has to.
    """
    formula = priced.get("formula")
    if formula is None or formula["masks"] is not None or len(masks) == 1:
        return priced
    every = list(range(len(formula["tensors"])))
    return {**priced, "formula": {**formula, "masks": [every] * len(masks)}}


def _under(
    call: Call, derived: Derived, points: Sequence[Point], mask: Mask
) -> tuple[Derived, list[int] | str]:
    """Return the formula with what the mask adds, and the positions of what it keeps, or why not.

    What a mask adds counts only where real calls confirm it.
    """
    try:
        own = _own(call, mask)
        places = pick(derived.terms, own, all_sizes(derived, derived.sizes))
        if places is not None and _fails_at(call, derived, places, points, mask) is None:
            return derived, places
        added, places = _with_more(call, derived, mask)
    except UnconfirmedError as error:
        return derived, str(error)
    failed = _fails_at(call, added, places, points, mask)
    return (added, places) if failed is None else (derived, failed)


def _own(call: Call, mask: Mask) -> Kept:
    missing = lacking(call, mask)
    if missing:
        raise UnconfirmedError(f"the call that was priced has no {' and no '.join(missing)}")
    try:
        run = call.run(mask)
        if not any(output.requires_grad for output in run.outputs):
            raise UnconfirmedError("no output requires grad")
        return read_kept(run)
    except CallRaisedError as error:
        raise UnconfirmedError(f"the call raises {error}") from error
    except NotStridedError as error:
        raise UnconfirmedError("it keeps a sparse tensor") from error


def _fails_at(
    call: Call, derived: Derived, places: Sequence[int], points: Sequence[Point], mask: Mask
) -> str | None:
    terms = [derived.terms[place] for place in places]
    for sizes, attempts in points:
        kept = first_kept(call, attempts, mask)
        if kept is None or not compare(derived, terms, sizes, kept):
            at = " × ".join(f"{name} = {size}" for name, size in sizes.items())
            return f"a real call {'raises' if kept is None else 'keeps something else'} at {at}"
    return None


def _with_more(call: Call, derived: Derived, mask: Mask) -> tuple[Derived, list[int]]:
    """Add to a formula the tensors that a mask makes the call keep besides."""
    try:
        other = derive(call, mask)
    except UnderivedError as error:
        raise UnconfirmedError(f"it keeps others, of which nothing is derived: {error}") from error
    known = derived.computed
    if other.arguments != derived.arguments or any(
        known.get(name, text) != text for name, text in other.computed.items()
    ):
        raise UnconfirmedError("its sizes depend on each other otherwise")
    terms, memories = list(derived.terms), list(derived.memories)
    places: list[int] = []
    stored: dict[int, int] = {}
    for term in other.terms:
        memory = other.memories[term.storage]
        so_far = derived._replace(terms=terms, memories=memories)
        place = _same(so_far, term, memory, places, stored.get(term.storage))
        if place is None:
            if term.storage not in stored:
                stored[term.storage] = len(memories)
                memories.append(memory)
            place = len(terms)
            terms.append(term._replace(storage=stored[term.storage]))
        stored[term.storage] = terms[place].storage
        places.append(place)
    computed = {**known, **other.computed}
    return derived._replace(terms=terms, memories=memories, computed=computed), places


def _same(
    derived: Derived, term: Term, memory: Memory, taken: Sequence[int], storage: int | None
) -> int | None:
    """Return where the formula has this term, of that memory, in this storage if it has one."""
    return next(
        (
            place
            for place, one in enumerate(derived.terms)
            if place not in taken
            and (one.key, one.elements, one.dtype) == (term.key, term.elements, term.dtype)
            and derived.memories[one.storage] == memory
            and storage in (None, one.storage)
        ),
        None,
    )
