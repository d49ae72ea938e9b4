"""Hidden clones of in-place spellings, and the masks under which they are kept."""

import pytest

from generator.catalogue.clones import clone_condition, cloning, hides_a_clone
from generator.catalogue.model.measurement import Argument, Measurement
from generator.catalogue.model.records import (
    Case,
    OpRecord,
    PolicyNode,
    SavedValue,
    TwoWays,
    Variant,
)
from tests.fixtures import tiny_spellings


def spelled(plain: str, in_place: str, extra: int) -> OpRecord:
    """An op whose plain call and whose in-place spelling keep one tensor each, by its role."""
    return OpRecord(
        name="torch.some",
        state="measured",
        nodes=tuple(
            PolicyNode(type="SomeBackward0", saved=(SavedValue("_saved_self", "tensor", (role,)),))
            for role in (plain, in_place)
        ),
        policies=((0,), (1,)),
        cases=(
            Case(
                entry="some",
                samples={"float32": 1},
                call="torch.some(input)",
                arguments=(Argument(name="input", shape=(20,), dtype="float32", bytes=80),),
                outputs=(),
                measurements=(Measurement(mask=("input",), policy=0),),
                two_ways=TwoWays(),
            ),
        ),
        variants=(
            Variant(
                name="torch.Tensor.some_",
                relation="in-place",
                measurement=Measurement(
                    mask=("input",), policy=1, storage_bytes=80, extra_bytes=extra
                ),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("plain", "in_place", "extra", "hidden"),
    [
        # sin keeps its input; sin_ overwrites it, so it keeps a copy made before.
        ("input input", "intermediate", 80, True),
        # exp keeps its output, which exp_ leaves in the place of the input.
        ("output", "output", 0, False),
        # rrelu keeps random noise however it is spelled: nothing is copied for backward.
        ("intermediate", "intermediate", 80, False),
        ("input input", "intermediate", 0, False),
    ],
)
def test_a_hidden_clone_is_an_argument_that_is_an_intermediate_in_place(
    plain: str, in_place: str, extra: int, *, hidden: bool
) -> None:
    record = spelled(plain, in_place, extra)
    (variant,) = record.variants
    assert hides_a_clone(record, variant) is hidden


def test_only_in_place_spellings_hide_a_clone() -> None:
    record = spelled("input input", "intermediate", 80)
    alias = Variant(
        name="torch.alias", relation="alias", measurement=record.variants[0].measurement
    )
    assert not hides_a_clone(record, alias)
    assert not hides_a_clone(record, Variant(name="torch.Tensor.some_", relation="in-place"))


def test_a_clone_is_of_the_masks_that_need_it() -> None:
    record = tiny_spellings.cloning()
    (_, in_place) = record.variants
    masks = [one.mask for one in cloning(record, in_place)]
    assert masks == [("input", "other"), ("other",)]
    assert clone_condition(record, in_place, record.references[0]) == "when `other` requires grad"


def test_a_clone_under_a_further_mask_alone_is_one() -> None:
    record = tiny_spellings.mul(tiny_spellings.by_other())
    assert hides_a_clone(record, record.variants[1])
    without = tiny_spellings.mul(tiny_spellings.by_other(cloned=False))
    assert not hides_a_clone(without, without.variants[1])
