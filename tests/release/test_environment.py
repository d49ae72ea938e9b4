"""Environments made for real, by pip, from a folder of wheels instead of an index."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from generator.errors import FullDiskError, ReleaseError
from generator.release import environment
from generator.release.build import check_build
from generator.release.environment import ensure_environment, install, is_complete
from generator.release.releases import Release
from tests.fixtures import index
from tests.release.wheels import write_index, write_torch

ROOT = Path(__file__).parents[2]
VERSION = "9.9.9"
OTHER = "9.9.8"
RELEASE = Release(VERSION, SpecifierSet(">=3.11"), (f"torch=={VERSION}",))
MISSING = Release(OTHER, SpecifierSet(">=3.11"), (f"torch=={OTHER}",))


def offline(patch: pytest.MonkeyPatch, wheels: Path) -> None:
    """Let pip see one folder of wheels and nothing else, under a cap that would refuse them."""
    wheels.mkdir(parents=True, exist_ok=True)
    cap = wheels / "constraints.txt"
    cap.write_text("torch<9\n")
    patch.setenv("PIP_CONFIG_FILE", os.devnull)
    patch.setenv("PIP_NO_INDEX", "1")
    patch.setenv("PIP_FIND_LINKS", str(wheels))
    patch.setenv("PIP_CONSTRAINT", str(cap))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a whole environment, made in spite of the machine's cap on torch."""
    folder = tmp_path_factory.mktemp("envs") / VERSION
    wheels = tmp_path_factory.mktemp("wheels")
    write_torch(wheels, VERSION)
    with pytest.MonkeyPatch.context() as patch:
        offline(patch, wheels)
        ensure_environment(RELEASE, folder)
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """An environment like it, into which a test may install what it likes."""
    return shutil.copytree(made, tmp_path / "copy", symlinks=True)


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of wheels that pip sees in this test."""
    offline(monkeypatch, tmp_path / "wheels")
    return tmp_path / "wheels"


def test_a_release_is_installed_in_spite_of_a_cap(made: Path) -> None:
    python = made / "bin" / "python"
    said = subprocess.check_output([python, "-c", "import torch; print(torch.__version__)"])
    assert said.decode().strip() == VERSION
    check_build(python, VERSION, "cpu")


def test_what_pip_unpacked_is_gone(made: Path) -> None:
    assert sorted(path.name for path in made.iterdir() if path.name != "lib64") == [
        "bin",
        environment.STAMP,
        "include",
        "lib",
        "pyvenv.cfg",
    ]


def test_a_whole_environment_is_used_again(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(environment, "create", refuse)
    assert ensure_environment(RELEASE, made) == made / "bin" / "python"


def test_other_requirements_want_another_environment(made: Path) -> None:
    assert is_complete(RELEASE, made)
    assert not is_complete(Release(VERSION, RELEASE.python, ("torch==9.9.9", "numpy")), made)


def test_an_environment_whose_python_is_gone_is_not_whole(tmp_path: Path) -> None:
    (tmp_path / environment.STAMP).write_text(environment.stamp(RELEASE))
    assert not is_complete(RELEASE, tmp_path)


def test_a_device_out_of_reach_is_one_sentence(made: Path) -> None:
    wanted = r"this build of torch 9\.9\.9 cannot reach the device 'cuda' .*no kernel for cuda\);"
    with pytest.raises(ReleaseError, match=wanted):
        check_build(made / "bin" / "python", VERSION, "cuda")


def test_another_version_than_asked_for_is_one_sentence(made: Path) -> None:
    with pytest.raises(ReleaseError, match=r"holds torch 9\.9\.9 instead of 9\.9\.8; remove it"):
        check_build(made / "bin" / "python", "9.9.8", "cpu")


def test_a_torch_that_stopped_importing_is_one_sentence(made: Path, tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text(f'#!/bin/sh\nexec {made}/bin/python -S "$@"\n')
    broken.chmod(0o755)
    with pytest.raises(ReleaseError, match=r"does not import \(ModuleNotFoundError: .*'torch'\)"):
        check_build(broken, VERSION, "cpu")


def test_an_unfinished_environment_is_removed_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "env"
    folder.mkdir()
    (folder / "half").touch()
    monkeypatch.setattr(environment, "create", lambda *_: folder.mkdir())
    monkeypatch.setattr(environment, "install", lambda *_: None)
    ensure_environment(RELEASE, folder)
    assert [path.name for path in folder.iterdir()] == [environment.STAMP]


@pytest.mark.parametrize("ending", [ReleaseError("full"), OSError(28, "full"), KeyboardInterrupt()])
def test_what_ends_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: BaseException
) -> None:
    def end(*_: object) -> None:
        raise ending

    monkeypatch.setattr(environment, "create", lambda *_: (tmp_path / "env").mkdir())
    monkeypatch.setattr(environment, "install", end)
    with pytest.raises(type(ending)):
        ensure_environment(RELEASE, tmp_path / "env")
    assert not (tmp_path / "env").exists()


def test_an_unknown_version_names_the_newest_that_there_is(copy: Path, wheels: Path) -> None:
    write_torch(wheels, "9.9.7")
    wanted = (
        r"^there is no torch 9\.9\.8 on the package index;"
        r" the newest one for this Python and platform is 9\.9\.7$"
    )
    with pytest.raises(ReleaseError, match=wanted):
        install(MISSING, copy)


def test_a_version_without_a_wheel_for_this_machine_is_told_from_one_that_is_not_there(
    copy: Path, wheels: Path
) -> None:
    write_torch(wheels, OTHER, tag="cp36-cp36m-manylinux1_x86_64")
    wanted = r"^torch 9\.9\.8 has no wheel for Python 3\.\d+\.\d+ on \w+ \w+, so it cannot be"
    with pytest.raises(ReleaseError, match=wanted):
        install(MISSING, copy)


def test_a_yanked_version_is_refused_with_the_reason(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", write_index(tmp_path, OTHER, "wrong: one\nand two"))
    wanted = r"^torch 9\.9\.8 was yanked by its publishers \(wrong: one and two\); measure another"
    # Not even a part of it is fetched: an index lists what is yanked.
    (tmp_path / "torch" / f"torch-{OTHER}-py3-none-any.whl").unlink()
    with pytest.raises(ReleaseError, match=wanted):
        install(MISSING, copy)
    # A pip that cannot ask an index beforehand tells once it has installed it.
    monkeypatch.setattr(environment, "why_not_offered", lambda *_: None)
    write_index(tmp_path, OTHER, "wrong gradients")
    with pytest.raises(ReleaseError, match=r"^torch 9\.9\.8 was yanked .*\(wrong gradients\)"):
        install(MISSING, copy)


def test_a_full_disk_is_one_sentence(
    copy: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_torch(wheels, OTHER)
    full = subprocess.CompletedProcess[str]([], 1, "ERROR: [Errno 28] No space left on device\n")
    ask = environment.run_pip

    def run_pip(folder: Path, *arguments: str) -> environment.Answer:
        return full if arguments[0] == "install" else ask(folder, *arguments)

    monkeypatch.setattr(environment, "run_pip", run_pip)
    with pytest.raises(FullDiskError, match=r"so torch 9\.9\.8 could not be installed; free some"):
        install(MISSING, copy)


def test_a_torch_that_never_imports_is_one_sentence(copy: Path, wheels: Path) -> None:
    write_torch(wheels, OTHER, "import no_such_library\n")
    wanted = (
        r"^torch 9\.9\.8 installs but does not import here"
        r" \(ModuleNotFoundError: No module named 'no_such_library'\)$"
    )
    with pytest.raises(ReleaseError, match=wanted):
        install(MISSING, copy)


def test_a_torch_that_kills_python_is_one_sentence(copy: Path, wheels: Path) -> None:
    write_torch(wheels, OTHER, "import os\nos.kill(os.getpid(), 11)\n")
    with pytest.raises(ReleaseError, match=r"does not import here \(it ended by signal 11\)$"):
        install(MISSING, copy)


def test_an_index_that_refuses_to_answer_is_not_one_without_torch(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_RETRIES", "0")
    for status, wanted in {503: "index cannot be reached", 404: "^there is no torch 9"}.items():
        with index.running(status) as server:
            monkeypatch.setenv("PIP_INDEX_URL", index.address(server, "/simple"))
            with pytest.raises(ReleaseError, match=wanted):
                install(MISSING, copy)


@pytest.mark.parametrize("retries", ["0", "1"])
def test_no_network_is_one_sentence(
    copy: Path, monkeypatch: pytest.MonkeyPatch, retries: str
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    # Port 9 discards: nothing listens there, as on a machine whose network is down.
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", retries)
    with pytest.raises(ReleaseError, match="the package index cannot be reached"):
        install(MISSING, copy)


def test_an_install_ends_with_the_run_that_asked_for_it(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    code = (
        "from pathlib import Path\n"
        "from generator.release import environment\n"
        f"environment.run_pip(Path({str(copy)!r}), 'install', 'torch==9.9.8')\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        asking = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
        connection, _ = silent.accept()  # pip waits for an answer by now, and gets none
        with connection:
            asking.send_signal(signal.SIGKILL)
            asking.wait()
            connection.settimeout(60)
            # The other end reads as closed only when the process that held it is gone.
            with contextlib.suppress(ConnectionResetError):
                while connection.recv(4096):
                    time.sleep(0.01)
