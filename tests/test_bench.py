import sys
from pathlib import Path

import pytest

from generator import bench
from generator.checkout import Checkout
from generator.errors import ProbeError


def checkout_whose_probe_writes(root: Path, answer: str) -> Checkout:
    package = root / "generator" / "probe"
    package.mkdir(parents=True)
    (root / "generator" / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import sys\n"
        "assert '--bench' in sys.argv\n"
        f"open(sys.argv[sys.argv.index('--out') + 1], 'w').write({answer!r})\n"
    )
    return Checkout(root)


def test_recording_is_told_against_the_bare_samples(tmp_path: Path) -> None:
    answer = '{"bare_seconds": 4.0, "recorded_seconds": 10.0, "samples": 19460}'
    checkout = checkout_whose_probe_writes(tmp_path, answer)
    figures = bench.probe_figures(checkout, Path(sys.executable), "2.13.0", "cpu")
    assert list(figures) == [
        ("19,460 samples, bare", "4.0 s"),
        ("19,460 samples, recorded", "10.0 s"),
        ("recorded against bare", "2.50 times"),
    ]


@pytest.mark.parametrize("answer", ["", "{}", '{"bare_seconds": "x"}'])
def test_an_unreadable_answer_is_one_sentence(tmp_path: Path, answer: str) -> None:
    checkout = checkout_whose_probe_writes(tmp_path, answer)
    with pytest.raises(ProbeError, match="cannot be read"):
        list(bench.probe_figures(checkout, Path(sys.executable), "2.13.0", "cpu"))


def test_a_folder_weighs_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "one").write_bytes(b"12345")
    (tmp_path / "below" / "two").write_bytes(b"123")
    assert bench.size(tmp_path) == 8
