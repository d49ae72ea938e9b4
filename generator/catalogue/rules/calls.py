"""Rules about single calls: what a measurement says must agree with its policy and its arguments.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import (
    Case,
    Catalogue,
    ModuleRecord,
    OpRecord,
    PolicyNode,
    Reference,
    SavedValue,
)
from generator.catalogue.policies import under_each_mask

Finding = tuple[str, str]

VIEW = "view of "
HELD = ("input ", "parameter ", "buffer ", "output")
OF_MODULE = ("parameter ", "buffer ")
NOT_HELD = ("intermediate", "wrapped number")
WITHOUT_VALUE = ("tensor", "tensor list", "none")

ITEMSIZE = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "quint8": 1,
    "qint8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "uint32": 4,
    "qint32": 4,
    "int64": 8,
    "uint64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex32": 4,
    "complex64": 8,
    "complex128": 16,
}


Made = Reference | Case


@dataclass(frozen=True)
class MeasuredCall:
    """One measurement with what it refers to; `made` is None for that of a variant or a condition.

    `in_full` tells whether it lists its tensors: all do but a case's second and later
    ones, and a condition's where roles say enough.
    """

    record: str
    measurement: Measurement
    nodes: tuple[PolicyNode, ...] | None
    made: Made | None = None
    in_full: bool = True

    @property
    def saved(self) -> list[SavedValue]:
        """The saved values of its policy, in order."""
        return [value for node in self.nodes or () for value in node.saved]

    @property
    def roles(self) -> list[str]:
        """The role of each saved tensor of its policy, in order."""
        return [role for value in self.saved for role in value.roles]


def made(record: OpRecord | ModuleRecord) -> list[Made]:
    """List the calls of a record that were measured under every mask."""
    return [*record.references, *record.cases]


def calls(catalogue: Catalogue) -> Iterator[MeasuredCall]:
    """Yield every measurement of a catalogue: of references, cases, conditions and variants."""
    for label, record in records(catalogue):
        for call in made(record):
            for place, one in enumerate(call.measurements):
                in_full = place == 0 or isinstance(call, Reference)
                yield MeasuredCall(label, one, _nodes(record, one), call, in_full)
        found = record.conditions
        for one in [each.measurement for each in found.changed] if found else []:
            yield MeasuredCall(label, one, _nodes(record, one), in_full=bool(one.tensors))
        for one in [each.measurement for each in found.pairs] if found else []:
            yield MeasuredCall(label, one, _nodes(record, one), in_full=bool(one.tensors))
        if not isinstance(record, OpRecord):
            continue
        for variant in record.variants:
            for one in under_each_mask(variant):
                yield MeasuredCall(label, one, _nodes(record, one))


def records(catalogue: Catalogue) -> Iterator[tuple[str, OpRecord | ModuleRecord]]:
    """Yield every op and module, each with how findings speak of it."""
    for op in catalogue.ops.values():
        yield f"op {op.name}", op
    for module in catalogue.modules.values():
        yield f"module {module.name}", module


def _nodes(record: OpRecord | ModuleRecord, one: Measurement) -> tuple[PolicyNode, ...] | None:
    """Follow a measurement to its nodes; None where it leads nowhere."""
    if one.policy is None or not 0 <= one.policy < len(record.policies):
        return None
    places = record.policies[one.policy]
    if not all(0 <= place < len(record.nodes) for place in places):
        return None
    return tuple(record.nodes[place] for place in places)


def policy_exactly_where_measured(catalogue: Catalogue) -> Iterator[Finding]:
    """A measured call points to a policy of its record; any other has a reason and no figures."""
    for call in calls(catalogue):
        one = call.measurement
        if one.state == "measured":
            if call.nodes is None:
                yield call.record, f"points to policy {one.policy}, which leads nowhere"
        elif one.policy is not None or one.tensors or one.storage_bytes:
            yield call.record, f"has figures although its call {one.state}"


def tensors_match_roles(catalogue: Catalogue) -> Iterator[Finding]:
    """A measurement in full has one tensor for each role of its policy; a `tensor` has one role."""
    for call in calls(catalogue):
        tensors, roles = len(call.measurement.tensors), len(call.roles)
        if tensors != (roles if call.in_full else 0):
            yield call.record, f"has {tensors} tensors for {roles} roles"
        for value in call.saved:
            expected = {"tensor": len(value.roles) == 1, "tensor list": True}
            if not expected.get(value.kind, not value.roles):
                yield call.record, f"{value.attribute} is {value.kind} of {len(value.roles)} roles"


def edges_and_values_match_policy(catalogue: Catalogue) -> Iterator[Finding]:
    """A reference has edges for each node of its first policy, a value for each number in it."""
    for call in calls(catalogue):
        made = call.made
        if not isinstance(made, Reference) or call.measurement is not made.measurements[0]:
            continue
        values = sum(value.kind not in WITHOUT_VALUE for value in call.saved)
        if len(made.values) != values:
            yield call.record, f"has {len(made.values)} values for {values} places"
        nodes = len(call.nodes or ())
        if len(made.edges) != nodes:
            yield call.record, f"has edges of {len(made.edges)} nodes for {nodes}"


def storages_are_numbered(catalogue: Catalogue) -> Iterator[Finding]:
    """Storages are numbered from 0 in the order in which they are first seen.

    A sparse tensor has several storages, of which only the first is written: those calls skip
    numbers.
    """
    for call in calls(catalogue):
        tensors = call.measurement.tensors
        seen = list(dict.fromkeys(tensor.storage for tensor in tensors))
        dense = all(tensor.layout == "strided" for tensor in tensors)
        if seen != (list(range(len(seen))) if dense else sorted(seen)):
            yield call.record, f"numbers its storages {seen}"


def tensors_weigh_their_elements(catalogue: Catalogue) -> Iterator[Finding]:
    """A strided tensor weighs its elements times the size of one, be it saved or an argument."""
    for call in calls(catalogue):
        for tensor in call.measurement.tensors:
            size = ITEMSIZE.get(tensor.dtype)
            if size is None:
                yield call.record, f"saved a tensor of the unknown dtype {tensor.dtype}"
            elif tensor.layout == "strided" and tensor.bytes != prod(tensor.shape) * size:
                yield call.record, f"says {tensor.bytes} bytes of {tensor.dtype} {tensor.shape}"


def bytes_add_up(catalogue: Catalogue) -> Iterator[Finding]:
    """Logical bytes add up the tensors; extra bytes are part of the storage bytes."""
    for call in calls(catalogue):
        one = call.measurement
        total = sum(tensor.bytes for tensor in one.tensors)
        if call.in_full and one.logical_bytes != total:
            yield call.record, f"logical bytes are {one.logical_bytes}, its tensors weigh {total}"
        if not 0 <= one.extra_bytes <= one.storage_bytes:
            yield call.record, f"{one.extra_bytes} extra of {one.storage_bytes} storage bytes"
        if not call.roles and one.storage_bytes:
            yield call.record, f"holds {one.storage_bytes} storage bytes without a tensor"


def extra_bytes_match_roles(catalogue: Catalogue) -> Iterator[Finding]:
    """Extra bytes are there exactly where a saved tensor with elements is nobody else's."""
    for call in calls(catalogue):
        one = call.measurement
        own = [role.removeprefix(VIEW) in NOT_HELD for role in call.roles]
        if one.extra_bytes and not any(own):
            yield call.record, f"has {one.extra_bytes} extra bytes, yet all its roles are held"
        kept = [tensor for mine, tensor in zip(own, one.tensors, strict=False) if mine]
        if not one.extra_bytes and any(tensor.bytes for tensor in kept):
            yield call.record, "has no extra bytes, yet keeps a tensor that nobody holds"


