"""Find the node that an error message means, by the name under which the message knows it.

A release writes a node's own name, in C++ with its namespace, or the name of its forward op: the
own name without `Backward` and, where its number is 0 or missing, without the number. Releases
before 1.10 left the number off where an op had one backward class alone (`ExpBackward`).
"""

import re
from collections.abc import Collection, Iterable, Iterator

from generator.catalogue.model.records import NodeRecord

# The name ends where a word does: a comma follows it in the message.
OUTPUT_OF = re.compile(r"\boutput\s+\d+\s+of\s+((?:\w+::)*\w+)")
NAMESPACE = re.compile(r"torch::(?:\w+::)*", re.IGNORECASE)
BACKWARD = re.compile(r"Backward(?P<number>\d*)$")
COMPOUND = re.compile(r"\b[A-Z][a-z0-9]*[A-Z]\w*")


def node_said(text: str) -> str | None:
    """Return what can only be a node's name in `text`, without namespace; None if nothing is.

    That is what follows “output N of”, or a C++ name of torch as a whole.
    """
    output_of = OUTPUT_OF.search(text)
    if output_of:
        return NAMESPACE.sub("", output_of[1])
    plain = text.strip().strip("`")
    return NAMESPACE.sub("", plain) if NAMESPACE.match(plain) else None


def compound_names(text: str) -> Iterator[str]:
    """Yield the words of `text` that are compounds, as `Error` is not, which names a node too."""
    return (found[0] for found in COMPOUND.finditer(text))


def one_case(text: str) -> bool:
    """Whether a message was pasted in upper or in lower case as a whole, and its names with it."""
    return text in (text.upper(), text.lower())


def spelling(said: str, names: Collection[str]) -> str:
    """Return the one of `names` that differs from `said` in upper and lower case alone, or it."""
    if said in names:
        return said
    folded = said.lower()
    return next((name for name in sorted(names) if name.lower() == folded), said)


def forward_name(node: str) -> str:
    """Return the name that a message gives to the forward op of the node called `node`."""
    ending = BACKWARD.search(node)
    if ending is None:
        return node
    number = ending["number"]
    return node[: ending.start()] + ("" if number == "0" else number)


def by_forward_name(nodes: Iterable[NodeRecord]) -> dict[str, list[NodeRecord]]:
    """Map the name of each forward op to the nodes that a message may mean by it."""
    tier: dict[str, list[NodeRecord]] = {}
    for node in nodes:
        tier.setdefault(forward_name(node.name), []).append(node)
    return tier


def by_stem(nodes: Iterable[NodeRecord]) -> dict[str, list[NodeRecord]]:
    """Map names without their number, with `Backward` and without it, to all nodes called so."""
    tier: dict[str, list[NodeRecord]] = {}
    for node in nodes:
        stem = BACKWARD.sub("", node.name)
        for spelling in {stem, f"{stem}Backward"}:
            tier.setdefault(spelling, []).append(node)
    return tier
