"""What a claim says of calls that keep other classes of tensor than the call it speaks of.

Many samples are written as the very call that the claim speaks of: what sets such a one apart is
said beside it, so that no claim contradicts itself.
"""

import re
from collections import Counter
from collections.abc import Sequence

from generator.catalogue.case_calls import written_call
from generator.catalogue.case_titles import sizes_of
from generator.catalogue.claim_nouns import join
from generator.catalogue.claims_of_calls import claim_under
from generator.catalogue.kept import Call, measured, widest
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Case, ModuleRecord, OpRecord

LONGEST_CALL = 90
LONGEST_EXAMPLE = 110
ANOTHER = " (another sample of the same call)"

# The names and numbers of a call, without the keywords by which some are given.
_WORD = re.compile(r"[\w.]+(?!\w*=)")


def readable(call: str) -> bool:
    """Say whether a call names its arguments in a length that a sentence bears."""
    return len(call) <= LONGEST_CALL and not any(word in call for word in ("args[", "`", "\n"))


def differing(
    record: OpRecord | ModuleRecord, call: Call, named: str, others: Sequence[Case]
) -> str:
    """Say that other calls keep other things, in how many samples, and name one of them.

    `named` is how the claim writes `call`, of which it speaks; empty where it does not.
    """
    total = sum(samples(case) for case in record.cases if measured(case))
    said = f"other calls keep other things ({sum(map(samples, others))} of {total} samples)"
    dtype = _dtype(call)
    short = [case for case in others if readable(case.call)]
    # What only another dtype changes would not be seen in the text of a call.
    plain = [case for case in short if _dtype(case) == dtype] or short
    if not plain:
        return said
    shown = max(plain, key=samples)
    keeps = claim_under(record, shown, widest(shown))
    if len(keeps) > LONGEST_EXAMPLE:
        return said
    written = written_call(record, shown)
    where = "" if _dtype(shown) == dtype else f" of {_dtype(shown)}"
    if not where and _same_call(record, call, named, written):
        where = _apart(call, shown)
    return f"{said}: `{written}`{where} {keeps}"


def samples(case: Case) -> int:
    """Count the samples of a case over all dtypes."""
    return sum(case.samples.values())


def _dtype(call: Call) -> str | None:
    return next((one.dtype for one in call.arguments if one.dtype), None)


def _same_call(record: OpRecord | ModuleRecord, call: Call, named: str, written: str) -> bool:
    """Tell whether two texts are one call, be it written as a method or with keywords or without.

    A module is named by how it was built; what it was called with is in the text of its call.
    """
    given = call.call.removeprefix("output = module") if isinstance(record, ModuleRecord) else ""
    return bool(named) and _words(record, named + given) == _words(record, written)


def _words(record: OpRecord | ModuleRecord, text: str) -> Counter[str]:
    bare = text.replace(record.name, "").replace(f".{record.name.rpartition('.')[2]}(", "(")
    return Counter(_WORD.findall(bare))


def _apart(call: Call, shown: Case) -> str:
    """Say what `shown` was given that `call` was not: sizes, else values, else the mask or mode."""
    usual = {one.name: one for one in call.arguments}
    sized: dict[str, list[str]] = {}
    for one in shown.arguments:
        if one.shape is not None and _size(one) != _size(usual.get(one.name)):
            sized.setdefault(f"({_size(one)})", []).append(f"`{one.name}`")
    if sized:
        return f" with {', '.join(f'{join(names)} {size}' for size, names in sized.items())}"
    valued = [
        f"`{one.name}={one.literal}`"
        for one in shown.arguments
        if one.name in usual and one.literal != usual[one.name].literal
    ]
    if valued:
        return f" with {join(valued)}"
    if shown.mode != call.mode and shown.mode is not None:
        return f" in {shown.mode} mode"
    mask = widest(shown).mask
    if mask != widest(call).mask:
        return f" with {join([f'`{name}`' for name in mask])} requiring grad"
    return ANOTHER


def _size(one: Argument | None) -> str:
    return "" if one is None or one.shape is None else f"{sizes_of(one)} {one.dtype}"
