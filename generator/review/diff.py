"""What differs between two catalogues: text for a terminal, Markdown for a pull request, JSON.

Counts come first, then what matters most. Names beyond a few are counted, unless all are wanted.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from generator.catalogue.citations import GIT_DIGITS
from generator.catalogue.compare.depth import LAYERS
from generator.catalogue.difference.findings import (
    TOPICS,
    Attributes,
    Details,
    Difference,
    Finding,
    Kept,
    Records,
    Side,
    Topic,
)
from generator.catalogue.difference.pen import ARROW
from generator.catalogue.difference.told import encode
from generator.catalogue.difference.words import Told, elsewhere_words, many, tell
from generator.catalogue.field_words import field_words
from generator.catalogue.links import named_url

SHOWN = 8
# Of what matters least, and of what one heading in Markdown holds: a description has an end.
SHOWN_DETAILS = 3
NAMED = 3  # in a title
SHOWN_MARKDOWN = 40
TITLES: dict[Topic, str] = {
    "kept": "What calls keep, the largest change of extra bytes first",
    "records": "Ops, modules and blocks, catalogued where PyTorch's own tests list them",
    "verdicts": "In-place writes",
    "wording": "Wording of errors",
    "registry": "Node types",
    "backward": "Double backward and compiled",
    "not comparable": "Not comparable",
    "details": "Details",
}
SHORT: dict[Topic, str] = {
    "kept": "of what calls keep",
    "records": "of ops, modules and blocks",
    "verdicts": "of in-place writes",
    "wording": "of the wording of errors",
    "registry": "of node types",
    "backward": "of double backward or compiled",
    "not comparable": "not comparable",
    "details": "of details",
}


class Plain:
    """A pen for a terminal."""

    def name(self, subject: str, name: str, *, old: bool = False) -> str:  # noqa: ARG002 - a Pen
        """Write the bare name."""
        return name

    def code(self, text: str) -> str:
        """Write code as it is."""
        return text

    def quote(self, text: str) -> str:
        """Write what a message says, in quotation marks."""
        return f'"{text}"'


class Linked:
    """A pen for Markdown: names lead to the pages of the release that has them."""

    def __init__(self, difference: Difference) -> None:
        """Remember both releases."""
        self._releases = difference.old.release, difference.new.release

    def name(self, subject: str, name: str, *, old: bool = False) -> str:
        """Write the name with the permalink of its page, of the new release unless `old`."""
        address = named_url(self._releases[not old], subject, name)
        return self.code(name) if address is None else f"[{self.code(name)}]({address})"

    def code(self, text: str) -> str:
        """Write code in backticks, on one line, as a table can hold it."""
        return f"`{' '.join(text.split())}`".replace("|", "\\|")

    def quote(self, text: str) -> str:
        """Write what a message says as code, whose signs mean nothing."""
        return self.code(text)


def write(difference: Difference, form: str, *, everything: bool = False) -> str:
    """Write `text`, `markdown` or `json`; what `everything` adds to JSON is in the difference."""
    if form == "json":
        return encode(difference).decode()
    written = markdown_text if form == "markdown" else plain_text
    return written(difference, everything=everything)


def plain_text(difference: Difference, *, everything: bool = False) -> str:
    """Write lines for a terminal; `everything` lists every name."""
    return "\n".join(_lines(difference, None if everything else SHOWN)) + "\n"


def markdown_text(difference: Difference, *, everything: bool = False) -> str:
    """Write Markdown for a pull request's description; `everything` lists every name."""
    return "\n".join(_markdown(difference, None if everything else SHOWN)) + "\n"


def _lines(difference: Difference, limit: int | None) -> Iterator[str]:
    title = _title(difference)
    if not difference.findings:
        yield f"{title}: no differences"
        return
    yield title
    yield f"old: {_build(difference.old)}"
    yield f"new: {_build(difference.new)}"
    yield from _elsewhere(difference)
    yield ""
    yield _summary(difference)
    pen = Plain()
    for topic, findings in _topics(difference):
        yield ""
        yield f"{TITLES[topic]} ({len(findings)})"
        if topic == "details" and limit is not None:
            yield from _details(findings)
            continue
        for finding in findings:
            yield from _finding(finding, tell(finding, pen), limit)


def _details(findings: Iterable[Finding]) -> Iterator[str]:
    """Write each field once, with how many records of each kind differ in it; few are named."""
    fields: dict[str, list[Details]] = defaultdict(list)
    for finding in findings:
        if isinstance(finding, Details):
            fields[finding.field].append(finding)
    for field, each in fields.items():
        counted = ", ".join(many(one.subject, len(one.names)) for one in each)
        names = [name for one in each for name in one.names]
        few = f": {', '.join(names)}" if len(names) <= SHOWN_DETAILS else ""
        yield f"  {field_words(field)}: {counted}{few}"


