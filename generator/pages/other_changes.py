"""What neighbouring releases differ in besides the call that a timeline follows, by record."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from generator.catalogue.difference_words import tell
from generator.catalogue.findings import (
    Details,
    Difference,
    Finding,
    Incomparable,
    Kept,
    Records,
    RegistrySize,
    Unmeasured,
    Wording,
)
from generator.pages.figures import plural
from generator.pages.parts import Link
from generator.pages.told import marked, marks

# What says nothing of a single record, or what its timeline says.
ELSEWHERE = (Details, Incomparable, Records, RegistrySize, Unmeasured)


@dataclass(frozen=True)
class OtherChange:
    """One change in one release: the release's page, and the change in words."""

    release: Link
    sentence: Markup


OtherChanges = dict[tuple[str, str], tuple[OtherChange, ...]]


def other_changes(differences: Sequence[Difference], root: str) -> OtherChanges:
    """File the findings of all neighbours by subject and name, the newest release first."""
    filed: dict[tuple[str, str], list[OtherChange]] = defaultdict(list)
    for difference in reversed(differences):
        release = difference.new.release
        link = Link(release, f"{root}releases/{release}/")
        for finding in difference.findings:
            for record, sentence in _told(finding):
                filed[record].append(OtherChange(link, sentence))
    return {record: tuple(changes) for record, changes in filed.items()}


@dataclass
class _Named:
    """A pen that marks code, and remembers of what kind each name is."""

    subjects: dict[str, str] = field(default_factory=dict)

    def name(self, subject: str, name: str, *, old: bool = False) -> str:  # noqa: ARG002
        """Write the bare name."""
        self.subjects[name] = subject
        return name

    def code(self, text: str) -> str:
        """Mark code."""
        return marks(text)

    def quote(self, text: str) -> str:
        """Mark what a message says as code."""
        return marks(text)


def _told(finding: Finding) -> Iterator[tuple[tuple[str, str], Markup]]:
    if isinstance(finding, ELSEWHERE):
        return
    pen = _Named()
    told = tell(finding, pen)
    followed = _followed(finding)
    sentence = told.sentence
    if isinstance(finding, Wording) and len(told.members) > 1:
        # The sentence quotes one of them, which may be another's.
        others = plural(len(told.members) - 1, "other record")
        sentence = f"here and in {others}, for example: {sentence}"
    for name, rest in told.members:
        record = pen.subjects[name], name
        if record not in followed:
            yield record, marked(f"{sentence} ({rest})" if rest else sentence)


def _followed(finding: Finding) -> set[tuple[str, str]]:
    """Return the records whose timeline tells this finding already."""
    if not isinstance(finding, Kept):
        return set()
    return {(one.subject, one.name) for one in finding.records if one.call.kind == "reference"}
