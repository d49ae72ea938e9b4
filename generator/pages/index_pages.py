"""The indexes of ops (by namespace), modules and node types (by initial letter)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from generator.catalogue.model.records import Catalogue
from generator.pages.figures import plural
from generator.pages.parts import Front
from generator.pages.rows import Row, namespace, row

ROOT = "../"


@dataclass(frozen=True)
class IndexGroup:
    """The rows under one heading, and the heading's anchor."""

    heading: str
    anchor: str
    count: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class IndexPage:
    """One section's index."""

    front: Front
    kind: str
    introduction: str
    with_bytes: bool
    groups: tuple[IndexGroup, ...]


def ops_index(catalogue: Catalogue) -> IndexPage:
    """List the ops by namespace."""
    listed = [row("op", one, ROOT) for one in catalogue.ops.values()]
    order = {namespace(one): None for one in catalogue.ops.values()}
    groups = [
        _group(name, [one for one in listed if one.namespace == name], "op")
        for name in sorted(order)
    ]
    return IndexPage(
        front=_front("Ops", "Every op by namespace, with what it keeps."),
        kind="op",
        introduction=(
            "Every public callable with an entry in PyTorch's own test database, under its "
            "canonical name. Methods, in-place variants and aliases belong to their op's page."
        ),
        with_bytes=True,
        groups=tuple(groups),
    )


def modules_index(catalogue: Catalogue) -> IndexPage:
    """List the modules by initial letter of their class."""
    listed = [row("module", one, ROOT) for one in catalogue.modules.values()]
    return IndexPage(
        front=_front("Modules", "Every module, with what it keeps in train and eval mode."),
        kind="module",
        introduction=(
            "Every `nn.Module` with an entry in PyTorch's own test database, measured in train "
            "and in eval mode; parameters and buffers have roles of their own."
        ),
        with_bytes=True,
        groups=_by(listed, lambda one: one.link.text.rpartition(".")[2][:1].upper(), "module"),
    )


def nodes_index(catalogue: Catalogue) -> IndexPage:
    """List the node types by initial letter."""
    listed = [row("node", one, ROOT) for one in catalogue.nodes.values()]
    return IndexPage(
        front=_front("Nodes", "Every backward class of the release, with what it saves."),
        kind="node type",
        introduction=(
            "Every backward class of the release's registry, seen live or not, and those seen "
            "live that the registry does not list. `grad_fn` of a tensor is one of these."
        ),
        with_bytes=False,
        groups=_by(listed, lambda one: one.link.text[:1].upper(), "type"),
    )


def _front(title: str, description: str) -> Front:
    return Front(title, description, None, hide=("navigation",))


def _by(listed: Iterable[Row], initial: Callable[[Row], str], noun: str) -> tuple[IndexGroup, ...]:
    members: dict[str, list[Row]] = {}
    for one in listed:
        members.setdefault(initial(one), []).append(one)
    return tuple(_group(letter, members[letter], noun) for letter in sorted(members))


def _group(heading: str, listed: Iterable[Row], noun: str) -> IndexGroup:
    each = tuple(listed)
    return IndexGroup(heading, heading.lower() or "other", plural(len(each), noun), each)
