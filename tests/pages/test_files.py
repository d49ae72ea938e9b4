import errno
import resource
from pathlib import Path

import pytest

from generator.pages.files import MARK, RenderReport, remove_stale, write_if_changed

GENERATED = f"---\ntitle: x\n{MARK}\n---\n".encode()


def test_what_has_not_changed_is_not_written(tmp_path: Path) -> None:
    report = RenderReport()
    path = tmp_path / "ops" / "torch.exp.md"
    write_if_changed(path, b"one", report)
    before = path.stat()
    write_if_changed(path, b"one", report)
    assert path.stat().st_ino == before.st_ino
    assert (report.written, report.unchanged) == (1, 1)
    write_if_changed(path, b"two", report)
    assert path.read_bytes() == b"two"
    assert report.written == 2


def test_only_generated_pages_that_were_not_made_are_removed(tmp_path: Path) -> None:
    report = RenderReport()
    write_if_changed(tmp_path / "kept.md", GENERATED, report)
    (tmp_path / "stale.md").write_bytes(GENERATED)
    (tmp_path / "by-hand.md").write_text("# mine\n")
    (tmp_path / "data.jsonl").write_bytes(GENERATED)
    remove_stale([tmp_path, tmp_path / "missing"], report)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "by-hand.md",
        "data.jsonl",
        "kept.md",
    ]
    assert report.removed == 1


def test_an_interrupted_write_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.md"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        write_if_changed(path, b"new", RenderReport())
    assert [one.name for one in tmp_path.iterdir()] == ["page.md"]
    assert path.read_bytes() == b"old"


def test_a_file_that_may_not_grow_is_named(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    path = tmp_path / "page.md"
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as refused:
            write_if_changed(path, b"x" * 100_000, RenderReport())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert refused.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []
