"""Structs of the bill of a block: the storages that a whole forward pass keeps, itemized."""

from typing import Literal

from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import State

BillMode = Literal["train", "eval"]
MaskGroup = Literal["parameters", "inputs", "biases", "adapters"]


class Keeper(Frozen, frozen=True, array_like=True):
    """A saved value that holds a storage: in which module, of which node type, as what.

    `place` is the name of the module inside the block, empty for the block itself.
    """

    place: str
    node: str
    attribute: str


class BillItem(Frozen, frozen=True, array_like=True):
    """One distinct storage, or `times` that are alike: what it is, and who keeps it.

    `bytes` are those of each storage; `shape` (in elements) and `dtype` are of the largest saved
    tensor on it. `role` is as in a policy, never a view. `keepers` are positions in the record's.
    """

    role: str
    bytes: int
    shape: tuple[int, ...]
    dtype: str
    keepers: tuple[int, ...]
    times: int = 1


class Bill(Frozen, frozen=True, kw_only=True):
    """What a block keeps under one grad mask, in the modes that agree.

    `mask` names groups: all `parameters`, those that are `biases` or low-rank `adapters` by name,
    and the floating-point `inputs`; `require` are the lines that make these require grad, and
    nothing else. `items` are positions in the record's, the largest first; `tensors` and `nodes`
    count the saved tensors and the nodes of the graph. The figures are those of a `Measurement`.
    """

    modes: tuple[BillMode, ...]
    mask: tuple[MaskGroup, ...]
    autocast: bool = False
    state: State = "measured"
    reason: str | None = None
    require: str = ""
    items: tuple[int, ...] = ()
    tensors: int = 0
    nodes: int = 0
    logical_bytes: int = 0
    storage_bytes: int = 0
    extra_bytes: int = 0


class BlockRecord(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="block"):
    """A layer or a block of layers at a real size, and its bills.

    `setup` makes the inputs and the `module`, and `call` the outputs; a whole program is the
    header's evidence template named `template` (see `catalogue.bills`), and `printed` what that of
    the first bill printed. `words` are other words for the block, and `modules` the modules in it.
    All of them are empty where the block could not be tried.
    """

    name: str
    state: State
    reason: str | None = None
    title: str = ""
    words: str = ""
    modules: tuple[str, ...] = ()
    setup: str = ""
    call: str = ""
    template: str = ""
    held: str = ""
    grad_fns: str = ""
    printed: str = ""
    input_bytes: int = 0
    parameter_bytes: int = 0
    output_bytes: int = 0
    keepers: tuple[Keeper, ...] = ()
    items: tuple[BillItem, ...] = ()
    bills: tuple[Bill, ...] = ()
