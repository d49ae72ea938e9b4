"""Bills of two catalogues, compared setting by setting."""

from typing import Any

import pytest
from msgspec import structs

from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import (
    Added,
    Bytes,
    BytesChanged,
    Call,
    CallRemoved,
    Change,
    DetailChanged,
    NotComparable,
    Removed,
    StateChanged,
)
from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.records import Catalogue
from tests.fixtures.tiny_blocks import linear_relu

FROZEN = Call(kind="bill", filed="", text="frozen: only the input requires grad", mode="train")
NAMED: dict[str, Any] = {"subject": "block", "name": "linear-relu"}


def changes(small: Catalogue, old: BlockRecord | None, new: BlockRecord | None) -> list[Change]:
    sides = [{one.name: one} if one else {} for one in (old, new)]
    before, after = (structs.replace(small, blocks=side) for side in sides)
    return compare(before, after)


def with_frozen(**fields: Any) -> BlockRecord:
    """The block with its second bill, the frozen one, changed."""
    block = linear_relu()
    first, frozen, last = block.bills
    return structs.replace(block, bills=(first, structs.replace(frozen, **fields), last))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (linear_relu(), linear_relu(), []),
        (None, linear_relu(), [Added(**NAMED, state="measured")]),
        (linear_relu(), None, [Removed(**NAMED, state="measured")]),
        (
            linear_relu(),
            structs.replace(linear_relu(), state="crashed", reason="SIGSEGV", bills=()),
            [NotComparable(**NAMED, old="measured", new="crashed")],
        ),
        (
            linear_relu(),
            structs.replace(linear_relu(), state="not differentiable", reason="no", bills=()),
            [StateChanged(**NAMED, old="measured", new="not differentiable")],
        ),
        (
            linear_relu(),
            with_frozen(storage_bytes=1, extra_bytes=0, logical_bytes=1),
            [
                BytesChanged(
                    **NAMED,
                    call=FROZEN,
                    mask=("inputs",),
                    old=Bytes(logical=1_081_344, storage=1_081_344, extra=32_768),
                    new=Bytes(logical=1, storage=1, extra=0),
                )
            ],
        ),
        (
            linear_relu(),
            with_frozen(state="raised", reason="no memory"),
            [NotComparable(**NAMED, call=FROZEN, old="measured", new="raised")],
        ),
        (
            linear_relu(),
            structs.replace(linear_relu(), bills=(linear_relu().bills[0], linear_relu().bills[2])),
            [CallRemoved(**NAMED, call=FROZEN)],
        ),
    ],
)
def test_changes(
    small: Catalogue, old: BlockRecord | None, new: BlockRecord | None, expected: list[Change]
) -> None:
    assert changes(small, old, new) == expected


def test_another_keeper_of_the_same_bytes_is_told(small: Catalogue) -> None:
    block = linear_relu()
    keepers = (structs.replace(block.keepers[0], node="MmBackward0"), block.keepers[1])
    found = changes(small, block, structs.replace(block, keepers=keepers))
    assert all(isinstance(one, DetailChanged) and one.field == "items" for one in found)
    assert len(found) == 3
