"""A shelf gives what loading whole gives, and says in the same words what is wrong with a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.catalogue import codec, store
from generator.catalogue.model.records import Catalogue
from generator.catalogue.shelf import Shelf, open_shelf
from generator.errors import CatalogueError

EXP = ("op", "torch.exp")


@pytest.fixture
def root(tmp_path: Path, small: Catalogue) -> Path:
    """Two releases that say the same: the older one's file names fields of the other's."""
    records = codec.records_of(small)
    older = codec.assemble("2.6.0", small.header.build, records, small.header.evidence, "history")
    for one in (small, older):
        store.save(store.path_of(tmp_path, one.header.release, "cpu"), one)
    return tmp_path


def everything(shelf: Shelf, release: str) -> Catalogue:
    return shelf.catalogue(release, dict.fromkeys(shelf.records[release], ()))


def test_all_records_of_a_shelf_are_the_catalogue(root: Path) -> None:
    shelf = open_shelf(root, "cpu")
    assert shelf.releases == ("2.6.0", "2.13.0")
    for release in shelf.releases:
        assert everything(shelf, release) == store.load(store.path_of(root, release, "cpu"))
    assert open_shelf(root, "cuda").releases == ()


@pytest.mark.parametrize("release", ["2.6.0", "2.13.0"])
def test_one_release_is_the_catalogue_and_no_other_is_there(root: Path, release: str) -> None:
    shelf = open_shelf(root, "cpu", [release])
    assert shelf.releases == (release,)
    assert everything(shelf, release) == store.load(store.path_of(root, release, "cpu"))


def test_what_a_release_shares_with_another_is_missed(root: Path) -> None:
    beside = store.path_of(root, "2.13.0", "cpu")
    beside.unlink()
    with pytest.raises(CatalogueError) as expected:
        store.load(store.path_of(root, "2.6.0", "cpu"))
    with pytest.raises(CatalogueError) as found:
        open_shelf(root, "cpu", ["2.6.0"])
    assert str(found.value) == str(expected.value)
    assert "2.13.0" in str(found.value)


def test_a_file_that_holds_another_catalogue_is_refused(root: Path) -> None:
    path = store.path_of(root, "2.5.1", "cpu")
    store.path_of(root, "2.13.0", "cpu").rename(path)
    with pytest.raises(CatalogueError, match=r"holds the catalogue torch-2\.13\.0-cpu"):
        open_shelf(root, "cpu", ["2.5.1"])


def test_a_part_of_a_record_has_nothing_else(root: Path, small: Catalogue) -> None:
    shelf = open_shelf(root, "cpu")
    part = shelf.called("2.6.0", EXP, ("nodes", "policies"))
    assert part.nodes == small.ops["torch.exp"].nodes
    assert (part.state, part.references, part.cases) == ("measured", (), ())


Harm = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:0],
        lambda data: data[:-1],
        lambda data: data[: data.rindex(b"\n", 0, -1) + 1],
        lambda data: data + data.splitlines(keepends=True)[-1],
        lambda data: b"".join([*(lines := data.splitlines(keepends=True))[:1], *lines[:0:-1]]),
        lambda data: data.replace(b'"schema":', b'"schema":9', 1),
        lambda data: data.replace(b'{"kind":"op"', b'{"kind":"op"}', 1),
    ],
    ids=[
        "empty",
        "no end",
        "a line less",
        "a line twice",
        "another order",
        "a newer schema",
        "no record",
    ],
)
@pytest.mark.parametrize("release", ["2.6.0", "2.13.0"])
def test_what_is_not_whole_is_told_in_the_words_of_loading_it(
    root: Path, release: str, harm: Harm
) -> None:
    path = store.path_of(root, release, "cpu")
    path.write_bytes(harm(path.read_bytes()))
    told = []
    for one, device in store.releases(root):
        try:
            store.load(store.path_of(root, one, device))
        except CatalogueError as error:
            told.append((type(error), str(error)))
    with pytest.raises(CatalogueError) as found:
        open_shelf(root, "cpu")
    assert (type(found.value), str(found.value)) in told


def test_a_damaged_record_is_told_when_it_is_asked_for(root: Path) -> None:
    path = store.path_of(root, "2.13.0", "cpu")
    path.write_bytes(path.read_bytes().replace(b'"policies":[[0]]', b'"policies":[[9]]'))
    with pytest.raises(CatalogueError, match=r"torch-2\.13\.0-cpu\.jsonl: line \d+, the op torch"):
        everything(open_shelf(root, "cpu"), "2.13.0")
    open_shelf(root, "cpu").record("2.13.0", ("node", "ExpBackward0"))
