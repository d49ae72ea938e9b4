"""The program that checks a formula runs on its own, and prints what the formula gives."""

import subprocess
import sys

import msgspec
import pytest

from generator.catalogue.formulas.evidence import formula_printed, formula_program
from generator.catalogue.model.records import Catalogue


@pytest.mark.parametrize(("name", "tensors"), [("torch.exp", 1), ("torch.mul", 2)])
def test_it_prints_what_the_formula_gives(small: Catalogue, name: str, tensors: int) -> None:
    program = formula_program(small.ops[name])
    assert program is not None
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    size = tensors * 4 * 192 * 256
    assert done.stdout == f"logical {size}, storage {size}, extra 0 bytes\n"
    assert done.stdout == formula_printed(small.ops[name])


def test_there_is_none_where_the_arguments_would_have_to_grow(small: Catalogue) -> None:
    record = small.ops["torch.exp"]
    pricing = record.formulas[0]
    assert pricing.formula is not None
    formula = msgspec.structs.replace(pricing.formula, held_out=((257, 8), (300, 600)))
    larger = (msgspec.structs.replace(pricing, formula=formula),)
    assert formula_program(msgspec.structs.replace(record, formulas=larger)) is None
    assert formula_program(msgspec.structs.replace(record, formulas=())) is None
