import errno
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from generator.catalogue import codec, store
from generator.catalogue.model.records import Catalogue
from generator.errors import CatalogueError, FullDiskError, NewerSchemaError


def no_space(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_catalogue_survives_the_disk(tmp_path: Path, small: Catalogue) -> None:
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    assert path == tmp_path / "docs" / "data" / "torch-2.13.0-cpu.jsonl"
    store.save(path, small)
    assert store.load(path) == small
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_missing_catalogue_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"`make catalog TORCH=2\.6\.0 DEVICE=cpu`"):
        store.load(store.path_of(tmp_path, "2.6.0", "cpu"))


def test_a_damaged_catalogue_is_named_with_the_remedy(tmp_path: Path, small: Catalogue) -> None:
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    path.parent.mkdir(parents=True)
    path.write_bytes(codec.encode(small)[:-1])
    with pytest.raises(CatalogueError, match=r"torch-2\.13\.0-cpu\.jsonl.*truncated.*make catalog"):
        store.load(path)


def test_what_a_newer_tapekept_wrote_is_not_to_be_measured_again(
    tmp_path: Path, small: Catalogue
) -> None:
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    path.parent.mkdir(parents=True)
    path.write_bytes(codec.encode(small).replace(b'"schema":3', b'"schema":4', 1))
    with pytest.raises(NewerSchemaError, match=r"cpu\.jsonl: .*newer.*; update tapekept$"):
        store.load(path)


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    path.mkdir(parents=True)
    with pytest.raises(CatalogueError, match="cannot be read: Is a directory"):
        store.load(path)


def test_a_file_under_another_name_is_found(tmp_path: Path, small: Catalogue) -> None:
    path = store.path_of(tmp_path, "2.6.0", "cpu")
    store.save(path, small)
    with pytest.raises(CatalogueError, match=r"holds the catalogue torch-2\.13\.0-cpu"):
        store.load(path)


