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
