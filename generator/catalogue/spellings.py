"""What one spelling of an op keeps, as measured, beside what the op's own call keeps.

A spelling was called as the reference is, or as the first sample is, so it is compared with that.
"""

from collections.abc import Mapping
from types import MappingProxyType

from generator.catalogue.claims_of_calls import call_claim
from generator.catalogue.clones import in_spelling, with_clones
from generator.catalogue.kept import Call, measured
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import NodeRecord, OpRecord, Variant
from generator.catalogue.policies import measured_nodes, under_each_mask
from generator.catalogue.undifferentiable import spelling_without

NO_NODES: Mapping[str, NodeRecord] = MappingProxyType({})


def spelled_call(op: OpRecord, spelling: Variant) -> Call | None:
    """Return the op's own call that was made in this spelling, if the record has it."""
    calls: tuple[Call, ...] = op.references if spelling.call is not None else op.cases
    return next(iter(calls), None)


def with_plain(op: OpRecord, spelling: Variant) -> list[tuple[Measurement, Measurement]]:
    """Pair what the op's own call keeps with what the spelling does, mask by mask where both ran.

    The first mask of the spelling comes first.
    """
    call = spelled_call(op, spelling)
    plain = {one.mask: one for one in measured(call)} if call is not None else {}
    rows = [one for one in under_each_mask(spelling) if one.policy is not None]
    return [(plain[one.mask], one) for one in rows if one.mask in plain]


def plain_of(op: OpRecord, spelling: Variant) -> Measurement | None:
    """Return what the op's own call measured under the first mask of the spelling."""
    one = spelling.measurement
    return next((plain for plain, row in with_plain(op, spelling) if row is one), None)


def differing(op: OpRecord, spelling: Variant) -> list[tuple[Measurement, Measurement]]:
    """List those of `with_plain` where the spelling keeps something else than the op's own call."""
    return [
        (plain, one)
        for plain, one in with_plain(op, spelling)
        if measured_nodes(op, plain) != measured_nodes(op, one)
        or (plain.storage_bytes, plain.extra_bytes) != (one.storage_bytes, one.extra_bytes)
    ]


def differs(op: OpRecord, spelling: Variant) -> bool:
    """Say whether a spelling is known to keep something else than the op's own call."""
    return bool(differing(op, spelling))


def speaks_for_itself(op: OpRecord, spelling: Variant) -> bool:
    """Say whether the op's claim is not the spelling's: in place, or where it keeps other things.

    A spelling in place is one of its own even where nobody called it.
    """
    return spelling.relation == "in-place" or differs(op, spelling)


def spelling_claim(op: OpRecord, spelling: Variant, nodes: Mapping[str, NodeRecord]) -> str:
    """Say what a spelling keeps under the masks that it was called with, or why that is unknown.

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
    said = call_claim(with_clones(op, spelling), in_spelling(call, spelling))
    return said + (_failed(spelling) if spelling.further else _under_one_mask(call, one))


def _failed(spelling: Variant) -> str:
    """Say under which further masks the call was made to no avail."""
    return "".join(
        f"; not measured where {_requiring(one)} ({one.state}: {one.reason})"
        for one in spelling.further
        if one.policy is None
    )


def _under_one_mask(call: Call, one: Measurement) -> str:
    """Say what required grad, where the op's own call was made under other masks too."""
    if len({plain.mask for plain in call.measurements}) < 2:
        return ""
    return f", measured where {_requiring(one)}"


def _requiring(one: Measurement) -> str:
    names = " and ".join(f"`{name}`" for name in one.mask)
    return f"{names} {'require' if len(one.mask) > 1 else 'requires'} grad"