@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.open"])
def test_a_full_disk_loses_nothing(
    tmp_path: Path, small: Catalogue, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    store.save(path, small)
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(failing, no_space)
        with pytest.raises(FullDiskError, match=r"cpu\.jsonl could not be written and stays as it"):
            store.save(path, codec.assemble("2.13.0", small.header.build, []))
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_disk_that_fills_up_while_writing_loses_nothing(tmp_path: Path, small: Catalogue) -> None:
    """The real thing where the machine has it: every write to /dev/full fails."""
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    path.parent.mkdir(parents=True)
    path.with_name(f".{path.name}.{os.getpid()}.part").symlink_to("/dev/full")
    with pytest.raises(FullDiskError, match="the disk is full"):
        store.save(path, small)
    assert list(path.parent.iterdir()) == []


def test_what_can_be_written_is_left_as_it_is(tmp_path: Path, small: Catalogue) -> None:
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    store.check_writable(path)
    assert list(path.parent.iterdir()) == []
    store.save(path, small)
    before = path.read_bytes()
    store.check_writable(path)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_what_cannot_be_written_is_told_beforehand(tmp_path: Path) -> None:
    (tmp_path / "docs").touch()
    with pytest.raises(CatalogueError, match=r"cpu\.jsonl could not be written: "):
        store.check_writable(store.path_of(tmp_path, "2.13.0", "cpu"))


def test_an_interruption_loses_nothing(
    tmp_path: Path, small: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> NoReturn:
        raise KeyboardInterrupt

    path = store.path_of(tmp_path, "2.13.0", "cpu")
    store.save(path, small)
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.save(path, codec.assemble("2.13.0", small.header.build, []))
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_catalogue_that_would_not_read_back_is_not_written(
    tmp_path: Path, small: Catalogue
) -> None:
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    wrong = msgspec.structs.replace(
        small, header=msgspec.structs.replace(small.header, counts={"op": {"measured": 99}})
    )
    with pytest.raises(CatalogueError, match="header counts"):
        store.save(path, wrong)
    assert not path.exists()


def test_releases_are_listed_by_version(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "data"
    folder.mkdir(parents=True)
    for name in [
        "torch-2.13.0-cpu.jsonl",
        "torch-2.2.2-cpu.jsonl",
        "torch-2.13.0-cuda.jsonl",
        "torch-1.13.1-cpu.jsonl",
        "torch-nonsense-cpu.jsonl",
        "schema.json",
    ]:
        (folder / name).touch()
    assert store.releases(tmp_path) == [
        ("1.13.1", "cpu"),
        ("2.2.2", "cpu"),
        ("2.13.0", "cpu"),
        ("2.13.0", "cuda"),
    ]


def test_a_project_without_data_has_no_releases(tmp_path: Path) -> None:
    assert store.releases(tmp_path) == []


def of_release(catalogue: Catalogue, release: str) -> Catalogue:
    records = codec.records_of(catalogue)
    return codec.assemble(
        release, catalogue.header.build, records, catalogue.header.evidence, "history"
    )


def test_catalogues_share_and_are_loaded_whole(tmp_path: Path, small: Catalogue) -> None:
    older = of_release(small, "2.6.0")
    store.save(store.path_of(tmp_path, "2.6.0", "cpu"), older)
    alone = store.path_of(tmp_path, "2.6.0", "cpu").stat().st_size
    store.save(store.path_of(tmp_path, "2.13.0", "cpu"), small)
    assert store.path_of(tmp_path, "2.6.0", "cpu").stat().st_size < alone
    assert store.load_all(tmp_path, "cpu") == [older, small]
    assert store.load(store.path_of(tmp_path, "2.6.0", "cpu")) == older


def test_a_catalogue_measured_anew_changes_none_that_shared_with_it(
    tmp_path: Path, small: Catalogue
) -> None:
    older = of_release(small, "2.6.0")
    for catalogue in (small, older):
        store.save(store.path_of(tmp_path, catalogue.header.release, "cpu"), catalogue)
    anew = codec.assemble("2.13.0", small.header.build, [])
    store.save(store.path_of(tmp_path, "2.13.0", "cpu"), anew)
    assert store.load_all(tmp_path, "cpu") == [older, anew]


def test_where_the_disk_fills_up_between_two_files_both_can_be_read(
    tmp_path: Path, small: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = of_release(small, "2.6.0")
    for catalogue in (small, older):
        store.save(store.path_of(tmp_path, catalogue.header.release, "cpu"), catalogue)
    replace = store.replace
    room: list[Path] = []

    def fill(path: Path, data: bytes) -> None:
        if path not in room:
            raise FullDiskError(f"{path} could not be written")
        room.remove(path)
        replace(path, data)

    monkeypatch.setattr(store, "replace", fill)
    anew = codec.assemble("2.13.0", small.header.build, [])
    paths = [store.path_of(tmp_path, release, "cpu") for release in ("2.6.0", "2.13.0")]
    for room[:] in ([], paths[:1], paths, [paths[0], *paths]):
        with suppress(FullDiskError):
            store.save(store.path_of(tmp_path, "2.13.0", "cpu"), anew)
        assert store.load(store.path_of(tmp_path, "2.6.0", "cpu")) == older
        assert store.load(store.path_of(tmp_path, "2.13.0", "cpu")) in (small, anew)


@pytest.mark.parametrize("damage", [lambda data: data[:-30], lambda _: b"", lambda _: b"{}\n"])
def test_a_damaged_catalogue_that_another_shares_with_is_named(
    tmp_path: Path, small: Catalogue, damage: Callable[[bytes], bytes]
) -> None:
    for catalogue in (small, of_release(small, "2.6.0")):
        store.save(store.path_of(tmp_path, catalogue.header.release, "cpu"), catalogue)
    path = store.path_of(tmp_path, "2.13.0", "cpu")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CatalogueError, match=r"2\.6\.0.*torch 2\.13\.0, which is damaged; .*again"):
        store.load(store.path_of(tmp_path, "2.6.0", "cpu"))


def test_a_catalogue_that_another_shares_with_is_missed_by_name(
    tmp_path: Path, small: Catalogue
) -> None:
    for catalogue in (small, of_release(small, "2.6.0")):
        store.save(store.path_of(tmp_path, catalogue.header.release, "cpu"), catalogue)
    store.path_of(tmp_path, "2.13.0", "cpu").unlink()
    with pytest.raises(CatalogueError, match=r"no catalogue .*2\.13\.0.*make catalog TORCH=2\.13"):
        store.load(store.path_of(tmp_path, "2.6.0", "cpu"))


def test_what_another_catalogue_lacks_is_measured_there(tmp_path: Path, small: Catalogue) -> None:
    older = of_release(small, "2.6.0")
    for catalogue in (small, older):
        store.save(store.path_of(tmp_path, catalogue.header.release, "cpu"), catalogue)
    store.path_of(tmp_path, "2.13.0", "cpu").unlink()
    with pytest.raises(CatalogueError) as told:
        store.load(store.path_of(tmp_path, "2.6.0", "cpu"))
    said = str(told.value)
    assert "it has fields in common with the catalogue of torch 2.13.0, and there is no" in said
    assert re.findall("make catalog TORCH=(.*?) ", said) == ["2.13.0"]
