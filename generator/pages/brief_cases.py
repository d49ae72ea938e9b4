"""Cases beyond those that a page has room for: a line each, with the answer and its bytes.

All that was measured of them, mask by mask, is in the downloads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.claims_of_calls import claim_under
from generator.catalogue.kept import measured
from generator.catalogue.model.records import Case
from generator.pages.figures import exact
from generator.pages.markup import code_spans
from generator.pages.saved import CompactRow, Measured

ROOM = 30_000  # bytes of HTML, about, for the cases that are told in full
_CASE, _ROW, _KEPT = 900, 180, 95  # bytes of markup of a case, of a row of it, of what a row lists


@dataclass(frozen=True)
class BriefCase:
    """A case in a line: its call, how many samples, and what it keeps under the first mask."""

    call: str
    mark: str
    samples: str
    keeps: Markup
    storage: str
    extra: str


def in_full(each: Sequence[tuple[CompactRow, ...]]) -> int:
    """Say how many of the first cases, by their rows, a page has room for: one at least."""
    room = ROOM
    for place, rows in enumerate(each):
        room -= _CASE + sum(map(_weight, rows))
        if room < 0:
            return max(place, 1)
    return len(each)


def _weight(row: CompactRow) -> int:
    listed = sum(_KEPT + len(attribute) + len(chip.text) for attribute, chip in row.kept)
    return _ROW + sum(map(len, row.masks)) + listed


def brief(record: Measured, case: Case, call: str, mark: str, samples: str) -> BriefCase:
    """Put a case in a line; one that was not measured says so."""
    found = measured(case)
    if not found:
        state = ", ".join(dict.fromkeys(one.state for one in case.measurements))
        return BriefCase(call, mark, samples, Markup("") + state, "", "")
    first = found[0]
    return BriefCase(
        call=call,
        mark=mark,
        samples=samples,
        keeps=code_spans(claim_under(record, case, first)),
        storage=exact(first.storage_bytes),
        extra=exact(first.extra_bytes),
    )
