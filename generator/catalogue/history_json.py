"""What all releases say of one record as JSON: its timelines, worded, and what else changed."""

from typing import Any

import msgspec

from generator.catalogue.difference_words import Pen
from generator.catalogue.history_others import others
from generator.catalogue.history_words import answer, notes_of, remarks, title_of
from generator.catalogue.model_history import History, Timeline


def history_json(history: History, subject: str, name: str, pen: Pen) -> bytes:
    """Write the timelines of a record, told from the newest release, and what else changed.

    `subject` is `op`, `module` or `node`; the record is in one of the releases at least.
    """
    releases = [one.release for one in history.releases]
    told: dict[str, Any] = {
        "kind": subject,
        "name": name,
        "device": history.device,
        "releases": releases,
        "timelines": [
            {
                "title": title_of(one.followed),
                "answer": answer(one, subject, releases, releases[-1]).text,
                "notes": notes_of(one, history),
                "remarks": remarks(one),
                **msgspec.to_builtins(one),
            }
            for one in timelines_of(history, subject, name)
        ],
        "others": [
            {"release": one.release, "change": one.sentence}
            for one in others(history, pen).get((subject, name), ())
        ],
    }
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def timelines_of(history: History, subject: str, name: str) -> tuple[Timeline, ...]:
    """Return the timelines of a record."""
    filed = {"op": history.ops, "module": history.modules, "node": history.nodes}[subject]
    return filed[name]
