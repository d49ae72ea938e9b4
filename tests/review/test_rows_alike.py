"""Long tables say each row once."""

from generator.review.rows_alike import LONGEST, alike

ROW, OTHER = ("all", "MulBackward0", "_saved_self"), ("all", "TanhBackward0", "_saved_result")


def test_a_short_table_stays_as_it_is() -> None:
    assert list(alike([ROW] * LONGEST, 1)) == [ROW] * LONGEST


def test_equal_rows_of_a_long_table_are_counted_in_the_order_of_the_first() -> None:
    told = list(alike([OTHER, *[ROW] * LONGEST, OTHER], 1))
    assert told == [
        ("all", "TanhBackward0 × 2", "_saved_result"),
        ("all", f"MulBackward0 × {LONGEST}", "_saved_self"),
    ]
