"""Fixtures that tests of every room share."""

import os
import signal
from pathlib import Path

import pytest

from generator.catalogue import store
from generator.catalogue.history.timelines import history
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from tests.fixtures import tiny
from tests.fixtures.probing import probe


def pytest_configure() -> None:
    """Let Ctrl-C end what tests start, and let what they fork have threads of its own.

    A run in the background inherits that Ctrl-C is ignored. A fork of a process that has computed
    on several threads waits for ever for those that it did not inherit.
    """
    os.environ["OMP_NUM_THREADS"] = "1"
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).resolve().parent.parent


@pytest.fixture
def small() -> Catalogue:
    """A fresh copy of the hand-made catalogue of `tests/fixtures/tiny.py`."""
    return tiny.catalogue()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that holds the small catalogue and nothing else."""
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    store.save(store.path_of(tmp_path, tiny.RELEASE, "cpu"), tiny.catalogue())
    return tmp_path


@pytest.fixture(scope="session")
def committed(root: Path) -> Catalogue:
    """The committed catalogue of the default release, as measured."""
    return store.load(store.path_of(root, "2.13.0", "cpu"))


@pytest.fixture(scope="session")
def catalogues(root: Path) -> dict[str, Catalogue]:
    """Every committed catalogue measured on the CPU, by release, oldest first."""
    return {one.header.release: one for one in store.load_all(root, "cpu")}


@pytest.fixture(scope="session")
def whole_history(catalogues: dict[str, Catalogue]) -> History:
    """What all committed catalogues tell of every record."""
    return history([*catalogues.values()])


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[list[str], str]]:
    """Probe a few names with one worker and with two; give the lines and the progress of each."""
    folder = tmp_path_factory.mktemp("probe")
    paths = {workers: folder / str(workers) for workers in (1, 2)}
    started = {
        workers: probe(path, "--workers", str(workers), "--release", "2.13.0")
        for workers, path in paths.items()
    }
    made = {}
    for workers, process in started.items():
        _, progress = process.communicate()
        assert process.returncode == 0, progress
        made[workers] = (paths[workers].read_text(encoding="utf-8").splitlines(), progress)
    return made
