"""The rows of the catalogue's one table and of the section indexes: a record in a line."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.claims import claim, classes, label
from generator.catalogue.kept import principal_calls, widest
from generator.catalogue.model.records import Catalogue, NodeRecord
from generator.pages.figures import exact
from generator.pages.markup import code_spans
from generator.pages.parts import Chip, Link, Paged, class_chips, record_link

KINDS = ("op", "module", "node")
_LIVE = ("measured", "witnessed", "stubbed", "unregistered")
BARE = "torch.ops."
_NAMESPACES = ("torch", "torch.nn.functional", "torch.nn", "torch.linalg", "torch.fft")


@dataclass(frozen=True)
class Row:
    """One record in a line. Bytes are those of its reference (or first) call, empty if none.

    `saved_key` is what the filter of what is kept compares: its label, and `has-` each class.
    """

    kind: str
    link: Link
    namespace: str
    state: str
    label: str
    chips: tuple[Chip, ...]
    saved_key: str
    claim: Markup
    storage: str
    storage_key: str
    extra: str
    extra_key: str


def rows(catalogue: Catalogue, root: str) -> tuple[Row, ...]:
    """Every op, module and node: measured ones first, the plainest namespaces first."""
    records: tuple[tuple[str, Iterable[Paged]], ...] = (
        ("op", catalogue.ops.values()),
        ("module", catalogue.modules.values()),
        ("node", catalogue.nodes.values()),
    )
    return tuple(
        row(kind, record, root)
        for kind, members in records
        for record in sorted(members, key=_rank)
    )


def row(kind: str, record: Paged, root: str) -> Row:
    """Put one record in a line."""
    storage, extra = _bytes(record)
    kept = classes(record)
    return Row(
        kind=kind,
        link=record_link(record, root),
        namespace=namespace(record),
        state=record.state,
        label=label(record),
        chips=class_chips(kept),
        saved_key="|".join((label(record), *(f"has-{name}" for name in kept))),
        claim=code_spans(claim(record)),
        storage="" if storage is None else exact(storage),
        storage_key="" if storage is None else str(storage),
        extra="" if extra is None else exact(extra),
        extra_key="" if extra is None else str(extra),
    )


def _rank(record: Paged) -> tuple[bool, int, str, bool, str]:
    place = namespace(record)
    known = _NAMESPACES.index(place) if place in _NAMESPACES else len(_NAMESPACES)
    private = record.name.rpartition(".")[2].startswith("_")
    return (record.state not in _LIVE, known, place, private, record.name.casefold())


def namespace(record: Paged) -> str:
    """Everything before the last dot of a public name; node types have no namespace.

    An overload, `torch.ops.aten.some.default`, is in the namespace of its op.
    """
    if isinstance(record, NodeRecord):
        return ""
    place = record.name.rpartition(".")[0]
    return ".".join(place.split(".")[:3]) if place.startswith(BARE) else place


def _bytes(record: Paged) -> tuple[int | None, int | None]:
    """Storage and extra bytes under the widest mask of the call that speaks for the record."""
    if isinstance(record, NodeRecord) or record.state != "measured":
        return None, None
    for call in principal_calls(record):
        measured = widest(call)
        return measured.storage_bytes, measured.extra_bytes
    return None, None
