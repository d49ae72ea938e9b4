"""`verify` against what the probe really measures: what was changed by hand is found and named."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator import verification
from generator.catalogue import codec, store
from generator.catalogue.model.records import Catalogue
from generator.checkout import Checkout
from generator.errors import CatalogueError, UnknownNameError
from generator.release.transcript import read_transcript
from generator.verification import Choice, verify_release

Runs = dict[int, tuple[list[str], str]]
Verify = Callable[..., bool]


@pytest.fixture(scope="session")
def measured(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The lines of two real runs."""
    folder = tmp_path_factory.mktemp("measured")
    for workers, (lines, _) in runs.items():
        (folder / str(workers)).write_text("\n".join(lines), encoding="utf-8")
    return {workers: folder / str(workers) for workers in runs}


@pytest.fixture
def committed(measured: dict[int, Path]) -> Catalogue:
    return read_transcript(measured[1], "2.13.0")


@pytest.fixture
def asked() -> list[tuple[str, ...]]:
    """The arguments that the probe was given."""
    return []


@pytest.fixture
def verify(
    tmp_path: Path,
    measured: dict[int, Path],
    asked: list[tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> Verify:
    """Verify a catalogue that is committed, where measuring again gives the second run."""

    def again(_python: Path, _root: Path, arguments: tuple[str, ...], *_: object) -> None:
        asked.append(arguments)
        out = Path(arguments[arguments.index("--out") + 1])
        out.write_bytes(measured[2].read_bytes())

    monkeypatch.setattr(verification, "run_probe", again)
    monkeypatch.setattr(verification, "ensure_environment", lambda *_: Path(sys.executable))
    monkeypatch.setattr(verification, "check_build", lambda *_: None)

    def run(catalogue: Catalogue, *names: str, **how: Any) -> bool:
        checkout = Checkout(tmp_path)
        path = store.path_of(tmp_path, "2.13.0", "cpu")
        store.save(path, catalogue)
        before = path.read_bytes()
        same = verify_release(checkout, "2.13.0", "cpu", Choice(names, **how))
        assert path.read_bytes() == before
        return same

    return run


def changed(catalogue: Catalogue, name: str, old: str, new: str) -> Catalogue:
    """Change one record as somebody with an editor would: the first `old` in its line."""
    lines = codec.encode(catalogue).decode().splitlines(keepends=True)
    (place,) = [place for place, line in enumerate(lines) if f'"name":"{name}",' in line[:200]]
    assert old in lines[place]
    lines[place] = lines[place].replace(old, new, 1)
    return codec.decode("".join(lines).encode())


def test_two_runs_are_the_same_byte_for_byte(
    verify: Verify, committed: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(committed)
    said = capsys.readouterr().out
    records = len(codec.records_of(committed))
    assert f"All {records} records are the same, byte for byte." in said


# exp keeps its output, here 256 × 512 numbers of 4 bytes, and an in-place write to it raises.
BY_HAND = {
    "bytes": ('"storage_bytes":524288', '"storage_bytes":524289', "storage 524289 → 524288"),
    "role": ('"tensor",["output"]', '"tensor",["intermediate"]', "keeps something else"),
    "message": (
        "modified by an inplace operation",
        "modified by some operation",
        "writing to output",
    ),
}


@pytest.mark.parametrize("kind", BY_HAND)
@pytest.mark.parametrize("names", [(), ("torch.exp",), ("exp", "torch.mul")])
def test_a_record_changed_by_hand_is_found(
    kind: str,
    names: tuple[str, ...],
    verify: Verify,
    committed: Catalogue,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, new, said = BY_HAND[kind]
    assert not verify(changed(committed, "torch.exp", old, new), *names)
    told = capsys.readouterr().out
    assert "records differ: op torch.exp\n" in told
    assert said in told


def test_a_record_in_another_state_is_found(
    verify: Verify, committed: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    crashed = msgspec.structs.replace(committed.ops["torch.exp"], state="crashed", reason="it did")
    records = {**committed.ops, "torch.exp": crashed}.values()
    header = committed.header
    wrong = codec.assemble("2.13.0", header.build, records, header.evidence)
    assert not verify(wrong, "torch.exp")
    assert "op torch.exp: not comparable, crashed → measured" in capsys.readouterr().out


def test_what_is_not_asked_for_is_not_compared(
    verify: Verify, committed: Catalogue, asked: list[tuple[str, ...]]
) -> None:
    old, new, _ = BY_HAND["bytes"]
    assert verify(changed(committed, "torch.exp", old, new), "mul", "torch.nn.Linear")
    (arguments,) = asked
    assert arguments[arguments.index("--only") + 1 :] == ("torch.mul", "torch.nn.Linear")


def test_a_node_is_found_where_everything_is_measured(
    verify: Verify, committed: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    node = committed.nodes["ExpBackward0"]
    by_hand = msgspec.structs.replace(node, attributes=("_saved_self",))
    wrong = msgspec.structs.replace(committed, nodes={**committed.nodes, "ExpBackward0": by_hand})
    assert not verify(wrong)
    assert "1 of " in (told := capsys.readouterr().out)
    assert "differ: node ExpBackward0" in told


def test_a_node_alone_is_refused(verify: Verify, committed: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match="'ExpBackward0' is a node"):
        verify(committed, "ExpBackward0")


def test_an_unknown_name_is_refused(verify: Verify, committed: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match=r"torch\.no_such_op"):
        verify(committed, "torch.no_such_op")


def test_no_catalogue_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="there is no catalogue"):
        verify_release(Checkout(tmp_path), "2.13.0", "cpu", Choice())


def test_a_sample_can_be_drawn_again(
    verify: Verify,
    committed: Catalogue,
    asked: list[tuple[str, ...]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    verify(committed, sample=3)
    said = capsys.readouterr().out
    seed = said.partition("--seed ")[2].partition(")")[0]
    verify(committed, sample=3, seed=int(seed))
    first, second = [arguments[arguments.index("--only") + 1 :] for arguments in asked]
    assert first == second
    assert len(set(first)) == 3
    assert not set(first) & committed.nodes.keys()


def test_a_sample_larger_than_the_catalogue_is_all_that_can_be_measured_alone(
    verify: Verify, committed: Catalogue, asked: list[tuple[str, ...]]
) -> None:
    assert verify(committed, sample=10**6)
    (arguments,) = asked
    alone = {*committed.ops, *committed.modules}
    assert set(arguments[arguments.index("--only") + 1 :]) == alone


def test_a_header_that_differs_is_a_difference(
    verify: Verify, committed: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    header = msgspec.structs.replace(committed.header, evidence={})
    assert not verify(msgspec.structs.replace(committed, header=header), "exp")
    told = capsys.readouterr().out
    assert "The header differs.\n0 of 1 records differ: none\n" in told
    assert "evidence" in told


def test_another_machine_is_told_and_is_no_difference(
    verify: Verify, committed: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    build = msgspec.structs.replace(committed.header.build, processor="another")
    header = msgspec.structs.replace(committed.header, build=build)
    assert verify(msgspec.structs.replace(committed, header=header))
    assert "Measured elsewhere: build: processor another → " in capsys.readouterr().out
