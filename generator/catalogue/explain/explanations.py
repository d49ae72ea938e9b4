"""Explain an error message: what it is, who saved and who wrote, what helps, where it is shown."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from generator.catalogue.elsewhere import Names
from generator.catalogue.explain.complaints import IN_PLACE, complaint
from generator.catalogue.explain.messages import one_case, spelling
from generator.catalogue.explain.others import Others, foreign, others
from generator.catalogue.explain.overwritten import Overwritten, overwritten
from generator.catalogue.explain.readings import VIEW_NODE, Fact, Readings, readings
from generator.catalogue.model.records import Catalogue, NodeRecord

# Views under which a linear layer saves its weight, by the release.
TURNED = (VIEW_NODE, "TBackward0")
FUNCTION = re.compile(
    r"(?:Function '?(?=\w+'? returned)|Error detected in (?:\w+::)*)(\w+)", re.IGNORECASE
)
FIND = "guides/saved-variable-checks/#finding-the-op-that-saved-it"
READ = "guides/saved-variable-checks/#reading-the-message"
SHOWN = (f"guides/{IN_PLACE}", READ, FIND)
PLAINLY = {"long": "int64", "int": "int32", "bool": "bool", "byte": "uint8"}

ANSWER = (
    "an op saved a tensor{} for backward, and its memory was written to{} before backward used it"
)
INTEGER = "it is {}: an index, a target or a mask that an op saved"
ROOTLESS = (
    "no op is named, so it has no history: a parameter (an optimizer's step, clamp_ or copy_ writes"
    " to it), a buffer, or data such as an input or a target that is reused; or else it came out of"
    " torch.compile, whose graph saved its own output: then its grad_fn is CompiledFunctionBackward"
)
WEIGHT = "a linear layer saves its weight transposed: look for a weight of {} × {}"
SINGLE = (
    "one number: a scalar, or an element such as weight[i]: a view, which a write to the whole (an"
    " optimizer's step, copy_) writes too; weight[i].clone() is none"
)
HELPS = (
    "write out of place, write before the op that saves it, give that op a clone(), or run backward"
    " before the write"
)
SAVER = "{}: anomaly detection names the node that had saved it, and the line of its call"
FINDING = (
    "run it under torch.autograd.detect_anomaly(), which names that node and its line; or read the"
    " _saved_… attributes of each node before backward: where reading raises is it"
)
WHO = "who saved it"
LAST: Fact = ("what helps", HELPS)


@dataclass(frozen=True)
class Explanation:
    """What an error says, as facts in the order in which they help, and pages that show it.

    `shown` are addresses below the release's site; `node` is the node type that the message names,
    where this release has it.
    """

    answer: str
    facts: tuple[Fact, ...]
    shown: tuple[str, ...]
    node: NodeRecord | None = None


def is_known(text: str) -> bool:
    """Say whether a text is an error message, or the part of one, that can be explained."""
    plain = " ".join(text.split())
    return complaint(plain) is not None or overwritten(plain) is not None


def explanation(catalogue: Catalogue, text: str, ask: Callable[[], Names]) -> Explanation | None:
    """Explain the message in `text`, or the part of it there is; None where it is not known.

    Neither line breaks matter nor whether all is in upper or all in lower case. `ask` tells the
    node types of every release, and is called for a name that this one does not have.
    """
    text = " ".join(text.split())
    known = complaint(text)
    if known is not None:
        function, node = FUNCTION.search(text), None
        if function:
            told = readings(catalogue)
            node = told.names.get(_spelled(function[1], told.names, text))
        return Explanation(known.meaning, (("what helps", known.remedy),), (known.shown,), node)
    read = overwritten(text)
    if read is None:
        return None
    told = readings(catalogue)
    name, saver = (one and _spelled(one, told.names, text) for one in (read.name, read.saver))
    elsewhere: Others = {}
    if name is not None and name not in told.names:
        elsewhere = others(told.release, ask())
        name = _spelled(name, elsewhere, text)
    facts = tuple(_facts(told, replace(read, name=name, saver=saver), elsewhere))
    return Explanation(_answer(read), facts, SHOWN, told.names.get(name or ""))


def _spelled(name: str, names: Collection[str], text: str) -> str:
    """Spell a name as a release does where the whole text is in upper or in lower case."""
    return spelling(name, names) if one_case(text) else name


def _answer(read: Overwritten) -> str:
    often = {None: "", 1: " once"}.get(read.writes, f" {read.writes} times")
    what = "" if read.shape is None else f" of shape {' × '.join(map(str, read.shape)) or '()'}"
    return ANSWER.format(what, often)


def _facts(told: Readings, read: Overwritten, elsewhere: Others) -> Iterator[Fact]:
    kind, node = (read.type or "").casefold(), told.names.get(read.name or "")
    integer = next((plain for one, plain in PLAINLY.items() if one in kind), None)
    if integer is not None:
        yield "the tensor", INTEGER.format(integer)
    elif read.name is None and read.whole:
        yield "the tensor", ROOTLESS
    if read.name is not None and node is not None:
        yield from told.of(read.name, read.number or 0)
    elif read.name is not None:
        yield "it names", foreign(told.release, read.name, elsewhere)
    if node is not None and node.name in TURNED and read.shape and len(read.shape) == 2:
        yield "its shape", WEIGHT.format(*reversed(read.shape))
    if read.shape == ():
        yield "its shape", SINGLE
    yield WHO, FINDING if read.saver is None else SAVER.format(read.saver)
    yield LAST
