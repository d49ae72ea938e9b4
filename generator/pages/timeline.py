"""What a record's page says across releases: since when this holds, and what was before and after.

The answer comes first, in a sentence; a table and a chart follow where a release differs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from generator.catalogue.history_facts import ABSENT, NO_CALL, NOT_CALLED
from generator.catalogue.model_history import History, Keeping, NodeClass, Span, Step, Timeline
from generator.pages.figures import exact, plural
from generator.pages.markup import code_spans
from generator.pages.other_changes import OtherChange, OtherChanges
from generator.pages.parts import Link
from generator.pages.timeline_chart import chart

ANCHOR = "#across"
# How the nodes of kernels are called that choose their memory by the processor.
ONEDNN = "Mkldnn"
# Letters of a claim that a sentence has room for; the table has the rest.
LONGEST = 160
REMARKS: dict[Step, str] = {
    "first": "",
    "added": "first here",
    "removed": "gone",
    "changed": "changed",
    "renamed": "renamed",
    "same": "",
    "another call": "another call: not comparable",
    "unknown": "not comparable",
}
STATES = {
    NO_CALL: "no reference call",
    NOT_CALLED: "this spelling was not called",
}
NODE_STATES = {"registered": "", "unregistered": " (not in the registry)"}


@dataclass(frozen=True)
class SpanRow:
    """Releases that say the same: which, what they say, and how it differs from before."""

    releases: str
    here: bool
    said: Markup
    storage: str
    extra: str
    remark: str


@dataclass(frozen=True)
class TimelineView:
    """One call or class over all releases; `rows` is empty where one sentence says it all.

    `weighs` tells whether the rows have bytes. `chart` is there where the bytes differ.
    """

    title: str
    answer: Markup
    weighs: bool
    rows: tuple[SpanRow, ...]
    chart: Markup | None
    note: str


@dataclass(frozen=True)
class AcrossView:
    """The section of a page, and the badges that lead to it."""

    badges: tuple[Link, ...]
    timelines: tuple[TimelineView, ...]
    others: tuple[OtherChange, ...]


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
        releases = [one.release for one in self.history.releases]
        processors = sorted({one.processor for one in self.history.releases})
        timelines = [one for one in filed.get(name, ()) if _tells(one)]
        return AcrossView(
            badges=tuple(_badges(timelines)),
            timelines=tuple(
                _view(one, subject, releases, self.release, processors) for one in timelines
            ),
            others=self.others.get((subject, name), ()),
        )


def _tells(timeline: Timeline) -> bool:
    """Other spellings are told of where they changed: most never did."""
    return timeline.of != "variant" or any(one.step == "changed" for one in timeline.spans)


def _badges(timelines: Sequence[Timeline]) -> Iterator[Link]:
    """Yield the releases that changed what the reference call keeps, or the class, newest first."""
    steps = {
        span.since: span.step
        for timeline in timelines
        if timeline.of != "variant"
        for span in timeline.spans
        if span.step in ("changed", "renamed")
    }
    for release, step in sorted(steps.items(), key=_newest_first, reverse=True):
        yield Link(f"{step} in {release}", ANCHOR)


def _newest_first(one: tuple[str, Step]) -> tuple[int, ...]:
    return tuple(int(part) for part in one[0].split("."))


def _view(
    timeline: Timeline,
    subject: str,
    releases: Sequence[str],
    here: str,
    processors: Sequence[str],
) -> TimelineView:
    spans = timeline.spans
    told = len(spans) > 1
    return TimelineView(
        title=_title(timeline),
        answer=_answer(timeline, subject, releases, here),
        weighs=timeline.of != "class",
        rows=tuple(_row(one, subject, releases, here) for one in spans) if told else (),
        chart=chart(timeline, releases, here) if told else None,
        note=" ".join(_notes(timeline, processors)),
    )


def _title(timeline: Timeline) -> str:
    if timeline.mode is not None:
        return f"In {timeline.mode} mode"
    return timeline.variant or ""


def _notes(timeline: Timeline, processors: Sequence[str]) -> Iterator[str]:
    if timeline.programs:
        listed = ", ".join(timeline.programs)
        yield f"The same call, but its arguments are made by another program from {listed} on."
    said = [span.said for span in timeline.spans if isinstance(span.said, Keeping)]
    if any(node.type.startswith(ONEDNN) for one in said for node in one.nodes):
        yield (
            "A node of oneDNN is in its graph, whose workspace depends on the processor: "
            f"these figures are of {' and '.join(processors)}."
        )


def _answer(timeline: Timeline, subject: str, releases: Sequence[str], here: str) -> Markup:
    """Say since when this release's answer holds, and what was before and comes after."""
    spans = timeline.spans
    if len(releases) == 1:
        return Markup("Measured in one release so far, {}.").format(here)
    if len(spans) == 1:
        said = _said(spans[0], subject)
        whole = f"{releases[0]} to {releases[-1]}"
        return Markup("The same in all {} measured releases, {}: {}.").format(
            len(releases), whole, said
        )
    place = next(one for one, span in enumerate(spans) if _covers(span, here, releases))
    span = spans[place]
    pieces = [_now(span, subject, releases)]
    before = [one for one in spans[:place] if one.said is not None]
    after = [one for one in spans[place + 1 :] if one.said is not None]
    if before:
        pieces.append(Markup("{}: {}.").format(_range(before[-1]), _brief(before[-1], subject)))
    if after:
        pieces.append(Markup("From {} on: {}.").format(after[0].since, _brief(after[0], subject)))
    return Markup(" ").join(pieces)


