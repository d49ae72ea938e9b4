"""Hidden clones: what an in-place spelling copies of its argument, since backward needs the old.

An attribute that holds an argument in the plain call holds an intermediate in place. Whether it
does depends on the grad mask: `mul_` needs what it overwrites for the gradient of the other factor.
"""

from msgspec.structs import replace

from generator.catalogue.claims_of_calls import decider, roles_under
from generator.catalogue.kept import CLONE, Call, measured, role_class
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import OpRecord, PolicyNode, SavedValue, Variant
from generator.catalogue.policies import measured_nodes, under_each_mask


def hides_a_clone(op: OpRecord, spelling: Variant) -> bool:
    """Say whether an in-place spelling keeps a copy of what it overwrites, under any mask."""
    return bool(cloning(op, spelling))


def cloning(op: OpRecord, spelling: Variant) -> tuple[Measurement, ...]:
    """List the measurements of an in-place spelling that keep a copy of what it overwrites.

    They do where an attribute that holds an argument in a plain call with the same arguments holds
    an intermediate, and storages that the caller does not hold anyway are kept.
    """
    plain = _of_arguments(op, spelling)
    return tuple(
        one
        for one in under_each_mask(spelling)
        if spelling.relation == "in-place" and one.policy is not None and one.extra_bytes
        for saved in [[value for node in measured_nodes(op, one) for value in node.saved]]
        if any(_is_clone(value, plain) for value in saved)
    )


def cloned_values(op: OpRecord, spelling: Variant) -> set[tuple[int, str, str]]:
    """Name what holds the clones of a spelling: policy, type of the node, attribute."""
    plain = _of_arguments(op, spelling)
    return {
        (one.policy, node.type, value.attribute)
        for one in cloning(op, spelling)
        if one.policy is not None
        for node in measured_nodes(op, one)
        for value in node.saved
        if _is_clone(value, plain)
    }


def clone_condition(op: OpRecord, spelling: Variant, call: Call) -> str:
    """Say when a spelling that was called as `call` keeps a clone: `when `other` requires grad`.

    Empty where it keeps one under every mask.
    """
    spelled = in_spelling(call, spelling)
    return decider(CLONE, roles_under(with_clones(op, spelling), spelled), spelled)


def in_spelling(call: Call, spelling: Variant) -> Call:
    """Return the op's own call with what was measured of a spelling in its place."""
    return replace(call, measurements=under_each_mask(spelling))


def with_clones(op: OpRecord, spelling: Variant) -> OpRecord:
    """Give the clones that a spelling hides a role of their own, so that claims name them."""
    if not hides_a_clone(op, spelling):
        return op
    plain = _of_arguments(op, spelling)
    return replace(op, nodes=tuple(_named(node, plain) for node in op.nodes))


def _named(node: PolicyNode, plain: set[str]) -> PolicyNode:
    saved = tuple(
        replace(value, roles=tuple(CLONE if one == "intermediate" else one for one in value.roles))
        if _is_clone(value, plain)
        else value
        for value in node.saved
    )
    return replace(node, saved=saved)


def _is_clone(value: SavedValue, plain: set[str]) -> bool:
    return value.attribute in plain and "intermediate" in value.roles


def _of_arguments(op: OpRecord, spelling: Variant) -> set[str]:
    """Name the attributes that hold an argument in the op's own call, under any mask."""
    return {
        value.attribute
        for call in (op.cases if spelling.call is None else op.references)[:1]
        for found in measured(call)
        for node in measured_nodes(op, found)
        for value in node.saved
        if any(role_class(role) == "input" for role in value.roles)
    }
