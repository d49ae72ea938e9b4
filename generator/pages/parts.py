"""The small frozen pieces that views are made of: links, chips, figures, citations."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue import citations, links
from generator.catalogue.claims import claim
from generator.catalogue.kept import VIEW, role_class, spoken_role
from generator.catalogue.model.records import Header, ModuleRecord, NodeRecord, OpRecord
from generator.pages.figures import exact, rounded_bytes
from generator.pages.markup import code_fence, code_spans

Paged = OpRecord | ModuleRecord | NodeRecord

_TONES = {
    "input": "input",
    "parameter": "parameter",
    "buffer": "buffer",
    "output": "output",
    "intermediate": "intermediate",
    "wrapped number": "number",
    "opaque": "number",
}


@dataclass(frozen=True)
class Link:
    """A link with its visible text; `href` is relative to the page that shows it."""

    text: str
    href: str


@dataclass(frozen=True)
class Chip:
    """A role as a coloured label: `tone` names its class, `dashed` says that it is a view."""

    text: str
    tone: str
    dashed: bool = False


@dataclass(frozen=True)
class Word:
    """How something ended, in a word, and the tone that colours it."""

    text: str
    tone: str


@dataclass(frozen=True)
class ProgramView:
    """A program that shows what a page claims, and what it printed."""

    program: str
    printed: str


@dataclass(frozen=True)
class Figure:
    """One byte figure: the exact number, a rounded one beside it, and what it counts."""

    number: str
    rounded: str
    label: str
    counts: str


@dataclass(frozen=True)
class Front:
    """The front matter of a page, and the way back to its section.

    `boost` is how much the page weighs in the search, and `searched` whether it is found at all;
    `tags` are words that find it before what merely begins like them.
    """

    title: str
    description: str
    section: Link | None
    boost: float = 1.0
    searched: bool = True
    tags: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()


@dataclass(frozen=True)
class Head:
    """The top of a record's page: its name, the answer in one sentence, and where it comes from."""

    kind: str
    name: str
    claim: Markup
    build: str
    aliases: str


@dataclass(frozen=True)
class Citation:
    """The line that cites a record, as a block of Markdown to copy."""

    block: Markup
    permalink: str


def chip(role: str) -> Chip:
    """Colour a role by its class."""
    return Chip(spoken_role(role), _TONES.get(role_class(role), "number"), role.startswith(VIEW))


def class_chips(names: Iterable[str]) -> tuple[Chip, ...]:
    """Colour the names of classes."""
    return tuple(Chip(name, _TONES.get(name, "number")) for name in names)


def figure(number: int, label: str, counts: str) -> Figure:
    """Print a byte figure."""
    rounded = rounded_bytes(number)
    return Figure(
        exact(number), "" if rounded.endswith(("byte", "bytes")) else rounded, label, counts
    )


def record_link(record: links.Paged, root: str) -> Link:
    """Link to a record's page from a page whose way to the site's root is `root`."""
    return Link(record.name, root + links.page_path(record))


def citation(header: Header, record: links.Paged) -> Citation:
    """Make the line that cites a record."""
    block = code_fence(citations.markdown(header, record), "markdown")
    return Citation(block, links.permalink(header.release, record))


def head(header: Header, record: links.Paged, kind: str, aliases: Iterable[str]) -> Head:
    """Make the top of a record's page."""
    said = claim(record)
    return Head(
        kind=kind,
        name=record.name,
        claim=code_spans(said[:1].upper() + said[1:] + "."),
        build=citations.build_text(header),
        aliases=" ".join(dict.fromkeys(aliases)),
    )
