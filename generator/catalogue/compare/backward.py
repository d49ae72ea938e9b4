"""Compare what double backward and the compiler keep of a call in two catalogues."""

from collections.abc import Iterator

from msgspec.structs import replace

from generator.catalogue.compare.changes import Change, CutChanged, GradientChanged, Subject
from generator.catalogue.model.compiled import PARTITIONERS, Compiled, Cut
from generator.catalogue.model.records import ModuleRecord, OpRecord

_TOLD = ("measured", "raised", "not differentiable")
_CUT = ("traced", "raised")
Filed = tuple[str, tuple[str, ...], str | None]


def compare_backward(
    subject: Subject, old: OpRecord | ModuleRecord, new: OpRecord | ModuleRecord
) -> Iterator[Change]:
    """Yield what differs where both sides came to a conclusion; a crash is no finding."""
    before, after = old.second_order, new.second_order
    if before != after and before and after and {before.state, after.state} <= {*_TOLD}:
        yield GradientChanged(subject=subject, name=new.name, old=before, new=after)
    theirs = _cuts(new.compiled)
    for filed, cut in _cuts(old.compiled).items():
        if filed in theirs and theirs[filed] != cut:
            by, mask, _ = filed
            yield CutChanged(
                subject=subject,
                name=new.name,
                partitioner=by,
                mask=mask,
                old=cut,
                new=theirs[filed],
            )


def _cuts(found: Compiled | None) -> dict[Filed, Cut]:
    """File the cuts that came to a conclusion under their partitioner, mask and mode."""
    if found is None:
        return {}
    calls = [((), None, found.cuts), *((one.mask, one.mode, one.cuts) for one in found.others)]
    return {
        (by, mask, mode): replace(cut, by=(by,))
        for mask, mode, cuts in calls
        for by in PARTITIONERS
        for cut in cuts
        if by in cut.by and cut.state in _CUT
    }
