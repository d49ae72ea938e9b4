"""Compare the bills of blocks in two catalogues, setting by setting."""

from collections.abc import Iterator

import msgspec

from generator.catalogue.bills import Line, lines, mask_words
from generator.catalogue.compare.changes import (
    CONCLUSIVE,
    Added,
    Bytes,
    BytesChanged,
    Call,
    CallAdded,
    CallRemoved,
    Change,
    DetailChanged,
    NotComparable,
    Removed,
    StateChanged,
    details,
)
from generator.catalogue.model.bills import Bill, BlockRecord
from generator.catalogue.model.records import Catalogue

# Compared setting by setting, whatever the numbering of items and keepers.
_BY_SETTING = {"bills", "items", "keepers"}


def compare_bills(old: Catalogue, new: Catalogue) -> Iterator[Change]:
    """Yield what differs between the blocks of two catalogues, by name."""
    for name in sorted(old.blocks.keys() | new.blocks.keys()):
        before, after = old.blocks.get(name), new.blocks.get(name)
        if before is None or after is None:
            there = before or after
            kind = Added if before is None else Removed
            yield kind(subject="block", name=name, state=there.state if there else "absent")
        elif not CONCLUSIVE.issuperset((before.state, after.state)):
            if before != after:
                yield NotComparable(subject="block", name=name, old=before.state, new=after.state)
        elif before.state != after.state:
            yield StateChanged(subject="block", name=name, old=before.state, new=after.state)
        elif before != after:
            found = [
                *details("block", name, before, after, but=_BY_SETTING),
                *_bills(before, after),
            ]
            # Blocks that differ in the numbering of their items alone are told apart all the same.
            yield from found or details("block", name, before, after)


def _bills(old: BlockRecord, new: BlockRecord) -> Iterator[Change]:
    before, after = _by_setting(old), _by_setting(new)
    for call in [*before, *(one for one in after if one not in before)]:
        had, has = before.get(call), after.get(call)
        if had is None or has is None:
            kind = CallAdded if had is None else CallRemoved
            yield kind(subject="block", name=new.name, call=call)
        elif not CONCLUSIVE.issuperset((had.state, has.state)):
            if (had.state, had.reason) != (has.state, has.reason):
                yield NotComparable(
                    subject="block", name=new.name, call=call, old=had.state, new=has.state
                )
        elif _bytes(had) != _bytes(has):
            yield BytesChanged(
                subject="block",
                name=new.name,
                call=call,
                mask=has.mask,
                old=_bytes(had),
                new=_bytes(has),
            )
        elif _listed(old, had) != _listed(new, has):
            yield DetailChanged(
                subject="block",
                name=new.name,
                field="items",
                old=_listed(old, had),
                new=_listed(new, has),
                call=call,
            )


def _by_setting(block: BlockRecord) -> dict[Call, Bill]:
    return {
        Call(
            kind="bill",
            filed="autocast" if bill.autocast else "",
            text=mask_words(bill),
            mode=mode,
        ): bill
        for bill in block.bills
        for mode in bill.modes
    }


def _bytes(bill: Bill) -> Bytes:
    return Bytes(logical=bill.logical_bytes, storage=bill.storage_bytes, extra=bill.extra_bytes)


def _listed(block: BlockRecord, bill: Bill) -> list[object]:
    return [_told(line) for line in lines(block, bill)]


def _told(line: Line) -> list[object]:
    item = line.item
    keepers = [msgspec.to_builtins(keeper) for keeper in line.keepers]
    return [item.role, item.bytes, list(item.shape), item.dtype, keepers, item.times]
