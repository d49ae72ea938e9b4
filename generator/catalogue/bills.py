"""Read a block's bill: its items, what they are for, and the program that prints it."""

from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

from generator.catalogue.kept import role_class
from generator.catalogue.model.bills import Bill, BillItem, BlockRecord, Keeper
from generator.catalogue.model.records import Header

_MASKS = {
    ("parameters",): "all parameters require grad",
    ("inputs", "parameters"): "all parameters and the input require grad",
    ("inputs",): "frozen: only the input requires grad",
    ("biases",): "only the biases require grad",
    ("adapters",): "only the adapters require grad",
    ("inputs", "adapters"): "the adapters and the input require grad",
}


@dataclass(frozen=True)
class Line:
    """An item of a bill with those who keep it, and its bytes over all storages alike."""

    item: BillItem
    keepers: tuple[Keeper, ...]

    @property
    def bytes(self) -> int:
        """The bytes of all storages that are alike."""
        return self.item.bytes * self.item.times


def lines(block: BlockRecord, bill: Bill) -> Iterator[Line]:
    """Yield the items of a bill, the largest first."""
    for position in bill.items:
        item = block.items[position]
        yield Line(item, tuple(block.keepers[place] for place in item.keepers))


def bytes_by_class(block: BlockRecord, bill: Bill) -> dict[str, int]:
    """Add up the storage bytes of a bill by class of role: input, parameter, intermediate."""
    found: dict[str, int] = {}
    for line in lines(block, bill):
        name = role_class(line.item.role)
        found[name] = found.get(name, 0) + line.bytes
    return found


def mask_words(bill: Bill) -> str:
    """Say what requires grad, in words."""
    return _MASKS.get(bill.mask, f"{', '.join(bill.mask)} require grad")


def mode_words(bill: Bill) -> str:
    """Say in which modes, and whether under autocast."""
    modes = f"{' and '.join(bill.modes)} mode"
    return f"{modes}, autocast to bfloat16" if bill.autocast else modes


def measured_bills(block: BlockRecord) -> Iterator[Bill]:
    """Yield the bills that could be measured."""
    return (bill for bill in block.bills if bill.state == "measured")


def bill_program(header: Header, block: BlockRecord, bill: Bill) -> str:
    """Return the program whose output is the bill, in its first mode."""
    call = block.call
    if bill.autocast:
        call = Template(header.evidence["condition autocast"]).substitute(call=call)
    require = [bill.require] if bill.require else []
    mode = ["module.eval()"] if bill.modes[0] == "eval" else []
    return Template(header.evidence[block.template]).substitute(
        setup=block.setup,
        require="\n".join([*mode, *require]),
        call=call,
        held=block.held,
        grad_fns=block.grad_fns,
    )


def block_claim(block: BlockRecord) -> str:
    """Say in one sentence what the block keeps as it is trained, as measured."""
    bill = next(measured_bills(block), None)
    if bill is None:
        return f"not measured: {block.state}: {block.reason}"
    frozen = next((one for one in measured_bills(block) if one.mask == ("inputs",)), None)
    said = (
        f"keeps {bill.storage_bytes:,} bytes for backward in {mode_words(bill)} when "
        f"{mask_words(bill)}; the graph alone holds {bill.extra_bytes:,} of them"
    )
    if frozen is None:
        return said
    return f"{said}, and {frozen.extra_bytes:,} when the block is frozen"
