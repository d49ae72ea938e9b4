"""`tapekept catalogs` as a user meets it: real environments of small wheels, a probe of our own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.catalogue import store
from generator.checkout import Checkout
from generator.release.lock import only_run
from generator.release.releases import find_release
from tests.fixtures import tiny_ops, transcripts
from tests.fixtures.tiny_releases import released
from tests.release.wheels import write_torch, write_wheel

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "generator"]
GOOD, OLD = "99.9.3", "1.9.1"
PROBE = """
import pathlib, shutil, sys
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
shutil.copy("measured.jsonl", out)
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A checkout whose probe always measures the same, an index of one torch, and one Python."""
    root = tmp_path / "checkout"
    package = root / "generator" / "probe"
    package.mkdir(parents=True)
    (root / "mkdocs.yml").touch()
    (package / "__main__.py").write_text(PROBE)
    lines = transcripts.lines_of(released(GOOD, tiny_ops.argmax()))
    (root / "measured.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    wheels = tmp_path / "wheels"
    write_torch(wheels, GOOD)
    for name in find_release(GOOD).requires[1:]:
        write_wheel(wheels, name, "3.0")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    return Checkout(root)


def run(checkout: Checkout, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--root", str(checkout.root), "catalogs", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_can_be_measured_is_and_the_exit_code_says_that_some_were_left_out(
    checkout: Checkout,
) -> None:
    done = run(checkout, "--releases", f"{OLD}, {GOOD}")
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    assert done.stdout.splitlines()[-5:] == [
        f"Measured now: 1 ({GOOD})",
        "Measured before: none",
        f"Left out: 1 ({OLD})",
        (
            f"  {OLD}: torch {OLD} needs Python <3.10,>=3.9 and none was found on this machine;"
            " install one with its venv module and put it on the path"
        ),
        "No site was built: `make site TORCH=X.Y.Z` builds the one of a release.",
    ]
    assert store.releases(checkout.root) == [(GOOD, "cpu")]
    assert not checkout.environments.exists()


def test_where_nothing_is_missing_nothing_is_done(checkout: Checkout) -> None:
    path = store.path_of(checkout.root, GOOD, "cpu")
    store.save(path, released(GOOD, tiny_ops.argmax()))
    done = run(checkout, "--releases", GOOD)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Measured now: none",
        f"Measured before: 1 ({GOOD})",
        "Left out: none",
    ]


@pytest.mark.parametrize(
    ("versions", "said"),
    [("2.6.0 newest", "'newest' is not the number of a PyTorch release"), ("2.6", "'2.6' is not")],
)
def test_what_is_no_release_is_one_sentence(checkout: Checkout, versions: str, said: str) -> None:
    done = run(checkout, "--releases", versions)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tapekept: {said}")
    assert done.stderr.count("\n") == 1


def test_a_second_run_is_one_sentence(checkout: Checkout) -> None:
    with only_run(checkout.lock):
        done = run(checkout, "--releases", GOOD)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tapekept: another run is at work in this checkout")
