"""Rules about the conditions that an op's reference call was tried under.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections import Counter
from collections.abc import Iterator

from generator.catalogue.model import Catalogue, OpRecord
from generator.catalogue.model_conditions import Applied, Conditions
from generator.catalogue.policies import measured_nodes
from generator.catalogue.rules_of_calls import Finding


def conditions_are_of_references(catalogue: Catalogue) -> Iterator[Finding]:
    """Conditions belong to a reference, name its arguments, and were each tried once."""
    for op, conditions in _conditioned(catalogue):
        label = f"op {op.name}"
        if not op.references:
            yield label, "was tried under conditions without a reference"
            continue
        known = {"", *(one.name for one in op.references[0].arguments)}
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
    """A changed call differs from the reference under the same mask."""
    for op, conditions in _conditioned(catalogue):
        for changed in conditions.changed:
            now = changed.measurement
            for reference in op.references[:1]:
                for plain in reference.measurements:
                    same = plain.mask == now.mask and plain.tensors == now.tensors
                    alike = measured_nodes(op, plain) == measured_nodes(op, now)
                    if same and alike and plain.extra_bytes == now.extra_bytes:
                        named = changed.conditions[0].condition
                        yield f"op {op.name}", f"says that {named} changes what it does not"


def _conditioned(catalogue: Catalogue) -> Iterator[tuple[OpRecord, Conditions]]:
    for op in catalogue.ops.values():
        if op.conditions is not None:
            yield op, op.conditions


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


RULES = (conditions_are_of_references, conditions_change_something)
