"""`tapekept show NAME --history` as a user meets it, over two committed catalogues."""

import json
from pathlib import Path

import pytest
from msgspec import structs

from generator.catalogue import store
from generator.catalogue.model.records import OpRecord, Variant
from tests.fixtures import tiny_nodes, tiny_ops
from tests.fixtures.commands import run, sentence
from tests.fixtures.tiny_cases import KEEPS, NOTHING, mean, sample
from tests.fixtures.tiny_releases import NEW, OLD, released


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases: a sample of torch.mean keeps its input in the newer one; torch.mul is gone."""
    root = tmp_path_factory.mktemp("history")
    (root / "mkdocs.yml").write_text("site_name: x\n")
    types = [one for one in tiny_nodes.nodes() if one.name == "MulBackward0"]
    for catalogue in (
        released(OLD, mean(KEEPS, sample(NOTHING)), tiny_ops.mul(), *types),
        released(NEW, mean(KEEPS, sample(KEEPS)), *types),
    ):
        store.save(store.path_of(root, catalogue.header.release, "cpu"), catalogue)
    return root


def test_the_timelines_are_told_in_the_words_of_the_page(checkout: Path) -> None:
    done = run(checkout, "show", "mean", "--history")
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    # Another call that changed, as the reference did not, is answered with it.
    assert " ".join(done.stdout.split("\n\n")[0].split()) == (
        f"torch.mean The same in all 2 measured releases, {OLD} to {NEW}: keeps input (8 bytes)."
        f" For torch.mean(input) with input: 5 × 5: Since {NEW}: keeps input (100 bytes)."
        f" {OLD}: keeps nothing."
    )
    place = said.index("For torch.mean(input) with input: 5 × 5")
    rows = [" ".join(line.split()) for line in said[place + 2 : place + 4]]
    assert rows == [f"{NEW} keeps input (100 bytes) 100 0 changed", f"{OLD} keeps nothing 0 0"]
    assert "MulBackward0" not in done.stdout


def in_place(extra: int) -> OpRecord:
    """A `mean` that keeps its input always; in place that is a copy where `extra` are bytes."""
    record = mean(KEEPS)
    one = structs.replace(record.references[0].measurements[0], extra_bytes=extra)
    called = Variant(
        name="torch.Tensor.mean_", relation="in-place", call="input.mean_()", measurement=one
    )
    never = Variant(name="torch.mean(inplace=True)", relation="in-place")
    return structs.replace(record, variants=(called, never))


def test_the_history_of_a_spelling_comes_first(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    for release, extra in ((OLD, 0), (NEW, 8)):
        catalogue = released(release, in_place(extra))
        store.save(store.path_of(tmp_path, release, "cpu"), catalogue)
    said = run(tmp_path, "show", "mean_", "--history").stdout.split("\n\n")
    first = " ".join(said[0].split())
    assert first.startswith(f"torch.mean For torch.Tensor.mean_: Since {NEW}: keeps input (8 bytes")
    assert f"For the reference call: The same in all 2 measured releases, {OLD} to {NEW}" in first
    assert said[2].startswith("For torch.Tensor.mean_\n")
    as_json = run(tmp_path, "show", "mean_", "--history", "--format", "json").stdout
    told = json.loads(as_json)
    assert told["spelling"] == {"name": "torch.Tensor.mean_", "called": True}
    assert [one["title"] for one in told["timelines"]] == ["For `torch.Tensor.mean_`", ""]
    never = run(tmp_path, "show", "mean(inplace=True)", "--history").stdout
    assert " ".join(never.split()).startswith(
        "torch.mean No release called torch.mean(inplace=True), so what follows is not about that"
        " spelling. For the reference call: The same in all 2"
    )


def test_json_holds_the_spans_and_the_same_words(checkout: Path) -> None:
    done = run(checkout, "show", "torch.mean", "--history", "--format", "json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["kind"], told["name"], told["releases"]) == ("op", "torch.mean", [OLD, NEW])
    reference, case = told["timelines"]
    assert (reference["title"], len(reference["spans"])) == ("", 1)
    assert case["answer"] == f"Since {NEW}: keeps `input` (100 bytes). {OLD}: keeps nothing."
    assert [one["step"] for one in case["spans"]] == ["first", "changed"]


def test_what_an_older_release_alone_has_is_found(checkout: Path) -> None:
    done = run(checkout, "show", "multiply", "--history")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "torch.mul")
    assert "no record of it" in done.stdout
    assert run(checkout, "show", "MulBackward0", "--history").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["torch.nowhere", "--history"],
            "no measured release knows 'torch.nowhere': the catalogue of torch",
        ),
        (["torch.mean", "--history", "--release", OLD], "not with --release"),
        (["torch.mean", "--history", "--json"], "not with --json"),
        (["torch.mean", "--history", "--shape", "8x8"], "not with --shape"),
        (["torch.mean", "--history", "--format", "yaml"], "'yaml'"),
        (["torch.mean", "--format", "json"], "--format goes with --history"),
        (["torch.mean", "--history", "--device", "cuda"], "cuda"),
    ],
)
def test_what_cannot_be_told_is_one_sentence(
    checkout: Path, arguments: list[str], says: str
) -> None:
    assert says in sentence(run(checkout, "show", *arguments))


def test_an_attribute_of_other_releases_has_a_history(root: Path) -> None:
    done = run(root, "show", "_saved_ouput", "--history")
    assert "in torch 2.0.1 to 2.1.2; afterwards _saved_output in its place." in " ".join(
        done.stdout.split()
    )
    failed = run(root, "show", "_saved_ouput")
    assert (failed.returncode, failed.stdout) == (2, "")
    assert "torch 2.13.0 has no _saved_ouput, an attribute of ScaledDotProduct" in failed.stderr
