"""Rules about spellings of an op: each is called as often as the catalogue says that it is.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections.abc import Iterator

from generator.catalogue.model.records import Catalogue, OpRecord, Variant
from generator.catalogue.policies import under_each_mask
from generator.catalogue.rules.calls import Finding
from generator.catalogue.spelling_evidence import EACH_MASK


def spellings_are_under_the_masks_of_the_reference(catalogue: Catalogue) -> Iterator[Finding]:
    """A spelling of the reference call has all its masks, where there is a program for each mask.

    Any other has one.
    """
    each = EACH_MASK in catalogue.header.evidence
    for op in catalogue.ops.values():
        for one in op.variants:
            masks = [row.mask for row in under_each_mask(one)]
            expected = _masks_of_reference(op, one) if each else None
            if masks and (masks != expected if expected is not None else len(masks) > 1):
                yield f"op {op.name}", f"calls {one.name} under the masks {masks}"


def _masks_of_reference(op: OpRecord, spelling: Variant) -> list[tuple[str, ...]] | None:
    """Return the masks of the reference that a spelling is written on; None where it is not."""
    if spelling.call is None or not op.references:
        return None
    return [row.mask for row in op.references[0].measurements]


RULES = (spellings_are_under_the_masks_of_the_reference,)
