"""A release is asked where it is installed, and what does not answer tells nothing."""

import sys
from importlib import metadata
from pathlib import Path

import pytest

from generator.release.acceptance import Answer, ask, interpreter_of


def test_the_environment_of_a_release_comes_before_what_is_installed_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "version", lambda _: "2.13.0+cpu")
    assert interpreter_of("2.13.0", tmp_path) == Path(sys.executable)
    assert interpreter_of("2.12.1", tmp_path) is None
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    assert interpreter_of("2.12.1", tmp_path) == python


def test_without_torch_there_is_nobody_to_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert interpreter_of("2.13.0", tmp_path) is None


def test_a_call_is_refused_in_the_words_of_the_release() -> None:
    def tensors(*shape: int) -> dict[str, object]:
        tensor = {"shape": shape, "dtype": "float32", "requires": True}
        return {"sizes": {}, "tensors": {"input": tensor}}

    question = {"setup": "", "call": "torch.nn.functional.glu(input)", "known": tensors(2, 4)}
    answer = ask(Path(sys.executable), {**question, "asked": tensors(2, 5)})
    assert answer.untold is None
    assert answer.refused is not None
    assert "must be even" in answer.refused


def test_what_ends_without_an_answer_tells_nothing(tmp_path: Path) -> None:
    broken = ask(Path("/bin/false"), {})
    assert (broken.refused, isinstance(broken.untold, str)) == (None, True)
    assert isinstance(ask(tmp_path / "python", {}), Answer)
