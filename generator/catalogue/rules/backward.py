"""Rules about double backward and the compiler: figures add up, and roles exist in the call.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from generator.catalogue.compiled import eager_measurement
from generator.catalogue.kept import VIEW
from generator.catalogue.model.compiled import PARTITIONERS, Compiled, OtherMask
from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.second_order import KeptTensor, SecondOrder
from generator.catalogue.rules.calls import ITEMSIZE, Finding, records
from generator.catalogue.second_order import Record, backward_nodes, known_tensor

_NOBODYS = ("intermediate", "forward intermediate", "wrapped number")
SPARSE = "sparse"


def double_backward_has_figures_or_a_reason(catalogue: Catalogue) -> Iterator[Finding]:
    """A gradient's graph was measured, or there is a reason and no figure."""
    for label, _, found in _second_orders(catalogue):
        if (found.state == "measured") == bool(found.reason):
            yield label, f"has the reason {found.reason!r} for double backward {found.state}"
        if found.state != "measured" and (found.nodes or found.tensors or found.storage_bytes):
            yield label, f"has figures although double backward {found.state}"


def double_backward_points_to_tensors(catalogue: Catalogue) -> Iterator[Finding]:
    """What nodes of the gradient's graph saved are all tensors that are listed, and only those."""
    for label, _, found in _second_orders(catalogue):
        places = {place for node in backward_nodes(found) for _, place in node.saved}
        if places != set(range(len(found.tensors))):
            yield label, f"points to {sorted(places)} of {len(found.tensors)} tensors"


def double_backward_adds_up(catalogue: Catalogue) -> Iterator[Finding]:
    """Logical bytes of a gradient's graph add up what its nodes saved, where that is all known."""
    for label, record, found in _second_orders(catalogue):
        weights = [known_tensor(record, tensor)[3] for tensor in found.tensors]
        saved = [
            (weights[place], node.number)
            for node in backward_nodes(found)
            for _, place in node.saved
            if place < len(weights)
        ]
        total = sum((weight or 0) * number for weight, number in saved)
        if None not in weights and total != found.logical_bytes:
            yield label, f"logical bytes of its gradient are {found.logical_bytes}, not {total}"
        yield from _shares(label, found.extra_bytes, found.storage_bytes)


def gradients_roles_are_there(catalogue: Catalogue) -> Iterator[Finding]:
    """A role of a gradient's graph is one of the call, its incoming gradients and gradients."""
    for label, record, found in _second_orders(catalogue):
        if record.references:
            yield from _unknown_roles(label, record, found.tensors)


def programs_count_the_same(catalogue: Catalogue) -> Iterator[Finding]:
    """The shown programs counted what is recorded, or could not: what is sparse has no memory."""
    for label, _, found in _second_orders(catalogue):
        if found.unconfirmed is not None and SPARSE not in found.unconfirmed:
            yield label, f"double backward: {found.unconfirmed}"
    for label, _, compiled in _traces(catalogue):
        if compiled.unconfirmed is not None:
            yield label, f"compiled: {compiled.unconfirmed}"


def each_partitioner_is_told_once(catalogue: Catalogue) -> Iterator[Finding]:
    """A traced call has one cut by each partitioner; a cut has tensors, or a reason."""
    for label, _, found in _traces(catalogue):
        told = Counter(by for cut in found.cuts for by in cut.by)
        if told != Counter(PARTITIONERS if found.state == "traced" else ()):
            yield label, f"was {found.state} and has cuts by {sorted(told.elements())}"
        told_of = [(found.state, found.reason), *((cut.state, cut.reason) for cut in found.cuts)]
        for state, reason in told_of:
            if (state == "traced") == bool(reason):
                yield label, f"has the reason {reason!r} for being {state}"
        for cut in found.cuts:
            if cut.state != "traced" and (cut.tensors or cut.storage_bytes):
                yield label, f"has figures although a cut is {cut.state}"


def cuts_add_up(catalogue: Catalogue) -> Iterator[Finding]:
    """The logical bytes of a cut add up its tensors, which are tensors of the call."""
    for label, op, found in _traces(catalogue):
        for cut in found.cuts:
            weights = [known_tensor(op, tensor)[3] for tensor in cut.tensors]
            total = sum(weight or 0 for weight in weights)
            if None not in weights and total != cut.logical_bytes:
                yield label, f"logical bytes of a cut are {cut.logical_bytes}, not {total}"
            yield from _shares(label, cut.extra_bytes, cut.storage_bytes)
            yield from _unknown_roles(label, op, cut.tensors)


def what_was_cut_was_measured(catalogue: Catalogue) -> Iterator[Finding]:
    """A traced call is one of which it is known what eager mode keeps."""
    for label, record, found in _compiled(catalogue):
        measured = [eager_measurement(record)] if found.state == "traced" else []
        measured += [eager_measurement(record, other) for other in found.others]
        if any(one is None or one.state != "measured" for one in measured):
            yield label, "was traced, but has no measured reference"


def _second_orders(catalogue: Catalogue) -> Iterator[tuple[str, Record, SecondOrder]]:
    for label, record in records(catalogue):
        if record.second_order is not None:
            yield label, record, record.second_order


def _compiled(catalogue: Catalogue) -> Iterator[tuple[str, Record, Compiled]]:
    for label, record in records(catalogue):
        if record.compiled is not None:
            yield label, record, record.compiled


def _traces(catalogue: Catalogue) -> Iterator[tuple[str, Record, Compiled | OtherMask]]:
    """Yield every trace: under the first mask, and under others."""
    for label, record, found in _compiled(catalogue):
        yield label, record, found
        for other in found.others:
            yield f"{label} with {', '.join(other.mask)}", record, other


def _shares(label: str, extra: int, storage: int) -> Iterator[Finding]:
    if not 0 <= extra <= storage:
        yield label, f"{extra} extra of {storage} storage bytes"


def _unknown_roles(
    label: str, record: Record, tensors: Sequence[str | KeptTensor]
) -> Iterator[Finding]:
    for tensor in tensors:
        role = tensor.role if isinstance(tensor, KeptTensor) else tensor
        bare = role.removeprefix(VIEW)
        if bare.split(":")[0] not in _NOBODYS and known_tensor(record, bare)[1] is None:
            yield label, f"speaks of {role!r}, which its call does not have"
        if isinstance(tensor, KeptTensor) and tensor.dtype not in ITEMSIZE:
            yield label, f"kept a tensor of the unknown dtype {tensor.dtype}"


RULES = (
    double_backward_has_figures_or_a_reason,
    double_backward_points_to_tensors,
    double_backward_adds_up,
    gradients_roles_are_there,
    programs_count_the_same,
    each_partitioner_is_told_once,
    cuts_add_up,
    what_was_cut_was_measured,
)
