import json
import sys
from pathlib import Path
from typing import Any

import pytest

from generator import bench
from generator.catalogue import store
from generator.checkout import Checkout
from generator.errors import ProbeError
from generator.release.releases import find_release
from tests.fixtures import tiny_ops
from tests.fixtures.tiny_releases import released

ANSWER: dict[str, Any] = {
    "tasks": 79,
    "of_tasks": 1560,
    "layers": [
        {"name": "samples", "bare_seconds": 4.0, "full_seconds": 10.0},
        {"name": "making the samples", "bare_seconds": 0.002, "full_seconds": 2.0},
    ],
    "workers": 2,
    "wall_seconds": 10.0,
    "worker_seconds": 18.0,
    "peak_bytes": 855285760,
}


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


def test_each_layer_is_told_against_pytorchs_own_calls(tmp_path: Path) -> None:
    checkout = checkout_whose_probe_writes(tmp_path, json.dumps(ANSWER))
    figures = bench.probe_figures(checkout, Path(sys.executable), find_release("2.13.0"), "cpu")
    assert list(figures) == [
        ("79 tasks of 1,560, by layer", "bare, recorded, ratio"),
        ("  samples", "   4.0 s   10.0 s  2.50 times"),
        ("  making the samples", "   0.0 s    2.0 s  –"),
        ("  all layers", "   4.0 s   12.0 s  3.00 times"),
        # 1,560 / 79 times 18 and 10 seconds.
        ("  all tasks, estimated from these", "355 s of processors, 197 s by 2 workers"),
        ("use of 2 workers", "90%"),
        ("most memory of one process", "855,285,760 bytes"),
    ]


@pytest.mark.parametrize("answer", ["", "{}", json.dumps({**ANSWER, "tasks": "x"})])
def test_an_unreadable_answer_is_one_sentence(tmp_path: Path, answer: str) -> None:
    checkout = checkout_whose_probe_writes(tmp_path, answer)
    with pytest.raises(ProbeError, match="cannot be read"):
        list(bench.probe_figures(checkout, Path(sys.executable), find_release("2.13.0"), "cpu"))


def test_a_folder_weighs_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "one").write_bytes(b"12345")
    (tmp_path / "below" / "two").write_bytes(b"123")
    assert bench.size(tmp_path) == 8


def test_every_release_is_weighed(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    for version in ("2.6.0", "2.13.0"):
        store.save(store.path_of(tmp_path, version, "cpu"), released(version, tiny_ops.argmax()))
    (checkout.site / "2.13.0").mkdir(parents=True)
    (checkout.site / "2.13.0" / "index.html").write_bytes(b"x" * 1234)
    weighed = dict(bench.weights(checkout, "cpu"))
    data = {path.name: path.stat().st_size for path in (tmp_path / "docs" / "data").iterdir()}
    assert list(weighed) == ["bytes by release", "  2.6.0", "  2.13.0", "  all of them"]
    assert weighed["  2.6.0"].split(maxsplit=1) == [
        f"{data['torch-2.6.0-cpu.jsonl']:,}",
        "not built",
    ]
    assert weighed["  2.13.0"].split() == [f"{data['torch-2.13.0-cpu.jsonl']:,}", "1,234"]
    assert weighed["  all of them"].split() == [f"{sum(data.values()):,}", "1,234"]
