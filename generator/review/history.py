"""What all releases say of one record as a text page, worded as its page on the site is."""

from collections.abc import Iterator

from generator.catalogue.history.as_json import AskedSpelling, timelines_of
from generator.catalogue.history.others import Other, others
from generator.catalogue.history.words import (
    Answer,
    answer,
    notes_of,
    range_of,
    remarks,
    said_of,
    title_of,
)
from generator.catalogue.links import named_url
from generator.catalogue.model.history import History, Keeping, Timeline
from generator.review.diff import Plain
from generator.review.layout import FIGURES, Row, Table, TextPage

COLUMNS = ("releases", "what they say", "storage bytes", "extra bytes", "since the release before")
CLASS_COLUMNS = ("releases", "what they say", "since the release before")
OTHER_COLUMNS = ("release", "change")
TITLES = {"reference": "The reference call", "class": "The node type"}


def history_page(
    history: History, subject: str, name: str, spelling: AskedSpelling | None = None
) -> TextPage:
    """Lay out the history of a record, told from the newest release.

    `subject` is `op`, `module` or `node`; the record is in one of the releases at least. Where a
    `spelling` of it was asked for, its own timeline comes first, or that no release called it.
    """
    timelines = timelines_of(history, subject, name)
    releases = [one.release for one in history.releases]
    return TextPage(
        title=name,
        claim=" ".join(
            (*_of_spelling(spelling, releases), *_opening(timelines, subject, releases))
        ),
        facts=(
            ("measured releases", f"{len(releases)} on {history.device}, {_ends(releases)}"),
            ("page", f"{named_url(releases[-1], subject, name)}#across"),
            *(("note", note) for one in timelines for note in _notes(one, history)),
        ),
        tables=tuple(_tables(history, subject, name, spelling)),
        legend=() if subject == "node" else FIGURES[1:],
    )


def _notes(timeline: Timeline, history: History) -> Iterator[str]:
    """Yield what a reader has to know of a timeline besides, behind its title."""
    title = title_of(timeline.followed)
    for note in notes_of(timeline, history):
        yield _plain(f"{title}: {note}" if title else note)


def _opening(timelines: tuple[Timeline, ...], subject: str, releases: list[str]) -> Iterator[str]:
    """Yield the answer of what speaks for the record, of each mode that has its own.

    One other call follows that changed otherwise, for it may be the one that is meant, as
    `torch.mean(input)` is where the reference is of one dimension.
    """
    otherwise = []
    for one in timelines:
        title = title_of(one.followed)
        said = _plain(_answered(one, subject, releases).text)
        if one.followed.of == "class" or (one.followed.of, one.followed.mask) == (
            "reference",
            None,
        ):
            yield f"{title}: {said}" if title else said
        elif one.followed.sample is not None and len(one.spans) > 1:
            otherwise.append(f"{_plain(title)}: {said}")
    if otherwise:
        yield min(otherwise, key=len)
    if len(otherwise) > 1:
        rest = len(otherwise) - 1
        yield f"{rest} more call{'s' if rest > 1 else ''} changed otherwise, see the tables."


def _of_spelling(spelling: AskedSpelling | None, releases: list[str]) -> Iterator[str]:
    """Yield the answer for a spelling, and whose the answers are that follow."""
    if spelling is None:
        return
    if spelling.timeline is None:
        yield f"No release called {spelling.name}, so what follows is not about that spelling."
    else:
        said = _answered(spelling.timeline, "op", releases).text
        yield f"For {spelling.name}: {_plain(said)}"
    yield "For the reference call:"


def _tables(
    history: History, subject: str, name: str, spelling: AskedSpelling | None
) -> Iterator[Table]:
    for one in timelines_of(history, subject, name, spelling):
        if len(one.spans) > 1:
            weighs = one.followed.of != "class"
            yield Table(
                title=_plain(title_of(one.followed) or TITLES[one.followed.of]),
                columns=COLUMNS if weighs else CLASS_COLUMNS,
                rows=tuple(_rows(one, subject, weighs=weighs)),
            )
    if changes := _others(history, subject, name):
        rows = tuple((one.release, one.sentence) for one in changes)
        yield Table("What else changed", OTHER_COLUMNS, rows)


def _rows(timeline: Timeline, subject: str, *, weighs: bool) -> Iterator[Row]:
    told = [*zip(timeline.spans, remarks(timeline), strict=True)]
    # The newest first, as in all lists of releases.
    for span, remark in reversed(told):
        figures: Row = ("", "") if weighs else ()
        if isinstance(span.said, Keeping):
            weight = span.said.bytes
            figures = f"{weight.storage:,}", f"{weight.extra:,}"
        yield (range_of(span), _plain(said_of(span, subject)), *figures, _plain(remark))


def _answered(timeline: Timeline, subject: str, releases: list[str]) -> Answer:
    return answer(timeline, subject, releases, releases[-1])


def _others(history: History, subject: str, name: str) -> tuple[Other, ...]:
    return others(history, Plain()).get((subject, name), ())


def _ends(releases: list[str]) -> str:
    return " to ".join(dict.fromkeys((releases[0], releases[-1])))


def _plain(text: str) -> str:
    return text.replace("`", "")
