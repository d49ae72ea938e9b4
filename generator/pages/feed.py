"""The Atom feed (RFC 4287) of releases: an entry for each, with what it changed."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from markupsafe import Markup

from generator.catalogue.difference.findings import Difference, Kept, KeptIn, Records, RegistrySize
from generator.catalogue.links import BASE_URL, named_url, release_url
from generator.catalogue.model.history import History, Measured
from generator.pages.figures import exact, plural
from generator.pages.release_page import claim_of
from generator.pages.told import extra_change

FILE_NAME = "feed.xml"
NAMESPACE = "http://www.w3.org/2005/Atom"
TITLE = "What the Tape Kept: PyTorch releases"
SUBTITLE = (
    "What each PyTorch release changed in what autograd keeps alive for backward, as measured"
)
AUTHOR = "Tapekept"
# Identifies the feed for ever, whichever release's site it lies in.
IDENTITY = f"{BASE_URL}/{FILE_NAME}"
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
LARGEST = 5


def feed(history: History) -> bytes | None:
    """Write the feed, newest release first; None where no date of a release is known.

    An entry is dated by the day its release was published: a release without one has no entry.
    """
    told: list[Difference | None] = [None, *history.differences]
    dated = [
        (stamp, one, difference)
        for one, difference in zip(history.releases, told, strict=True)
        if (stamp := _stamp(one)) is not None
    ]
    if not dated:
        return None
    root = Element("feed", {"xmlns": NAMESPACE, "xml:lang": "en"})
    _text(root, "title", TITLE)
    _text(root, "subtitle", SUBTITLE)
    _text(root, "id", IDENTITY)
    _text(root, "updated", max(stamp for stamp, _, _ in dated))
    _text(SubElement(root, "author"), "name", AUTHOR)
    SubElement(root, "link", {"rel": "self", "href": f"{release_url('latest')}{FILE_NAME}"})
    SubElement(root, "link", {"rel": "alternate", "href": f"{release_url('latest')}releases/"})
    for stamp, one, difference in reversed(dated):
        _entry(root, stamp, one, difference)
    indent(root)
    written = tostring(root, encoding="unicode")
    return f"{HEAD}{written}\n".encode()


def release_permalink(release: str) -> str:
    """The address of a release's page in its own site, which stays; its entry is named by it."""
    return f"{release_url(release)}releases/{release}/"


def _entry(root: Element, stamp: str, one: Measured, difference: Difference | None) -> None:
    entry = SubElement(root, "entry")
    page = release_permalink(one.release)
    _text(entry, "title", f"PyTorch {one.release}")
    _text(entry, "id", page)
    SubElement(entry, "link", {"rel": "alternate", "href": page})
    _text(entry, "updated", stamp)
    _text(entry, "published", stamp)
    content = Markup("").join(_content(one, difference))
    _text(entry, "content", str(content)).set("type", "html")


def _content(one: Measured, difference: Difference | None) -> Iterator[Markup]:
    if difference is None:
        yield Markup("<p>The oldest release that was measured: PyTorch {}.</p>").format(one.release)
        return
    yield Markup("<p>{}</p>").format(claim_of(difference))
    kept = [
        record
        for finding in difference.findings
        if isinstance(finding, Kept)
        for record in finding.records
        if record.call.kind == "reference"
    ]
    yield _largest("Largest savings", [one for one in kept if extra_change(one) < 0], difference)
    yield _largest(
        "Largest regressions", [one for one in kept if extra_change(one) > 0], difference
    )
    for finding in difference.findings:
        match finding:
            case RegistrySize(old=before, new=after):
                yield Markup("<p>Node types in the registry: {} → {}.</p>").format(
                    exact(before), exact(after)
                )
            case Records(subject="op" | "module", names=names) if None in (
                finding.old,
                finding.new,
            ):
                verb = "catalogued from now on" if finding.old is None else "no longer catalogued"
                yield Markup("<p>{} {}: {}.</p>").format(
                    plural(len(names), finding.subject), verb, ", ".join(names)
                )


def _largest(title: str, records: list[KeptIn], difference: Difference) -> Markup:
    if not records:
        return Markup("")
    ordered = sorted(records, key=lambda one: (-abs(extra_change(one)), one.name))
    items = Markup("").join(
        Markup('<li><a href="{}">{}</a>: {:+,} extra bytes</li>').format(
            named_url(difference.new.release, one.subject, one.name), one.name, extra_change(one)
        )
        for one in ordered[:LARGEST]
    )
    return Markup("<p>{}</p><ul>{}</ul>").format(title, items)


def _text(parent: Element, tag: str, text: str) -> Element:
    made = SubElement(parent, tag)
    made.text = text
    return made


def _stamp(one: Measured) -> str | None:
    return f"{one.published.isoformat()}T00:00:00Z" if one.published else None
