"""A record that is looked up on a shelf is the one of the whole catalogue, and is checked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.catalogue import store
from generator.catalogue.lookup import look_up, named
from generator.catalogue.model.records import Catalogue
from generator.catalogue.name_tiers import index
from generator.catalogue.names import find
from generator.catalogue.shelf import Shelf, open_shelf
from generator.errors import CatalogueError, UnknownNameError

NEWEST = "2.13.0"


def small_shelf(root: Path, small: Catalogue) -> Shelf:
    store.save(store.path_of(root, small.header.release, "cpu"), small)
    return open_shelf(root, "cpu")


def spellings(catalogue: Catalogue) -> Iterator[str]:
    """Every tenth thing that something is called, and some that are called so by their recipe."""
    called = [
        *catalogue.ops,
        *catalogue.modules,
        *catalogue.nodes,
        *catalogue.blocks,
        *(one.name for op in catalogue.ops.values() for one in op.variants),
        *(one for op in catalogue.ops.values() for one in op.overloads),
    ]
    yield from called[::10]
    yield from (name.split(".")[-1] for name in called[::25])
    yield from ("copy_", "output 0 of Exp", "no such name", "_saved_self", "save_on_cpu", "x @ y")


def test_every_name_means_on_a_shelf_what_it_means_in_the_whole_catalogue(
    root: Path, committed: Catalogue
) -> None:
    partly, whole = index(named(open_shelf(root, "cpu", [NEWEST]), NEWEST)), index(committed)
    for text in spellings(committed):
        told = []
        for known in (partly, whole):
            try:
                found = find(known, text)
                told.append((found.record.name, found.others, found.spelling, found.decided))
            except UnknownNameError as error:
                told.append(str(error))
        assert told[0] == told[1]


@pytest.mark.parametrize(
    "name", ["torch.exp", "torch.nn.Linear", "ExpBackward0", "swiglu-mlp", "Tensor.exp_"]
)
def test_what_is_found_is_the_whole_record(root: Path, committed: Catalogue, name: str) -> None:
    shelf = open_shelf(root, "cpu", [NEWEST])
    found, expected = look_up(shelf, named(shelf, NEWEST), name), find(index(committed), name)
    assert found.record == expected.record
    assert found.spelling == expected.spelling


def test_a_record_that_contradicts_itself_is_refused_and_others_are_not(
    tmp_path: Path, small: Catalogue
) -> None:
    store.save(store.path_of(tmp_path, NEWEST, "cpu"), small)
    path = store.path_of(tmp_path, NEWEST, "cpu")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(
        b"".join(
            line.replace(b'"logical_bytes":', b'"logical_bytes":9')
            if b'"op","name":"torch.exp"' in line
            else line
            for line in lines
        )
    )
    shelf = open_shelf(tmp_path, "cpu")
    known = named(shelf, NEWEST)
    with pytest.raises(CatalogueError, match=r"contradicts itself: op torch\.exp"):
        look_up(shelf, known, "torch.exp")
    assert look_up(shelf, known, "torch.mul").record == small.ops["torch.mul"]


def test_a_node_is_checked_with_the_record_that_showed_it(tmp_path: Path, small: Catalogue) -> None:
    shelf = small_shelf(tmp_path, small)
    found = look_up(shelf, named(shelf, NEWEST), "ExpBackward0")
    assert found.record == small.nodes["ExpBackward0"]
