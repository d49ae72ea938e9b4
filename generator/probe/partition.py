"""Measure what AOTAutograd's partitioners keep of a reference call, without compiling kernels.

The tracing is done by the program that the page shows. It is run once: the record is read off the
tensors that the compiled functions' nodes hold, and what the program counted is compared with it.
"""

from __future__ import annotations

import ast
import gc
import json
from string import Template
from typing import Any

from torch import Tensor

from generator.probe.kept import KeptTensors
from generator.probe.partition_program import TEMPLATES, UNAVAILABLE, WITHOUT_INDUCTOR
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.tape.roles import INTERMEDIATE, Holder, Roles
from generator.tape.storages import weigh

Json = dict[str, Any]

CHOICES = ("default", "min-cut", "min-cut, Inductor")
LARGEST = 100  # nodes of the gradient's graph; thousands take minutes to trace
SPARSE = "the program cannot compare the memory of sparse tensors"
OTHERWISE = "the program counted other extra bytes"


def compiled(reference: Json, nodes: int) -> Json:
    """Trace a reference call and cut it; `nodes` is how many its gradient's graph has.

    What can be foreseen to fail is a state.
    """
    if UNAVAILABLE is not None:
        return {"state": "not available", "reason": UNAVAILABLE}
    if reference["template"] == "layouts":
        return {"state": "not tried", "reason": SPARSE}
    if nodes > LARGEST:
        reason = f"the graph of its gradient has {nodes} nodes, and over {LARGEST} are not traced"
        return {"state": "not tried", "reason": reason}
    parts = {"takes": _takes(reference), "gives": _gives(reference["call"])}
    indented = reference["call"].replace("\n", "\n    ")
    program = Template(TEMPLATES["compiled"]).substitute({**reference, **parts, "call": indented})
    namespace = new_namespace()
    # Tracing makes much garbage in cycles, and looking for it now takes a quarter of the time.
    gc.disable()
    try:
        run_block(program, namespace)
        error = None
    except ProgramError as raised:
        error = raised.message
    finally:
        gc.enable()
    if error is not None and not namespace.get("extra"):
        return {**parts, "state": "raised", "reason": error}
    cuts = [_cut(name, reference, namespace, error) for name in CHOICES]
    counted = [cut.pop("counted", True) for cut in cuts]
    return {
        **parts,
        "state": "traced",
        "cuts": _grouped(cuts),
        "unconfirmed": None if all(counted) else OTHERWISE,
    }


def _takes(reference: Json) -> str:
    names = [
        one["name"].split("[")[0]
        for one in reference["arguments"]
        if one.get("source", "input") == "input" and one.get("shape") is not None
    ]
    return ", ".join(dict.fromkeys(names))


def _gives(call: str) -> str:
    statement = ast.parse(call).body[-1]
    if not isinstance(statement, ast.Assign):
        raise TypeError(f"the call assigns no output: {call}")
    return ast.unparse(statement.targets[0])


def _cut(name: str, reference: Json, namespace: dict[str, Any], error: str | None) -> Json:
    """Describe what one partitioner kept; the first that kept nothing is the one that raised."""
    kept: dict[str, list[tuple[Tensor, str]]] = namespace["kept"]
    if name not in namespace["choices"]:
        return {"state": "not available", "reason": WITHOUT_INDUCTOR}
    if name not in namespace["extra"]:
        first = next(one for one in CHOICES if one not in namespace["extra"])
        if name == first:
            return {"state": "raised", "reason": error}
        return {"state": "not tried", "reason": f"the program had raised under {first!r}"}
    sources = {one["name"]: one.get("source", "input") for one in reference["arguments"]}
    held = {
        f"{sources[place]} {place}" if place in sources else place: tensor
        for place, tensor in namespace["held"][name].items()
    }
    roles = Roles([Holder(role, tensor) for role, tensor in held.items()])
    rows = KeptTensors()
    places = [rows.position(tensor, _role(roles.of(tensor), made)) for tensor, made in kept[name]]
    tensors = [tensor for tensor, _ in kept[name]]
    weight = weigh(tensors, held.values())
    return {
        "state": "traced",
        # What comes first is the partitioner's own affair: sorted, equal answers are equal.
        "tensors": sorted((rows.rows()[place] for place in places), key=json.dumps),
        "sizes": len(getattr(namespace["savers"][name], "symints", ())),
        **weight._asdict(),
        "counted": namespace["extra"][name] == weight.extra_bytes,
    }


def _role(role: str, made: str) -> str:
    return f"{role}: {made.replace('.default', '')}" if role.endswith(INTERMEDIATE) else role


def _grouped(cuts: list[Json]) -> list[Json]:
    """Put partitioners together that agree in everything."""
    groups: dict[str, Json] = {}
    for name, cut in zip(CHOICES, cuts):
        groups.setdefault(json.dumps(cut), {**cut, "by": []})["by"].append(name)
    return list(groups.values())
