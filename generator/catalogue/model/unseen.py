"""Structs of one kind of write after the call: how it is made, and whether autograd sees it."""

from typing import Literal

from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import State

Verdict = Literal["correct", "raises", "silently wrong", "refused", "not tried"]


class WriteEnd(Frozen, frozen=True, array_like=True):
    """How one write ended: the verdict, the words of an error up to its hint, and how wrong.

    `relative_error` is the largest of a silently wrong gradient.
    """

    verdict: Verdict
    message: str | None = None
    relative_error: float | None = None


class WriteRecord(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="write"):
    """One kind of write to the memory of a tensor that backward needs, tried in a program.

    The program is the header's evidence template `write` with `imports`, `made` and `write` filled
    in: what it needs, what makes the tensor, and what writes (see `catalogue.unseen`). `family`
    names the kinds that belong together. `versions` are the tensor's version counter before the
    write and after it; `plain` and `hooked` how it ended without hooks and under identity hooks,
    which some builds do not have: there `hooked` is None.
    """

    name: str
    state: State
    reason: str | None = None
    family: str = ""
    imports: str = ""
    made: str = ""
    write: str = ""
    versions: tuple[int, int] | None = None
    plain: WriteEnd | None = None
    hooked: WriteEnd | None = None
