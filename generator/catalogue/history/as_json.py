"""What all releases say of one record as JSON: its timelines, worded, and what else changed."""

from dataclasses import dataclass
from typing import Any

import msgspec

from generator.catalogue.difference.pen import Pen
from generator.catalogue.history.others import others
from generator.catalogue.history.words import answer, notes_of, remarks, title_of
from generator.catalogue.model.history import History, Timeline


@dataclass(frozen=True)
class AskedSpelling:
    """A spelling of an op that was asked for, and its own timeline; None where none called it."""

    name: str
    timeline: Timeline | None


def history_json(
    history: History, subject: str, name: str, pen: Pen, spelling: AskedSpelling | None = None
) -> bytes:
    """Write the timelines of a record, told from the newest release, and what else changed.

    `subject` is `op`, `module` or `node`; the record is in one of the releases at least. Where a
    `spelling` of it was asked for, `spelling` says which and whether any release called it.
    """
    releases = [one.release for one in history.releases]
    told: dict[str, Any] = {
        "kind": subject,
        "name": name,
        "device": history.device,
        "releases": releases,
        **_asked(spelling),
        "timelines": [
            {
                "title": title_of(one.followed),
                "answer": answer(one, subject, releases, releases[-1]).text,
                "notes": notes_of(one, history),
                "remarks": remarks(one),
                **msgspec.to_builtins(one),
            }
            for one in timelines_of(history, subject, name, spelling)
        ],
        "others": [
            {"release": one.release, "change": one.sentence}
            for one in others(history, pen).get((subject, name), ())
        ],
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def timelines_of(
    history: History, subject: str, name: str, spelling: AskedSpelling | None = None
) -> tuple[Timeline, ...]:
    """Return the timelines of a record, that of the spelling that was asked for first."""
    filed = {"op": history.ops, "module": history.modules, "node": history.nodes}[subject]
    told = filed[name]
    if spelling is None or spelling.timeline is None:
        return told
    own = spelling.timeline
    return (own, *(one for one in told if one.followed != own.followed))


def _asked(spelling: AskedSpelling | None) -> dict[str, Any]:
    if spelling is None:
        return {}
    return {"spelling": {"name": spelling.name, "called": spelling.timeline is not None}}
