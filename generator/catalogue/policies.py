"""Resolve the positions by which a record writes equal answers once."""

from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import ModuleRecord, OpRecord, PolicyNode, Variant


def policy_nodes(record: OpRecord | ModuleRecord, position: int) -> tuple[PolicyNode, ...]:
    """Return the nodes of the record's policy at `position`, from the outputs to the inputs."""
    return tuple(record.nodes[place] for place in record.policies[position])


def measured_nodes(
    record: OpRecord | ModuleRecord, measured: Measurement
) -> tuple[PolicyNode, ...]:
    """Return the nodes of a measurement; none unless its state is `measured`."""
    return () if measured.policy is None else policy_nodes(record, measured.policy)


def under_each_mask(spelling: Variant) -> tuple[Measurement, ...]:
    """List the measurements of a spelling, the first mask's first; none where it was not called."""
    return (spelling.measurement, *spelling.further) if spelling.measurement is not None else ()


def node_types(record: OpRecord | ModuleRecord) -> tuple[str, ...]:
    """Return the node types of all of a record's policies, in the order of the record."""
    return tuple(dict.fromkeys(node.type for node in record.nodes))
