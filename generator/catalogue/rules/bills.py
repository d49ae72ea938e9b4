"""Rules about the bills of blocks: what they list must add up to what they say.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections.abc import Iterator

from generator.catalogue.bills import lines, measured_bills
from generator.catalogue.kept import role_class
from generator.catalogue.model.records import Catalogue
from generator.catalogue.rules.calls import Finding

_OF_GRAPH = ("intermediate", "wrapped number")


def bills_add_up(catalogue: Catalogue) -> Iterator[Finding]:
    """The items of a bill are its storages: their bytes add up, and are listed by weight."""
    for block in catalogue.blocks.values():
        for bill in measured_bills(block):
            label = f"block {block.name}"
            listed = list(lines(block, bill))
            weights = [line.bytes for line in listed]
            if sum(weights) != bill.storage_bytes:
                yield label, f"lists {sum(weights)} bytes and says {bill.storage_bytes}"
            extra = sum(one.bytes for one in listed if role_class(one.item.role) in _OF_GRAPH)
            if extra != bill.extra_bytes:
                yield label, f"lists {extra} extra bytes and says {bill.extra_bytes}"
            if weights != sorted(weights, reverse=True):
                yield label, f"lists {bill.mask} out of order"
            if sum(line.item.times for line in listed) > bill.tensors:
                yield label, f"keeps more storages than tensors under {bill.mask}"


def bills_are_told_apart(catalogue: Catalogue) -> Iterator[Finding]:
    """No two bills of a block are of the same setting, and what was not measured says why."""
    for block in catalogue.blocks.values():
        seen = [(mode, one.mask, one.autocast) for one in block.bills for mode in one.modes]
        if len(set(seen)) != len(seen):
            yield f"block {block.name}", "has two bills of one setting"
        stated = [(block.state, block.reason), *((one.state, one.reason) for one in block.bills)]
        for state, reason in stated:
            if (state == "measured") == bool(reason):
                yield (
                    f"block {block.name}",
                    f"is {state} {'with' if reason else 'without'} a reason",
                )


def keepers_are_catalogued(catalogue: Catalogue) -> Iterator[Finding]:
    """Who keeps an item is an attribute of a node type of the catalogue."""
    for block in catalogue.blocks.values():
        for keeper in block.keepers:
            node = catalogue.nodes.get(keeper.node)
            if node is None or keeper.attribute not in node.attributes:
                yield (
                    f"block {block.name}",
                    f"names {keeper.node}.{keeper.attribute}, not catalogued",
                )


RULES = (bills_add_up, bills_are_told_apart, keepers_are_catalogued)
