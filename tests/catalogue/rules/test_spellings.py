"""How often each spelling is called, by what the catalogue says of its depth."""

import pytest
from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.rules.spellings import spellings_are_under_the_masks_of_the_reference
from generator.catalogue.spelling_evidence import EACH_MASK, ONE_MASK
from tests.fixtures import tiny_spellings

NAME = "torch.Tensor.mul_"
ONE = f"calls {NAME} under the masks [('input', 'other')]"
THREE = f"calls {NAME} under the masks [('input', 'other'), ('input',), ('other',)]"


@pytest.mark.parametrize(
    ("op", "template", "found"),
    [
        (tiny_spellings.mul(), ONE_MASK, []),
        (tiny_spellings.cloning(), ONE_MASK, [THREE]),
        (tiny_spellings.mul(), EACH_MASK, [ONE]),
        (tiny_spellings.cloning(), EACH_MASK, []),
    ],
)
def test_a_spelling_has_the_masks_that_there_is_a_program_for(
    small: Catalogue, op: OpRecord, template: str, found: list[str]
) -> None:
    header = replace(small.header, evidence={template: ""})
    catalogue = replace(small, header=header, ops={op.name: op})
    said = [*spellings_are_under_the_masks_of_the_reference(catalogue)]
    assert said == [(f"op {op.name}", text) for text in found]


def test_a_sample_is_called_under_one_mask(small: Catalogue) -> None:
    op = tiny_spellings.cloning()
    alias, in_place = op.variants
    by_value = replace(in_place, call=None)
    header = replace(small.header, evidence={EACH_MASK: ""})
    catalogue = replace(
        small, header=header, ops={op.name: replace(op, variants=(alias, by_value))}
    )
    assert [*spellings_are_under_the_masks_of_the_reference(catalogue)] == [
        (f"op {op.name}", THREE)
    ]
