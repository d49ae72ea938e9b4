"""What all tests of the probe share: calls on one thread, as the probe makes them, and its runs."""

from collections.abc import Iterator

import pytest
import torch

from tests.fixtures.probing import probe


@pytest.fixture(scope="package", autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="package")
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
