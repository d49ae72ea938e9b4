"""Structs of what changes when a record's reference call is made under another condition.

A condition is one more step of the reference's program: other dtypes, a number or another layout
for one argument, no rows, autocast. The step itself is the header's evidence template named
`condition NAME`, filled in for the argument (see `catalogue.conditions`).
"""

from typing import Literal

import msgspec

from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import Measurement, State

ConditionName = Literal[
    "float64",
    "bfloat16",
    "float16",
    "complex64",
    "autocast",
    "training",
    "eval",
    "frozen",
    "nan",
    "empty",
    "number",
    "0-dim",
    "one row",
    "same tensor",
    "transposed",
    "strided",
    "offset",
    "expanded",
    "channels_last",
]
Group = Literal["dtypes", "layouts"]
ConditionOutcome = Literal["unchanged", "changed", "refused"]


class Applied(Frozen, frozen=True, array_like=True):
    """A condition, and the argument that it is about; no argument where it is about the call."""

    condition: ConditionName
    argument: str = ""


class ChangedCall(Frozen, frozen=True, kw_only=True):
    """Conditions under which the call keeps something else, and alike: what that is.

    `measurement` is under the mask of the conditions, less the arguments that cannot require
    grad here; it leaves its tensors out where the roles are other ones and no dtype is the point.
    `call` is the program's call where that is not the reference's own.
    """

    conditions: tuple[Applied, ...]
    call: str | None = None
    measurement: Measurement


class ChangedPair(Frozen, frozen=True, kw_only=True):
    """Pairs of conditions whose outcome neither of the two foretells, and alike: what it is.

    Each of the two changes the call by itself. Foretold is, of each node type, attribute and tensor
    (roles aside, and dtypes that a condition sets) and of the extra bytes, as many as there are
    under one of the two where the other leaves that as it is, and else as many as under one of them
    or as both add to and take from the plain call; or of all, as many as under one of the two.
    `measurement` may be in the state `raised`: then the call raises under both, and under neither
    alone.
    """

    pairs: tuple[tuple[Applied, Applied], ...]
    call: str | None = None
    measurement: Measurement


class RefusedCall(Frozen, frozen=True, kw_only=True):
    """Conditions under which the call raises, or gives no graph: the reason."""

    conditions: tuple[Applied, ...]
    reason: str


class Conditions(Frozen, frozen=True, kw_only=True):
    """Every condition that was tried on a record's first reference call, by what came of it.

    `state` and its `reason` tell where the trials themselves could not be made.

    `unchanged` maps an argument (the empty name for the call as a whole) to the conditions under
    which the call keeps the same: the same nodes, attributes and roles; besides the arguments
    themselves, tensors of the same shapes and dtypes, save that a dtype that follows the arguments'
    counts as the same; and as many extra bytes. What the argument itself weighs makes no
    difference, nor do shapes and bytes without any row (`empty`). A group stands for all its
    members that the argument has room for: the layouts from `transposed` on, and the dtypes other
    than float32 that the record's entries have samples of.

    `mask` is the mask of all trials where that is not the reference's first, and `require` then
    stands in the place of the reference's own. All pairs of conditions that each change the call
    were tried, `pairs_tried` of them, the first standing for all that change it alike, save two
    about one argument and two dtypes; `pairs` are those that neither of the two foretells.
    """

    state: State = "measured"
    reason: str | None = None
    mask: tuple[str, ...] = ()
    require: str | None = None
    unchanged: dict[str, tuple[ConditionName | Group, ...]] = msgspec.field(default_factory=dict)
    changed: tuple[ChangedCall, ...] = ()
    refused: tuple[RefusedCall, ...] = ()
    pairs: tuple[ChangedPair, ...] = ()
    pairs_tried: int = 0
