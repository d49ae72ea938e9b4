"""Make the record of each node type: registry, declarations and sightings joined."""

from __future__ import annotations

from typing import Any

from generator.probe.declared import Declared
from generator.probe.registry import node_types
from generator.tape.saved import saved_attributes

Json = dict[str, Any]
NOT_REACHED = "in no graph of op samples, their double backward and variants, modules or recipes"
NOT_DECLARED = "not in derivatives.yaml"
NOT_SHIPPED = "the release ships no derivatives.yaml to make it from"
OUTSIDE = "seen in graphs, but not in the release's registry"
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
        sighting = sightings.get(name, {"witness": None})
        if sighting["witness"] is not None:
            record.update(_seen(sighting))
        undeclared = None if declarations else NOT_DECLARED if declared.shipped else NOT_SHIPPED
        record.update(_state(name in types, sighting, undeclared, kernels, device))
        records.append(record)
    return records


def _state(
    registered: bool, sighting: Json, undeclared: str | None, kernels: list[str], device: str
) -> Json:
    witness = sighting["witness"]
    if witness is not None and not registered:
        return {"state": "unregistered", "reason": OUTSIDE}
    if witness is not None and witness["layer"] != "stub":
        return {"state": "witnessed"}
    reason = _unseen_reason(undeclared, kernels, device, sighting.get("unmade"))
    return {"state": "declared" if witness is None else "stubbed", "reason": reason}


def _seen(sighting: Json) -> Json:
    return {
        "attributes": sighting["attributes"],
        "witness": sighting["witness"],
        "error": sighting["error"],
        "observed": [
            {"attribute": attribute, **counts}
            for attribute, counts in sorted(sighting["observed"].items())
        ],
        **{field: sighting[field] for field in ("recipe", "packed") if field in sighting},
    }


def _unseen_reason(
    undeclared: str | None, kernels: list[str], device: str, unmade: str | None = None
) -> str:
    reached = {*EVERYWHERE, device.upper()}
    if kernels and not reached & set(kernels):
        return f"its op has no {device.upper()} kernel, only: {', '.join(kernels)}"
    if unmade is not None:
        return f"called on {device}, {unmade}"
    if undeclared is not None:
        return f"{undeclared}, and {NOT_REACHED}"
    return NOT_REACHED
