"""What it can mean that an error names a node: it saved the tensor, it wrote to it, or it made it.

Read off the catalogue: a node keeps its own output where the release declares a saved output that
was seen to be one, and writes in place where a spelling that does leaves the tensor with it.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from generator.catalogue.kept import VIEW
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import (
    Case,
    Catalogue,
    NodeRecord,
    OpRecord,
    PolicyNode,
    Reference,
)
from generator.catalogue.policies import measured_nodes, under_each_mask

SAVED = "_saved_"
_RESULT = re.compile(r"result\d*")
_METHOD = re.compile(r"\.(\w*[a-z0-9]_)\(")


@dataclass(frozen=True)
class Namings:
    """What was seen of all node types of a catalogue, by their name.

    `outputs` holds in which attributes which outputs were kept (`output`, `output 1`), `writers`
    the spellings that were seen to write in place, `possible` methods of its op that write in place
    and may do so by the node's overload, which nobody called.
    """

    outputs: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    writers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    possible: dict[str, str] = field(default_factory=dict)

    def kept(self, node: NodeRecord, number: int) -> tuple[str, ...] | None:
        """Return the attributes in which a node keeps its output of that number.

        None where that cannot be told: the node is made by no op, or nothing is declared of it, and
        its outputs go by names of their own.
        """
        own = {"output", f"output {number}"}
        seen = self.outputs.get(node.name)
        held = {name for name, roles in (seen or {}).items() if own & roles}
        if not node.declared:
            names = [one.removeprefix(SAVED) for one in node.attributes]
            names = [name for name in names if _RESULT.fullmatch(name)]
            kept = by_name(names, number) if seen is None else tuple(_saved(names, held))
            return kept or (None if seen is None else tuple(_numbered(seen, number)))
        names = sorted({value.name for one in node.declared for value in one.saved_outputs})
        return by_name(names, number) if seen is None else tuple(_saved(names, held))


def _saved(names: Collection[str], held: Collection[str]) -> Iterator[str]:
    return (f"{SAVED}{name}" for name in names if f"{SAVED}{name}" in held)


def _numbered(seen: dict[str, set[str]], number: int) -> Iterator[str]:
    """Yield the attributes that were seen to be an output of that number, or the only one."""
    for name, roles in sorted(seen.items()):
        if f"output {number}" in roles or roles == {"output"}:
            yield name


def by_name(names: Collection[str], number: int) -> tuple[str, ...] | None:
    """Tell by how derivatives call outputs which of these is the one: `result`, or `result1`."""
    if not all(_RESULT.fullmatch(name) for name in names):
        return None
    return tuple(f"{SAVED}{name}" for name in names if name in ("result", f"result{number}"))


def namings(catalogue: Catalogue) -> Namings:
    """Collect them in one pass over the ops and the recipes of nodes."""
    outputs: dict[str, dict[str, set[str]]] = {}
    writers: dict[str, list[str]] = defaultdict(list)
    for op in catalogue.ops.values():
        calls: tuple[Reference | Case, ...] = (*op.references, *op.cases)
        for call in calls:
            for measurement in call.measurements:
                for node in measured_nodes(op, measurement):
                    _note(outputs.setdefault(node.type, {}), node)
        for name, measurement in _in_place(op):
            nodes = measured_nodes(op, measurement)
            if nodes:
                writers[nodes[0].type].append(name)
    for record in catalogue.nodes.values():
        if record.recipe:
            last = record.recipe.program.strip().splitlines()[-1]
            writers[record.name] += [f"torch.Tensor.{name}" for name in _METHOD.findall(last)]
    seen = {name: tuple(dict.fromkeys(each)) for name, each in writers.items()}
    return Namings(outputs, seen, dict(_possible(catalogue)))


def _possible(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield nodes of overloads whose op has a method in place, without a derivative of its own."""
    methods = {one.name for op in catalogue.ops.values() for one in op.variants}
    derived = {
        one.overload.partition(".")[0] for node in catalogue.nodes.values() for one in node.declared
    }
    for node in catalogue.nodes.values():
        for one in node.declared:
            base = one.overload.partition(".")[0]
            method = f"torch.Tensor.{base.removeprefix('aten::')}_"
            if method in methods and f"{base}_" not in derived:
                yield node.name, method


def _note(seen: dict[str, set[str]], node: PolicyNode) -> None:
    for value in node.saved:
        roles = {role.removeprefix(VIEW) for role in value.roles}
        found = {role for role in roles if role.startswith("output")}
        if found:
            seen.setdefault(value.attribute, set()).update(found)


def _in_place(op: OpRecord) -> Iterator[tuple[str, Measurement]]:
    for variant in op.variants:
        if variant.relation == "in-place":
            yield from ((variant.name, one) for one in under_each_mask(variant))
    if op.name.endswith("_") and not op.name.endswith("__"):
        calls: tuple[Reference | Case, ...] = (*op.references, *op.cases)
        for call in calls[:1]:
            yield from ((op.name, one) for one in call.measurements[:1])
