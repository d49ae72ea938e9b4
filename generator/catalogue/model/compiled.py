"""Structs of what AOTAutograd keeps for backward when it cuts a traced call in two.

`torch.compile` traces forward and backward together and then chooses what the forward graph hands
to the backward graph. That choice is a partitioner's; it is made without compiling any kernel.
"""

from typing import Literal

from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.second_order import KeptTensor

Partitioner = Literal["default", "min-cut", "min-cut, Inductor"]
PARTITIONERS: tuple[Partitioner, ...] = ("default", "min-cut", "min-cut, Inductor")
CompiledState = Literal[
    "traced", "raised", "not available", "not tried", "crashed", "timed out", "corrupted"
]


class Cut(Frozen, frozen=True, kw_only=True):
    """What the partitioners in `by` keep of one call; they agree in all of it.

    `default` and `min-cut` cut the graph of ATen calls as autograd records it, `min-cut, Inductor`
    that graph after Inductor's decompositions. `tensors` are those that the compiled function's
    node holds, sorted: the role alone where that gives the shape. Roles are those of the call,
    an intermediate being followed by the ATen call that made it (`intermediate: aten.rsqrt`).
    `sizes` counts the symbolic integers that are kept besides.

    `logical_bytes`, `storage_bytes` and `extra_bytes` are as in a `Measurement`.
    """

    by: tuple[Partitioner, ...] = PARTITIONERS
    state: CompiledState = "traced"
    reason: str | None = None
    tensors: tuple[str | KeptTensor, ...] = ()
    sizes: int = 0
    logical_bytes: int = 0
    storage_bytes: int = 0
    extra_bytes: int = 0


class OtherMask(Frozen, frozen=True, kw_only=True):
    """The same call under another grad mask, under which eager mode keeps something else.

    `mode` is the mode of the reference where the record has one for each. `require` stands in the
    place of the reference's own in the program; the other fields are as in `Compiled`.
    """

    mask: tuple[str, ...]
    mode: Literal["train", "eval"] | None = None
    require: str
    state: CompiledState = "traced"
    reason: str | None = None
    cuts: tuple[Cut, ...] = ()
    unconfirmed: str | None = None


class Compiled(Frozen, frozen=True, kw_only=True):
    """The first reference call of a record under AOTAutograd, under its first grad mask.

    The program is the header's evidence template `compiled`, or `compiled module`, with the
    reference's own parts, and `takes` and `gives`: the arguments that hold tensors, and what the
    call assigns. `unconfirmed` says why the program did not count the same bytes on its own, where
    it did not. `others` are under other grad masks, and a module's in its other mode.
    """

    state: CompiledState = "traced"
    reason: str | None = None
    takes: str = ""
    gives: str = ""
    cuts: tuple[Cut, ...] = ()
    unconfirmed: str | None = None
    others: tuple[OtherMask, ...] = ()
