"""What an error can mean by the name that it gives: a node type of this release or of another.

Facts are pairs of a label and a text. They are read off what was seen of the node type: whether it
keeps its own output, and which spellings write in place and leave a tensor with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue.explain.messages import by_forward_name, by_stem, forward_name, node_said
from generator.catalogue.explain.namings import Namings, namings
from generator.catalogue.model.records import Catalogue, NodeRecord

VIEW_NODE = "AsStridedBackward0"
SLICE_NODE = "CopySlices"
OLD = "Backward"
FIRST_NAME = "ExpBackward"  # up to 1.9, whose messages name no writer
LISTED = 4

VIEWED = (
    "AsStrided, which nobody called: a view is named so once it, or its base, was written (part of"
    " a tensor that was filled, a weight that an optimizer stepped); the op that saved the view is"
    " not named"
)
SLICED = (
    "CopySlices, the node that a tensor has once a part of it was written (t[i] = …), or all of it"
    " through a view: this is the last write; the op that saved the tensor is not named"
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
EITHER = (
    "{0} itself, in place ({1}); or {0} made the tensor, and the write was not recorded (under"
    " no_grad, through detach(), by an optimizer)"
)
OLDER = (
    "torch {0} calls it {1}: the name is of another release, and is read here by what torch {0}"
    " does; ask yours (--release, or its own site). 1.9 names a tensor saved as an input by the op"
    " that made it"
)

Fact = tuple[str, str]


@dataclass(frozen=True)
class Readings:
    """The node types of a release by all names that messages of any release give to them.

    `writes_own_names` says whether its messages call a node as `grad_fn.name()` does, as those of
    older releases do; `first_names` whether it is one whose messages name no writer (up to 1.9).
    """

    release: str
    known: Namings
    names: dict[str, NodeRecord]
    writes_own_names: bool
    first_names: bool

    def of(self, name: str, number: int) -> tuple[Fact, ...]:
        """Say what it means that a message names output `number` of one of `names`."""
        return tuple(self._of(name, number))

    def _of(self, name: str, number: int) -> Iterator[Fact]:
        node = self.names[name]
        called = forward_name(node.name)
        if name == f"{called}{OLD}" or self.first_names:
            yield from _named_of_old(self.known, node, number)
            return
        yield from named(self.known, node, called, number)
        if name == node.name != called and not self.writes_own_names:
            yield "your release", OLDER.format(self.release, called)


def readings(catalogue: Catalogue) -> Readings:
    """Collect what names mean, in one pass over the catalogue."""
    nodes = catalogue.nodes.values()
    names = {
        spelled: found[0]
        for tier in (by_stem(nodes), by_forward_name(nodes))
        for spelled, found in tier.items()
    }
    # Up to 1.9 the number was left off: `SelectBackward` was not yet a backward of a backward.
    names |= {node.name.removesuffix("0"): node for node in nodes if node.name.endswith(f"{OLD}0")}
    names |= catalogue.nodes
    own = any(node_said(node.error or "") == node.name != forward_name(node.name) for node in nodes)
    return Readings(
        catalogue.header.release, namings(catalogue), names, own, FIRST_NAME in catalogue.nodes
    )


def named(known: Namings, node: NodeRecord, called: str, number: int = 0) -> tuple[Fact, ...]:
    """Say what it can mean that a message names an output of a node type, which it `called`.

    Not of releases whose messages name no writer (1.9).
    """
    return tuple(_named(known, node, number, called))


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
    yield from _wrote(called, kept, writers, known.possible.get(node.name))


def _wrote(
    called: str, kept: tuple[str, ...] | None, writers: tuple[str, ...], possible: str | None
) -> Iterator[Fact]:
    """Say who can have written: the node, in place, or what leaves no trace."""
    perhaps = "" if writers else "perhaps "
    each = _listed(writers or ((possible,) if possible else ()))
    if each and kept:
        yield "or", f"an op saved it as an input, and {called} {perhaps}wrote to it ({each})"
    elif each:
        yield "who wrote", ("perhaps " if kept is None else perhaps) + EITHER.format(called, each)
    elif kept is not None and not kept:
        yield "who wrote", UNRECORDED.format(called)


def _listed(names: tuple[str, ...]) -> str:
    shown = [name.removeprefix("torch.Tensor.") for name in names[:LISTED]]
    rest = len(names) - LISTED
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")
