"""Releases as a package index lists them, asked of an index on this machine."""

import datetime as dt
from collections.abc import Iterator

import pytest

from generator.errors import ReleaseError
from generator.release.upstream import find_published, newer_releases
from tests.fixtures.index import Index, address, running


@pytest.fixture
def index() -> Iterator[Index]:
    with running() as server:
        yield server


def test_the_newest_usable_patch_of_each_newer_minor(index: Index) -> None:
    found = newer_releases(address(index), ["1.9.1", "2.15.0", "2.9.1"])
    assert [(one.version, one.date, one.python) for one in found] == [
        ("2.16.1", dt.date(2027, 2, 11), ">=3.11,<3.16")
    ]


def test_nothing_where_all_are_known(index: Index) -> None:
    assert newer_releases(address(index), ["2.16.1"]) == []


def test_a_release_is_as_old_as_its_first_wheel(index: Index) -> None:
    assert find_published(address(index), "2.16.0").date == dt.date(2027, 1, 13)


@pytest.mark.parametrize("version", ["2.15.1", "2.17.0", "2.18.0", "3.0.0"])
def test_what_cannot_be_installed_is_not_found(index: Index, version: str) -> None:
    with pytest.raises(ReleaseError, match=f"lists no wheel of torch {version}"):
        find_published(address(index), version)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"releases": {"2.16.0": [{}]}}', b"<html>"])
def test_an_answer_that_is_no_list_is_one_sentence(index: Index, body: bytes) -> None:
    index.body = body
    with pytest.raises(ReleaseError) as raised:
        newer_releases(address(index), ["2.15.0"])
    assert address(index) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_index_that_does_not_answer_is_named(index: Index) -> None:
    with pytest.raises(ReleaseError, match="could not be read: HTTP Error 404"):
        newer_releases(address(index, "/elsewhere"), ["2.15.0"])


def test_only_the_web_is_asked() -> None:
    with pytest.raises(ReleaseError, match="no address of an index"):
        newer_releases("file:///etc/passwd", ["2.15.0"])


def test_an_index_that_nobody_named_is_one_sentence() -> None:
    with pytest.raises(ReleaseError, match=r"^no package index was named: .* variable INDEX$"):
        newer_releases("", ["2.15.0"])
