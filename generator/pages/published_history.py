"""The history of all records as one small file, which the page that compares two releases reads.

Each text is written once and named by its place. A record's spans follow each other from the
oldest release on, so that a span needs only the place of its last release.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from generator.catalogue.compare.changes import CONCLUSIVE
from generator.catalogue.difference.findings import Backward, Difference, InPlace, Wording
from generator.catalogue.history.words import title_of
from generator.catalogue.model.history import (
    History,
    Keeping,
    NodeClass,
    Span,
    Timeline,
)
from generator.pages.downloads import Download

FILE_NAME = "history.json"
VERSION = 2
# What is in each list of the file, in order; published in it, for whoever reads it by hand.
FIELDS: dict[str, Any] = {
    "releases": ["release", "published", "depth"],
    # For each release but the first, since the one before it.
    "steps": {
        "writes": "ops whose writes in place end otherwise",
        "errors": "how many records word an error otherwise",
        "backward": "records whose double backward or compiled graph keeps something else",
    },
    # What is told besides the reference call, or null for that.
    "records": ["name", "mode", "call", "spans"],
    "spans": [
        *("last release", "state", "call", "policy", "claim", "storage bytes", "extra bytes"),
        "node types, each times its number",
    ],
    "spans of nodes": ["last release", "state", "name", "attributes"],
}


def history_download(history: History) -> Download:
    """Make the file to download."""
    return Download(
        FILE_NAME,
        published_history(history),
        "what all releases keep, as spans of releases that keep the same; its `fields` explain it",
    )


@dataclass
class _Texts:
    """Texts by their place."""

    places: dict[str, int] = field(default_factory=dict)

    def place(self, text: str) -> int:
        """Return the place of a text, which is new or known."""
        return self.places.setdefault(text, len(self.places))


def published_history(history: History) -> bytes:
    """Write the history as JSON.

    Of a span that says what is kept, `call` numbers calls that can be compared, and `policy` what
    is kept: equal numbers of one record mean the same. A span that says nothing ends after its
    state.
    """
    texts = _Texts()
    file: dict[str, Any] = {
        "version": VERSION,
        "fields": FIELDS,
        "device": history.device,
        "conclusive": sorted(CONCLUSIVE),
        "releases": [
            [one.release, one.published.isoformat() if one.published else None, one.depth]
            for one in history.releases
        ],
        "steps": [_step(one) for one in history.differences],
        "ops": _records(history, history.ops, texts),
        "modules": _records(history, history.modules, texts),
        "nodes": [_node_spans(history, one, texts) for one in _once(history.nodes.values())],
        "texts": [],
    }
    # Last, for they are collected on the way.
    file["texts"] = [*texts.places]
    return json.dumps(file, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _step(difference: Difference) -> dict[str, Any]:
    """Name what a release changed beside what calls keep: the ops, and how many messages."""
    found = difference.findings
    return {
        "writes": sorted(
            {where.name for one in found if isinstance(one, InPlace) for where in one.targets}
        ),
        "errors": sum(len(one.records) for one in found if isinstance(one, Wording)),
        "backward": sorted({one.name for one in found if isinstance(one, Backward)}),
    }


def _records(
    history: History, timelines: dict[str, tuple[Timeline, ...]], texts: _Texts
) -> list[list[Any]]:
    return [
        [name, one.followed.mode, _call(one), _spans(history, one, texts)]
        for name, each in timelines.items()
        for one in each
    ]


def _call(timeline: Timeline) -> str | None:
    return title_of(msgspec.structs.replace(timeline.followed, mode=None)) or None


def _once(filed: Iterable[tuple[Timeline, ...]]) -> Iterator[Timeline]:
    """Yield each timeline once, whatever names it is filed under."""
    yield from dict.fromkeys(one for each in filed for one in each)


def _spans(history: History, timeline: Timeline, texts: _Texts) -> list[list[Any]]:
    spans: list[list[Any]] = []
    call = 0
    policies: list[tuple[object, ...]] = []
    last = 0
    for span in timeline.spans:
        if isinstance(span.said, Keeping):
            call += span.step == "another call"
            last = _policy(span.said, policies, last, same=span.step == "same")
            spans.append(
                [
                    *_until(history, span, texts),
                    call,
                    last,
                    texts.place(span.said.claim),
                    span.said.bytes.storage,
                    span.said.bytes.extra,
                    texts.place(" ".join(f"{one.type}*{one.nodes}" for one in span.said.nodes)),
                ]
            )
        else:
            spans.append(_until(history, span, texts))
    return spans


def _policy(said: Keeping, policies: list[tuple[object, ...]], last: int, *, same: bool) -> int:
    """Number what a span keeps: as before where it is the same, or as what an older span kept."""
    if same and policies:
        return last
    what = said.claim, said.saved, said.nodes, said.bytes
    for place, known in enumerate(policies):
        # What differs from the span before in what is not compared here still is another policy.
        if known == what and place != last:
            return place
    policies.append(what)
    return len(policies) - 1


def _node_spans(history: History, timeline: Timeline, texts: _Texts) -> list[list[Any]]:
    spans: list[list[Any]] = []
    for span in timeline.spans:
        told = _until(history, span, texts)
        if isinstance(span.said, NodeClass):
            told += [texts.place(span.said.name), texts.place(" ".join(span.said.attributes))]
        spans.append(told)
    return spans


def _until(history: History, span: Span, texts: _Texts) -> list[Any]:
    releases = [one.release for one in history.releases]
    return [releases.index(span.until), texts.place(span.state)]
