"""Read what the compiler's partitioners keep off a record, beside what eager mode keeps."""

from collections import Counter
from string import Template

from generator.catalogue.kept import VIEW
from generator.catalogue.model.compiled import (
    PARTITIONERS,
    Compiled,
    Cut,
    OtherMask,
    Partitioner,
)
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import Header, ModuleRecord, OpRecord
from generator.catalogue.model.second_order import KeptTensor
from generator.catalogue.policies import measured_nodes
from generator.catalogue.second_order import joined, noun

Record = OpRecord | ModuleRecord

WORDS: dict[Partitioner, str] = {
    "default": "default partitioner",
    "min-cut": "min-cut partitioner",
    "min-cut, Inductor": "min-cut partitioner, after Inductor's decompositions",
}
_MADE_BY = "intermediate: "
TEMPLATE = "compiled"
TEMPLATE_OF_MODULE = "compiled module"


def eager_measurement(record: Record, other: OtherMask | None = None) -> Measurement | None:
    """Return the measurement of the call that was traced, first or other; None if there is none."""
    if not record.references:
        return None
    first = record.references[0]
    if other is None:
        return first.measurements[0]
    modes = [one for one in record.references if one.mode == other.mode]
    of_mode = modes[0] if modes and other.mode is not None else first
    return next((one for one in of_mode.measurements if one.mask == other.mask), None)


def eager_roles(record: Record, other: OtherMask | None = None) -> list[str]:
    """List the roles of the tensors that eager mode keeps of the call, each as often as kept."""
    one = eager_measurement(record, other)
    nodes = () if one is None else measured_nodes(record, one)
    return [role for node in nodes for value in node.saved for role in value.roles]


def cut_roles(cut: Cut) -> list[str]:
    """List the roles of the tensors that partitioners keep."""
    return [one.role if isinstance(one, KeptTensor) else one for one in cut.tensors]


def traced(record: Record) -> tuple[Cut, ...]:
    """List what the partitioners that could be tried keep, agreeing ones together."""
    return _traced(record.compiled)


def _traced(found: Compiled | OtherMask | None) -> tuple[Cut, ...]:
    return tuple(cut for cut in found.cuts if cut.state == "traced") if found else ()


def cut_by(found: Compiled | OtherMask | None, partitioner: Partitioner) -> Cut | None:
    """Return what one partitioner kept; None where it could not be tried."""
    return next((cut for cut in _traced(found) if partitioner in cut.by), None)


def foremost(found: Compiled | OtherMask | None) -> tuple[Partitioner, Cut] | None:
    """Choose the cut that is nearest to what `torch.compile` makes, of those that were traced."""
    for partitioner in reversed(PARTITIONERS):
        cut = cut_by(found, partitioner)
        if cut is not None:
            return partitioner, cut
    return None


def same_as_eager(record: Record, cut: Cut, other: OtherMask | None = None) -> bool:
    """Tell whether a cut keeps the storages that eager mode keeps: same roles, same bytes."""
    one = eager_measurement(record, other)
    if one is None or one.state != "measured":
        return False
    figures = (one.storage_bytes, one.extra_bytes) == (cut.storage_bytes, cut.extra_bytes)
    return figures and _held(eager_roles(record, other)) == _held(cut_roles(cut))


def extra_difference(record: Record) -> int | None:
    """Return the extra bytes that the foremost cut keeps beyond eager mode's; may be negative."""
    chosen, one = foremost(record.compiled), eager_measurement(record)
    if chosen is None or one is None or one.state != "measured":
        return None
    return chosen[1].extra_bytes - one.extra_bytes


def compiled_program(header: Header, record: Record) -> str | None:
    """Return the program that was run; None where none was, or the header has no such template."""
    found = record.compiled
    if found is None or not found.takes or not record.references:
        return None
    name = TEMPLATE if isinstance(record, OpRecord) else TEMPLATE_OF_MODULE
    if name not in header.evidence:
        return None
    call = record.references[0]
    return Template(header.evidence[name]).substitute(
        setup=call.setup,
        require=call.require,
        call=call.call.replace("\n", "\n    "),
        held=call.held,
        takes=found.takes,
        gives=found.gives,
    )


def compiled_answer(record: Record) -> str:
    """Say in a sentence what the compiler keeps beside eager mode; code spans for names."""
    found = record.compiled
    if found is None:
        return ""
    if found.state != "traced":
        return _untraced(found)
    chosen, one = foremost(record.compiled), eager_measurement(record)
    if chosen is None or one is None:
        return "No partitioner could be tried."
    partitioner, cut = chosen
    if same_as_eager(record, cut):
        others = [
            by for each in traced(record) if not same_as_eager(record, each) for by in each.by
        ]
        rest = f"; not so the {joined([WORDS[by] for by in others])}" if others else ""
        return f"The compiler keeps what eager mode keeps{rest}."
    return (
        f"The compiler keeps {_kept(cut)}: {cut.extra_bytes:,} extra bytes, where eager mode keeps "
        f"{one.extra_bytes:,} ({WORDS[partitioner]})."
    )


def _kept(cut: Cut) -> str:
    nouns = Counter(_noun(role) for role in cut_roles(cut))
    return joined([noun if n == 1 else f"{noun} ({n})" for noun, n in nouns.items()]) or "nothing"


def _noun(role: str) -> str:
    bare = role.removeprefix(VIEW)
    if bare.startswith(_MADE_BY):
        return f"the intermediate made by `{bare.removeprefix(_MADE_BY)}`"
    return noun(bare)


def _untraced(found: Compiled) -> str:
    if found.state == "raised":
        return f"Tracing it raises: {found.reason}"
    return f"{_upper(found.state)}: {found.reason}"


def _held(roles: list[str]) -> frozenset[str]:
    return frozenset(role.removeprefix(VIEW).split(":")[0] for role in roles)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
