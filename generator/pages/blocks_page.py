"""The index of blocks: what a forward pass keeps at real sizes, trained and frozen."""

from dataclasses import dataclass

from generator.catalogue.bills import measured_bills
from generator.catalogue.model.bills import Bill, BlockRecord, MaskGroup
from generator.catalogue.model.records import Catalogue
from generator.pages.figures import rounded_bytes
from generator.pages.parts import Front, Link

TRAINED: tuple[MaskGroup, ...] = ("parameters",)
COLUMNS: tuple[tuple[str, tuple[MaskGroup, ...]], ...] = (
    ("trained", TRAINED),
    ("frozen", ("inputs",)),
    ("biases only", ("biases",)),
    ("adapters only", ("adapters",)),
)


@dataclass(frozen=True)
class BlockRow:
    """One block in a line: its own sizes, and extra bytes under the masks of `COLUMNS`."""

    link: Link
    input: str
    parameters: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class BlocksPage:
    """The index of blocks."""

    front: Front
    columns: tuple[str, ...]
    rows: tuple[BlockRow, ...]


def blocks_page(catalogue: Catalogue) -> BlocksPage:
    """List every block."""
    return BlocksPage(
        front=Front(
            title="Blocks",
            description=(
                "The memory that a forward pass keeps, itemized: transformer blocks, attention, "
                "convolutions, recurrent layers, LoRA; trained, frozen, bias only."
            ),
            section=None,
            boost=2.0,
            hide=("navigation",),
        ),
        columns=tuple(name for name, _ in COLUMNS),
        rows=tuple(_row(one) for one in catalogue.blocks.values()),
    )


def _row(block: BlockRecord) -> BlockRow:
    return BlockRow(
        link=Link(block.title or block.name, f"{block.name}/"),
        input=rounded_bytes(block.input_bytes),
        parameters=rounded_bytes(block.parameter_bytes),
        cells=tuple(_extra(block, mask) for _, mask in COLUMNS),
    )


def _extra(block: BlockRecord, mask: tuple[MaskGroup, ...]) -> str:
    found: list[Bill] = [
        one for one in measured_bills(block) if one.mask == mask and not one.autocast
    ]
    return rounded_bytes(found[0].extra_bytes) if found else "–"
