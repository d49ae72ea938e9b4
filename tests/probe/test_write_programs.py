"""The programs that pages show, in a fresh process: they print what the catalogue says."""

import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest
import torch
from msgspec.structs import replace

from generator.catalogue.model.reads import Reads
from generator.catalogue.model.records import Header, OpRecord
from generator.catalogue.model.unseen import WriteRecord
from generator.catalogue.model.writes import Writes
from generator.catalogue.read_evidence import reads_printed, reads_program
from generator.catalogue.spelling_evidence import spellings_printed, spellings_program
from generator.catalogue.unseen import write_printed
from generator.catalogue.unseen import write_program as kind_program
from generator.catalogue.write_evidence import writes_printed, writes_program
from generator.probe import spelling_program
from generator.probe.depth import FULL
from generator.probe.opinfo import op_samples, ops
from generator.probe.ops import op_record
from generator.probe.signatures import parse
from generator.probe.unseen import trial as unseen
from generator.probe.writes import program as write_program
from generator.probe.writes import reads_program as reads_program_module
from generator.probe.writes.reads_record import reads_after
from generator.probe.writes.record import writes_after
from tests.fixtures import tiny, tiny_ops

pytestmark = pytest.mark.filterwarnings("ignore")  # samples of OpInfo warn of what they try

WRITTEN = (
    *("torch.exp", "torch.mul", "torch.cat", "torch.unbind", "torch.sparse.mm", "torch.unique"),
    *("torch.nn.functional.max_pool2d", "torch.nn.functional.dropout"),
)
READ = (
    *("torch.split", "torch.unbind", "torch.unsafe_split", "torch.hsplit", "torch.transpose"),
    *("torch.nn.functional.relu", "torch.Tensor.to_sparse", "torch.meshgrid", "torch.imag"),
)
SPELLED = ("torch.clamp", "torch.mul", "torch.nn.functional.silu")
KINDS = (
    *("tensor.add_", "tensor.data", "untyped_storage().resize_", "an attribute of ctx"),
    *("torch.optim.SGD(fused=True).step", "torch.distributed.all_reduce"),
    *("batch norm in train mode, after eval mode", "torch.utils.swap_tensors"),
)
HEADER: Header = msgspec.structs.replace(
    tiny.catalogue().header,
    evidence={
        **write_program.templates(FULL),
        **reads_program_module.templates(FULL),
        "write": unseen.TEMPLATE,
        **spelling_program.templates(FULL),
    },
)


def writes_of(name: str) -> Writes:
    entry = ops()[name][0]
    sample = next(op_samples(entry, name, parse(name, entry.aten_name), "cpu", torch.float32))
    return msgspec.convert(writes_after(name, sample), Writes)


def reads_of(name: str) -> Reads:
    tried = msgspec.to_builtins(writes_of(name))
    tried["trials"] = [{"saved": False, **one} for one in tried["trials"]]
    return msgspec.convert(reads_after(tried, None), Reads)


def pages() -> dict[str, tuple[str | None, str]]:
    """Return each program and what the catalogue says that it printed."""
    found: dict[str, tuple[str | None, str]] = {}
    for name in WRITTEN:
        writes = writes_of(name)
        found[f"writes {name}"] = (writes_program(HEADER, writes), writes_printed(HEADER, writes))
    for name in READ:
        op = replace(tiny_ops.exp(), name=name, writes=writes_of(name), reads=reads_of(name))
        assert op.reads is not None
        found[f"reads {name}"] = (reads_program(HEADER, op), reads_printed(op.reads))
    for name in SPELLED:
        made, _ = op_record(name, ops()[name], "cpu")
        op = msgspec.convert(made, OpRecord)
        found[f"spellings {name}"] = (spellings_program(HEADER, op), spellings_printed(op))
    for name in KINDS:
        record = msgspec.convert(unseen.write_record(name), WriteRecord)
        found[f"kind {name}"] = (kind_program(HEADER, record), write_printed(record))
    return found


RUNNER = """
import contextlib, io, json, sys
printed = {}
for name, program in json.load(sys.stdin).items():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(program, name, "exec"), {"__name__": "__main__"})
    printed[name] = out.getvalue()
json.dump(printed, open(sys.argv[1], "w"))
"""


@pytest.fixture(scope="module")
def shown() -> dict[str, tuple[str | None, str]]:
    return pages()


def test_every_program_prints_what_the_catalogue_says(
    shown: dict[str, tuple[str | None, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    target = tmp_path_factory.mktemp("printed") / "printed.json"
    subprocess.run(
        [sys.executable, "-I", "-c", RUNNER, str(target)],
        input=json.dumps({name: program for name, (program, _) in shown.items()}),
        text=True,
        check=True,
    )
    printed: dict[str, Any] = json.loads(target.read_text())
    for name, (_, said) in shown.items():
        assert printed[name] == said != "", name


def test_the_programs_are_plain_pytorch(shown: dict[str, tuple[str | None, str]]) -> None:
    assert len(shown) == len(WRITTEN) + len(READ) + len(SPELLED) + len(KINDS)
    for program, _ in shown.values():
        assert program is not None
        assert program.startswith("import torch\n")
        assert "from generator" not in program
        assert "$" not in program


def test_a_hidden_clone_is_what_the_graph_alone_holds(
    shown: dict[str, tuple[str | None, str]],
) -> None:
    """clamp's gradient needs its input, which `clamp_` overwrites: 256 × 512 float32 are copied."""
    lines = shown["spellings torch.clamp"][1].splitlines()
    said = {line.split()[0]: line.partition(" ")[2] for line in lines}
    assert said["torch.Tensor.clamp_"] == (
        "keeps 524288 bytes, of which the graph alone holds 524288"
    )
    assert said["torch.Tensor.clamp"] == "keeps 524288 bytes, of which the graph alone holds 0"


def test_a_program_says_under_which_masks_a_clone_is_kept(
    shown: dict[str, tuple[str | None, str]],
) -> None:
    """The derivative of a product by one factor is the other: `mul_` overwrites the first."""
    lines = shown["spellings torch.mul"][1].splitlines()
    said = [line.removeprefix("torch.Tensor.mul_ ") for line in lines if "mul_" in line]
    alone = "of which the graph alone holds"
    assert said == [
        f"keeps 1048576 bytes, {alone} 524288, with grad of input + other",
        f"keeps 524288 bytes, {alone} 0, with grad of input",
        f"keeps 524288 bytes, {alone} 524288, with grad of other",
    ]
