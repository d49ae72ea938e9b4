"""What a record's page says across releases: since when this holds, and what was before and after.

The answer comes first, in a sentence; a table and a chart follow where a release differs. Other
calls than the reference are told where they changed, and not as the reference did.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.history.words import (
    answer,
    covers,
    notes_of,
    range_of,
    remarks,
    said_of,
    title_of,
)
from generator.catalogue.links import named_path
from generator.catalogue.model.history import Followed, History, Keeping, Span, Timeline
from generator.pages.figures import exact, plural
from generator.pages.markup import code_spans
from generator.pages.other_changes import OtherChange, OtherChanges
from generator.pages.parts import Link
from generator.pages.timeline_chart import chart

ANCHOR = "#across"
# Timelines that a page has room for; the terminal has the rest.
LONGEST = 4


@dataclass(frozen=True)
class SpanRow:
    """Releases that say the same: which, what they say, and how it differs from before."""

    releases: str
    here: bool
    said: Markup
    storage: str
    extra: str
    remark: Markup


@dataclass(frozen=True)
class TimelineView:
    """One call or class over all releases; `rows` is empty where one sentence says it all.

    `title` is empty for what speaks for the record. `weighs` tells whether the rows have bytes.
    `chart` is there where the bytes differ.
    """

    title: Markup
    answer: Markup
    weighs: bool
    rows: tuple[SpanRow, ...]
    chart: Markup | None
    note: str


@dataclass(frozen=True)
class AcrossView:
    """The section of a page, and the badges that lead to it.

    `more` says how many timelines are left out, and where they are; it is empty where none is.
    `deeper` leads to the same page of the newest release that was measured in full depth, where
    this one was not.
    """

    badges: tuple[Link, ...]
    timelines: tuple[TimelineView, ...]
    more: Markup
    others: tuple[OtherChange, ...]
    deeper: Link | None


@dataclass(frozen=True)
class Past:
    """The history of all records, and what else neighbours differ in, for the pages of one site."""

    history: History
    others: OtherChanges
    release: str

    def view(self, subject: str, name: str) -> AcrossView:
        """Lay out what the record's page says across releases."""
        filed = {
            "op": self.history.ops,
            "module": self.history.modules,
            "node": self.history.nodes,
        }[subject]
        timelines = filed.get(name, ())
        return AcrossView(
            badges=tuple(_badges(timelines)),
            timelines=tuple(
                _view(one, subject, self.history, self.release) for one in timelines[:LONGEST]
            ),
            more=_more(name, len(timelines) - LONGEST),
            others=self.others.get((subject, name), ()),
            deeper=self._deeper(subject, name, timelines),
        )

    def _deeper(self, subject: str, name: str, timelines: Sequence[Timeline]) -> Link | None:
        releases = [one.release for one in self.history.releases]
        full = [one.release for one in self.history.releases if one.depth == "full"]
        if subject == "node" or not full or self.release in full:
            return None
        measured = any(
            span.state == "measured" and covers(span, full[-1], releases)
            for timeline in timelines
            for span in timeline.spans
        )
        page = f"../../../{full[-1]}/{named_path(subject, name)}"
        return Link(f"PyTorch {full[-1]}", page) if measured else None


def _more(name: str, number: int) -> Markup:
    if number <= 0:
        return Markup("")
    said = f"{plural(number, 'more call')} changed in other ways: `tapekept show {name} --history`."
    return code_spans(said)


def _badges(timelines: Sequence[Timeline]) -> Iterator[Link]:
    """Yield the releases that changed something, newest first, and whether other calls alone."""
    said: dict[str, str] = {}
    for timeline in timelines:
        for span in timeline.spans:
            if span.step in ("changed", "renamed"):
                which = "" if _speaks(timeline.followed) else "other calls "
                said.setdefault(span.since, f"{which}{span.step} in {span.since}")
    for release in sorted(said, key=_numbers, reverse=True):
        yield Link(said[release], ANCHOR)


def _speaks(followed: Followed) -> bool:
    """Tell whether a timeline is that of the reference, or of a node type."""
    return followed.of == "class" or (followed.of == "reference" and followed.mask is None)


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))


def _view(timeline: Timeline, subject: str, history: History, here: str) -> TimelineView:
    releases = [one.release for one in history.releases]
    followed = timeline.followed
    told = len(timeline.spans) > 1
    said = answer(timeline, subject, releases, here)
    first = Markup("<strong>{}</strong>: ").format(said.when) if said.when else Markup("")
    rest = " ".join((f"{said.said}.", *said.rest))
    rows = [*zip(timeline.spans, remarks(timeline), strict=True)]
    return TimelineView(
        title=code_spans(title_of(followed)),
        answer=first + code_spans(rest),
        weighs=followed.of != "class",
        # The newest first, as in all lists of releases.
        rows=tuple(_row(one, remark, subject, releases, here) for one, remark in reversed(rows))
        if told
        else (),
        chart=chart(timeline, releases, here, extra_alone=not _speaks(followed)) if told else None,
        note=" ".join(notes_of(timeline, history)),
    )


def _row(span: Span, remark: str, subject: str, releases: Sequence[str], here: str) -> SpanRow:
    weight = span.said.bytes if isinstance(span.said, Keeping) else None
    return SpanRow(
        releases=range_of(span),
        here=covers(span, here, releases),
        said=code_spans(said_of(span, subject)),
        storage="" if weight is None else exact(weight.storage),
        extra="" if weight is None else exact(weight.extra),
        remark=code_spans(remark),
    )
