"""What one measured call keeps, read off its policy: roles, intermediates, and nothing by name.

The claims, the catalogue's filters and the pages all ask here which call speaks for a record and
which roles it kept, so that they cannot disagree.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.catalogue.model.measurement import Argument, Measurement
from generator.catalogue.model.records import Case, ModuleRecord, OpRecord, Reference
from generator.catalogue.policies import measured_nodes

CLASSES = ("input", "parameter", "buffer", "output", "intermediate")
VIEW = "view of "
NUMBER = "wrapped number"
# What an in-place spelling keeps of what it overwrites, an intermediate in the record.
CLONE = "hidden clone"

Call = Reference | Case


@dataclass(frozen=True)
class Kept:
    """What one measured call keeps: distinct roles in the order of the call, and the rest.

    `roles` leaves out wrapped numbers, views of what is kept anyway, and tensors of 0 bytes in a
    call whose arguments are not empty themselves; `intermediates` counts the distinct storages
    behind intermediates; `kinds` are the kinds of the other saved values.
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
    """Read what a call keeps under its widest mask."""
    return kept_under(record, widest(call), call.arguments)


def measured(call: Call) -> list[Measurement]:
    """List the measurements of a call that succeeded, in the order of their masks."""
    return [one for one in call.measurements if one.state == "measured" and one.policy is not None]


def widest(call: Call) -> Measurement:
    """Choose the mask that speaks for a measured call: where most of it requires grad.

    The first of a module's reference is that of its parameters alone. A sample is measured with
    its tensors only under the mask that it asks for itself, so that one speaks for it.
    """
    succeeded = measured(call)
    if isinstance(call, Reference):
        return max(succeeded, key=lambda one: len(one.mask))
    return succeeded[0]


def other_cases(record: OpRecord | ModuleRecord) -> list[Case]:
    """List the measured samples that keep other classes of tensor than the call that speaks.

    A sample is compared under the mask that it asks for, with the call of its mode (the first,
    where its modes agreed) under the same mask if that was measured, else under its widest.
    """
    calls = principal_calls(record)
    by_mode = {call.mode: call for call in calls}
    found = []
    for case in record.cases:
        call = by_mode.get(case.mode, calls[0])
        if case is call or not measured(case):
            continue
        asked = measured(case)[0]
        same = next((one for one in measured(call) if one.mask == asked.mask), widest(call))
        usual = kept_under(record, same, call.arguments)
        # A case is measured by one of its samples, and that a tensor is empty is of that one alone.
        if _classes(kept_under(record, asked, case.arguments).roles) != _classes(usual.roles) and (
            _classes(_saved(record, asked)) != _classes(_saved(record, same))
        ):
            found.append(case)
    return found


def _saved(record: OpRecord | ModuleRecord, one: Measurement) -> list[str]:
    saved = (value for node in measured_nodes(record, one) for value in node.saved)
    return [role for value in saved for role in value.roles if role_class(role) != NUMBER]


def _classes(roles: Iterable[str]) -> frozenset[str]:
    return frozenset(role_class(role) for role in roles)


def kept_under(
    record: OpRecord | ModuleRecord, one: Measurement, arguments: Sequence[Argument]
) -> Kept:
    """Read what one measurement kept; `arguments` are those of its call.

    Where the record leaves the tensors of a measurement out, it counts no intermediates.
    """
    nodes = measured_nodes(record, one)
    saved = [value for node in nodes for value in node.saved]
    roles = [role for value in saved for role in value.roles]
    held = list(zip(roles, one.tensors, strict=bool(one.tensors)))
    if one.tensors and not any(_is_empty(known) for known in arguments):
        held = [(role, tensor) for role, tensor in held if tensor.bytes]
        roles = [role for role, _ in held]
    present = set(roles)
    distinct = dict.fromkeys(
        role
        for role in roles
        if role != NUMBER and not (role.startswith(VIEW) and role[len(VIEW) :] in present)
    )
    storages = {tensor.storage for role, tensor in held if role_class(role) == "intermediate"}
    places = {f"{known.source} {known.name}": place for place, known in enumerate(arguments)}

    def order(role: str) -> tuple[int, int, str]:
        bare = role.removeprefix(VIEW)
        name = role_class(role)
        if role == CLONE:
            return -1, 0, role
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


def _is_empty(argument: Argument) -> bool:
    return argument.shape is not None and 0 in argument.shape
