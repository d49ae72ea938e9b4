import sys
from pathlib import Path

import pytest

from generator.errors import FullDiskError, ProbeError
from generator.release.run import run_probe


def probe_that(root: Path, code: str) -> Path:
    """A checkout whose probe is `code`."""
    package = root / "generator" / "probe"
    package.mkdir(parents=True)
    (root / "generator" / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text("import os, sys\n" + code)
    return root


def ignore(*_: object) -> None:
    pass


def test_progress_is_relayed_and_nothing_else(tmp_path: Path) -> None:
    code = (
        "print('1 2 torch.exp', file=sys.stderr)\n"
        "print('a warning of 3 words', file=sys.stderr)\n"
        "print('note: 3 of 5 were there', file=sys.stderr)\n"
        "print('2 2 torch.nn.Linear', file=sys.stderr)\n"
    )
    seen: list[tuple[int, int, str]] = []
    notes: list[str] = []
    root = probe_that(tmp_path, code)
    run_probe(Path(sys.executable), root, (), lambda *step: seen.append(step), notes.append)
    assert seen == [(1, 2, "torch.exp"), (2, 2, "torch.nn.Linear")]
    assert notes == ["3 of 5 were there"]


def test_what_it_prints_reaches_nobody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    root = probe_that(tmp_path, "os.write(1, b'[Gloo] Rank 0 is connected')\n")
    run_probe(Path(sys.executable), root, (), ignore, ignore)
    assert capfd.readouterr() == ("", "")


def test_it_runs_at_the_root_without_a_python_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    code = "print(os.getcwd(), 'PYTHONPATH' in os.environ, file=open(sys.argv[4], 'w'))\n"
    root = probe_that(tmp_path, code)
    run_probe(Path(sys.executable), root, ("--out", str(tmp_path / "out")), ignore, ignore)
    assert (tmp_path / "out").read_text() == f"{root} False\n"


def test_sets_of_strings_have_one_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    code = "print(list({'ij', 'xy', 'yz', 'zx'}), file=open(sys.argv[4], 'a'))\n"
    root = probe_that(tmp_path, code)
    for _ in range(3):
        run_probe(Path(sys.executable), root, ("--out", str(tmp_path / "out")), ignore, ignore)
    monkeypatch.delenv("PYTHONHASHSEED")
    for _ in range(3):
        run_probe(Path(sys.executable), root, ("--out", str(tmp_path / "out")), ignore, ignore)
    assert len(set((tmp_path / "out").read_text().splitlines())) == 1


def test_a_failure_says_the_last_line(tmp_path: Path) -> None:
    code = "print('first', file=sys.stderr)\nraise SystemExit('RuntimeError: no such op.')\n"
    with pytest.raises(ProbeError, match=r"^the probe stopped \(exit code 1\): .*no such op$"):
        run_probe(Path(sys.executable), probe_that(tmp_path, code), (), ignore, ignore)


def test_a_probe_that_says_what_keeps_it_from_its_work_is_quoted(tmp_path: Path) -> None:
    code = "print('the file could not be written: why', file=sys.stderr)\nsys.exit(2)\n"
    with pytest.raises(ProbeError, match=r"^the file could not be written: why$"):
        run_probe(Path(sys.executable), probe_that(tmp_path, code), (), ignore, ignore)


def test_a_full_disk_is_told_from_what_only_this_probe_cannot_do(tmp_path: Path) -> None:
    code = "print('/here/lines.jsonl', file=sys.stderr)\nsys.exit(3)\n"
    wanted = (
        r"^the disk is full, so /here/lines\.jsonl could not be written; what was measured is kept;"
        r" free some space and run the same command again$"
    )
    with pytest.raises(FullDiskError, match=wanted):
        run_probe(Path(sys.executable), probe_that(tmp_path, code), (), ignore, ignore)


def test_a_killed_probe_says_its_signal(tmp_path: Path) -> None:
    code = "os.kill(os.getpid(), 9)\n"
    with pytest.raises(ProbeError, match=r"\(signal 9\): no reason was given"):
        run_probe(Path(sys.executable), probe_that(tmp_path, code), (), ignore, ignore)
