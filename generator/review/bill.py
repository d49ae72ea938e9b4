"""The bill of a block as text: its items, and what each grad mask makes of it."""

from collections.abc import Iterator

from generator.catalogue.bills import Line, lines, mask_words, measured_bills, mode_words
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.bills import BlockRecord

COLUMNS = ("what", "shape", "dtype", "bytes", "kept by")
SETTING_COLUMNS = ("requires grad", "mode", "logical bytes", "storage bytes", "extra bytes")

Row = tuple[str, ...]


def item_rows(block: BlockRecord) -> Iterator[Row]:
    """Yield a row for each item of the first bill, the largest first."""
    for bill in measured_bills(block):
        for line in lines(block, bill):
            yield (
                _what(line),
                " × ".join(map(str, line.item.shape)) or "()",
                line.item.dtype,
                f"{line.bytes:,}",
                ", ".join(
                    f"{keeper.place or block.name}: {keeper.node}.{keeper.attribute}"
                    for keeper in line.keepers
                ),
            )
        return


def setting_rows(block: BlockRecord) -> Iterator[Row]:
    """Yield a row of figures for each bill."""
    for bill in block.bills:
        named = (mask_words(bill), mode_words(bill))
        if bill.state == "measured":
            figures = (bill.logical_bytes, bill.storage_bytes, bill.extra_bytes)
            yield (*named, *(f"{one:,}" for one in figures))
        else:
            yield (*named, f"{bill.state}: {bill.reason}", "", "")


def bill_title(block: BlockRecord) -> str:
    """Name the setting of the first bill; empty where none was measured."""
    return next((f"{mask_words(one)}, {mode_words(one)}" for one in measured_bills(block)), "")


def _what(line: Line) -> str:
    times = f"{line.item.times} × " if line.item.times > 1 else ""
    return times + spoken_role(line.item.role)
