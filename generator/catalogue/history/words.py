"""How a timeline is worded, for pages and for the terminal alike.

Sentences have names and code in backticks. The answer comes first: since when what a release says
holds, and what was before and comes after.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.catalogue.history.facts import ABSENT, ALIKE, NO_CALL, NO_CASE, NOT_CALLED
from generator.catalogue.model.history import (
    Followed,
    History,
    Keeping,
    NodeClass,
    SampleCall,
    Span,
    Step,
    Timeline,
)
from generator.catalogue.model.measurement import Argument

# How the nodes of kernels are called that choose their memory by the processor.
ONEDNN = "Mkldnn"
# Letters of a claim that a sentence has room for; the table has the rest.
LONGEST = 160
# Letters of a call that a heading has room for, and node types that a remark has room for.
LONGEST_CALL = 120
LISTED = 3
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
    NOT_CALLED: "this call was not made",
    NO_CASE: "no sample by this call stands for a case",
    ALIKE: "several samples look like this one",
}
NODE_STATES = {"registered": "", "unregistered": " (not in the registry)"}


@dataclass(frozen=True)
class Answer:
    """What the release of the reader says: since `when`, what, and the spans before and after.

    `when` is empty where there is nothing to tell apart.
    """

    when: str
    said: str
    rest: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole answer in sentences."""
        first = f"{self.when}: {self.said}." if self.when else f"{self.said}."
        return " ".join((first, *self.rest))


def answer(timeline: Timeline, subject: str, releases: Sequence[str], here: str) -> Answer:
    """Say since when the answer of the release `here` holds, and what was before and comes after.

    `subject` is the kind of the record.
    """
    spans = timeline.spans
    if len(releases) == 1:
        return Answer("", f"Measured in one release so far, {here}")
    if len(spans) == 1:
        whole = f"{releases[0]} to {releases[-1]}"
        said = said_of(spans[0], subject)
        return Answer("", f"The same in all {len(releases)} measured releases, {whole}: {said}")
    place = next(one for one, span in enumerate(spans) if covers(span, here, releases))
    span = spans[place]
    before = [one for one in spans[:place] if one.said is not None]
    after = [one for one in spans[place + 1 :] if one.said is not None]
    rest = []
    said = said_of(span, subject)
    if before:
        rest.append(f"{range_of(before[-1])}: {_brief(before[-1], subject, span)}.")
    if after:
        rest.append(f"From {after[0].since} on: {_brief(after[0], subject, span)}.")
    return Answer(_when(span, releases), said, tuple(rest))


def title_of(followed: Followed) -> str:
    """Name what is followed; empty for what speaks for its record, in all modes."""
    mode = f"in {followed.mode} mode" if followed.mode else ""
    if followed.sample is not None:
        given = "" if _is_named(followed) else _given(followed.sample)
        what = f"For {_text(followed.sample)}{given}"
    elif followed.variant is not None:
        what = f"For `{followed.variant}`"
    elif followed.mask is not None:
        what = f"When only {_requiring(followed.mask)} grad"
    else:
        return mode.capitalize()
    return f"{what}, {mode}" if mode else what


def alike_of(timeline: Timeline) -> str:
    """Say how many other calls changed as this one; empty where none did."""
    if not timeline.alike:
        return ""
    plural = "s" if timeline.alike > 1 else ""
    return f"{timeline.alike} other call{plural} or grad mask{plural} changed in the same way."


def notes_of(timeline: Timeline, history: History) -> tuple[str, ...]:
    """Say what a reader has to know of a timeline besides."""
    return tuple(
        filter(None, (_followed(timeline), alike_of(timeline), *_notes(timeline, history)))
    )


def _followed(timeline: Timeline) -> str:
    """Say which sample was followed, where the title does not, and how many are as it."""
    sample = timeline.followed.sample
    if sample is None:
        return ""
    given = _given(sample) if _is_named(timeline.followed) else ""
    if timeline.samples < 2:
        return f"Measured on one sample{given}." if given else ""
    return (
        f"Measured on one sample{given}: the first of {timeline.samples} float32 samples with the"
        " same policy."
    )


def _is_named(followed: Followed) -> bool:
    """Tell whether the text of a sample names it, and is not shortened."""
    sample = followed.sample
    return sample is not None and followed.named and len(sample.text) <= LONGEST_CALL


def _notes(timeline: Timeline, history: History) -> Iterator[str]:
    if timeline.programs:
        listed = ", ".join(timeline.programs)
        yield f"The same call, but its arguments are made by another program from {listed} on."
    said = [span.said for span in timeline.spans if isinstance(span.said, Keeping)]
    if any(node.type.startswith(ONEDNN) for one in said for node in one.nodes):
        processors = sorted({one.processor for one in history.releases})
        yield (
            "A node of oneDNN is in its graph, whose workspace depends on the processor: "
            f"these figures are of {' and '.join(processors)}."
        )


def said_of(span: Span, subject: str) -> str:
    """Say what the releases of a span say, in words that can end a sentence."""
    match span.said:
        case Keeping(claim=claim, bytes=weight):
            return f"keeps {claim}{_weighing(weight.storage)}"
        case NodeClass(name=name, attributes=attributes):
            saves = ", ".join(f"`{one}`" for one in attributes)
            # A node written by hand may hold what it does not show.
            told = f"saves {saves}" if saves else "has no saved attribute"
            return f"`{name}` {told}{NODE_STATES[span.state]}"
    if span.state == ABSENT:
        return "not in the registry" if subject == "node" else "no record of it"
    reason = f": {span.reason.rstrip('.')}" if span.reason else ""
    return f"{STATES.get(span.state, span.state)}{reason}"


