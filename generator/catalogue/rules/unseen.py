"""Rules about kinds of write: what is told where, and that no write is seen without a version."""

from collections.abc import Iterator

from generator.catalogue.model.records import Catalogue
from generator.catalogue.rules.calls import Finding


def kinds_of_write_say_how_they_ended(catalogue: Catalogue) -> Iterator[Finding]:
    """A measured kind of write has its program, versions and end; any other has a reason."""
    for record in catalogue.writes.values():
        label = f"write {record.name}"
        told = (record.versions, record.plain)
        if record.state == "measured":
            if None in told or record.reason is not None:
                yield label, "was measured and does not say how it ended"
            if not (record.family and record.made and record.write):
                yield label, "was measured by no program"
        elif any((*told, record.hooked)) or not record.reason:
            yield label, f"{record.state} without a reason, or with an end"


def ends_say_what_belongs_to_them(catalogue: Catalogue) -> Iterator[Finding]:
    """An end has words exactly where something raised, and an error only where it was wrong."""
    for record in catalogue.writes.values():
        for end in (record.plain, record.hooked):
            if end is None:
                continue
            if (end.verdict in ("raises", "refused")) != bool(end.message):
                yield f"write {record.name}", f"is {end.verdict} and says {end.message!r}"
            if (end.verdict == "silently wrong") != (end.relative_error is not None):
                yield f"write {record.name}", f"is {end.verdict} by {end.relative_error}"


def backward_raises_after_a_version(catalogue: Catalogue) -> Iterator[Finding]:
    """Backward raises only after a write that was counted."""
    for record in catalogue.writes.values():
        uncounted = record.versions is not None and record.versions[0] == record.versions[1]
        if uncounted and record.plain is not None and record.plain.verdict == "raises":
            yield f"write {record.name}", "made backward raise and counted no version"


RULES = (
    kinds_of_write_say_how_they_ended,
    ends_say_what_belongs_to_them,
    backward_raises_after_a_version,
)
