"""The way of a measurement, with a probe that answers at once and pages that are only counted."""

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from generator import pipeline
from generator.catalogue import codec, store
from generator.catalogue.model.records import Catalogue
from generator.checkout import Checkout
from generator.errors import (
    CatalogueError,
    EvidenceError,
    NewerSchemaError,
    ProbeError,
    TapekeptError,
)
from generator.release.lock import only_run
from tests.fixtures import tiny, transcripts

Measure = Callable[[Catalogue], None]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stages that a run went through, those that need torch or MkDocs replaced."""
    seen: list[str] = []

    def environment(*_: object) -> Path:
        seen.append("environment")
        return Path(sys.executable)

    monkeypatch.setattr(pipeline, "ensure_environment", environment)
    monkeypatch.setattr(pipeline, "check_build", lambda *_: seen.append("build"))
    monkeypatch.setattr(pipeline, "check_guides", lambda *_, **__: seen.append("guides"))
    monkeypatch.setattr(pipeline, "render_pages", lambda *_: seen.append("pages"))
    monkeypatch.setattr(pipeline, "build_site", lambda *_: seen.append("site"))
    return seen


@pytest.fixture
def measure(checkout: Checkout, stages: list[str], monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Run the pipeline as if its probe had measured that catalogue."""

    def run(catalogue: Catalogue) -> None:
        def probe(_python: Path, _root: Path, arguments: tuple[str, ...], *_: object) -> None:
            stages.append("probe")
            out = Path(arguments[arguments.index("--out") + 1])
            out.write_bytes(b"\n".join(transcripts.lines_of(catalogue)) + b"\n")

        monkeypatch.setattr(pipeline, "run_probe", probe)
        pipeline.measure_release(checkout, "2.13.0", "cpu")

    return run


def committed(checkout: Checkout) -> Path:
    return store.path_of(checkout.root, "2.13.0", "cpu")


def test_each_stage_once_and_in_order(measure: Measure, stages: list[str]) -> None:
    measure(tiny.catalogue())
    assert stages == ["environment", "build", "probe", "guides", "pages", "site"]


def test_the_catalogue_is_written_and_counted(
    measure: Measure, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(tiny.catalogue())
    assert committed(checkout).read_bytes() == codec.encode(tiny.catalogue())
    said = capsys.readouterr().out
    assert "5 ops: " in said
    assert "is new." in said
    assert str(checkout.site / "2.13.0" / "index.html") in said


def test_the_same_measurement_again_is_said_to_be_the_same(
    measure: Measure, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(tiny.catalogue())
    measure(tiny.catalogue())
    assert "measured the same, byte for byte" in capsys.readouterr().out


def test_another_measurement_lists_what_differs(
    measure: Measure, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(tiny.catalogue())
    build = msgspec.structs.replace(tiny.BUILD, processor="another processor")
    header = msgspec.structs.replace(tiny.catalogue().header, build=build)
    now = msgspec.structs.replace(tiny.catalogue(), header=header)
    measure(now)
    assert "build: processor a made-up processor → another processor" in capsys.readouterr().out
    assert committed(checkout).read_bytes() == codec.encode(now)


def test_a_probe_that_dies_loses_nothing(
    measure: Measure, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(tiny.catalogue())
    before = committed(checkout).read_bytes()

    def die(*_: object) -> None:
        raise ProbeError("the probe stopped")

    monkeypatch.setattr(pipeline, "run_probe", die)
    with pytest.raises(ProbeError):
        pipeline.measure_release(checkout, "2.13.0", "cpu")
    assert committed(checkout).read_bytes() == before


def test_what_cannot_be_written_is_not_measured(
    measure: Measure, checkout: Checkout, stages: list[str]
) -> None:
    checkout.docs.write_text("a file where a folder should be")
    with pytest.raises(CatalogueError, match="could not be written"):
        measure(tiny.catalogue())
    assert stages == []


def test_an_interruption_says_how_to_go_on(
    measure: Measure,
    checkout: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    measure(tiny.catalogue())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "run_probe", interrupt)
    with pytest.raises(KeyboardInterrupt):
        pipeline.measure_release(checkout, "2.13.0", "cpu")
    assert "the same command continues" in capsys.readouterr().out


def test_the_probe_continues_what_is_there(checkout: Checkout) -> None:
    lines = checkout.transcript("2.13.0", "cpu")
    lines.parent.mkdir(parents=True)
    lines.write_text("what an interrupted run left")
    assert "--resume" in pipeline.probe_arguments(lines, "cpu", "history")
    assert lines.read_text() == "what an interrupted run left"


def test_a_catalogue_that_contradicts_itself_is_not_written(
    measure: Measure, checkout: Checkout
) -> None:
    small = tiny.catalogue()
    exp = msgspec.structs.replace(small.ops["torch.exp"], double_backward=("NoSuchBackward0",))
    broken = msgspec.structs.replace(small, ops={**small.ops, "torch.exp": exp})
    with pytest.raises(CatalogueError, match=r"contradicts itself .* nothing was written"):
        measure(broken)
    assert not committed(checkout).exists()


def test_a_damaged_file_is_set_aside(
    measure: Measure, checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(tiny.catalogue())
    committed(checkout).write_bytes(b"half of it")
    measure(tiny.catalogue())
    assert "Not compared" in capsys.readouterr().out
    aside = checkout.work / f"damaged-{committed(checkout).name}"
    assert aside.read_bytes() == b"half of it"
    assert committed(checkout).read_bytes() == codec.encode(tiny.catalogue())


def test_what_a_newer_tapekept_wrote_is_never_replaced(
    measure: Measure, checkout: Checkout, stages: list[str]
) -> None:
    measure(tiny.catalogue())
    stages.clear()
    newer = committed(checkout).read_bytes().replace(b'"schema":3', b'"schema":4', 1)
    committed(checkout).write_bytes(newer)
    with pytest.raises(NewerSchemaError, match=r"update tapekept$"):
        measure(tiny.catalogue())
    assert committed(checkout).read_bytes() == newer
    assert stages == []


def test_a_guide_that_prints_something_else_stops_the_site(
    measure: Measure, stages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def differ(*_: object, **__: object) -> None:
        raise EvidenceError("a guide prints something else")

    monkeypatch.setattr(pipeline, "check_guides", differ)
    with pytest.raises(EvidenceError):
        measure(tiny.catalogue())
    assert "site" not in stages


def test_the_site_needs_the_committed_data_alone(
    measure: Measure, checkout: Checkout, stages: list[str]
) -> None:
    measure(tiny.catalogue())
    stages.clear()
    pipeline.build_release(checkout, "2.13.0", "cpu")
    assert stages == ["pages", "site"]


@pytest.mark.parametrize("work", [pipeline.measure_release, pipeline.build_release])
def test_a_second_run_is_refused(
    checkout: Checkout, work: Callable[[Checkout, str, str], None]
) -> None:
    with only_run(checkout.lock), pytest.raises(TapekeptError, match="another run is at work"):
        work(checkout, "2.13.0", "cpu")