def _finding(finding: Finding, told: Told, limit: int | None) -> Iterator[str]:
    """Write one finding: on one line where it is about one record or about bare names."""
    if not told.members:
        yield f"  {told.sentence}"
    elif isinstance(finding, Details | Records):
        yield f"  {_counted(finding, told, limit)}"
    elif len(told.members) == 1:
        ((name, rest),) = told.members
        yield f"  {name}: {told.sentence}" + (f" ({rest})" if rest else "")
    elif all(not rest for _, rest in told.members):
        yield f"  {told.sentence}: {_names(told, limit)}"
    else:
        yield f"  {told.sentence}: {len(told.members)} records"
        for name, rest in told.members[:limit]:
            yield f"    {name}" + (f" ({rest})" if rest else "")
        if limit is not None and len(told.members) > limit:
            yield f"    and {len(told.members) - limit} more"


def _markdown(difference: Difference, limit: int | None) -> Iterator[str]:
    title = _title(difference)
    if not difference.findings:
        yield f"{title}: no differences"
        return
    yield f"## {title}"
    yield ""
    yield f"- old: {_build(difference.old)}"
    yield f"- new: {_build(difference.new)}"
    yield from (f"- {one}" for one in _elsewhere(difference))
    yield ""
    yield f"{_summary(difference)}."
    pen = Linked(difference)
    for topic, findings in _topics(difference):
        yield ""
        yield f"### {TITLES[topic]}"
        yield ""
        shown = findings if limit is None else findings[:SHOWN_MARKDOWN]
        kept = [one for one in shown if isinstance(one, Kept)]
        if kept:
            yield from _table(kept, pen, limit)
        if 0 < len(kept) < len(shown):
            yield ""
        for finding in shown:
            if not isinstance(finding, Kept):
                yield f"- {_item(finding, tell(finding, pen), limit)}"
        if len(shown) < len(findings):
            yield ""
            yield f"{len(findings) - len(shown)} more: {_command(difference)}"


def _table(kept: Sequence[Kept], pen: Linked, limit: int | None) -> Iterator[str]:
    yield "| where | what changed | extra bytes | storage bytes | call |"
    yield "| --- | --- | ---: | ---: | --- |"
    for finding in kept:
        told = tell(finding, pen)
        for one, (name, _) in zip(finding.records[:limit], told.members, strict=False):
            old, new = one.old, one.new
            extra, storage = (
                ("the same", "the same")
                if old is None or new is None
                else (
                    f"{old.extra:,} {ARROW} {new.extra:,}",
                    f"{old.storage:,} {ARROW} {new.storage:,}",
                )
            )
            call = pen.code(one.call.text) + (f", {one.call.mode}" if one.call.mode else "")
            yield f"| {name} | {told.sentence} | {extra} | {storage} | {call} |"
        if limit is not None and len(finding.records) > limit:
            yield f"| {len(finding.records) - limit} more | {told.sentence} | | | |"


def _item(finding: Finding, told: Told, limit: int | None) -> str:
    if not told.members:
        return told.sentence
    if isinstance(finding, Details | Records):
        return _counted(finding, told, limit)
    if len(told.members) == 1 or isinstance(finding, Attributes):
        return f"{_names(told, limit)}: {told.sentence}"
    return f"{told.sentence}: {_names(told, limit)}"


def _counted(finding: Details | Records, told: Told, limit: int | None) -> str:
    """Write names behind their number; of many details, the number alone."""
    many = limit is not None and len(told.members) > SHOWN_DETAILS
    if many and isinstance(finding, Details):
        return told.sentence
    return f"{told.sentence}: {_names(told, limit)}"


def _names(told: Told, limit: int | None) -> str:
    names = [name + (f" ({rest})" if rest else "") for name, rest in told.members]
    if limit is None or len(names) <= limit:
        return ", ".join(names)
    return f"{', '.join(names[:limit])} and {len(names) - limit} more"


def _topics(difference: Difference) -> Iterator[tuple[Topic, list[Finding]]]:
    for topic in TOPICS:
        findings = [one for one in difference.findings if one.topic == topic]
        if findings:
            yield topic, findings


def _title(difference: Difference) -> str:
    old, new = difference.old, difference.new
    named, rest = difference.only[:NAMED], len(difference.only[NAMED:])
    more = f" and {rest} more" if rest else ""
    only = f", {', '.join(named)}{more}" if named else ""
    return f"torch {old.release} {ARROW} torch {new.release} ({new.device}{only})"


def _summary(difference: Difference) -> str:
    total = sum(difference.counts.values())
    parts = [f"{number} {SHORT[topic]}" for topic, number in difference.counts.items()]
    return f"{total} difference{'' if total == 1 else 's'}: {', '.join(parts)}"


def _command(difference: Difference) -> str:
    return f"`tapekept diff {difference.old.release} {difference.new.release} --long`"


def _build(side: Side) -> str:
    return f"torch {side.version}, git {side.git[:GIT_DIGITS]}"


def _elsewhere(difference: Difference) -> Iterator[str]:
    if difference.old.depth == difference.new.depth == "history":
        yield f"measured in neither (depth history): {', '.join(LAYERS)}"
    for one in difference.elsewhere:
        yield f"measured otherwise: {elsewhere_words(one, ARROW)}"