def roles_name_what_is_there(catalogue: Catalogue) -> Iterator[Finding]:
    """A role names an argument of its call by source and name, or one of its outputs.

    A module's cases list its inputs alone, so any parameter or buffer passes there.
    """
    for call in calls(catalogue):
        known: set[str] = set()
        if call.made is not None:
            known = {f"{one.source} {one.name}" for one in call.made.arguments}
            known |= {one.name for one in call.made.outputs}
        for role in dict.fromkeys(call.roles):
            bare = role.removeprefix(VIEW)
            unlisted: tuple[str, ...] = HELD if call.made is None else ()
            if isinstance(call.made, Case) and call.record.startswith("module "):
                unlisted = OF_MODULE
            if bare not in known and bare not in NOT_HELD and not bare.startswith(unlisted):
                yield call.record, f"speaks of {role!r}, which its call does not have"


def masks_name_arguments(catalogue: Catalogue) -> Iterator[Finding]:
    """A mask names arguments of its call, or groups of a module's tensors, each once."""
    groups = {"inputs", "parameters", "biases"}
    for call in calls(catalogue):
        mask = call.measurement.mask
        if len(set(mask)) != len(mask):
            yield call.record, f"names an argument twice in the mask {mask}"
        if call.made is None:
            continue
        names = {one.name for one in call.made.arguments}
        for name in mask:
            if name not in names | (groups if call.record.startswith("module ") else set()):
                yield call.record, f"has {name!r} in a mask, which its call does not have"


def edges_lead_somewhere(catalogue: Catalogue) -> Iterator[Finding]:
    """An edge leads to another node of the policy, to an argument, or to some other leaf."""
    for label, record in records(catalogue):
        for call in record.references:
            names = {"leaf", *(one.name for one in call.arguments)}
            for place, edges in enumerate(call.edges):
                for edge in edges:
                    if isinstance(edge, str) and edge not in names:
                        yield label, f"leads from node {place} to {edge!r}, no argument"
                    if isinstance(edge, int) and edge not in {*range(len(call.edges))} - {place}:
                        yield label, f"leads from node {place} to node {edge}"


def masks_are_measured_once(catalogue: Catalogue) -> Iterator[Finding]:
    """Every call was measured, under no mask twice."""
    for label, record in records(catalogue):
        for call in made(record):
            masks = [measurement.mask for measurement in call.measurements]
            if len(set(masks)) != len(masks) or not masks:
                yield label, f"measures {call.call} under the masks {masks}"


RULES = (
    policy_exactly_where_measured,
    tensors_match_roles,
    edges_and_values_match_policy,
    storages_are_numbered,
    tensors_weigh_their_elements,
    bytes_add_up,
    extra_bytes_match_roles,
    roles_name_what_is_there,
    masks_name_arguments,
    masks_are_measured_once,
    edges_lead_somewhere,
)
