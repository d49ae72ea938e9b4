"""Price a call: what it keeps in terms of its arguments' dimensions, held against real calls.

A formula is given only if it reproduces the bytes of real calls at two or more sizes that it was
not derived from; what those were is recorded with it.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

from generator.probe.calls import Call, CallRaisedError, program_call
from generator.probe.cases import RecordBody
from generator.probe.formula_check import all_sizes, call_at, compare, pick, value
from generator.probe.formula_dtypes import OTHERS, base_dtype, rules_for
from generator.probe.formula_fitted import fit
from generator.probe.formula_masks import by_mask, has_all
from generator.probe.formula_programs import SMALLEST, with_own_sizes
from generator.probe.formula_rows import Kept, NotStridedError, read_kept
from generator.probe.formula_sizes import changed, held_out, unresizable, whole, with_one
from generator.probe.formula_symbolic import Derived, RefusedError, Term, UnderivedError, derive
from generator.probe.formula_ties import inseparable, tied
from generator.probe.references import Program

Json = dict[str, Any]
Mask = Sequence[str]
Sizes = dict[str, int]

WANTED = 2
TRIED_CASES = 3


class Confirmed(NamedTuple):
    """A formula that real calls confirmed.

    `points` are the sizes at which they did, with what the calls kept there; `where` are the
    conditions that had to hold; the call `refused` or the formula failed (`wrong`) where one of
    these dimensions was 1.
    """

    derived: Derived
    points: list[tuple[Sizes, Kept]]
    where: list[str]
    refused: list[str]
    wrong: list[str]


def op_formulas(
    body: RecordBody, program: Program | None, references: Sequence[Json]
) -> list[Json]:
    """Price an op's reference call, and a case of each entry that the reference does not speak for.

    It speaks for the only entry of its op.
    """
    priced = []
    if program is not None and references:
        call = program_call(program.setup, program.call, seed=0)
        masks = [one["mask"] for one in references[0]["measurements"]]
        priced.append(_guarded(body, lambda: price_program(program, call, masks)))
    entries: dict[str, list[tuple[int, Call]]] = {}
    for case, entry, call, _ in body.roomiest():
        entries.setdefault(entry, []).append((case, call))
    if len(entries) > 1 or not priced or priced[0]["state"] == "none":
        priced += [_price_entry(body, cases) for cases in entries.values()]
    return priced


def _guarded(body: RecordBody, pricing: Callable[[], Json]) -> Json:
    priced = body.guard.part(pricing)
    if priced is not None and "formula" in priced:
        return priced
    return {"state": "none", "reason": priced["reason"] if priced else None}


def _price_entry(body: RecordBody, cases: Sequence[tuple[int, Call]]) -> Json:
    """Price the first case of an entry that can be priced."""
    outcomes: list[Json] = []
    for case, call in cases[:TRIED_CASES]:
        masks = body.masks_of(case)
        priced = by_mask(_guarded(body, functools.partial(price, call, masks)), masks)
        outcomes.append({"case": case, "call": call.text, **priced})
        if priced["state"] != "none":
            return outcomes[-1]
    return outcomes[0]


def price(call: Call, masks: Sequence[Mask]) -> Json:
    """Return the formula of a call under each of its masks, or the reason why there is none."""
    reasons = [reason for named in call.tensors if (reason := unresizable(named))]
    if not has_all(call, masks[0]):
        reasons.append("its largest sample lacks an argument of the first one")
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
    terms, places = _masks(call, confirmed, masks)
    dtypes, rules = _dtypes(call, confirmed, masks[0])
    names = [str(term.dtype).replace("torch.", "") for term in terms]
    return {
        "arguments": [[name, shape] for name, shape in derived.arguments.items()],
        "computed": _used(derived, terms, confirmed.where),
        "tensors": [
            [term.elements, rules.get(place, names[place]), term.storage]
            for place, term in enumerate(terms)
        ],
        "storages": [[memory.elements, memory.extra] for memory in derived.memories],
        "masks": None if all(kept == places[0] for kept in places) else places,
        "dtypes": dtypes,
        "where": confirmed.where,
        "held_out": [list(sizes.values()) for sizes, _ in confirmed.points],
        "refused_at_one": confirmed.refused,
        "wrong_at_one": confirmed.wrong,
    }


def _used(derived: Derived, terms: Sequence[Term], where: Sequence[str]) -> dict[str, str]:
    """Return the computed sizes that the formula speaks of."""
    shapes = [str(one) for shape in derived.arguments.values() for one in shape]
    texts = [*shapes, *where, *(term.elements for term in terms)]
    texts += [memory.elements for memory in derived.memories]
    spoken = {name for text in texts for name in re.findall(r"[A-Za-z]\w*", text)}
    return {name: text for name, text in derived.computed.items() if name in spoken}


def _masks(
    call: Call, confirmed: Confirmed, masks: Sequence[Mask]
) -> tuple[list[Term], list[list[int] | None]]:
    """Say which of the tensors are kept under each further mask; None where that is not known."""
    derived = confirmed.derived
    bag = list(derived.terms)
    more = [_places(call, confirmed, bag, mask) for mask in masks[1:]]
    return bag, [list(range(len(bag))), *more]


def _places(call: Call, confirmed: Confirmed, bag: list[Term], mask: Mask) -> list[int] | None:
    derived = confirmed.derived
    if not has_all(call, mask):
        return None
    try:
        own = read_kept(call.run(mask))
    except (CallRaisedError, NotStridedError):
        return None
    places = pick(bag, own, all_sizes(derived, derived.sizes))
    if places is None:
        return None
    for sizes, _ in confirmed.points:
        kept = call_at(call, derived, sizes, None, mask)
        if kept is None or not compare(derived, [bag[place] for place in places], sizes, kept):
            return None
    return places


def _dtypes(call: Call, confirmed: Confirmed, mask: Mask) -> tuple[list[str], dict[int, str]]:
    """Return the dtypes for which the formula holds too, and how each tensor's dtype follows."""
    derived = confirmed.derived
    base = base_dtype(call)
    if base is None:
        return [], {}
    held = [str(base).replace("torch.", "")]
    seen = [[(base, term.dtype)] for term in derived.terms]
    for dtype in OTHERS.get(base, []):
        points = [confirmed.points[0], confirmed.points[-1]]
        calls = [call_at(call, derived, sizes, dtype, mask) for sizes, _ in points]
        if any(kept is None for kept in calls):
            continue
        more = [
            [*known, *((dtype, kept.rows[place].dtype) for kept in calls if kept is not None)]
            for place, known in enumerate(seen)
            if all(kept is not None and place < len(kept.rows) for kept in calls)
        ]
        same = all(
            kept is not None and compare(derived, derived.terms, sizes, kept)
            for (sizes, _), kept in zip(points, calls)
        )
        if same and len(more) == len(seen) and all(map(rules_for, more)):
            held.append(str(dtype).replace("torch.", ""))
            seen = more
    return held, {place: rules_for(known)[0] for place, known in enumerate(seen)}


def price_program(program: Program, call: Call, masks: Sequence[Mask]) -> Json:
    """Price a reference program; where its call names sizes as numbers, with its own sizes."""
    priced = price(call, masks)
    text = with_own_sizes(program.call, call.tensors)
    if text == program.call or (priced["state"] != "none" and not _fixes_a_size(priced)):
        return priced
    freed = price(program_call(program.setup, text, seed=0), masks)
    if freed["state"] == "none" or _free(freed) <= _free(priced):
        return priced
    return {**freed, "call": _named_sizes(text, dict(freed["formula"]["arguments"]))}


def _fixes_a_size(priced: Json) -> bool:
    shapes = [shape for _, shape in priced["formula"]["arguments"]]
    return any(isinstance(one, int) and one >= SMALLEST for shape in shapes for one in shape)


def _free(priced: Json) -> int:
    if priced["state"] == "none":
        return 0
    shapes = [shape for _, shape in priced["formula"]["arguments"]]
    return len({one for shape in shapes for one in shape if isinstance(one, str)})


def _named_sizes(text: str, arguments: dict[str, list[Any]]) -> str:
    return re.sub(r"([\w\[\]]+)\.shape\[(\d+)\]", lambda m: str(arguments[m[1]][int(m[2])]), text)
