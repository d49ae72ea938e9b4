"""Measure what AOTAutograd's partitioners keep of a reference call, without compiling kernels.

The tracing is done by the program that the page shows. It is run once: the record is read off the
tensors that the compiled functions' nodes hold, and what the program counted is compared with it.
"""

from __future__ import annotations

import ast
import gc
import json
from collections.abc import Iterator, Sequence
from string import Template
from typing import Any

from torch import Tensor

from generator.probe.compiled.program import (
    OF_MODULE,
    TEMPLATES,
    UNAVAILABLE,
    WITHOUT_CALL,
    WITHOUT_INDUCTOR,
)
from generator.probe.kept import KeptTensors
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.tape.compat_tracing import frugal_tracing
from generator.tape.roles import INTERMEDIATE, Holder, Roles
from generator.tape.storages import weigh

Json = dict[str, Any]

Mask = tuple[str, ...]

TEMPLATE = "compiled"
CHOICES = ("default", "min-cut", "min-cut, Inductor")
LARGEST = 100  # nodes of the gradient's graph; thousands take minutes to trace
LARGEST_AGAIN = 500  # nodes of the traced graphs; a decomposition may make thousands of one
AGAIN = f"its traced graphs have {{nodes}} nodes, and over {LARGEST_AGAIN} are traced once"
SPARSE = "the program cannot compare the memory of sparse tensors"
OTHERWISE = "the program counted other extra bytes"


_BIASES = """\
for name, parameter in module.named_parameters():
    parameter.requires_grad_("bias" in name.rpartition(".")[2])
"""


def compiled(references: Sequence[Json], nodes: int, asked: str = "") -> Json:
    """Trace the first of a record's reference calls and cut it, under one mask after another.

    `nodes` is how many the graph of the first one's gradient has, and `asked` the lines by which
    the inputs of a module require grad. Masks after the first are tried where eager mode keeps
    something else under them, in each of the references, which are the modes of a module. What can
    be foreseen to fail is a state.
    """
    first = references[0]
    template = OF_MODULE if _of_module(first) else TEMPLATE
    if UNAVAILABLE is not None:
        return {"state": "not available", "reason": UNAVAILABLE}
    if template not in TEMPLATES:
        return {"state": "not available", "reason": WITHOUT_CALL}
    if first["template"] == "layouts":
        return {"state": "not tried", "reason": SPARSE}
    if nodes > LARGEST:
        reason = f"the graph of its gradient has {nodes} nodes, and over {LARGEST} are not traced"
        return {"state": "not tried", "reason": reason}
    parts = {"takes": _takes(first), "gives": _gives(first["call"])}
    traced, nodes = _traced(template, {**first, **parts})
    if traced["state"] != "traced":
        return {**parts, **traced}
    others = []
    for reference, mask in _other_masks(references):
        mode = reference["mode"] if len(references) > 1 else None
        require = _require(reference, mask, asked)
        row: Json = {"state": "not tried", "reason": AGAIN.format(nodes=nodes)}
        if nodes <= LARGEST_AGAIN:
            row, _ = _traced(template, {**reference, **parts, "require": require})
        others.append({"mask": mask, "mode": mode, "require": require, **row})
    return {**parts, **traced, "others": others}


def _of_module(reference: Json) -> bool:
    sources = {one.get("source", "input") for one in reference["arguments"]}
    return "module = " in reference["setup"] or sources != {"input"}


def _other_masks(references: Sequence[Json]) -> Iterator[tuple[Json, Mask]]:
    """Yield a mask for each way to keep what eager mode keeps, but the first of all."""
    seen: set[str] = set()
    for reference in references:
        for one in reference["measurements"]:
            kept = [one.get(field) for field in ("policy", "storage_bytes", "extra_bytes")]
            key = json.dumps(kept)
            if kept[0] is not None and key not in seen and seen:
                yield reference, tuple(one["mask"])
            seen.add(key)


def _require(reference: Json, mask: Mask, asked: str) -> str:
    """Write the lines that make what `mask` names require grad, and nothing else."""
    if mask == tuple(reference["measurements"][0]["mask"]):
        return str(reference["require"])
    if not _of_module(reference):
        return "".join(f"{name}.requires_grad_()\n" for name in mask)
    frozen = "" if "parameters" in mask else "module.requires_grad_(False)\n"
    if "biases" in mask:
        frozen = _BIASES
    return frozen + (asked if "inputs" in mask else "")


def _traced(template: str, parts: Json) -> tuple[Json, int]:
    """Run the program, and return what it shows and how many nodes its last graphs have."""
    indented = parts["call"].replace("\n", "\n    ")
    program = Template(TEMPLATES[template]).substitute({**parts, "call": indented})
    namespace = new_namespace()
    # Tracing makes much garbage in cycles, and looking for it now takes a quarter of the time.
    gc.disable()
    try:
        with frugal_tracing():
            run_block(program, namespace)
        error = None
    except ProgramError as raised:
        error = raised.message
    finally:
        gc.enable()
    if error is not None and not namespace.get("extra"):
        return {"state": "raised", "reason": error}, 0
    cuts = [_cut(name, parts, namespace, error) for name in CHOICES]
    counted = [cut.pop("counted", True) for cut in cuts]
    found = {
        "state": "traced",
        "cuts": _grouped(cuts),
        "unconfirmed": None if all(counted) else OTHERWISE,
    }
    return found, sum(len(graph.graph.nodes) for graph in namespace["graphs"])


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
