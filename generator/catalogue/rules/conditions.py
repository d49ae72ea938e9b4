"""Rules about the conditions that an op's reference call was tried under.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections import Counter
from collections.abc import Iterator

from generator.catalogue.conditions import DTYPES, OWN, Record, plain_measurement
from generator.catalogue.model.conditions import Applied, Conditions
from generator.catalogue.model.records import Catalogue
from generator.catalogue.policies import measured_nodes
from generator.catalogue.rules.calls import Finding, records


def conditions_are_of_references(catalogue: Catalogue) -> Iterator[Finding]:
    """Conditions belong to a reference, name its arguments, and were each tried once."""
    for label, record, conditions in _conditioned(catalogue):
        if not record.references:
            yield label, "was tried under conditions without a reference"
            continue
        known = {"", *(one.name for one in record.references[0].arguments)}
        tried = Counter(_tried(conditions))
        for applied, times in tried.items():
            if applied.argument not in known:
                yield (
                    label,
                    f"has a condition of {applied.argument!r}, which its call does not have",
                )
            if times > 1:
                yield label, f"tried {applied.condition} of {applied.argument!r} {times} times"


def conditions_change_something(catalogue: Catalogue) -> Iterator[Finding]:
    """A changed call differs from the reference under the same mask.

    A tensor of the reference's own dtype that is of it in another dtype's call too did not follow.
    """
    for label, record, conditions in _conditioned(catalogue):
        for changed in conditions.changed if record.references else ():
            plain, now = plain_measurement(record, changed), changed.measurement
            same = plain.mask == now.mask and plain.tensors == now.tensors
            if any(one.condition in DTYPES for one in changed.conditions):
                same = same and all(tensor.dtype != OWN for tensor in plain.tensors)
            alike = measured_nodes(record, plain) == measured_nodes(record, now)
            if same and alike and plain.extra_bytes == now.extra_bytes:
                named = changed.conditions[0].condition
                yield label, f"says that {named} changes what it does not"


def pairs_are_of_conditions_that_change(catalogue: Catalogue) -> Iterator[Finding]:
    """A pair is of two conditions that each change the call, and was among those tried."""
    for label, _, conditions in _conditioned(catalogue):
        changing = {one for changed in conditions.changed for one in changed.conditions}
        pairs = [pair for kept in conditions.pairs for pair in kept.pairs]
        for pair in pairs:
            if pair[0] == pair[1] or not changing.issuperset(pair):
                yield label, f"tells of a pair of {pair[0].condition} and {pair[1].condition}"
        if len(pairs) > conditions.pairs_tried:
            yield label, f"tells of {len(pairs)} pairs, and tried {conditions.pairs_tried}"


def _conditioned(catalogue: Catalogue) -> Iterator[tuple[str, Record, Conditions]]:
    for label, record in records(catalogue):
        if record.conditions is not None:
            yield label, record, record.conditions


def _tried(conditions: Conditions) -> Iterator[Applied]:
    yield from (
        Applied(name, argument)  # type: ignore[arg-type]  # a group is counted like a condition
        for argument, names in conditions.unchanged.items()
        for name in names
    )
    for changed in conditions.changed:
        yield from changed.conditions
    for refused in conditions.refused:
        yield from refused.conditions


RULES = (
    conditions_are_of_references,
    conditions_change_something,
    pairs_are_of_conditions_that_change,
)
