"""Rows that say the same are one, with their number; what differs stays apart."""

from generator.pages.parts import Chip, Link
from generator.pages.rows_alike import kept_by_role, saved_alike, values_alike
from generator.pages.saved import SavedRow, ValueRow

MUL, TANH = Link("MulBackward0", "nodes/Mul/"), Link("TanhBackward0", "nodes/Tanh/")
SELF, OTHER = Link("_saved_self", "#self"), Link("_saved_other", "#other")
INNER, GIVEN = Chip("intermediate", "intermediate"), Chip("input x", "input")


def saved(node: Link | None, attribute: Link, chip: Chip, storage: str = "") -> SavedRow:
    return SavedRow(node, 2, attribute, chip, "4 × 2", "float32", "32", storage)


def test_tensors_that_are_alike_share_a_row_also_where_a_node_goes_on() -> None:
    rows = [saved(MUL, SELF, INNER), saved(None, OTHER, GIVEN), saved(TANH, SELF, INNER)] * 3
    told = saved_alike(rows)
    assert [(one.node, one.attribute, one.times, one.bytes) for one in told] == [
        (MUL, SELF, "× 3", "each 32"),
        (MUL, OTHER, "× 3", "each 32"),
        (TANH, SELF, "× 3", "each 32"),
    ]
    assert {one.node_span for one in told} == {1}


def test_shared_storages_are_counted_and_a_row_alone_keeps_its_mark() -> None:
    rows = [
        saved(MUL, SELF, INNER, "storage 1"),
        saved(MUL, SELF, INNER, "storage 1"),
        saved(MUL, SELF, INNER),
        saved(MUL, OTHER, GIVEN, "storage 1"),
    ]
    assert [one.storage for one in saved_alike(rows)] == ["in 2 storages", "storage 1"]
    apart = [saved(MUL, SELF, INNER), saved(MUL, SELF, INNER)]
    assert [one.storage for one in saved_alike(apart)] == [""]


def test_values_that_are_alike_share_a_row() -> None:
    one, two = (ValueRow("TBackward0", SELF, "scalar", value) for value in ("0", "1"))
    assert [(row.node, row.value) for row in values_alike([one, two, one])] == [
        ("TBackward0 × 2", "0"),
        ("TBackward0", "1"),
    ]


def test_a_role_is_named_once_with_all_attributes_that_hold_it() -> None:
    kept = [
        ("MulBackward0", "_saved_self", INNER),
        ("MulBackward0", "_saved_other", GIVEN),
        ("MulBackward0", "_saved_other", INNER),
        ("TanhBackward0", "_saved_result", INNER),
    ]
    assert kept_by_role(kept) == (
        ("MulBackward0._saved_self, _saved_other, TanhBackward0._saved_result", INNER),
        ("MulBackward0._saved_other", GIVEN),
    )
