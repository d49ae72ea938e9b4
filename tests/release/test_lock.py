import threading
from contextlib import suppress
from pathlib import Path

import pytest

from generator.errors import TapekeptError
from generator.release.lock import only_run


def test_a_second_run_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    path = tmp_path / "work" / "lock"
    with (
        only_run(path),
        pytest.raises(TapekeptError, match="another run is at work"),
        only_run(path),
    ):
        pass


def test_the_next_run_finds_it_free(tmp_path: Path) -> None:
    for _ in range(2):
        with only_run(tmp_path / "lock"):
            pass


def test_a_run_that_makes_nothing_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "work" / "lock"
    with suppress(KeyboardInterrupt), only_run(path):
        (path.parent / "envs").mkdir()
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_what_a_run_made_stays(tmp_path: Path) -> None:
    path = tmp_path / "work" / "lock"
    with only_run(path):
        (path.parent / "envs" / "2.6.0").mkdir(parents=True)
        (path.parent / "lines.jsonl").write_text("{}\n")
    assert sorted(one.name for one in path.parent.iterdir()) == ["envs", "lines.jsonl"]


def test_no_two_of_many_runs_hold_it_at_once(tmp_path: Path) -> None:
    """Each takes the file with it at its end, while the others open it."""
    path = tmp_path / "work" / "lock"
    holding, most, held = 0, 0, 0
    known = threading.Lock()

    def work() -> None:
        nonlocal holding, most, held
        for _ in range(300):
            with suppress(TapekeptError), only_run(path):
                with known:
                    holding, held = holding + 1, held + 1
                    most = max(most, holding)
                with known:
                    holding -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert most == 1
    assert held > 10
