"""Looking a name up on the command line: what show, cite and explain print and refuse."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator.catalogue import store
from generator.catalogue.codec import assemble
from generator.catalogue.model.records import OpRecord
from tests.fixtures import tiny
from tests.fixtures.commands import COMMAND, ROOT, closed, run, sentence


def test_cite_prints_one_line_with_claim_build_and_permalink(checkout: Path) -> None:
    done = run(checkout, "cite", "exp")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert "`torch.exp` keeps its output" in done.stdout
    assert "https://tapekept.github.io/2.13.0/ops/torch.exp/" in done.stdout
    assert "2.13.0+cpu" in done.stdout
    assert "cf30153c4c13" in done.stdout


def test_a_spelling_in_place_is_told_as_itself(checkout: Path) -> None:
    done = run(checkout, "cite", "exp_")
    assert done.stdout.startswith("`torch.Tensor.exp_` keeps its output. ("), done.stderr
    assert "/2.13.0/ops/torch.exp/#variants" in done.stdout
    shown = run(checkout, "show", "exp_").stdout.splitlines()
    assert shown[:2] == ["torch.Tensor.exp_", "  keeps its output"]


def test_show_prints_what_is_kept_and_what_each_figure_counts(checkout: Path) -> None:
    done = run(checkout, "show", "softsign")
    assert done.returncode == 0, done.stderr
    words = [line.split() for line in done.stdout.splitlines()]
    row = ["input", "DivBackward0", "_saved_other", "intermediate"]
    assert [*row, "256", "×", "512", "float32", "524,288"] in words
    # One mask, three figures: three saved tensors, two storages, one that nobody else holds.
    assert ["input", "1,572,864", "1,048,576", "524,288"] in words
    assert "numel × itemsize of each saved tensor" in done.stdout
    assert "https://tapekept.github.io/2.13.0/ops/torch.nn.functional.softsign/" in done.stdout


def test_show_prints_a_node_with_its_formula_and_its_message(checkout: Path) -> None:
    done = run(checkout, "show", "output 0 of Exp")
    assert "grad * result.conj()" in done.stdout
    assert "which is output 0 of Exp, is at version 1" in done.stdout
    assert "derivatives.yaml#L652" in done.stdout


def test_explain_says_who_saved_and_reads_a_message_from_standard_input(checkout: Path) -> None:
    message = "which is output 0 of Exp, is at version 1; expected version 0 instead."
    told = run(checkout, "explain", message).stdout
    assert "most likely: Exp saved its own output (_saved_result)" in told
    assert run(checkout, "show", message).stdout == told
    assert run(checkout, "explain", "-", stdin=message).stdout == told


def test_explain_of_what_is_no_error_says_where_errors_are_listed(checkout: Path) -> None:
    done = run(checkout, "explain", "it does not work")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "guides/explain-my-error/" in done.stderr


def test_show_prints_a_module_in_both_modes(checkout: Path) -> None:
    done = run(checkout, "show", "nn.Linear")
    assert "in train and eval mode" in done.stdout
    assert "view of parameter weight" in done.stdout


def test_show_json_is_the_record_of_the_file(checkout: Path) -> None:
    done = run(checkout, "show", "mul", "--json")
    lines = store.path_of(checkout, tiny.RELEASE, "cpu").read_text().splitlines()
    written = [one for one in map(json.loads, lines) if one["name"] == "torch.mul"]
    assert json.loads(done.stdout) == written[0]
    spelled = json.loads(run(checkout, "show", "multiply", "--json").stdout)
    own = spelled.pop("spelling")
    assert (own["name"], own["of"], own["keeps"]["extra_bytes"]) == (
        "torch.multiply",
        "torch.mul",
        0,
    )
    assert spelled == written[0]


@pytest.mark.parametrize("command", ["cite", "show"])
def test_looking_up_loads_neither_torch_nor_pandas(checkout: Path, command: str) -> None:
    code = (
        "import sys\n"
        "from generator.cli import main\n"
        "main()\n"
        "heavy = {'torch', 'pandas', 'numpy', 'mkdocs', 'pyarrow'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--root", str(checkout), command, "exp"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("command", ["cite", "show"])
def test_code_that_begins_with_a_dash_is_read(checkout: Path, command: str) -> None:
    path = store.path_of(checkout, tiny.RELEASE, "cpu")
    small = tiny.catalogue()
    negation = OpRecord(
        name="torch.neg", state="raised", reason="made up", unreferenced="nothing was"
    )
    store.save(path, assemble(tiny.RELEASE, tiny.BUILD, (negation, small.ops["torch.exp"]), {}))
    for typed in (["-x"], ["--release", tiny.RELEASE, "-x"], ["-x", "--device", "cpu"]):
        done = run(checkout, command, *typed)
        assert "torch.neg" in done.stdout, done.stderr


def test_an_option_that_is_none_is_still_refused(checkout: Path) -> None:
    assert "No such option '--histroy'" in sentence(run(checkout, "show", "exp", "--histroy"))
    assert "(-q)" in sentence(run(checkout, "show", "exp", "-q"))
    assert run(checkout, "show", "-h").stdout.startswith("Usage:")


def test_an_unknown_name_is_refused_with_a_suggestion(checkout: Path) -> None:
    said = sentence(run(checkout, "cite", "torch.exq"))
    assert "'torch.exq'; did you mean torch.exp" in said


def test_an_unknown_release_is_refused_with_the_known_ones(checkout: Path) -> None:
    said = sentence(run(checkout, "show", "exp", "--release", "2.12.1"))
    assert said == "torch 2.12.1 was not measured on cpu; measured were 2.13.0"


def test_a_catalogue_edited_by_hand_is_refused(checkout: Path) -> None:
    path = store.path_of(checkout, tiny.RELEASE, "cpu")
    path.write_text(path.read_text().replace('"logical_bytes":', '"logical_bytes": '))
    assert "edited by hand" in sentence(run(checkout, "cite", "exp"))


@pytest.mark.parametrize("command", ["cite", "show"])
def test_figures_edited_by_hand_are_refused(checkout: Path, command: str) -> None:
    path = store.path_of(checkout, tiny.RELEASE, "cpu")
    text = re.sub(r'"logical_bytes":(?=\d)', '"logical_bytes":9', path.read_text())
    path.write_text(text)
    said = sentence(run(checkout, command, "exp"))
    assert "contradicts itself: op torch.exp" in said


def test_show_prices_an_op_at_the_readers_sizes_without_torch(checkout: Path) -> None:
    done = run(checkout, "show", "torch.exp", "--shape", "4096x128", "--dtype", "bfloat16")
    assert done.returncode == 0
    assert f"Keeps {4096 * 128 * 2:,} bytes" in done.stdout
    loaded = (
        "import sys; from generator.cli import main\n"
        f"sys.argv = ['tapekept', '--root', {str(checkout)!r}, 'show', 'torch.exp',"
        " '--shape', '8x8']\n"
        "try:\n    main()\nfinally:\n    assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["torch.exp", "--shape", "0x"], "is no size"),
        (["torch.exp", "--shape", "8x8x8"], "no argument has 3 dimensions"),
        (["torch.exp", "--shape", "8x8", "--dtype", "float31"], "no dtype"),
        (["torch.exp", "--dtype", "float32"], "--dtype and --call go with --shape"),
        (["torch.exp", "--call", "torch.exp"], "--dtype and --call go with --shape"),
        (["torch.exp", "--shape", "8x8", "--call", "expm1"], "there are torch.exp(input)"),
        (["torch.exp", "--json", "--shape", "8x8"], "--shape without --json"),
        (["ExpBackward0", "--shape", "8x8"], "is no op"),
        (["torch.linalg.eig", "--shape", "8x8"], "no byte formula"),
    ],
)
def test_sizes_without_an_answer_are_refused_in_one_sentence(
    checkout: Path, arguments: list[str], said: str
) -> None:
    assert said in sentence(run(checkout, "show", *arguments))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("verify", "--sample", "1", "--seed", "-1"), "-1 is not in the range x>=0"),
        (("catalogs", "--releases", ","), "--releases names none"),
        (("show", "exp", "--shape", ""), "no shape was given: write 8x128"),
        (("show", "exp", "--shape", "8", "--call", " "), "no part of a call of torch.exp"),
        (("propose", "newest"), "'newest' is not the number of a PyTorch release"),
        (("propose", "9.9.9"), "torch 9.9.9 was not measured on cpu"),
    ],
)
def test_what_names_nothing_is_refused(
    checkout: Path, arguments: tuple[str, ...], says: str
) -> None:
    assert says in sentence(run(checkout, *arguments))
    assert not (checkout / ".tapekept").exists()


def test_signs_that_a_terminal_does_not_have_are_escaped(checkout: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--root", str(checkout), "show", "exp"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "iso8859-5"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"256 \xd7 512" in done.stdout


@pytest.mark.parametrize("stdin", ["<&-", "</dev/null", "<binary"])
def test_what_cannot_be_read_from_standard_input_is_no_error_of_autograd(
    checkout: Path, stdin: str, tmp_path: Path
) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe out of the ordinary \x00")
    done = closed(checkout, stdin.replace("binary", str(tmp_path / "binary")), "explain", "-")
    assert "is no error that is known here" in sentence(done)
