"""Measuring all that is missing: probes that answer at once, catalogues that are really written."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from generator import sweep
from generator.catalogue import store
from generator.catalogue.model.records import Catalogue, Depth
from generator.checkout import Checkout
from generator.errors import FullDiskError, ProbeError, ReleaseError, TapekeptError
from generator.release.environment import STAMP
from generator.release.lock import only_run
from generator.release.releases import Release, find_release, in_order
from tests.fixtures import tiny_ops
from tests.fixtures.tiny_releases import released

NAMED = ("1.9.1", "2.6.0", "2.15.0")
Run = Callable[..., bool]


def catalogue(version: str, depth: Depth = "history") -> Catalogue:
    return released(version, tiny_ops.argmax(), depth=depth)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture
def failing() -> dict[str, BaseException]:
    """What the environment or the probe of a release raises, by version."""
    return {}


@pytest.fixture
def installed() -> list[list[str]]:
    """Which releases were on disk while each one was measured."""
    return []


@pytest.fixture
def run(
    checkout: Checkout,
    failing: dict[str, BaseException],
    installed: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Sweep with environments that are empty folders and a probe that measures one op."""

    def prepare(checkout: Checkout, release: Release, _device: str) -> Path:
        if isinstance(failing.get(release.version), (ReleaseError, FullDiskError)):
            raise failing[release.version]
        folder = checkout.environment(release.version)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STAMP).touch()
        return folder / "bin" / "python"

    def measure(checkout: Checkout, release: Release, *_: object) -> Catalogue:
        installed.append(sorted(path.name for path in checkout.environments.iterdir()))
        checkout.transcript(release.version, "cpu").touch()
        if release.version in failing:
            raise failing[release.version]
        return catalogue(release.version, release.depth)

    monkeypatch.setattr(sweep, "prepare", prepare)
    monkeypatch.setattr(sweep, "measure", measure)

    def run(*versions: str, keep: bool = False) -> bool:
        return sweep.measure_missing(checkout, versions or NAMED, "cpu", keep_environments=keep)

    return run


def written(checkout: Checkout) -> list[str]:
    return [version for version, _ in store.releases(checkout.root)]


def test_all_that_are_missing_are_measured_newest_first(
    run: Run, checkout: Checkout, installed: list[list[str]]
) -> None:
    assert run()
    assert written(checkout) == [*NAMED]
    assert installed == [["2.15.0"], ["2.6.0"], ["1.9.1"]]
    assert store.load(store.path_of(checkout.root, "2.6.0", "cpu")) == catalogue("2.6.0")


def test_every_release_of_the_table_is_meant_where_none_is_named(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sweep, "known_releases", lambda: in_order(map(find_release, NAMED)))
    monkeypatch.setattr(sweep, "measure_one", lambda *_: None)
    sweep.measure_missing(checkout, (), "cpu", keep_environments=False)
    told = [line.split()[-1] for line in capsys.readouterr().out.splitlines()[:3]]
    assert told == ["2.15.0", "2.6.0", "1.9.1"]


def test_what_is_done_stays_done(
    run: Run, checkout: Checkout, installed: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run("2.15.0")
    installed.clear()
    assert run()
    assert installed == [["2.6.0"], ["1.9.1"]]
    there = catalogue("2.15.0", find_release("2.15.0").depth)
    assert store.load(store.path_of(checkout.root, "2.15.0", "cpu")) == there
    assert "Measured before: 1 (2.15.0)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "failure",
    [ReleaseError("no Python that it supports"), ProbeError("the probe stopped (signal 11)")],
)
def test_a_release_that_fails_is_left_out_and_the_rest_goes_on(
    run: Run,
    checkout: Checkout,
    failing: dict[str, BaseException],
    capsys: pytest.CaptureFixture[str],
    failure: TapekeptError,
) -> None:
    failing["2.6.0"] = failure
    assert not run()
    assert written(checkout) == ["1.9.1", "2.15.0"]
    said = capsys.readouterr().out.splitlines()
    assert said[-5:-1] == [
        "Measured now: 2 (2.15.0, 1.9.1)",
        "Measured before: none",
        "Left out: 1 (2.6.0)",
        f"  2.6.0: {failure}",
    ]
    assert not checkout.environments.exists()


def test_what_was_left_out_is_tried_again(
    run: Run, checkout: Checkout, failing: dict[str, BaseException], installed: list[list[str]]
) -> None:
    failing["2.6.0"] = ProbeError("the probe stopped")
    run()
    installed.clear()
    failing.clear()
    assert run()
    assert installed == [["2.6.0"]]
    assert written(checkout) == [*NAMED]


