"""Explain an error message: what it is, who saved and who wrote, what helps, where it is shown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue.explain.complaints import IN_PLACE, complaint
from generator.catalogue.explain.overwritten import Overwritten, overwritten
from generator.catalogue.model.records import Catalogue, NodeRecord
from generator.catalogue.readings import VIEW_NODE, Fact, Readings, readings

# Views under which a linear layer saves its weight, by the release.
TURNED = (VIEW_NODE, "TBackward0")
FUNCTION = re.compile(r"Function '(\w+)' returned")
FIND = "guides/saved-variable-checks/#finding-the-op-that-saved-it"
READ = "guides/saved-variable-checks/#reading-the-message"
SHOWN = (f"guides/{IN_PLACE}", READ, FIND)
PLAINLY = {"Long": "int64", "Int": "int32", "Bool": "bool", "Byte": "uint8"}

ANSWER = (
    "an op saved a tensor{} for backward, and its memory was written to{} before backward used it"
)
INTEGER = "it is {}: an index, a target or a mask that an op saved"
ROOTLESS = (
    "it has no history, so no op is named: a parameter (an optimizer's step, clamp_ or copy_ writes"
    " to it), a buffer, or data such as an input or a target that is reused"
)
WEIGHT = "a linear layer saves its weight transposed: look for a weight of {} × {}"
SINGLE = "one number: a scalar, or an element such as weight[i], which is a view"
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


def explanation(catalogue: Catalogue, text: str) -> Explanation | None:
    """Explain the message in `text`, or the part of it there is; None where it is not known."""
    known = complaint(text)
    if known is not None:
        function = FUNCTION.search(text)
        node = catalogue.nodes.get(function[1]) if function else None
        return Explanation(known.meaning, (("what helps", known.remedy),), (known.shown,), node)
    read = overwritten(text)
    if read is None:
        return None
    told = readings(catalogue)
    node = told.names.get(read.name or "")
    return Explanation(_answer(read), tuple(_facts(told, read, node)), SHOWN, node)


def _answer(read: Overwritten) -> str:
    often = {None: "", 1: " once"}.get(read.writes, f" {read.writes} times")
    what = "" if read.shape is None else f" of shape {' × '.join(map(str, read.shape)) or '()'}"
    return ANSWER.format(what, often)


def _facts(told: Readings, read: Overwritten, node: NodeRecord | None) -> Iterator[Fact]:
    integer = next((plain for kind, plain in PLAINLY.items() if kind in (read.type or "")), None)
    if integer is not None:
        yield "the tensor", INTEGER.format(integer)
    elif read.name is None and read.whole:
        yield "the tensor", ROOTLESS
    if read.name is not None:
        yield from told.of(read.name, read.number or 0)
    if node is not None and node.name in TURNED and read.shape and len(read.shape) == 2:
        yield "its shape", WEIGHT.format(*reversed(read.shape))
    if read.shape == ():
        yield "its shape", SINGLE
    yield WHO, FINDING if read.saver is None else SAVER.format(read.saver)
    yield LAST
