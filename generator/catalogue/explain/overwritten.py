"""Read the error of autograd's in-place check: the tensor, whom it names, how many writes."""

import re
from dataclasses import dataclass

from generator.catalogue.explain.messages import NAMESPACE

# Of a message that lost its beginning, the tensor and both versions are left.
CHECK = re.compile(
    r"(?:modified by an in-?place operation"
    r"|(?=\[[\w.]+(?: \[[\d, ]*\])?\][^\n;]* is at version \d))"
    r"(?:(?:: )?\[(?P<type>[\w.]+)(?: \[(?P<shape>[\d, ]*)\])?\])?"
    r"(?:, which is output (?P<number>\d+) of (?P<name>(?:\w+::)*\w+),?)?"
    r"(?: is at version (?P<now>\d+); expected version (?P<then>\d+))?",
    re.IGNORECASE,
)
# Anomaly detection warns before the error is raised, and names the node that had saved the tensor.
ANOMALY = re.compile(r"Error detected in ((?:\w+::)*\w+)", re.IGNORECASE)
# With a capital alone it begins what is said of views.
NAMED = re.compile(
    r"\b(?:output|OUTPUT) (?P<number>\d+) (?:of|OF) (?P<name>(?:\w+::)*\w+)",
)


@dataclass(frozen=True)
class Overwritten:
    """What the message says: of the tensor, of the output that it is, and of the versions.

    `name` and `saver` are without namespace; `saver` is whom anomaly detection named, where its
    warning is part of the text. None stands for what the message, or the part of it that is
    known, leaves out; `whole` is whether it is known that no node is named.
    """

    type: str | None = None
    shape: tuple[int, ...] | None = None
    number: int | None = None
    name: str | None = None
    writes: int | None = None
    saver: str | None = None
    whole: bool = False


def overwritten(text: str) -> Overwritten | None:
    """Read a message, or the part that names an output; None where the text is neither."""
    found = CHECK.search(text)
    if found is None:
        part = NAMED.search(text)
        if part is None or "is a view" in text.casefold():
            return None
        return Overwritten(number=int(part["number"]), name=NAMESPACE.sub("", part["name"]))
    then, saver = found["then"], ANOMALY.search(text)
    return Overwritten(
        type=found["type"],
        shape=None if found["shape"] is None else _numbers(found["shape"]),
        number=None if found["number"] is None else int(found["number"]),
        name=None if found["name"] is None else NAMESPACE.sub("", found["name"]),
        writes=None if then is None else int(found["now"]) - int(then),
        saver=None if saver is None else NAMESPACE.sub("", saver[1]),
        whole=then is not None,
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in text.replace(",", " ").split())
