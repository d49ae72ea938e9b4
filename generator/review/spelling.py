"""What the spellings of an op keep, as facts of the one that was asked for and rows of the rest."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalogue.claims import claim
from generator.catalogue.kept import hides_a_clone, spoken_role
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import NodeRecord, OpRecord, Variant
from generator.catalogue.policies import measured_nodes
from generator.catalogue.spellings import (
    NO_NODES,
    differs,
    plain_of,
    speaks_for_itself,
    spelling_claim,
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
    mask = ", ".join(one.mask) or "nothing"
    yield "this spelling keeps", f"{_kept(op, one)}, with {mask} requiring grad"
    plain = plain_of(op, spelling)
    beside = "" if plain is None else f", where {op.name} keeps {plain.extra_bytes:,}"
    where = "the reference call" if spelling.call is not None else "the first sample"
    yield "its extra bytes", f"{one.extra_bytes:,} in {where}{beside}"
    if hides_a_clone(op, spelling):
        yield "hidden clone", "it keeps a copy of what it overwrites, made for backward"


def spelling_data(
    op: OpRecord, spelling: Variant, nodes: Mapping[str, NodeRecord]
) -> dict[str, Any]:
    """Say what `spelling_facts` does as data, with the node and the attribute of what is saved.

    `nodes` are those of the catalogue. `keeps` is None where the spelling was not called or not
    measured; byte figures are in bytes.
    """
    one, plain = spelling.measurement, plain_of(op, spelling)
    told: dict[str, Any] = {
        "name": spelling.name,
        "relation": spelling.relation,
        "of": op.name,
        "claim": spelling_claim(op, spelling, nodes),
        "keeps": None,
    }
    if one is None or one.policy is None:
        return told
    told["keeps"] = {
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
        "hidden_clone": hides_a_clone(op, spelling),
    }
    told["differs"] = None if plain is None else differs(op, spelling)
    return told


def refuse_other_formula(op: OpRecord, spelling: Variant) -> None:
    """Raise SizesError where a spelling keeps something else than the calls that have formulas."""
    one, plain = spelling.measurement, plain_of(op, spelling)
    if one is not None and plain is not None and differs(op, spelling):
        said = spelling_claim(op, spelling, NO_NODES).replace("`", "")
        raise SizesError(
            f"the formulas of {op.name} are not those of {spelling.name}, which {said}:"
            f" called alike, it has {one.extra_bytes:,} extra bytes and the other"
            f" {plain.extra_bytes:,}; ask for {op.name} itself"
        )


def spelling_rows(op: OpRecord) -> Iterator[Row]:
    """Yield a row for each spelling that keeps something else than the op's own call."""
    for spelling in op.variants:
        one, plain = spelling.measurement, plain_of(op, spelling)
        if one is not None and plain is not None and differs(op, spelling):
            yield (
                spelling.name,
                spelling.relation,
                _called(spelling),
                _kept(op, one),
                f"{one.extra_bytes:,}",
                f"{plain.extra_bytes:,}",
                CLONE if hides_a_clone(op, spelling) else "",
            )


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
