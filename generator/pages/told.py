"""Findings as a page shows them: the sentence, and each record with its link and its own rest."""

import re
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from generator.catalogue.difference.figure_words import figures, weighs
from generator.catalogue.difference.findings import (
    Details,
    Difference,
    Finding,
    Kept,
    KeptIn,
    Records,
)
from generator.catalogue.difference.pen import ARROW
from generator.catalogue.difference.words import tell
from generator.pages.across import Across
from generator.pages.figures import exact, plural
from generator.pages.parts import Link

# Code is marked by characters that no name and no message holds.
_OPEN, _CLOSE = "\x02", "\x03"
_CODE = re.compile(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}")
SAME = "the same"
# More records than these stand behind their number, to be unfolded.
APART = 8


@dataclass(frozen=True)
class Member:
    """A record that a finding is about, and what is said of it alone."""

    link: Link
    rest: Markup


@dataclass(frozen=True)
class FindingView:
    """One finding in a line: what changed, and the records, behind their number if `folded`."""

    sentence: Markup
    count: str
    folded: bool
    members: tuple[Member, ...]


@dataclass(frozen=True)
class KeptRow:
    """One record that keeps something else: what, and the bytes before and after.

    `change` is that of the extra bytes with its sign; `call` is empty for the reference.
    """

    kind: str
    link: Link
    sentence: Markup
    old_extra: str
    new_extra: str
    change: str
    change_key: str
    old_storage: str
    new_storage: str
    call: Markup


@dataclass
class _Html:
    """A pen that marks code, and remembers where each name leads."""

    across: Across
    difference: Difference
    links: dict[str, Link] = field(default_factory=dict)

    def name(self, subject: str, name: str, *, old: bool = False) -> str:
        """Write the bare name; its page is that of the old release where `old`."""
        side = self.difference.old if old else self.difference.new
        self.links[name] = self.across.link(subject, name, side.release)
        return name

    def code(self, text: str) -> str:
        """Mark code."""
        return marks(text)

    def quote(self, text: str) -> str:
        """Mark what a message says as code."""
        return self.code(text)


def finding_view(finding: Finding, difference: Difference, across: Across) -> FindingView:
    """Show one finding of a difference."""
    pen = _Html(across, difference)
    told = tell(finding, pen)
    # Details are counted: `tapekept diff --long` names their records.
    listed = () if isinstance(finding, Details) else told.members
    members = tuple(Member(pen.links[name], marked(rest)) for name, rest in listed)
    return FindingView(
        sentence=marked(told.sentence),
        count="" if isinstance(finding, Records) else plural(len(members), "record"),
        folded=len(members) > APART,
        members=members,
    )


def kept_rows(finding: Kept, difference: Difference, across: Across) -> tuple[KeptRow, ...]:
    """Show each record of a finding of what calls keep."""
    pen = _Html(across, difference)
    sentence = marked(tell(finding, pen).sentence)
    return tuple(_kept_row(one, sentence, pen) for one in finding.records)


def extra_change(one: KeptIn) -> int:
    """Return by how many bytes the extra bytes of a call grew."""
    return 0 if one.old is None or one.new is None else one.new.extra - one.old.extra


def marks(text: str) -> str:
    """Mark code."""
    return f"{_OPEN}{text}{_CLOSE}"


def marked(text: str) -> Markup:
    """Turn marked text into HTML, with an arrow where prose has one."""
    pieces = _CODE.split(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece.replace(ARROW, "→"))
        for place, piece in enumerate(pieces)
    )


def _kept_row(one: KeptIn, sentence: Markup, pen: _Html) -> KeptRow:
    change = extra_change(one)
    # What is said of a record besides its figures: which call, and how many others differ.
    rest = weighs(one, pen).removeprefix(figures(one.old, one.new)).removeprefix("; ")
    old, new = one.old, one.new
    return KeptRow(
        kind=one.subject,
        link=pen.across.link(one.subject, one.name, pen.difference.new.release),
        sentence=sentence,
        old_extra=SAME if old is None else exact(old.extra),
        new_extra=SAME if new is None else exact(new.extra),
        change=f"{change:+,}" if change else "0",
        change_key=str(change),
        old_storage=SAME if old is None else exact(old.storage),
        new_storage=SAME if new is None else exact(new.storage),
        call=marked(rest),
    )