def test_an_interrupted_sweep_goes_on_in_its_environment(
    run: Run, checkout: Checkout, failing: dict[str, BaseException], installed: list[list[str]]
) -> None:
    failing["2.6.0"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        run()
    assert written(checkout) == ["2.15.0"]
    assert [path.name for path in checkout.environments.iterdir()] == ["2.6.0"]
    failing.clear()
    installed.clear()
    assert run()
    assert installed == [["2.6.0"], ["1.9.1"]]


def test_a_full_disk_ends_the_run_and_the_next_goes_on(
    run: Run,
    checkout: Checkout,
    failing: dict[str, BaseException],
    installed: list[list[str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    failing["2.6.0"] = FullDiskError("torch 2.6.0 could not be installed")
    with pytest.raises(FullDiskError, match=r"^the disk is full, so torch 2\.6\.0 could not be"):
        run()
    assert written(checkout) == ["2.15.0"]
    said = capsys.readouterr().out.splitlines()
    assert said[-5:-1] == [
        "Measured now: 1 (2.15.0)",
        "Measured before: none",
        "Left out: none",
        "Still to measure: 2 (2.6.0, 1.9.1); the same command goes on with them",
    ]
    failing.clear()
    installed.clear()
    assert run()
    assert installed == [["2.6.0"], ["1.9.1"]]
    assert written(checkout) == [*NAMED]


def test_a_disk_that_fills_up_at_the_catalogue_leaves_none_of_it(
    run: Run, checkout: Checkout
) -> None:
    """Every write to this device fails, as it does to a disk that is full."""
    run("2.15.0")
    path = store.path_of(checkout.root, "2.6.0", "cpu")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.symlink_to("/dev/full")
    with pytest.raises(FullDiskError, match=r"torch-2\.6\.0-cpu\.jsonl could not be written"):
        run("2.6.0", "1.9.1")
    assert [path.name for path in checkout.root.glob("docs/data/*")] == ["torch-2.15.0-cpu.jsonl"]
    assert run()
    assert written(checkout) == [*NAMED]


def test_environments_of_other_runs_make_room(
    run: Run, checkout: Checkout, installed: list[list[str]]
) -> None:
    checkout.environment("2.13.0").mkdir(parents=True)
    run("2.6.0")
    assert installed == [["2.6.0"]]


def test_environments_can_be_kept(run: Run, checkout: Checkout, installed: list[list[str]]) -> None:
    checkout.environment("2.13.0").mkdir(parents=True)
    run("2.6.0", "1.9.1", keep=True)
    assert sorted(path.name for path in checkout.environments.iterdir()) == [
        "1.9.1",
        "2.13.0",
        "2.6.0",
    ]
    assert installed[0] == ["2.13.0", "2.6.0"]


def test_nothing_is_removed_where_nothing_is_missing(run: Run, checkout: Checkout) -> None:
    run()
    checkout.environment("2.13.0").mkdir(parents=True)
    assert run()
    assert checkout.environment("2.13.0").exists()


def test_a_file_of_another_schema_is_out_of_date(
    run: Run, checkout: Checkout, installed: list[list[str]]
) -> None:
    run("2.6.0")
    path = store.path_of(checkout.root, "2.6.0", "cpu")
    path.write_bytes(path.read_bytes().replace(b'"schema":', b'"schema":-', 1))
    assert run("2.6.0")
    assert len(installed) == 2
    assert store.load(path) == catalogue("2.6.0")


def test_a_file_of_a_newer_schema_is_left_as_it_is(
    run: Run, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    run("2.6.0")
    path = store.path_of(checkout.root, "2.6.0", "cpu")
    newer = path.read_bytes().replace(b'"schema":', b'"schema":9', 1)
    path.write_bytes(newer)
    assert not run("2.6.0")
    assert path.read_bytes() == newer
    assert "update tapekept" in capsys.readouterr().out


def test_one_that_was_measured_less_deep_than_it_should_be_is_measured_again(
    run: Run, checkout: Checkout, installed: list[list[str]]
) -> None:
    path = store.path_of(checkout.root, "2.13.0", "cpu")
    store.save(path, catalogue("2.13.0", "history"))
    assert run("2.13.0")
    assert store.load(path).header.depth == "full"
    assert run("2.13.0")
    assert len(installed) == 1


def test_what_cannot_be_a_release_is_refused_before_any_work(run: Run, checkout: Checkout) -> None:
    with pytest.raises(ReleaseError, match="is not the number of a PyTorch release"):
        run("2.6.0", "latest")
    assert not checkout.work.exists()


def test_a_second_run_is_refused(run: Run, checkout: Checkout) -> None:
    with only_run(checkout.lock), pytest.raises(TapekeptError, match="another run is at work"):
        run()


def test_nothing_is_estimated_before_a_release_is_done(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Releases:")]
    assert told[0] == "Releases: 0 of 3 done, now 2.15.0"
    assert told[1].startswith("Releases: 1 of 3 done, now 2.6.0, about ")


def test_the_estimate_is_the_mean_of_those_done_in_this_run() -> None:
    done = sweep.Sweep(measured=["2.15.0", "2.14.1"], left_out={"2.6.0": ""}, seconds=[600, 300])
    # Two measured in 7.5 minutes each, one left out: seventeen of twenty remain.
    assert sweep.remaining(done, 20) == ", about 2 h 8 min to go"


def test_a_release_that_was_continued_estimates_nothing(
    run: Run, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = checkout.transcript("2.15.0", "cpu")
    lines.parent.mkdir(parents=True)
    lines.touch()
    run("2.15.0", "2.6.0")
    assert "to go" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (99, "99 s"), (100, "2 min"), (3570, "1 h 0 min"), (7260, "2 h 1 min")],
)
def test_durations_are_words(seconds: float, words: str) -> None:
    assert sweep.duration(seconds) == words
