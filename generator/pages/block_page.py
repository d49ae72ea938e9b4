"""The page of one block: the bill of a whole forward pass, itemized, under each grad mask."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.bills import (
    Line,
    bill_program,
    bytes_by_class,
    lines,
    mask_words,
    measured_bills,
    mode_words,
)
from generator.catalogue.kept import role_class, spoken_role
from generator.catalogue.model.bills import Bill, BlockRecord, Keeper
from generator.catalogue.model.records import Catalogue
from generator.pages.figures import exact, plural, rounded_bytes, shape_text
from generator.pages.markup import code_fence
from generator.pages.parts import Chip, Citation, Figure, Front, Head, Link, chip, citation, figure
from generator.pages.parts import head as make_head
from generator.pages.saved import EXTRA, LOGICAL, STORAGE, Segment

ROOT = "../../"
CLASSES = ("intermediate", "parameter", "input", "output")


@dataclass(frozen=True)
class KeeperView:
    """Who keeps a storage: the module in the block, the node type, the attribute."""

    place: str
    node: Link
    attribute: str


@dataclass(frozen=True)
class ItemRow:
    """One storage, or several alike."""

    chip: Chip
    times: str
    shape: str
    dtype: str
    bytes: str
    rounded: str
    keepers: tuple[KeeperView, ...]


@dataclass(frozen=True)
class BillView:
    """One bill: what requires grad, in which mode, and its items."""

    title: str
    figures: tuple[Figure, ...]
    segments: tuple[Segment, ...]
    rows: tuple[ItemRow, ...]
    note: str | None
    counts: str
    program: str


@dataclass(frozen=True)
class SettingRow:
    """One bill in a line, to be compared with the others: figures by class of role."""

    mask: str
    mode: str
    storage: str
    extra: str
    by_class: tuple[str, ...]
    note: str | None


@dataclass(frozen=True)
class BlockPage:
    """Everything that the page of a block shows."""

    front: Front
    head: Head
    note: str | None
    sizes: tuple[tuple[str, str], ...]
    first: BillView | None
    classes: tuple[str, ...]
    settings: tuple[SettingRow, ...]
    others: tuple[BillView, ...]
    program: Markup | None
    printed: Markup
    modules: tuple[Link, ...]
    citation: Citation


def block_page(catalogue: Catalogue, block: BlockRecord) -> BlockPage:
    """Decide everything that the page of `block` shows."""
    header = catalogue.header
    measured = list(measured_bills(block))
    first = measured[0] if measured else None
    return BlockPage(
        front=Front(
            title=block.title or block.name,
            description=f"{block.title}: every tensor that its forward pass keeps for backward.",
            section=Link("Blocks", f"{ROOT}blocks/"),
            boost=1.5,
            hide=("navigation",),
        ),
        head=make_head(header, block, "block", (block.name, block.words, *block.modules)),
        note=None if first else f"{block.state}: {block.reason}",
        sizes=(
            ("input", rounded_bytes(block.input_bytes)),
            ("parameters", rounded_bytes(block.parameter_bytes)),
            ("output", rounded_bytes(block.output_bytes)),
        ),
        first=_bill(catalogue, block, first) if first else None,
        classes=CLASSES,
        settings=tuple(_setting(block, one) for one in block.bills),
        others=tuple(_bill(catalogue, block, one) for one in measured[1:]),
        program=code_fence(bill_program(header, block, first), "python") if first else None,
        printed=code_fence(block.printed or "(nothing)", "text"),
        modules=tuple(
            Link(name, f"{ROOT}modules/{name}/")
            for name in block.modules
            if name in catalogue.modules
        ),
        citation=citation(header, block),
    )


def _setting(block: BlockRecord, bill: Bill) -> SettingRow:
    if bill.state != "measured":
        note = f"{bill.state}: {bill.reason}"
        return SettingRow(mask_words(bill), mode_words(bill), "", "", ("",) * len(CLASSES), note)
    found = bytes_by_class(block, bill)
    return SettingRow(
        mask=mask_words(bill),
        mode=mode_words(bill),
        storage=exact(bill.storage_bytes),
        extra=exact(bill.extra_bytes),
        by_class=tuple(rounded_bytes(found[name]) if name in found else "–" for name in CLASSES),
        note=None,
    )


def _bill(catalogue: Catalogue, block: BlockRecord, bill: Bill) -> BillView:
    listed = list(lines(block, bill))
    return BillView(
        title=f"{mask_words(bill)}, {mode_words(bill)}",
        figures=(
            figure(bill.logical_bytes, "logical bytes", LOGICAL),
            figure(bill.storage_bytes, "storage bytes", STORAGE),
            figure(bill.extra_bytes, "extra bytes", EXTRA),
        ),
        segments=tuple(_segments(listed)),
        rows=tuple(_row(catalogue, one) for one in listed),
        note=None if listed else "Nothing is kept.",
        counts=f"{plural(bill.tensors, 'saved tensor')} of {plural(bill.nodes, 'node')}",
        program=bill_program(catalogue.header, block, bill),
    )


def _segments(listed: list[Line]) -> Iterator[Segment]:
    for line in listed:
        if line.bytes:
            yield Segment(
                share=str(line.bytes),
                tone=chip(line.item.role).tone,
                text=f"{_spoken(line)}, {rounded_bytes(line.bytes)}",
            )


def _spoken(line: Line) -> str:
    """Name an item: an intermediate by the modules that keep it, for want of a name of its own."""
    role = spoken_role(line.item.role)
    places = [keeper.place for keeper in line.keepers if keeper.place]
    if role_class(role) == "intermediate" and places:
        return f"kept by {', '.join(dict.fromkeys(places))}"
    return role


def _row(catalogue: Catalogue, line: Line) -> ItemRow:
    item = line.item
    return ItemRow(
        chip=chip(item.role),
        times=f"{exact(item.times)} ×" if item.times > 1 else "",
        shape=shape_text(item.shape),
        dtype=item.dtype,
        bytes=exact(line.bytes),
        rounded=rounded_bytes(line.bytes),
        keepers=tuple(_keeper(catalogue, keeper) for keeper in line.keepers),
    )


def _keeper(catalogue: Catalogue, keeper: Keeper) -> KeeperView:
    href = f"{ROOT}nodes/{keeper.node}/" if keeper.node in catalogue.nodes else ""
    return KeeperView(keeper.place, Link(keeper.node, href), keeper.attribute)
