"""Tables of what a call keeps: measurements with equal contents put together, mask by mask."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from generator.catalogue.kept import Call, role_class, spoken_role
from generator.catalogue.model.measurement import Measurement, SavedTensor
from generator.catalogue.model.records import (
    ModuleRecord,
    OpRecord,
    PolicyNode,
    Reference,
    SavedValue,
)
from generator.catalogue.policies import measured_nodes
from generator.catalogue.unsigned import read_as
from generator.pages.figures import exact, rounded_bytes, shape_text
from generator.pages.parts import Chip, Figure, Link, chip, figure
from generator.pages.rows_alike import kept_by_role, saved_alike, values_alike

Measured = OpRecord | ModuleRecord

LONGEST = 12
_TENSOR_KINDS = ("tensor", "tensor list")

LOGICAL = "numel × itemsize of every saved tensor, added up"
STORAGE = "the distinct storages behind them, each counted once"
ALIKE = "× counts tensors that are alike; the evidence below lists each, in the order of the graph."
EXTRA = "of those, the storages that no input, parameter or output holds anyway"


@dataclass(frozen=True)
class SavedRow:
    """One saved tensor; `node` is None on rows that continue the node of the row above.

    `times` counts the tensors of a row that stands for several.
    """

    node: Link | None
    node_span: int
    attribute: Link
    chip: Chip
    shape: str
    dtype: str
    bytes: str
    storage: str
    times: str = ""


@dataclass(frozen=True)
class ValueRow:
    """One saved value that is no tensor: sizes, a scalar, or None.

    `read` is what reading the attribute gives where that looks otherwise; empty elsewhere.
    """

    node: str
    attribute: Link
    kind: str
    value: str
    read: str = ""


@dataclass(frozen=True)
class Segment:
    """One distinct storage in the strip of what is held: its share, tone and description."""

    share: str
    tone: str
    text: str


@dataclass(frozen=True)
class Block:
    """Measurements of one call that agree in everything but their grad mask.

    A `long` one is folded where it is not the answer itself.
    """

    masks: tuple[str, ...]
    rows: tuple[SavedRow, ...]
    values: tuple[ValueRow, ...]
    figures: tuple[Figure, ...]
    segments: tuple[Segment, ...]
    note: str | None
    totals: str

    @property
    def long(self) -> bool:
        """Whether the table has more rows than a screen shows."""
        return len(self.rows) > LONGEST

    @property
    def values_alone(self) -> bool:
        """Whether sizes and scalars are all that is kept, and few: they are the answer then."""
        return not self.rows and len(self.values) <= LONGEST


@dataclass(frozen=True)
class CompactRow:
    """The same, in one line: what is kept under which masks, and the three byte figures."""

    masks: tuple[str, ...]
    kept: tuple[tuple[str, Chip], ...]
    logical: str
    storage: str
    extra: str
    note: str | None


def mask_text(mask: Sequence[str]) -> str:
    """Print a grad mask: the arguments that require grad."""
    return ", ".join(mask) or "none"


def blocks(record: Measured, call: Call, root: str) -> tuple[Block, ...]:
    """Lay out a call whose measurements all have tensors, equal ones together, the widest first.

    Values other than tensors are known of a reference's first measurement alone, and its totals
    stand above it as figures.
    """
    first, *others = _groups(call.measurements)
    shown = replace(_block(record, first, call, root), totals="")
    if not others and len(first) > 1:
        shown = replace(shown, masks=(f"any of the {len(first)} masks",))
    return (shown, *(_block(record, group, None, root) for group in others))


def compact(record: Measured, measurements: Sequence[Measurement]) -> tuple[CompactRow, ...]:
    """Lay out the measurements of one call with one line for each group of equal ones."""
    return tuple(_compact(record, group) for group in _groups(measurements))


def tensors_of(
    nodes: Sequence[PolicyNode], measured: Measurement
) -> Iterator[tuple[int, SavedValue, str, SavedTensor]]:
    """Pair each role of a policy with its tensor, and the position of the node that saves it.

    Yields nothing where the record leaves the tensors of a measurement out.
    """
    roles = [
        (place, value, role)
        for place, node in enumerate(nodes)
        for value in node.saved
        for role in value.roles
    ]
    for (place, value, role), tensor in zip(roles, measured.tensors, strict=bool(measured.tensors)):
        yield place, value, role, tensor


def _groups(measurements: Sequence[Measurement]) -> list[list[Measurement]]:
    found: dict[tuple[object, ...], list[Measurement]] = {}
    for one in measurements:
        key = (one.state, one.reason, one.policy, one.tensors)
        found.setdefault(key, []).append(one)
    return list(found.values())


def _block(record: Measured, group: list[Measurement], call: Call | None, root: str) -> Block:
    """Lay out measurements that agree; `call` where its values are to be shown as well."""
    first = group[0]
    masks = tuple(mask_text(one.mask) for one in group)
    if first.policy is None:
        return Block(masks, (), (), (), (), _state_note(first), "")
    nodes = measured_nodes(record, first)
    figures = (
        figure(first.logical_bytes, "logical bytes", LOGICAL),
        figure(first.storage_bytes, "storage bytes", STORAGE),
        figure(first.extra_bytes, "extra bytes", EXTRA),
    )
    rows = tuple(_rows(nodes, first, root))
    values = tuple(_values(nodes, call if isinstance(call, Reference) else None, root))
    many = len(rows) > LONGEST
    if many:
        rows, values = saved_alike(rows), values_alike(values)
    return Block(
        masks=masks,
        rows=rows,
        values=values,
        figures=figures,
        segments=segments(nodes, first),
        note=(ALIKE if many else None) if rows else "No tensor is kept.",
        totals=" / ".join(one.number for one in figures),
    )


def _compact(record: Measured, group: list[Measurement]) -> CompactRow:
    first = group[0]
    masks = tuple(mask_text(one.mask) for one in group)
    if first.policy is None:
        return CompactRow(masks, (), "", "", "", _state_note(first))
    nodes = measured_nodes(record, first)
    kept = tuple(
        (node.type, value.attribute, chip(role))
        for node in nodes
        for value in node.saved
        for role in value.roles
    )
    return CompactRow(
        masks=masks,
        kept=kept_by_role(kept),
        logical=exact(first.logical_bytes),
        storage=exact(first.storage_bytes),
        extra=exact(first.extra_bytes),
        note=None if kept else "no tensor",
    )


def _state_note(measured: Measurement) -> str:
    return f"{measured.state}: {measured.reason}" if measured.reason else measured.state


def _rows(nodes: Sequence[PolicyNode], measured: Measurement, root: str) -> Iterator[SavedRow]:
    found = list(tensors_of(nodes, measured))
    shared = {
        tensor.storage
        for _, _, _, tensor in found
        if sum(other.storage == tensor.storage for _, _, _, other in found) > 1
    }
    for place, members in groupby(found, key=lambda entry: entry[0]):
        listed = list(members)
        node = nodes[place].type
        for position, (_, value, role, tensor) in enumerate(listed):
            yield SavedRow(
                node=Link(node, f"{root}nodes/{node}/") if position == 0 else None,
                node_span=len(listed),
                attribute=attribute_link(value.attribute, root),
                chip=chip(role),
                shape=shape_text(tensor.shape),
                dtype=_dtype(tensor),
                bytes=exact(tensor.bytes),
                storage=f"storage {tensor.storage}" if tensor.storage in shared else "",
            )


def _dtype(tensor: SavedTensor) -> str:
    return tensor.dtype if tensor.layout == "strided" else f"{tensor.dtype}, {tensor.layout}"


def _values(
    nodes: Sequence[PolicyNode], reference: Reference | None, root: str
) -> Iterator[ValueRow]:
    """Pair values with attributes; where none are known, only what is None is worth a row."""
    values = reference.values if reference else ()
    listed = iter(values)
    for node in nodes:
        for value in node.saved:
            if value.kind == "none":
                yield ValueRow(node.type, attribute_link(value.attribute, root), "none", "None")
            elif value.kind not in _TENSOR_KINDS and values:
                link = attribute_link(value.attribute, root)
                text = next(listed)
                read = read_as(text, reference.printed) if reference else None
                yield ValueRow(node.type, link, value.kind, text, read or "")


def segments(nodes: Sequence[PolicyNode], measured: Measurement) -> tuple[Segment, ...]:
    """Cut the bytes of the distinct storages into a strip, one segment a storage.

    A catalogue tells the bytes of tensors, not of single storages; where the largest tensors of
    each storage do not add up to the measured storage bytes there is no strip.
    """
    sizes: dict[int, tuple[int, str]] = {}
    for _, _, role, tensor in tensors_of(nodes, measured):
        size, known = sizes.get(tensor.storage, (0, role))
        kind = role if known.startswith("view of") else known
        sizes[tensor.storage] = (max(size, tensor.bytes), kind)
    if sum(size for size, _ in sizes.values()) != measured.storage_bytes:
        return ()
    return tuple(
        Segment(
            share=str(size),
            tone=chip(role).tone,
            text=f"{spoken_role(role)}, {rounded_bytes(size)}",
        )
        for size, role in sizes.values()
        if size and role_class(role) != "wrapped number"
    )


def attribute_link(attribute: str, root: str) -> Link:
    """Link to the section of the page of saved attributes that explains one."""
    return Link(attribute, f"{root}attributes/#{attribute_anchor(attribute)}")


def attribute_anchor(attribute: str) -> str:
    """The anchor of an attribute's section: its name without the leading underscore."""
    return attribute.lstrip("_")
