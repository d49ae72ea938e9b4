"""`tapekept diff` as a user meets it: two committed catalogues, one answer, one exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator.catalogue import store
from tests.fixtures import tiny_nodes, tiny_ops
from tests.fixtures.commands import ROOT, run, sentence
from tests.fixtures.tiny_releases import NEW, OLD, mean_after, mean_before, released

LOST = "torch.mean: MeanBackward0 no longer keeps input (extra bytes 0 -> 0, storage 524,288 -> 0)"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Two releases: in the newer one torch.mean keeps nothing, and torch.mul is gone."""
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    types = [one for one in tiny_nodes.nodes() if one.name == "MulBackward0"]
    for catalogue in (
        released(OLD, mean_before(), tiny_ops.mul(), *types),
        released(NEW, mean_after(), *types),
    ):
        store.save(store.path_of(tmp_path, catalogue.header.release, "cpu"), catalogue)
    return tmp_path


def test_what_changed_is_told_from_old_to_new(checkout: Path) -> None:
    done = run(checkout, "diff", OLD, NEW)
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout.splitlines()
    assert said[0] == "torch 2.0.1 -> torch 2.2.2 (cpu)"
    assert f"  {LOST}" in said
    assert "  1 op no longer catalogued (was measured): torch.mul" in said


def test_the_other_direction_is_the_other_way_round(checkout: Path) -> None:
    said = run(checkout, "diff", NEW, OLD).stdout.splitlines()
    assert said[0] == "torch 2.2.2 -> torch 2.0.1 (cpu)"
    assert any("now keeps input" in line and "0 -> 524,288" in line for line in said)
    assert "  1 op catalogued from now on (measured): torch.mul" in said


def test_one_op_is_told_alone_by_whatever_name_it_has(checkout: Path) -> None:
    done = run(checkout, "diff", OLD, NEW, "--op", "Tensor.mul_", "--op", "multiply")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "torch 2.0.1 -> torch 2.2.2 (cpu, torch.mul)"
    assert "torch.mean" not in done.stdout


def test_a_saved_attribute_means_the_nodes_that_have_it(checkout: Path) -> None:
    done = run(checkout, "diff", OLD, NEW, "--op", "_saved_other")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith("torch 2.0.1 -> torch 2.2.2 (cpu, MulBackward0)")
    assert "torch.mean" not in done.stdout
    said = sentence(run(checkout, "diff", OLD, NEW, "--op", "_saved_nothing"))
    assert "called '_saved_nothing'" in said


def test_an_attribute_of_a_third_release_is_told_where_it_is(checkout: Path) -> None:
    node = next(one for one in tiny_nodes.nodes() if one.name == "ExpBackward0")
    third = released("1.13.1", mean_before(), node)
    store.save(store.path_of(checkout, "1.13.1", "cpu"), third)
    said = sentence(run(checkout, "diff", OLD, NEW, "--op", "_saved_result"))
    assert said.startswith("torch 2.2.2 has no _saved_result, an attribute of ExpBackward0, in")
    assert "`show _saved_result --history` has the table" in said


def test_a_release_compared_with_itself_has_no_differences(checkout: Path) -> None:
    done = run(checkout, "diff", NEW, NEW)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "torch 2.2.2 -> torch 2.2.2 (cpu): no differences\n"


def test_json_names_both_sides_and_the_type_of_each_finding(checkout: Path) -> None:
    found = json.loads(run(checkout, "diff", OLD, NEW, "--format", "json").stdout)
    assert (found["old"]["name"], found["new"]["name"]) == ("torch-2.0.1-cpu", "torch-2.2.2-cpu")
    assert [one["type"] for one in found["findings"]] == ["kept", "records"]
    assert found["findings"][0]["lost"] == ["input input"]
    assert "changes" not in found
    long = json.loads(run(checkout, "diff", OLD, NEW, "--format", "json", "--long").stdout)
    assert "policy changed" in {one["type"] for one in long["changes"]}


def test_markdown_links_to_the_pages(checkout: Path) -> None:
    text = run(checkout, "diff", OLD, NEW, "--format", "markdown").stdout
    assert text.startswith("## torch 2.0.1 -> torch 2.2.2 (cpu)\n")
    assert "(https://tapekept.github.io/2.2.2/ops/torch.mean/)" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((OLD, "2.9.9"), "torch 2.9.9 was not measured on cpu; measured were 2.0.1, 2.2.2"),
        ((OLD, "newest"), "'newest' is not the number of a PyTorch release"),
        ((OLD,), "Missing argument 'NEW'"),
        ((OLD, NEW, "--op", "torch.meen"), "'torch.meen'; did you mean torch.mean"),
        ((OLD, NEW, "--format", "html"), "'html' is not one of 'text', 'markdown', 'json'"),
        ((OLD, NEW, "--device", "tpu"), "'tpu' is not one of 'cpu', 'cuda', 'mps'"),
    ],
)
def test_bad_input_is_one_sentence(checkout: Path, arguments: tuple[str, ...], said: str) -> None:
    assert said in sentence(run(checkout, "diff", *arguments))


@pytest.mark.parametrize("release", [OLD, NEW])
def test_a_damaged_catalogue_on_either_side_is_refused(checkout: Path, release: str) -> None:
    path = store.path_of(checkout, release, "cpu")
    path.write_bytes(path.read_bytes()[:-200])
    said = sentence(run(checkout, "diff", OLD, NEW))
    assert str(path) in said
    assert "truncated" in said


def test_a_catalogue_of_an_older_schema_is_refused_with_the_remedy(checkout: Path) -> None:
    path = store.path_of(checkout, OLD, "cpu")
    path.write_bytes(path.read_bytes().replace(b'"schema":3', b'"schema":1', 1))
    said = sentence(run(checkout, "diff", OLD, NEW))
    assert str(path) in said
    assert "make catalog TORCH=2.0.1" in said


@pytest.mark.parametrize(
    ("command", "text", "release", "told"),
    [
        *(
            (command, text, NEW, told)
            for command in ("show", "cite")
            for text, told in (
                ("mul", f"torch {NEW} has no 'mul'; it is in torch {OLD}: add --release {OLD}"),
                ("nowhere", f"torch {NEW} has no op, module, node or overload called 'nowhere'"),
            )
        ),
        # `show` explains an error, whoever it names.
        (
            "cite",
            "output 0 of MeanBackward",
            NEW,
            "no node type that its messages call 'MeanBackward'",
        ),
    ],
)
def test_what_another_release_has_is_told(
    checkout: Path, command: str, text: str, release: str, told: str
) -> None:
    assert told in sentence(run(checkout, command, text, "--release", release))


def test_comparing_loads_neither_torch_nor_pandas(checkout: Path) -> None:
    code = (
        "import sys\n"
        "from generator.cli import main\n"
        "main()\n"
        "heavy = {'torch', 'pandas', 'numpy', 'mkdocs', 'pyarrow'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--root", str(checkout), "diff", OLD, NEW],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "[]\n"
