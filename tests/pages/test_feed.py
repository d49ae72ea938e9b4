"""The feed against what RFC 4287 requires of an Atom document."""

import re
from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec.structs import replace

from generator.catalogue.history.timelines import history
from generator.catalogue.model.history import History
from generator.pages.feed import feed
from tests.fixtures import tiny, tiny_history
from tests.fixtures.tiny_releases import NEW, OLD, op, released
from tests.fixtures.tiny_releases import node as a_node

ATOM = "{http://www.w3.org/2005/Atom}"
# RFC 3339, with the capital T and Z that RFC 4287 (3.3) asks for.
DATE = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})")
# What an entry and a feed may have once at most (4.1.1, 4.1.2).
ONCE = ("id", "title", "updated", "published", "content", "summary", "rights", "source", "subtitle")


def parsed(known: History) -> Element:
    written = feed(known)
    assert written is not None
    return fromstring(written)  # noqa: S314 - what was written just above


@pytest.fixture
def root() -> Element:
    return parsed(tiny_history.past())


def text(parent: Element, tag: str) -> str:
    found = parent.findtext(ATOM + tag)
    assert found, f"no {tag}"
    return found


def test_it_is_utf_8_and_says_so() -> None:
    written = feed(tiny_history.past())
    assert written
    assert written.startswith(b'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns=')
    written.decode("utf-8")


def test_the_feed_and_each_entry_have_what_they_must(root: Element) -> None:
    assert root.tag == f"{ATOM}feed"
    for each in (root, *root.findall(f"{ATOM}entry")):
        for tag in ("id", "title", "updated"):
            text(each, tag)
        for tag in ONCE:
            assert len(each.findall(ATOM + tag)) <= 1
    # One author of the feed stands for all entries (4.2.1), and has a name.
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Tapekept"
    (own,) = (one for one in root.findall(f"{ATOM}link") if one.get("rel") == "self")
    assert own.get("href") == "https://tapekept.github.io/latest/feed.xml"


def test_dates_are_those_of_the_releases(root: Element) -> None:
    stamps = [text(one, "updated") for one in root.findall(f"{ATOM}entry")]
    assert stamps == ["2026-07-08T00:00:00Z", "2024-03-27T00:00:00Z", "2023-05-08T00:00:00Z"]
    assert text(root, "updated") == stamps[0]
    assert all(DATE.fullmatch(one.text or "") for one in root.iter(f"{ATOM}updated"))
    assert all(DATE.fullmatch(one.text or "") for one in root.iter(f"{ATOM}published"))


def test_names_are_iris_of_their_own_that_stay(root: Element) -> None:
    names = [one.text for one in root.iter(f"{ATOM}id")]
    assert len(set(names)) == len(names) == 4
    assert all((one or "").startswith("https://tapekept.github.io/") for one in names)
    # A release that comes later changes no entry, and not the name of the feed.
    grown = {one.text for one in parsed(later()).iter(f"{ATOM}id")}
    assert grown > set(names)


def later() -> History:
    """The same history with one release more."""
    known = tiny_history.past()
    newest = replace(known.releases[-1], release="2.99.0")
    difference = replace(
        known.differences[-1], new=replace(known.differences[-1].new, release="2.99.0")
    )
    return replace(
        known,
        releases=(*known.releases, newest),
        differences=(*known.differences, difference),
    )


def test_an_entry_says_what_changed_as_escaped_html(root: Element) -> None:
    entries = {text(one, "title"): one for one in root.findall(f"{ATOM}entry")}
    content = entries[f"PyTorch {NEW}"].find(f"{ATOM}content")
    assert content is not None
    assert content.get("type") == "html"
    assert len(content) == 0, "the markup is text, not elements"
    assert "1 op keeps something else" in (content.text or "")
    link = entries[f"PyTorch {NEW}"].find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == text(entries[f"PyTorch {NEW}"], "id")
    assert link.get("href", "").endswith(f"/{NEW}/releases/{NEW}/")


def test_the_largest_changes_are_linked_in_the_release_that_made_them() -> None:
    before = released(OLD, op(a_node("A")), op(a_node("A"), name="torch.std", storage=9, extra=9))
    after = released(NEW, op(a_node("A"), storage=8, extra=8), op(a_node("A"), name="torch.std"))
    root = parsed(history([before, after], tiny_history.DATES))
    said = text(root.findall(f"{ATOM}entry")[0], "content")
    address = f"https://tapekept.github.io/{NEW}/ops"
    assert f'<a href="{address}/torch.mean/">torch.mean</a>: +8 extra bytes' in said
    assert f'<a href="{address}/torch.std/">torch.std</a>: -9 extra bytes' in said


def test_a_release_without_a_date_has_no_entry() -> None:
    assert feed(history([tiny.catalogue()], {})) is None
    known = history([released(OLD), tiny.catalogue()], {OLD: tiny_history.DATES[OLD]})
    assert [text(one, "title") for one in parsed(known).findall(f"{ATOM}entry")] == [
        f"PyTorch {OLD}"
    ]
