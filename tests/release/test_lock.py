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
