"""The table of in-place spellings that pay for the memory that they seem to save."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.catalogue.clones import clone_condition, cloning
from generator.catalogue.kept import Call
from generator.catalogue.model.records import OpRecord, Variant
from generator.catalogue.policies import under_each_mask
from generator.catalogue.spellings import spelled_call
from generator.pages.figures import exact
from generator.pages.parts import Link, record_link
from generator.pages.saved import mask_text


@dataclass(frozen=True)
class Clone:
    """An in-place spelling that keeps a copy of what it overwrites, when, and the copy's bytes.

    `extra` and `of` are the extra and the storage bytes under the first mask with a copy.
    """

    name: str
    link: Link
    called: str
    when: str
    extra: str
    of: str


def clone_rows(ops: Iterable[OpRecord], root: str) -> Iterator[Clone]:
    """Yield a row for each spelling of some ops that keeps a copy under any mask."""
    for op in ops:
        for spelling in op.variants:
            clones, call = cloning(op, spelling), spelled_call(op, spelling)
            if clones and call is not None:
                yield Clone(
                    name=spelling.name,
                    link=record_link(op, root),
                    called=spelling.call.removeprefix("output = ") if spelling.call else "a sample",
                    when=_when(op, spelling, call),
                    extra=exact(clones[0].extra_bytes),
                    of=exact(clones[0].storage_bytes),
                )


def _when(op: OpRecord, spelling: Variant, call: Call) -> str:
    """Say what must require grad for a clone to be kept, as far as that was tried."""
    tried = [one.mask for one in under_each_mask(spelling)]
    if {*tried}.issuperset(one.mask for one in call.measurements):
        return clone_condition(op, spelling, call).replace("`", "") or "always"
    return f"with grad of {mask_text(tried[0])}, the only mask tried"
