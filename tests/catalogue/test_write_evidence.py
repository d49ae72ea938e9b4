"""What programs about writes are made of, and what they printed, read off the small catalogue."""

from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.writes import Writes
from generator.catalogue.write_evidence import BY_MASK, writes_printed, writes_program
from generator.catalogue.writes import named_by
from tests.fixtures import tiny_writes


def writes_of_exp(small: Catalogue) -> Writes:
    writes = small.ops["torch.exp"].writes
    assert writes is not None
    return writes


def test_the_program_is_filled_in_from_the_record(small: Catalogue) -> None:
    assert writes_program(small.header, writes_of_exp(small)) == (
        "import torch\n\n"
        "input = torch.randn(5, 5)\n"
        "input = input.clone()\n"
        "output = torch.exp(input)\n"
        'write([input], ["input"])\n'
    )


def test_a_call_by_value_has_no_program(small: Catalogue) -> None:
    assert writes_program(small.header, replace(writes_of_exp(small), setup=None)) is None
    assert writes_program(replace(small.header, evidence={}), writes_of_exp(small)) is None


def test_what_it_printed_follows_from_the_trials(small: Catalogue) -> None:
    wrong = "silently wrong"
    lines = writes_printed(small.header, writes_of_exp(small)).splitlines()
    assert lines[1:6] == [
        "input",
        *(f"    {hooks}: correct, correct, correct, correct" for hooks in HOOKS),
        "output",
    ]
    assert lines[6:9] == [
        f"    no hooks: raises, raises, raises, {wrong}",
        f"    identity hooks: {wrong}, {wrong}, {wrong}, {wrong}",
        f"    save_on_cpu: {wrong}, {wrong}, {wrong}, {wrong}",
    ]
    assert lines[9].strip() == tiny_writes.MODIFIED.format(shape=[5, 5], maker="Exp")
    assert lines[10:] == ["    largest relative error: 0.52"]


HOOKS = ("no hooks", "identity hooks", "save_on_cpu")


def test_another_output_is_shown_as_it_was(small: Catalogue) -> None:
    assert writes_printed(small.header, replace(writes_of_exp(small), printed="else\n")) == "else\n"
    reason = "backward raises without any write: RuntimeError: no"
    untried = replace(writes_of_exp(small), trials=(), reason=reason)
    assert writes_printed(small.header, untried) == f"{reason}\n"


def test_whom_a_message_names() -> None:
    assert named_by(tiny_writes.MODIFIED.format(shape=[2], maker="Exp")) == "Exp"
    assert named_by("[torch.FloatTensor [2]] is at version 1; expected version 0 instead.") is None


def test_under_later_masks_it_tells_of_what_ends_otherwise(small: Catalogue) -> None:
    """Writing to what is kept for a gradient that nobody asks for is fine."""
    writes = small.ops["torch.mul"].writes
    assert writes is not None
    writes = replace(writes, setup="input = torch.randn(5, 5)")
    evidence = {**small.header.evidence, BY_MASK: "try([$masks], {$given})\n"}
    header = replace(small.header, evidence=evidence)
    assert writes_program(header, writes) == (
        'try([("input", "other"), ("input",), ("other",)], {"input": input, "other": other})\n'
    )
    lines = writes_printed(header, writes).splitlines()
    later = lines.index("requires grad: input")
    fine = [f"    {hooks}: correct, correct, correct, correct" for hooks in HOOKS]
    assert lines[1] == "requires grad: input, other"
    assert lines[later + 1 : later + 5] == ["  input", *fine]
    assert lines[later + 5] == "requires grad: other"
