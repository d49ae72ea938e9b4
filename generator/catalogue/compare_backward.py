"""Compare what double backward and the compiler keep of a call in two catalogues."""

from collections.abc import Iterator

from msgspec.structs import replace

from generator.catalogue.changes import Change, CutChanged, GradientChanged, Subject
from generator.catalogue.model import ModuleRecord, OpRecord
from generator.catalogue.model_compiled import PARTITIONERS, Compiled, Cut

_TOLD = ("measured", "raised", "not differentiable")
_CUT = ("traced", "raised")


def compare_backward(
    subject: Subject, old: OpRecord | ModuleRecord, new: OpRecord | ModuleRecord
) -> Iterator[Change]:
    """Yield what differs where both sides came to a conclusion; a crash is no finding."""
    before, after = old.second_order, new.second_order
    if before != after and before and after and {before.state, after.state} <= {*_TOLD}:
        yield GradientChanged(subject=subject, name=new.name, old=before, new=after)
    if isinstance(old, OpRecord) and isinstance(new, OpRecord):
        theirs = _cuts(new.compiled)
        for by, cut in _cuts(old.compiled).items():
            if by in theirs and theirs[by] != cut:
                yield CutChanged(
                    subject=subject, name=new.name, partitioner=by, old=cut, new=theirs[by]
                )


def _cuts(found: Compiled | None) -> dict[str, Cut]:
    """File the cuts that came to a conclusion under their partitioner."""
    return {
        by: replace(cut, by=(by,))
        for by in PARTITIONERS
        for cut in (found.cuts if found else ())
        if by in cut.by and cut.state in _CUT
    }
