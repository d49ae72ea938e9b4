"""Whether a sample can be known again in another release by what a catalogue says of it.

It is known by its entry, how it is written and its arguments. Where several samples of a record
look alike by these, or an argument is an object of which only the name of its class is written,
whatever differs between two releases may be two samples.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from generator.catalogue.compare.changes import (
    BytesChanged,
    Call,
    Change,
    PolicyChanged,
    Subject,
    TensorsChanged,
)
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Case, Catalogue, Mode, ModuleRecord, OpRecord

# An argument of which the name of its class is all that a catalogue has.
_CLASS = re.compile(r"(?!None$|True$|False$)[A-Z]\w*")

Doubtful = tuple[Subject, str, Call]
Look = tuple[str, Mode | None, str, tuple[Argument, ...]]


def indistinct(record: OpRecord | ModuleRecord) -> frozenset[Look]:
    """Return the looks of those samples of a record that cannot be told from others."""
    looks = Counter(look(case) for case in record.cases)
    return frozenset(
        one for one, times in looks.items() if times > 1 or any(map(_is_named, one[3]))
    )


def look(case: Case) -> Look:
    """Return what a sample is known by."""
    return case.entry, case.mode, case.call, case.arguments


def doubtful(old: Catalogue, new: Catalogue, changes: Iterable[Change]) -> set[Doubtful]:
    """Return the samples that differ, and cannot be told from others of their record."""
    found: set[Doubtful] = set()
    looks: dict[tuple[Subject, str], set[Call]] = {}
    for one in changes:
        if not isinstance(one, PolicyChanged | BytesChanged | TensorsChanged):
            continue
        if one.call.kind == "case":
            record = one.subject, one.name
            if record not in looks:
                looks[record] = {*_indistinct(old, *record), *_indistinct(new, *record)}
            if one.call in looks[record]:
                found.add((*record, one.call))
    return found


def _indistinct(catalogue: Catalogue, subject: Subject, name: str) -> Iterator[Call]:
    record = (catalogue.ops if subject == "op" else catalogue.modules)[name]
    for entry, mode, text, _ in indistinct(record):
        yield Call(kind="case", filed=entry, text=text, mode=mode)


def _is_named(argument: Argument) -> bool:
    return argument.literal is not None and _CLASS.fullmatch(argument.literal) is not None
