"""In-place spellings that pay for the memory that they seem to save: which, and when."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.catalogue.claim_nouns import join
from generator.catalogue.clones import clone_condition, cloning, hides_a_clone
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
                    when=clones_when(op, spelling, call).replace("`", "") or "always",
                    extra=exact(clones[0].extra_bytes),
                    of=exact(clones[0].storage_bytes),
                )


def clone_answers(op: OpRecord) -> Iterator[str]:
    """Say which in-place spellings of an op keep a clone, and when: those alike in one sentence."""
    alike: dict[str, list[str]] = {}
    for spelling in op.variants:
        call = spelled_call(op, spelling)
        if call is not None and hides_a_clone(op, spelling):
            when = clones_when(op, spelling, call)
            alike.setdefault(when, []).append(f"`{spelling.name}`")
    for when, names in alike.items():
        they = "keeps a hidden clone of what it overwrites"
        if len(names) > 1:
            they = "keep a hidden clone of what they overwrite"
        clause = f" {when}{', and none otherwise' if when.startswith('when ') else ''}"
        yield f"{join(names)} {they}{clause if when else ''}."


def clones_when(op: OpRecord, spelling: Variant, call: Call) -> str:
    """Say what must require grad for a clone to be kept, as far as that was tried.

    Empty where it always is.
    """
    tried = [one.mask for one in under_each_mask(spelling)]
    if {*tried}.issuperset(one.mask for one in call.measurements):
        return clone_condition(op, spelling, call)
    return f"with grad of {mask_text(tried[0])}, the only mask tried"
