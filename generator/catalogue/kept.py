"""What one measured call keeps, read off its policy: roles, intermediates, and nothing by name.

The claims, the catalogue's filters and the pages all ask here which call speaks for a record and
which roles it kept, so that they cannot disagree.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.catalogue.model import (
    Argument,
    Case,
    Measurement,
    ModuleRecord,
    OpRecord,
    Reference,
)
from generator.catalogue.policies import measured_nodes

CLASSES = ("input", "parameter", "buffer", "output", "intermediate")
VIEW = "view of "
NUMBER = "wrapped number"

Call = Reference | Case


@dataclass(frozen=True)
class Kept:
    """What one measured call keeps: distinct roles in the order of the call, and the rest.

    `roles` leaves out wrapped numbers and views of what is kept anyway; `intermediates` counts
    the distinct storages behind intermediates; `kinds` are the kinds of the other saved values.
    """

    roles: tuple[str, ...]
    intermediates: int
    kinds: frozenset[str]
    numbers: bool
    nodes: int


def role_class(role: str) -> str:
    """Reduce a role to its class: `view of input weight` is an `input`."""
    bare = role.removeprefix(VIEW)
    return NUMBER if bare == NUMBER else bare.split(" ")[0]


def spoken_role(role: str) -> str:
    """Write `input input` as `input`: an argument that is called like its source is said once."""
    return role.removesuffix(" input") if role.endswith("input input") else role


def principal_calls(record: OpRecord | ModuleRecord) -> tuple[Call, ...]:
    """Choose the call that speaks for each mode: the reference, else the first measured case."""
    references = [one for one in record.references if measured(one)]
    calls: list[Call] = [*references] or [one for one in record.cases if measured(one)]
    chosen: dict[str | None, Call] = {}
    for call in calls:
        chosen.setdefault(call.mode, call)
    return tuple(chosen.values())


def kept(record: OpRecord | ModuleRecord, call: Call) -> Kept:
    """Read what a call keeps under its first measured mask."""
    return kept_under(record, measured(call)[0], call.arguments)


def measured(call: Call) -> list[Measurement]:
    """List the measurements of a call that succeeded, the widest mask first."""
    return [one for one in call.measurements if one.state == "measured" and one.policy is not None]


def kept_under(
    record: OpRecord | ModuleRecord, one: Measurement, arguments: Sequence[Argument]
) -> Kept:
    """Read what one measurement kept; `arguments` are those of its call.

    Where the record leaves the tensors of a measurement out, it counts no intermediates.
    """
    nodes = measured_nodes(record, one)
    saved = [value for node in nodes for value in node.saved]
    roles = [role for value in saved for role in value.roles]
    present = set(roles)
    distinct = dict.fromkeys(
        role
        for role in roles
        if role != NUMBER and not (role.startswith(VIEW) and role[len(VIEW) :] in present)
    )
    storages = {
        tensor.storage
        for role, tensor in zip(roles, one.tensors, strict=bool(one.tensors))
        if role_class(role) == "intermediate"
    }
    places = {f"{known.source} {known.name}": place for place, known in enumerate(arguments)}

    def order(role: str) -> tuple[int, int, str]:
        bare = role.removeprefix(VIEW)
        name = role_class(role)
        return (
            CLASSES.index(name) if name in CLASSES else len(CLASSES),
            places.get(bare, len(places)),
            bare,
        )

    return Kept(
        roles=tuple(sorted(distinct, key=order)),
        intermediates=len(storages),
        kinds=frozenset(value.kind for value in saved if value.kind in ("sizes", "scalar")),
        numbers=NUMBER in present,
        nodes=len(nodes),
    )
