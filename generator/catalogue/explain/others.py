"""Names of nodes that other releases have and this one lacks, as the messages of those write them.

Of what no release has, all that can be told is what it may be.
"""

import re
from collections.abc import Mapping

from packaging.version import Version

from generator.catalogue.elsewhere import Names, having, listed
from generator.catalogue.explain.messages import forward_name
from generator.catalogue.model.history import History, NodeClass

NUMBERED = re.compile(r"Backward\d+$")
OTHER = (
    "{}, which is a node type of torch {} and not of torch {}: what it saves is told there"
    " (--release {}, or its own site)"
)
UNMEASURED = (
    "{}, which is no node type of any release that was measured: by its number most likely one of"
    " another release, or of a build for another device"
)
FOREIGN = (
    "{}, which is no node type of any release that was measured: a torch.autograd.Function of your"
    " own code, of a library, of torch.utils.checkpoint or of torch.compile; the tensor is its"
    " output, and which op saved it is not told"
)


# What messages of other releases call nodes that one release lacks, and the releases with it.
Others = Mapping[str, tuple[str, ...]]


def others(release: str, nodes: Names) -> dict[str, tuple[str, ...]]:
    """Find what messages of other releases call the nodes that `release` lacks.

    `nodes` are the names of the node types of every release.

    The name of a forward op alone is looked for in newer releases only: no old one writes it.
    """
    own = nodes.get(release, ())
    found = {name: there for name, there in having(nodes).items() if name not in own}
    for name, there in list(found.items()):
        if Version(there[-1]) > Version(release):
            found.setdefault(forward_name(name), there)
    return found


def of_history(history: History) -> dict[str, set[str]]:
    """Return the names of node types by release, which a history files by name."""
    releases = [one.release for one in history.releases]
    nodes: dict[str, set[str]] = {release: set() for release in releases}
    for timelines in history.nodes.values():
        for span in (span for timeline in timelines for span in timeline.spans):
            if isinstance(span.said, NodeClass):
                for release in releases[
                    releases.index(span.since) : releases.index(span.until) + 1
                ]:
                    nodes[release].add(span.said.name)
    return nodes


def foreign(release: str, name: str, known: Others) -> str:
    """Say what a name can be that no node of `release` has."""
    there = known.get(name)
    if there is not None:
        return OTHER.format(name, listed(there), release, there[-1])
    return (UNMEASURED if NUMBERED.search(name) else FOREIGN).format(name)
