"""What neighbouring releases differ in besides what timelines tell, filed by record."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from generator.catalogue.difference.findings import (
    TOPICS,
    Details,
    Finding,
    Incomparable,
    Kept,
    KeptIn,
    Numbered,
    Records,
    RegistrySize,
    Unmeasured,
    Wording,
)
from generator.catalogue.difference.name_words import reworded_among_others
from generator.catalogue.difference.of_calls import weight
from generator.catalogue.difference.pen import Pen
from generator.catalogue.difference.words import tell
from generator.catalogue.model.history import History, Keeping, Timeline

# What says nothing of a single record, or what its timeline says.
ELSEWHERE = (Details, Incomparable, Numbered, Records, RegistrySize, Unmeasured)

Record = tuple[str, str]
Call = tuple[str, str, tuple[str, ...]]
Weight = tuple[int, int, int]


@dataclass(frozen=True)
class Other:
    """One change in one release, in a sentence as the pen writes it."""

    release: str
    sentence: str


@dataclass
class _Named:
    """A pen that writes as another, and remembers of what kind each name is."""

    pen: Pen
    subjects: dict[str, str] = field(default_factory=dict)

    def name(self, subject: str, name: str, *, old: bool = False) -> str:  # noqa: ARG002
        """Write the bare name."""
        self.subjects[name] = subject
        return name

    def code(self, text: str) -> str:
        """Write code."""
        return self.pen.code(text)

    def quote(self, text: str) -> str:
        """Write what a message says."""
        return self.pen.quote(text)


def others(history: History, pen: Pen) -> dict[Record, tuple[Other, ...]]:
    """File the findings of all neighbours by subject and name, the newest release first."""
    filed: dict[Record, list[Other]] = defaultdict(list)
    told = {
        (subject, name): {call for one in timelines for call in _calls(one)}
        for subject, each in (("op", history.ops), ("module", history.modules))
        for name, timelines in each.items()
    }
    for difference in reversed(history.differences):
        here: dict[Record, list[tuple[Weight, str]]] = defaultdict(list)
        for finding in difference.findings:
            for record, weighs, sentence in _told(finding, told, pen):
                here[record].append(((TOPICS.index(finding.topic), *weighs), sentence))
        for record, changes in here.items():
            # By what they do to this record: findings are ordered by all that they are about.
            filed[record] += [Other(difference.new.release, one) for _, one in sorted(changes)]
    return {record: tuple(changes) for record, changes in filed.items()}


def _told(
    finding: Finding, told: Mapping[Record, set[Call]], pen: Pen
) -> Iterator[tuple[Record, tuple[int, int], str]]:
    """Yield the records that a finding is about, how much it weighs for each, and what it says."""
    if isinstance(finding, ELSEWHERE):
        return
    named = _Named(pen)
    words = tell(finding, named)
    followed = _followed(finding, told)
    sentence = words.sentence
    if isinstance(finding, Wording) and len(words.members) > 1:
        number = len(words.members) - 1
        also = f"{number} other record{'' if number == 1 else 's'}"
        sentence = f"here and in {also}: {reworded_among_others(finding, pen)}"
    weights = [(0, 0)] * len(words.members)
    if isinstance(finding, Kept):
        weights = [weight(one) for one in finding.records]
    for (name, rest), weighs in zip(words.members, weights, strict=True):
        record = named.subjects[name], name
        if record not in followed:
            yield record, weighs, f"{sentence} ({rest})" if rest else sentence


def _followed(finding: Finding, told: Mapping[Record, set[Call]]) -> set[Record]:
    """Return the records of which a timeline tells this finding already."""
    if not isinstance(finding, Kept):
        return set()
    return {
        (one.subject, one.name)
        for one in finding.records
        if _call(one) in told.get((one.subject, one.name), ())
    }


def _call(one: KeptIn) -> Call:
    text = one.call.filed if one.call.kind == "variant" else one.call.text
    return one.call.kind, text, one.mask


def _calls(timeline: Timeline) -> Iterator[Call]:
    """Yield the calls that a timeline follows, under the masks that its releases measured."""
    followed = timeline.followed
    for span in timeline.spans:
        if isinstance(span.said, Keeping):
            text = followed.variant or span.said.call
            yield followed.of, text, span.said.mask
