"""Environments made for real, by pip, from a folder of wheels instead of an index."""

import os
import subprocess
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from generator.errors import ReleaseError
from generator.release import environment
from generator.release.build import check_build
from generator.release.environment import ensure_environment, explain, is_complete
from generator.release.releases import Release

VERSION = "9.9.9"
RELEASE = Release(VERSION, SpecifierSet(">=3.11"), (f"torch=={VERSION}",))


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> "pytest.MonkeyPatch":
    """Let pip see one folder of wheels and nothing else, under a cap that would refuse them."""
    from tests.release.wheels import write_torch

    folder = tmp_path_factory.mktemp("wheels")
    write_torch(folder, VERSION)
    cap = folder / "constraints.txt"
    cap.write_text("torch<9\n")
    patch = pytest.MonkeyPatch()
    patch.setenv("PIP_CONFIG_FILE", os.devnull)
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_FIND_LINKS", str(folder))
    patch.setenv("PIP_CONSTRAINT", str(cap))
    return patch


@pytest.fixture(scope="module")
def made(offline: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole environment, made in spite of the machine's cap on torch."""
    folder = tmp_path_factory.mktemp("envs") / VERSION
    ensure_environment(RELEASE, folder)
    offline.undo()
    return folder


def test_a_release_is_installed_in_spite_of_a_cap(made: Path) -> None:
    python = made / "bin" / "python"
    said = subprocess.check_output([python, "-c", "import torch; print(torch.__version__)"])
    assert said.decode().strip() == VERSION
    check_build(python, VERSION, "cpu")


def test_a_whole_environment_is_used_again(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(environment, "make", refuse)
    assert ensure_environment(RELEASE, made) == made / "bin" / "python"


def test_other_requirements_want_another_environment(made: Path) -> None:
    assert is_complete(RELEASE, made)
    assert not is_complete(Release(VERSION, RELEASE.python, ("torch==9.9.9", "numpy")), made)


def test_a_device_out_of_reach_is_one_sentence(made: Path) -> None:
    wanted = r"this build of torch 9\.9\.9 cannot reach the device 'cuda' .*no kernel for cuda\);"
    with pytest.raises(ReleaseError, match=wanted):
        check_build(made / "bin" / "python", VERSION, "cuda")


def test_another_version_than_asked_for_is_one_sentence(made: Path) -> None:
    with pytest.raises(ReleaseError, match=r"holds torch 9\.9\.9 instead of 9\.9\.8; remove it"):
        check_build(made / "bin" / "python", "9.9.8", "cpu")


def test_a_torch_that_does_not_import_is_one_sentence(made: Path, tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text(f'#!/bin/sh\nexec {made}/bin/python -S "$@"\n')
    broken.chmod(0o755)
    with pytest.raises(ReleaseError, match=r"does not import \(ModuleNotFoundError: .*'torch'\)"):
        check_build(broken, VERSION, "cpu")


def test_an_unfinished_environment_is_removed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "half").touch()
    monkeypatch.setattr(environment, "make", lambda *_: (tmp_path / "env").mkdir())
    ensure_environment(RELEASE, tmp_path / "env")
    assert list((tmp_path / "env").iterdir()) == []


def test_an_unknown_version_names_the_newest_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.release.wheels import write_torch

    write_torch(tmp_path, "9.9.7")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    wanted = r"^there is no torch 9\.9\.9 for this Python and platform; the newest one is 9\.9\.7$"
    with pytest.raises(ReleaseError, match=wanted):
        ensure_environment(RELEASE, tmp_path / "env")
    assert not (tmp_path / "env").exists()


def test_no_network_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    # Port 9 discards: nothing listens there, as on a machine whose network is down.
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(ReleaseError, match="the package index cannot be reached"):
        ensure_environment(RELEASE, tmp_path / "env")
    assert not (tmp_path / "env").exists()


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("ERROR: Could not install: [Errno 28] No space left on device\n", "the disk is full"),
        ("ERROR: one\nERROR: Failed to build numpy.\n", "could not be installed: Failed to build"),
        ("", "no reason was given"),
    ],
)
def test_every_failed_install_is_explained(output: str, said: str) -> None:
    assert said in explain(RELEASE, output)
