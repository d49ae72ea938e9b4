"""How it is worded that calls keep other tensors: by which node, in which role, of what shape."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from generator.catalogue.compare.shifts import (
    Held,
    NodeCount,
    NodesShifted,
    TensorShifted,
    ValueShifted,
)
from generator.catalogue.difference.findings import Kept
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.measurement import SavedTensor

Code = Callable[[str], str]
LISTED = 5


def phrase(finding: Kept, code: Code) -> str:
    """Say what a call keeps now and did not, and the other way round."""
    values = [one for one in finding.shifts if isinstance(one, ValueShifted)]
    tensors = [one for one in finding.shifts if isinstance(one, TensorShifted)]
    nodes = [one for one in finding.shifts if isinstance(one, NodesShifted)]
    parts: list[str] = []
    if nodes:
        parts += [_nodes(one, code) for one in nodes]
        parts += _roles(finding)
    else:
        parts += _values(values, finding, code)
    parts += [_tensor(one, code) for one in tensors]
    if len(parts) > LISTED:
        parts = [*parts[:LISTED], f"and {len(parts) - LISTED} more"]
    return "; ".join(parts) or "the same values weigh something else"


def _nodes(shift: NodesShifted, code: Code) -> str:
    lost, gained = _counts(shift.lost, code), _counts(shift.gained, code)
    if lost and gained:
        return f"now goes through {gained}, no longer through {lost}"
    return f"now goes through {gained} as well" if gained else f"no longer goes through {lost}"


def _counts(counts: Sequence[NodeCount], code: Code) -> str:
    often = sorted(counts, key=lambda one: (-one.nodes, one.type))
    names = [code(one.type) + (f" x{one.nodes}" if one.nodes > 1 else "") for one in often]
    return listed(names)


def _roles(finding: Kept) -> Iterator[str]:
    if finding.lost:
        yield f"no longer keeps {listed([spoken_role(one) for one in finding.lost])}"
    if finding.gained:
        yield f"now keeps {listed([spoken_role(one) for one in finding.gained])}"


def _values(values: Sequence[ValueShifted], finding: Kept, code: Code) -> list[str]:
    """Say of each node which tensors it keeps otherwise; of numbers, where there is no tensor."""
    parts: list[str] = []
    for node in dict.fromkeys(one.node for one in values):
        parts += _of_node(node, [one for one in values if one.node == node], finding, code)
    if parts:
        return list(dict.fromkeys(parts))
    return [
        f"{code(one.node)} {'no longer' if lost else 'now'} saves {code(one.attribute)}"
        f" ({held.kind if held.kind != 'none' else 'which holds nothing'})"
        for one in values
        for held, lost in ((one.old, True), (one.new, False))
        # What held nothing and holds something, or the other way round, is told by what it holds.
        if held is not None and (held.kind != "none" or None in (one.old, one.new))
    ]


def _of_node(node: str, values: Sequence[ValueShifted], finding: Kept, code: Code) -> Iterator[str]:
    lost = [(role, one.attribute) for one in values for role in _only(one.old, one.new)]
    gained = [(role, one.attribute) for one in values for role in _only(one.new, one.old)]
    moved = [(role, old, new) for role, old in lost for other, new in gained if role == other]
    for role, old, new in moved:
        yield f"{code(node)} keeps {spoken_role(role)} as {code(new)}, no longer as {code(old)}"
    known = {role for role, _, _ in moved}
    for verb, pairs, whole in (
        ("no longer keeps", lost, finding.lost),
        ("now keeps", gained, finding.gained),
    ):
        said = [
            # What another node or attribute keeps on the other side is only kept elsewhere.
            spoken_role(role) + ("" if role in whole else f" as {code(attribute)}")
            for role, attribute in pairs
            if role not in known
        ]
        if said:
            yield f"{code(node)} {verb} {listed(list(dict.fromkeys(said)))}"


def _only(held: Held | None, other: Held | None) -> Iterable[str]:
    there = other.roles if other is not None else ()
    return [role for role in (held.roles if held else ()) if role not in there]


def _tensor(shift: TensorShifted, code: Code) -> str:
    return (
        f"{code(shift.attribute)} of {code(shift.node)} ({spoken_role(shift.role)}):"
        f" {_described(shift.old)} -> {_described(shift.new)}"
    )


def _described(tensor: SavedTensor) -> str:
    shape = " × ".join(f"{one:,}" for one in tensor.shape) or "scalar"
    layout = "" if tensor.layout == "strided" else f" {tensor.layout}"
    return f"{shape} {tensor.dtype}{layout}"


def listed(names: Sequence[str]) -> str:
    """Join names, and count those beyond a few."""
    if len(names) <= LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:LISTED])} and {len(names) - LISTED} more"