def _now(span: Span, subject: str, releases: Sequence[str]) -> Markup:
    oldest = span.since == releases[0]
    since = f"In every measured release up to {span.until}" if oldest else f"Since {span.since}"
    if not oldest and span.until != releases[-1]:
        since = f"In {_range(span)}" if span.since == span.until else f"{since}, up to {span.until}"
    return Markup("<strong>{}</strong>: {}.").format(since, _said(span, subject))


def _row(span: Span, subject: str, releases: Sequence[str], here: str) -> SpanRow:
    weight = span.said.bytes if isinstance(span.said, Keeping) else None
    return SpanRow(
        releases=_range(span),
        here=_covers(span, here, releases),
        said=_said(span, subject),
        storage="" if weight is None else exact(weight.storage),
        extra="" if weight is None else exact(weight.extra),
        remark=REMARKS[span.step],
    )


def _said(span: Span, subject: str) -> Markup:
    """Say what the releases of a span say, in words that can end a sentence."""
    match span.said:
        case Keeping(claim=claim, bytes=weight):
            weighs = f" ({plural(weight.storage, 'byte')})" if weight.storage else ""
            return Markup("keeps {}{}").format(code_spans(claim), weighs)
        case NodeClass(name=name, attributes=attributes):
            saves = Markup(", ").join(Markup("<code>{}</code>").format(one) for one in attributes)
            return Markup("<code>{}</code> saves {}{}").format(
                name, saves or "nothing", NODE_STATES[span.state]
            )
    if span.state == ABSENT:
        missing = "not in the registry" if subject == "node" else "no record of it"
        return escape(missing)
    reason = f": {span.reason.rstrip('.')}" if span.reason else ""
    return escape(f"{STATES.get(span.state, span.state)}{reason}")


def _brief(span: Span, subject: str) -> Markup:
    if isinstance(span.said, Keeping) and len(span.said.claim) > LONGEST:
        weight = span.said.bytes
        return escape(f"something else ({plural(weight.storage, 'byte')}), see the table")
    return _said(span, subject)


def _range(span: Span) -> str:
    return span.since if span.since == span.until else f"{span.since} to {span.until}"


def _covers(span: Span, release: str, releases: Sequence[str]) -> bool:
    first, last = (releases.index(one) for one in (span.since, span.until))
    return first <= releases.index(release) <= last
