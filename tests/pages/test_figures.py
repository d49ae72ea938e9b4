import pytest

from generator.pages.figures import (
    by_dtype,
    exact,
    percent,
    plural,
    rounded_bytes,
    shape_text,
)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1,023 bytes"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (524_288, "512 KiB"),
        (2_623_488, "2.5 MiB"),
        (150 * 1024**2 + 1, "150 MiB"),
        (5 * 1024**4, "5120 GiB"),
    ],
)
def test_rounded_bytes(number: int, expected: str) -> None:
    assert rounded_bytes(number) == expected


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (1, "sample", "1 sample"),
        (0, "sample", "0 samples"),
        (1415, "record", "1,415 records"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
    ],
)
def test_plural(number: int, noun: str, expected: str) -> None:
    assert plural(number, noun) == expected


def test_exact_groups_thousands() -> None:
    assert exact(3_672_064) == "3,672,064"


def test_shapes() -> None:
    assert shape_text((256, 512)) == "256 × 512"
    assert shape_text(()) == "()"


def test_counts_by_dtype() -> None:
    assert by_dtype({"float32": 1200, "complex64": 2}) == "float32 1,200, complex64 2"


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [(0, 10, "0%"), (1, 658, "under 1%"), (440, 658, "67%"), (1, 0, "0%"), (5, 5, "100%")],
)
def test_percent(part: int, whole: int, expected: str) -> None:
    assert percent(part, whole) == expected
