"""What a release is asked is the call itself, at accepted sizes and at those that are asked for."""

import msgspec

from generator.catalogue.model.records import Catalogue
from generator.review.question import question
from generator.review.sizes import choose


def test_both_calls_have_the_shapes_dtypes_and_mask_of_the_formula(small: Catalogue) -> None:
    record = small.ops["torch.mul"]
    asked = question(record, choose(record, "1000x3000", "bfloat16", None))
    assert asked["call"] == "torch.mul(input, other)"
    assert asked["setup"] == record.references[0].setup
    tensor = {"shape": (1000, 3000), "dtype": "bfloat16", "requires": True}
    assert asked["asked"] == {
        "sizes": {"N": 1000, "C": 3000},
        "tensors": {"input": tensor, "other": tensor},
    }
    assert asked["known"]["tensors"]["input"]["shape"] == (192, 256)


def test_indices_keep_their_dtype_and_what_needs_no_grad_asks_for_none(small: Catalogue) -> None:
    record = small.ops["torch.mul"]
    reference = record.references[0]
    first, second = reference.arguments
    measured = msgspec.structs.replace(reference.measurements[0], mask=("input",))
    changed = msgspec.structs.replace(
        reference,
        arguments=(first, msgspec.structs.replace(second, dtype="int64")),
        measurements=(measured, *reference.measurements[1:]),
    )
    record = msgspec.structs.replace(record, references=(changed,))
    asked = question(record, choose(record, "4x6", "float64", None))
    tensors = asked["asked"]["tensors"]
    assert tensors["other"] == {"shape": (4, 6), "dtype": "int64", "requires": False}
    assert tensors["input"] == {"shape": (4, 6), "dtype": "float64", "requires": True}
