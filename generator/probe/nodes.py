"""Make the record of each node type: registry, declarations and sightings joined."""

from __future__ import annotations

from typing import Any

from generator.probe.declared import Declared
from generator.probe.registry import node_types
from generator.tape.saved import saved_attributes

Json = dict[str, Any]
NOT_REACHED = "in no graph of the op samples, their double backward and variants, or the modules"
EVERYWHERE = {
    "CompositeExplicitAutograd",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
}


def node_records(declared: Declared, sightings: dict[str, Json], device: str) -> list[Json]:
    """Return a record for each type of the registry and for each that was seen outside it."""
    types = node_types()
    records = []
    for name in sorted({*types, *sightings}):
        declarations = declared.by_type.get(name, [])
        kernels = sorted({k for d in declarations for k in declared.kernels.get(d["overload"], [])})
        record: Json = {"kind": "node", "name": name, "declared": declarations, "kernels": kernels}
        if name in types:
            record["attributes"] = list(saved_attributes(types[name]))
        if name in sightings:
            record.update(_seen(sightings[name]))
            record["state"] = "witnessed" if name in types else "unregistered"
            if name not in types:
                record["reason"] = "seen in graphs, but not in the release's registry"
        else:
            record["state"] = "declared"
            record["reason"] = _unseen_reason(bool(declarations), kernels, device)
        records.append(record)
    return records


def _seen(sighting: Json) -> Json:
    return {
        "attributes": sighting["attributes"],
        "witness": sighting["witness"],
        "error": sighting["error"],
        "observed": [
            {"attribute": attribute, **counts}
            for attribute, counts in sorted(sighting["observed"].items())
        ],
    }


def _unseen_reason(declared: bool, kernels: list[str], device: str) -> str:
    reached = {*EVERYWHERE, device.upper()}
    if declared and kernels and not reached & set(kernels):
        return f"its op has no {device.upper()} kernel, only: {', '.join(kernels)}"
    if not declared:
        return f"not in derivatives.yaml, and {NOT_REACHED}"
    return NOT_REACHED
