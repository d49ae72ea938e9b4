"""What one spelling of an op keeps, as measured, beside what the op's own call keeps.

A spelling was called as the reference is, or as the first sample is, so it is compared with that.
"""

from collections.abc import Mapping
from types import MappingProxyType

from generator.catalogue.claims_of_calls import claim_under
from generator.catalogue.kept import Call, hides_a_clone, kept_under
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import NodeRecord, OpRecord, Variant
from generator.catalogue.policies import measured_nodes
from generator.catalogue.undifferentiable import spelling_without

NO_NODES: Mapping[str, NodeRecord] = MappingProxyType({})


def spelled_call(op: OpRecord, spelling: Variant) -> Call | None:
    """Return the op's own call that was made in this spelling, if the record has it."""
    calls: tuple[Call, ...] = op.references if spelling.call is not None else op.cases
    return next(iter(calls), None)


def plain_of(op: OpRecord, spelling: Variant) -> Measurement | None:
    """Return what the op's own call measured under the mask of the spelling, where both ran."""
    call, one = spelled_call(op, spelling), spelling.measurement
    if call is None or one is None or one.policy is None:
        return None
    same = [plain for plain in call.measurements if plain.mask == one.mask]
    return next((plain for plain in same if plain.policy is not None), None)


def differs(op: OpRecord, spelling: Variant) -> bool:
    """Say whether a spelling is known to keep something else than the op's own call."""
    plain, one = plain_of(op, spelling), spelling.measurement
    if plain is None or one is None:
        return False
    if measured_nodes(op, plain) != measured_nodes(op, one):
        return True
    return (plain.storage_bytes, plain.extra_bytes) != (one.storage_bytes, one.extra_bytes)


def speaks_for_itself(op: OpRecord, spelling: Variant) -> bool:
    """Say whether the op's claim is not the spelling's: in place, or where it keeps other things.

    A spelling in place is one of its own even where nobody called it.
    """
    return spelling.relation == "in-place" or differs(op, spelling)


def spelling_claim(op: OpRecord, spelling: Variant, nodes: Mapping[str, NodeRecord]) -> str:
    """Say what a spelling keeps under the mask that it was called with, or why that is unknown.

    `nodes` are those of the catalogue: they tell whether the spelling has a derivative.
    """
    said = _keeps(op, spelling)
    without = spelling_without(op, spelling, nodes)
    return f"{said}; {without}" if without else said


def _keeps(op: OpRecord, spelling: Variant) -> str:
    one, call = spelling.measurement, spelled_call(op, spelling)
    if one is None or call is None:
        return "was not called, so what it keeps is not known"
    if one.policy is None:
        reason = f": {one.reason.rstrip('.')}" if one.reason else ""
        return f"was called and not measured ({one.state}{reason})"
    said = claim_under(op, call, one)
    if not hides_a_clone(op, spelling):
        return said + _under_one_mask(call, one)
    found = kept_under(op, one, call.arguments)
    # An intermediate is the last that a claim names, where it says nothing of a graph.
    alone = (found.nodes, found.intermediates) == (1, 1)
    clone = ", a hidden clone" if alone else "; it keeps a hidden clone"
    return f"{said}{clone} of what it overwrites{_under_one_mask(call, one)}"


def _under_one_mask(call: Call, one: Measurement) -> str:
    """Say what required grad, where the op's own call was made under other masks too."""
    if len({plain.mask for plain in call.measurements}) < 2:
        return ""
    names = " and ".join(f"`{name}`" for name in one.mask)
    return f", measured where {names} {'require' if len(one.mask) > 1 else 'requires'} grad"
