"""Explain an error message: what it is, who saved and who wrote, what helps, where it is shown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue.complaints import IN_PLACE, complaint
from generator.catalogue.messages import by_forward_name, by_stem, forward_name, node_said
from generator.catalogue.model import Catalogue, NodeRecord
from generator.catalogue.namings import Namings, namings
from generator.catalogue.overwritten import Overwritten, overwritten

VIEW_NODE = "AsStridedBackward0"
SLICE_NODE = "CopySlices"
# Views under which a linear layer saves its weight, by the release.
TURNED = (VIEW_NODE, "TBackward0")
OLD = "Backward"
FIRST_NAME = "ExpBackward"  # up to 1.9, whose messages name no writer
LISTED = 4
NUMBERED = re.compile(r"Backward\d+$")
FUNCTION = re.compile(r"Function '(\w+)' returned")
FIND = "guides/saved-variable-checks/#finding-the-op-that-saved-it"
READ = "guides/saved-variable-checks/#reading-the-message"
PLAINLY = {"Long": "int64", "Int": "int32", "Bool": "bool", "Byte": "uint8"}

VIEWED = (
    "AsStrided, which nobody called: a view is named so once it, or its base, was written; the op"
    " that saved the view is not named"
)
SLICED = (
    "CopySlices, the node that a tensor has once a part of it was written (t[i] = …): this is the"
    " last write; the op that saved the tensor is not named"
)
ROOTLESS = (
    "it has no history, so no op is named: a parameter (an optimizer's step, clamp_ or copy_ writes"
    " to it), a buffer, or data such as an input or a target that is reused"
)
ELSEWHERE = (
    "{}, which is no node type of torch {}: most likely it is one of another release, so name yours"
    " with --release"
)
FOREIGN = (
    "{}, which is no node type of torch {}: a torch.autograd.Function of your own code; most"
    " likely it saved its own output (save_for_backward), which was written afterwards"
)
OWN = "{} saved its own output ({}), which was written afterwards"
OLD_NAMES = (
    "a tensor that was saved as an input is named by the op that made it, here {}, whoever wrote"
    " to it"
)
UNRECORDED = (
    "no spelling of {} was seen to write in place in this release, so it made the tensor; the write"
    " was not recorded (under no_grad, through detach(), by an optimizer) or went through another"
    " tensor that shares the memory"
)
OLDER = (
    "a name with Backward in it is of a release before 2.13, and is read here by what torch {}"
    " does: name yours with --release; 1.9 names a tensor saved as an input by the op that made it"
)
HELPS = (
    "write out of place, write before the op that saves it, give that op a clone(), or run backward"
    " before the write"
)

Fact = tuple[str, str]


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
    node = named_node(catalogue, read.name)
    return Explanation(
        answer=_answer(read),
        facts=tuple(_facts(catalogue, read, node)),
        shown=(f"guides/{IN_PLACE}", READ, FIND),
        node=node,
    )


def named_node(catalogue: Catalogue, name: str | None) -> NodeRecord | None:
    """Find the node type that a message of any release calls so; None where there is none."""
    if name is None:
        return None
    nodes = catalogue.nodes
    # Up to 1.9 the number was left off: `SelectBackward` was not yet a backward of a backward.
    for spelled in (name, f"{name}0" if name.endswith(OLD) else name):
        if spelled in nodes:
            return nodes[spelled]
    tiers = (by_forward_name(nodes.values()), by_stem(nodes.values()))
    return next((tier[name][0] for tier in tiers if name in tier), None)


def named(known: Namings, node: NodeRecord, called: str) -> tuple[Fact, ...]:
    """Say what it can mean that a message names the first output of a node type, which it `called`.

    Not of releases whose messages name no writer (1.9).
    """
    return tuple(_named(known, node, 0, called))


def _answer(read: Overwritten) -> str:
    often = {None: "", 1: " once"}.get(read.writes, f" {read.writes} times")
    what = "" if read.shape is None else f" of shape {_shape(read.shape)}"
    return (
        f"an op saved a tensor{what} for backward, and its memory was written to{often} before"
        " backward used it"
    )


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "()"


def _facts(catalogue: Catalogue, read: Overwritten, node: NodeRecord | None) -> Iterator[Fact]:
    known, release = namings(catalogue), catalogue.header.release
    integer = next((plain for kind, plain in PLAINLY.items() if kind in (read.type or "")), None)
    if integer is not None:
        yield "the tensor", f"it is {integer}: an index, a target or a mask that an op saved"
    elif read.name is None and read.whole:
        yield "the tensor", ROOTLESS
    if node is None:
        if read.name is not None:
            other = NUMBERED.search(read.name) is not None
            yield "it names", (ELSEWHERE if other else FOREIGN).format(read.name, release)
    elif read.name == f"{forward_name(node.name)}{OLD}" or FIRST_NAME in catalogue.nodes:
        yield from _named_of_old(known, node, read.number or 0)
    else:
        yield from _named(known, node, read.number or 0, forward_name(node.name))
        if read.name == node.name != forward_name(node.name) and not _writes_own_names(catalogue):
            yield "your release", OLDER.format(release)
    if node is not None and node.name in TURNED and read.shape and len(read.shape) == 2:
        rows, columns = read.shape
        yield (
            "its shape",
            f"a linear layer saves its weight transposed: look for a weight of {columns} × {rows}",
        )
    if read.shape == ():
        yield "its shape", "one number: a scalar, or an element such as weight[i], which is a view"
    yield (
        "who saved it",
        "before backward, read the _saved_… attributes of each node: where reading raises is it",
    )
    yield "what helps", HELPS


def _writes_own_names(catalogue: Catalogue) -> bool:
    """Say whether messages of this release call a node by its own name, as those up to 2.12 do."""
    return any(
        node_said(node.error or "") == node.name != forward_name(node.name)
        for node in catalogue.nodes.values()
    )


def _named_of_old(known: Namings, node: NodeRecord, number: int) -> Iterator[Fact]:
    """Say what the name means in the words of 1.9, which named no writer."""
    called, kept = forward_name(node.name), known.kept(node, number)
    if kept:
        yield "most likely", OWN.format(called, ", ".join(kept))
    elif kept is not None:
        yield "it names", f"{called}, which keeps no such output: another op, not named, saved it"
    yield "in release 1.9", OLD_NAMES.format(called)


def _named(known: Namings, node: NodeRecord, number: int, called: str) -> Iterator[Fact]:
    if node.name == VIEW_NODE:
        yield "it names", VIEWED
        return
    if node.name == SLICE_NODE:
        yield "it names", SLICED
        return
    kept, writers = known.kept(node, number), known.writers.get(node.name, ())
    if kept:
        yield "most likely", OWN.format(called, ", ".join(kept))
    else:
        yield (
            "it names",
            f"{called}, the node to which the tensor belongs now"
            + (
                ""
                if kept is None
                else "; it keeps no such output, so another op, not named, saved it"
            ),
        )
    if writers and kept:
        yield "or", f"an op saved it as an input, and {called} wrote to it ({_listed(writers)})"
    elif writers and kept is None:
        yield "who wrote", f"perhaps {called} itself, in place ({_listed(writers)})"
    elif writers:
        yield "who wrote", f"{called} itself, in place ({_listed(writers)})"
    elif not kept:
        yield "who wrote", UNRECORDED.format(called)


def _listed(names: tuple[str, ...]) -> str:
    shown = [name.removeprefix("torch.Tensor.") for name in names[:LISTED]]
    rest = len(names) - LISTED
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")
