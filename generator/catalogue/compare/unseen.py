"""Compare the kinds of write of two catalogues: which there are, and how each ended."""

from collections.abc import Iterator

from generator.catalogue.compare.changes import (
    CONCLUSIVE,
    Added,
    Change,
    NotComparable,
    Removed,
    StateChanged,
    details,
)
from generator.catalogue.model.records import Catalogue


def compare_unseen(old: Catalogue, new: Catalogue) -> Iterator[Change]:
    """Yield what differs, by name."""
    for name in sorted(old.writes.keys() | new.writes.keys()):
        before, after = old.writes.get(name), new.writes.get(name)
        if before is None or after is None:
            found = before or after
            kind = Added if before is None else Removed
            yield kind(subject="write", name=name, state=found.state if found else "absent")
        elif before.state == after.state:
            yield from details("write", name, before, after)
        elif CONCLUSIVE.issuperset((before.state, after.state)):
            yield StateChanged(subject="write", name=name, old=before.state, new=after.state)
        else:
            yield NotComparable(subject="write", name=name, old=before.state, new=after.state)
