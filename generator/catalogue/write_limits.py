"""What the trials of writes of an op do not tell: masks without a trial, other ops in place."""

from generator.catalogue.model.records import OpRecord
from generator.catalogue.writes import Mask

HOW = "each write was a `copy_` of other numbers; no other op in place was tried"


def untried_masks(op: OpRecord) -> tuple[Mask, ...]:
    """Return the masks under which the call that was written after is known, and no write is.

    What a sample of PyTorch's own keeps under which masks is not held against its writes: they may
    have been tried after another sample.
    """
    if op.writes is None or op.writes.setup is None or not op.writes.masks:
        return ()
    calls = op.references[:1]
    known = [one.mask for each in calls for one in each.measurements if one.policy is not None]
    return tuple(mask for mask in known if mask not in op.writes.masks)


def under_other_masks(op: OpRecord) -> str | None:
    """Say what there is of masks without a trial, in words that follow “under other masks”."""
    if op.writes is None:
        return None
    if op.writes.left_out is not None:
        return op.writes.left_out.rstrip(".")
    untried = untried_masks(op)
    if not untried:
        return None
    tried = len(op.writes.masks)
    return f"no write was tried: {tried} of {tried + len(untried)} masks have trials"
