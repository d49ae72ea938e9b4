import sys
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from generator.errors import ReleaseError
from generator.release import interpreters
from generator.release.releases import Release


def fake(folder: Path, name: str, version: str) -> Path:
    """An interpreter that answers as that version would, or fails if the version is empty."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {version}\n" if version else "#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return path


def wanting(python: str) -> Release:
    return Release(version="9.9.9", python=SpecifierSet(python), requires=("torch==9.9.9",))


def test_the_running_interpreter_comes_first() -> None:
    assert interpreters.find_interpreter(wanting(">=3.11")) == Path(sys.executable)


def test_one_on_the_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = fake(tmp_path, "python3.9", "3.9.18")
    fake(tmp_path, "python3.10", "")  # a shim of a version that is not installed
    monkeypatch.setenv("PATH", str(tmp_path))
    assert interpreters.find_interpreter(wanting("<3.11")) == wanted


def test_one_of_pyenv_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "versions" / "3.9.18" / "bin"
    folder.mkdir(parents=True)
    wanted = fake(folder, "python", "3.9.18")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert interpreters.find_interpreter(wanting("<3.11")) == wanted


def test_none_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    with pytest.raises(ReleaseError, match=r"torch 9\.9\.9 needs Python <3 and none was found"):
        interpreters.find_interpreter(wanting("<3"))


def test_what_does_not_run_has_no_version(tmp_path: Path) -> None:
    assert interpreters.version_of(fake(tmp_path, "python", "")) is None
    assert interpreters.version_of(tmp_path / "nothing") is None
