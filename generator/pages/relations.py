"""Who has what across records: which ops and modules make a node, which nodes have an attribute."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.catalogue.explain.readings import Readings, readings
from generator.catalogue.kept import principal_calls
from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord
from generator.catalogue.policies import measured_nodes, node_types


@dataclass(frozen=True)
class Relations:
    """Cross-references by name, each list in the order of the catalogue.

    `readings` tell what it can mean that an error names a node.
    """

    ops_of_node: Mapping[str, tuple[str, ...]]
    modules_of_node: Mapping[str, tuple[str, ...]]
    double_backward_of_node: Mapping[str, tuple[str, ...]]
    nodes_of_attribute: Mapping[str, tuple[str, ...]]
    ops_of_attribute: Mapping[str, tuple[str, ...]]
    modules_of_op: Mapping[str, tuple[str, ...]]
    readings: Readings


def relate(catalogue: Catalogue) -> Relations:
    """Turn every record of the catalogue around once."""
    ops_of_attribute: dict[str, dict[str, None]] = defaultdict(dict)
    for op in catalogue.ops.values():
        for node in op.nodes:
            for value in node.saved:
                ops_of_attribute[value.attribute][op.name] = None
    nodes_of_attribute: dict[str, dict[str, None]] = defaultdict(dict)
    for record in catalogue.nodes.values():
        for attribute in record.attributes:
            nodes_of_attribute[attribute][record.name] = None
    both: list[OpRecord | ModuleRecord] = [*catalogue.ops.values(), *catalogue.modules.values()]
    return Relations(
        ops_of_node=_makers(catalogue.ops.values()),
        modules_of_node=_makers(catalogue.modules.values()),
        double_backward_of_node=_turned((one.name, one.double_backward) for one in both),
        nodes_of_attribute=_frozen(nodes_of_attribute),
        ops_of_attribute=_frozen(ops_of_attribute),
        modules_of_op=_modules_of_op(catalogue),
        readings=readings(catalogue),
    )


def _makers(records: Iterable[OpRecord | ModuleRecord]) -> dict[str, tuple[str, ...]]:
    return _turned((one.name, node_types(one)) for one in records)


def _turned(pairs: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for name, types in pairs:
        for node in types:
            found[node][name] = None
    return _frozen(found)


def _frozen(found: Mapping[str, dict[str, None]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(names) for key, names in found.items()}


def _modules_of_op(catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    """Find the modules whose principal graph holds every node type of an op's principal graph."""
    types_of_module = {
        module.name: frozenset[str]().union(*_principal_types(module))
        for module in catalogue.modules.values()
    }
    found = {}
    for op in catalogue.ops.values():
        needed = next(iter(_principal_types(op)), frozenset())
        if needed:
            found[op.name] = tuple(
                name for name, present in types_of_module.items() if needed <= present
            )
    return found


def _principal_types(record: OpRecord | ModuleRecord) -> list[frozenset[str]]:
    return [
        frozenset(node.type for node in measured_nodes(record, one))
        for call in principal_calls(record)
        for one in call.measurements[:1]
        if one.policy is not None
    ]
