"""Which node types have a saved attribute, from when until when, and what is in its place.

Attributes are renamed more often than node types are: `_saved_self_sizes` is
`_saved_self_sym_sizes` in later releases.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from generator.catalogue.shelf import Shelf
from generator.errors import CatalogueError

NODE = "node"


@dataclass(frozen=True)
class AttributeSpan:
    """The releases in which a node type has an attribute, of those that have the node type.

    `instead` is the attribute that the next of these releases has and the last of the span has not,
    where no other came or went; `before` is likewise what the release before had.
    """

    node: str
    since: str
    until: str
    before: str | None
    instead: str | None


def attribute_spans(shelf: Shelf, name: str) -> tuple[AttributeSpan, ...]:
    """Find the spans of an attribute in all releases of a shelf, by node type; none is empty."""
    found: list[AttributeSpan] = []
    for node, each in sorted(_by_node(shelf).items()):
        releases = [*each]
        start: int | None = None
        for place, release in enumerate(releases):
            has = name in each[release]
            if has and start is None:
                start = place
            if start is not None and (not has or release == releases[-1]):
                end = place if has else place - 1
                found.append(_span(node, each, name, (start, end)))
                start = None
    return tuple(found)


def _span(
    node: str, each: Mapping[str, frozenset[str]], name: str, places: tuple[int, int]
) -> AttributeSpan:
    releases, (start, end) = [*each], places
    earlier = each[releases[start - 1]] if start else None
    later = each[releases[end + 1]] if end + 1 < len(releases) else None
    here = each[releases[start]], each[releases[end]]
    return AttributeSpan(
        node,
        releases[start],
        releases[end],
        before=None if earlier is None else _one(earlier - here[0], here[0] - earlier, name),
        instead=None if later is None else _one(later - here[1], here[1] - later, name),
    )


def _one(other: frozenset[str], own: frozenset[str], name: str) -> str | None:
    """Return the attribute that one release has in the place of `name` of the other."""
    return next(iter(other)) if len(other) == 1 and own == {name} else None


def _by_node(shelf: Shelf) -> dict[str, dict[str, frozenset[str]]]:
    """Map node types, by the names of today, to their attributes by release, the oldest first."""
    nodes: dict[str, dict[str, frozenset[str]]] = {}
    for release in shelf.releases:
        for key in shelf.keys(release, NODE):
            record = shelf.record(release, key, ("attributes",))
            attributes: tuple[str, ...] | None = getattr(record, "attributes", None)
            if attributes is None:
                raise CatalogueError(f"{key[1]} is no node type")
            # Up to 1.9 a node type that is alone has no number.
            called = f"{key[1]}0" if key[1].endswith("Backward") else key[1]
            nodes.setdefault(called, {})[release] = frozenset(attributes)
    return nodes
