"""What the spellings of an op keep, as facts of the one that was asked for and rows of the rest."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.catalogue.claims import claim
from generator.catalogue.clones import clone_condition, cloning, hides_a_clone
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import NodeRecord, OpRecord, Variant
from generator.catalogue.policies import measured_nodes, under_each_mask
from generator.catalogue.spellings import (
    NO_NODES,
    differing,
    differs,
    plain_of,
    speaks_for_itself,
    spelled_call,
    spelling_claim,
    with_plain,
)
from generator.errors import SizesError

SPELLING_COLUMNS = ("spelling", "relation", "called", "kept", "extra bytes", "instead of", "remark")
CLONE = "keeps a hidden clone"

Row = tuple[str, ...]
Fact = tuple[str, str]


def spelling_facts(op: OpRecord, spelling: Variant) -> Iterator[Fact]:
    """Say of a spelling that was asked for how it is related, and what it keeps in which node."""
    own = speaks_for_itself(op, spelling)
    told = f", whose claim is: {claim(op)}" if own else ""
    yield "spelling", f"{spelling.name}, {_related(spelling)} of {op.name}{told}".replace("`", "")
    one = spelling.measurement
    if one is None or one.policy is None:
        if not own:
            state = "not called" if one is None else f"{one.state}: {one.reason}"
            yield "this spelling", f"{state}; what is said here is measured of {op.name}"
        return
    groups = _groups(op, spelling)
    yield from (_group_fact(op, rows, alone=len(groups) == 1) for rows in groups)
    plain = plain_of(op, spelling)
    beside = "" if plain is None else f", where {op.name} keeps {plain.extra_bytes:,}"
    where = "the reference call" if spelling.call is not None else "the first sample"
    first = ", under the first mask" if len(groups) > 1 else ""
    yield "its extra bytes", f"{one.extra_bytes:,} in {where}{first}{beside}"
    if hides_a_clone(op, spelling):
        kept = "it keeps a copy of what it overwrites, made for backward"
        yield "hidden clone", ", ".join([kept, *_condition(op, spelling)])
    if spelling.relation == "in-place":
        yield "the tables", f"are of {op.name} itself: no write after this spelling was tried"


def _group_fact(op: OpRecord, rows: Sequence[Measurement], *, alone: bool) -> Fact:
    """Say what is kept under masks that agree; `alone` where all of them do."""
    one = rows[0]
    masks = " or ".join(", ".join(row.mask) or "nothing" for row in rows)
    under = "under every grad mask" if alone and len(rows) > 1 else f"with {masks} requiring grad"
    if one.policy is None:
        return "this spelling", f"{one.state} {under}: {one.reason}"
    extra = "" if alone else f", {one.extra_bytes:,} extra bytes"
    return "this spelling keeps", f"{_kept(op, one)}{extra}, {under}"


def spelling_data(
    op: OpRecord, spelling: Variant, nodes: Mapping[str, NodeRecord]
) -> dict[str, Any]:
    """Say what `spelling_facts` does as data, with the node and the attribute of what is saved.

    `nodes` are those of the catalogue. `keeps` is None where the spelling was not called or not
    measured; byte figures are in bytes.
    """
    one = spelling.measurement
    told: dict[str, Any] = {
        "name": spelling.name,
        "relation": spelling.relation,
        "of": op.name,
        "claim": spelling_claim(op, spelling, nodes),
        "keeps": None,
    }
    if one is None or one.policy is None:
        return told
    clones = cloning(op, spelling)
    told["keeps"] = _row_data(op, one, clones)
    told["under_further_masks"] = [_row_data(op, row, clones) for row in spelling.further]
    told["differs"] = differs(op, spelling) if with_plain(op, spelling) else None
    return told


def _row_data(op: OpRecord, one: Measurement, clones: Sequence[Measurement]) -> dict[str, Any]:
    """Say what was measured under one mask; under any but the first it may have failed."""
    if one.policy is None:
        return {"mask": one.mask, "state": one.state, "reason": one.reason}
    return {
        "mask": one.mask,
        "saved": [
            {
                "node": node.type,
                "attribute": value.attribute,
                "kind": value.kind,
                "roles": value.roles,
            }
            for node in measured_nodes(op, one)
            for value in node.saved
        ],
        "logical_bytes": one.logical_bytes,
        "storage_bytes": one.storage_bytes,
        "extra_bytes": one.extra_bytes,
        "hidden_clone": one in clones,
    }


def refuse_other_formula(op: OpRecord, spelling: Variant) -> None:
    """Raise SizesError where a spelling keeps something else than the calls that have formulas."""
    found = differing(op, spelling)
    if found:
        plain, one = found[0]
        said = spelling_claim(op, spelling, NO_NODES).replace("`", "")
        raise SizesError(
            f"the formulas of {op.name} are not those of {spelling.name}, which {said}:"
            f" called alike, it has {one.extra_bytes:,} extra bytes and the other"
            f" {plain.extra_bytes:,}; ask for {op.name} itself"
        )


def spelling_rows(op: OpRecord) -> Iterator[Row]:
    """Yield a row for each spelling that keeps something else than the op's own call.

    It is told by the first mask under which it does.
    """
    for spelling in op.variants:
        found = differing(op, spelling)
        if found:
            plain, one = found[0]
            clone = [CLONE, *_condition(op, spelling)] if hides_a_clone(op, spelling) else []
            yield (
                spelling.name,
                spelling.relation,
                _called(spelling),
                _kept(op, one),
                f"{one.extra_bytes:,}",
                f"{plain.extra_bytes:,}",
                " ".join(clone),
            )


def _groups(op: OpRecord, spelling: Variant) -> list[list[Measurement]]:
    """Put the masks of a spelling together under which it keeps the same."""
    found: dict[object, list[Measurement]] = {}
    for one in under_each_mask(spelling):
        key = (one.state, measured_nodes(op, one), one.storage_bytes, one.extra_bytes)
        found.setdefault(key, []).append(one)
    return list(found.values())


def _condition(op: OpRecord, spelling: Variant) -> Iterator[str]:
    """Say when a clone is kept, unless it always is."""
    call = spelled_call(op, spelling)
    if call is not None and (when := clone_condition(op, spelling, call)):
        yield when.replace("`", "")


def _kept(op: OpRecord, one: Measurement) -> str:
    """Name each saved tensor by its node and attribute, with its role."""
    held = [
        f"{node.type}.{value.attribute} ({', '.join(map(spoken_role, value.roles))})"
        for node in measured_nodes(op, one)
        for value in node.saved
        if value.roles
    ]
    return "; ".join(held) or "no tensor"


def _called(spelling: Variant) -> str:
    return "the reference call" if spelling.call is not None else "a sample, by value"


def _related(spelling: Variant) -> str:
    return (
        "an in-place spelling"
        if spelling.relation == "in-place"
        else {"alias": "an alias", "method": "a method"}[spelling.relation]
    )