def remarks(timeline: Timeline) -> tuple[str, ...]:
    """Say of each span how it follows the ones before, and of a change that is hard to see, which.

    That is one of nodes alone, and of one attribute among many.
    """
    found = []
    last: Span | None = None
    for span in timeline.spans:
        remark = REMARKS[span.step]
        if last is not None and span.step in ("changed", "renamed"):
            remark += _hidden(last, span)
        found.append(remark)
        last = span if span.said is not None else last
    return tuple(found)


def range_of(span: Span) -> str:
    """Name the releases of a span."""
    return span.since if span.since == span.until else f"{span.since} to {span.until}"


def covers(span: Span, release: str, releases: Sequence[str]) -> bool:
    """Tell whether a release lies in a span."""
    first, last = (releases.index(one) for one in (span.since, span.until))
    return first <= releases.index(release) <= last


def _when(span: Span, releases: Sequence[str]) -> str:
    if span.since == releases[0]:
        return f"In every measured release up to {span.until}"
    if span.until == releases[-1]:
        return f"Since {span.since}"
    one = span.since == span.until
    return f"In {span.since}" if one else f"Since {span.since}, up to {span.until}"


def _brief(span: Span, subject: str, now: Span) -> str:
    """Say what a span says beside the one that was told, `now`, briefly."""
    if said_of(span, subject) == said_of(now, subject):
        return f"the same, {_apart(now, span)}"
    if isinstance(span.said, Keeping) and len(span.said.claim) > LONGEST:
        return f"something else{_weighing(span.said.bytes.storage)}, see the table"
    return said_of(span, subject)


def _weighing(storage: int) -> str:
    return f" ({storage:,} byte{'' if storage == 1 else 's'})" if storage else ""


def _text(sample: SampleCall) -> str:
    text = sample.text
    return f"`{text if len(text) <= LONGEST_CALL else f'{text[: LONGEST_CALL - 1]}…'}`"


def _given(sample: SampleCall) -> str:
    """Say with which tensors a sample is called."""
    given = [_tensor(one) for one in sample.arguments if one.shape is not None]
    return f" with {', '.join(given)}" if given else ""


def _tensor(argument: Argument) -> str:
    shape = " × ".join(map(str, argument.shape or ())) or "0-dim"
    return f"{argument.name}: {shape}"


def _requiring(mask: Sequence[str]) -> str:
    groups = {"inputs": "its inputs", "parameters": "its parameters", "biases": "its biases"}
    words = [groups.get(one, f"`{one}`") for one in mask]
    several = len(words) > 1 or mask[0] in groups
    listed = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return f"{listed} require{'' if several else 's'}"


def _hidden(before: Span, after: Span) -> str:
    """Name the attributes of a class that changed, and nodes where both spans read the same."""
    if isinstance(before.said, NodeClass) and isinstance(after.said, NodeClass):
        return _attributes(before.said, after.said)
    if not isinstance(before.said, Keeping) or not isinstance(after.said, Keeping):
        return ""
    if (before.said.claim, before.said.bytes) != (after.said.claim, after.said.bytes):
        return ""
    more, fewer = _more_and_fewer(before.said, after.said)
    parts = [
        f"{word} {_listed(names)}" for word, names in (("more", more), ("fewer", fewer)) if names
    ]
    return f": {', '.join(parts)}" if parts else ": other attributes or dtypes"


def _apart(now: Span, then: Span) -> str:
    """Tell what a span differs in that reads as `now` does."""
    if not isinstance(now.said, Keeping) or not isinstance(then.said, Keeping):
        return "with other attributes, see the table"
    more, fewer = _more_and_fewer(now.said, then.said)
    if not more and not fewer:
        return "with other attributes or dtypes, see the table"
    if not 0 < len(more) <= LISTED or len(fewer) > LISTED:
        return "through other nodes, see the table"
    return f"through {_listed(more)}" + (f" instead of {_listed(fewer)}" if fewer else "")


def _more_and_fewer(before: Keeping, after: Keeping) -> tuple[list[str], list[str]]:
    """Name the node types of which `after` has more than `before`, and those with fewer."""
    had = {one.type: one.nodes for one in before.nodes}
    has = {one.type: one.nodes for one in after.nodes}
    more = [name for name in has if has[name] > had.get(name, 0)]
    fewer = [name for name in had if had[name] > has.get(name, 0)]
    return more, fewer


def _attributes(before: NodeClass, after: NodeClass) -> str:
    gone = [one for one in before.attributes if one not in after.attributes]
    come = [one for one in after.attributes if one not in before.attributes]
    if before.name != after.name:
        return f": `{before.name}` is now `{after.name}`"
    if len(gone) == len(come) == 1:
        return f": `{come[0]}` in the place of `{gone[0]}`"
    parts = [
        f"{word} {_listed(names)}" for word, names in (("without", gone), ("with", come)) if names
    ]
    return f": {', '.join(parts)}" if parts else ""


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{one}`" for one in names[:LISTED])
    rest = len(names) - LISTED
    return f"{shown} and {rest} more" if rest > 0 else shown
