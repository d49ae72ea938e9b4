"""The program of an op's spellings, from the reference call in each of them."""

from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue, Header, OpRecord, Variant
from generator.catalogue.spelling_evidence import spellings_printed, spellings_program

TEMPLATE = "calls = {\n    $calls\n}\n$setup\nfor leaf in ($leaves,): ...\n$clone\n[$arguments]\n"


def with_spellings(op: OpRecord) -> OpRecord:
    measured = op.references[0].measurements[0]
    return replace(
        op,
        variants=(
            Variant(
                name="torch.Tensor.exp_",
                relation="in-place",
                call="output = torch.Tensor.exp_(input)",
                measurement=measured,
            ),
            Variant(name="torch.Tensor.exp", relation="method", measurement=measured),
        ),
    )


def header_of(small: Catalogue) -> Header:
    return replace(small.header, evidence={"spellings": TEMPLATE})


def test_the_program_makes_the_reference_call_in_each_spelling(small: Catalogue) -> None:
    op = with_spellings(small.ops["torch.exp"])
    assert spellings_program(header_of(small), op) == (
        "calls = {\n"
        '    "torch.Tensor.exp_": lambda: torch.Tensor.exp_(input)\n'
        "}\n"
        "input = torch.randn(256, 512)\n"
        "for leaf in (input,): ...\n"
        "input = input.clone()\n"
        "[input]\n"
    )
    # 256 × 512 float32, which the caller holds as the output
    assert spellings_printed(op) == (
        "torch.Tensor.exp_ keeps 524288 bytes, of which the graph alone holds 0\n"
    )


def test_spellings_called_by_value_have_no_program(small: Catalogue) -> None:
    assert spellings_program(header_of(small), small.ops["torch.exp"]) is None
    assert spellings_printed(small.ops["torch.exp"]) == ""


EACH = "calls = {\n    $calls\n}\nmasks = {\n    $masks\n}\n$setup\n$clone\n[$arguments]\n"


def test_a_spelling_under_several_masks_has_the_program_for_each(small: Catalogue) -> None:
    both, by_input, by_other = small.ops["torch.mul"].references[0].measurements
    called = Variant(
        name="torch.multiply",
        relation="alias",
        call="output = torch.multiply(input, other)",
        measurement=both,
        further=(by_input, by_other),
    )
    refused = replace(by_other, state="not differentiable", reason="no output", policy=None)
    op = replace(
        small.ops["torch.mul"],
        variants=(called, replace(called, name="other", further=(by_input, refused))),
    )
    header = replace(small.header, evidence={"spellings under each mask": EACH})
    program = spellings_program(header, op)
    assert program is not None
    assert '"input + other": lambda: [input, other],\n    "input": lambda: [input],' in program
    # 256 × 512 float32 of each factor, which the caller holds
    both_alone, one_alone = (
        f"keeps {count * 524_288} bytes, of which the graph alone holds 0" for count in (2, 1)
    )
    assert spellings_printed(op).splitlines() == [
        f"torch.multiply {both_alone}, with grad of input + other",
        f"torch.multiply {one_alone}, with grad of input, or other",
        f"other {both_alone}, with grad of input + other",
        f"other {one_alone}, with grad of input",
        "other makes no graph, with grad of other",
    ]
    assert spellings_program(header_of(small), op) is None
