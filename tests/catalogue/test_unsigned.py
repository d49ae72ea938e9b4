"""Numbers that live torch reads as unsigned: `x.sum(-1).grad_fn._saved_dim` is (2**64 - 1,)."""

import re

import pytest

from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord
from generator.catalogue.unsigned import read_as


@pytest.mark.parametrize(
    ("value", "printed", "expected"),
    [
        ("-1", "_saved_dim = 18446744073709551615", "18446744073709551615"),
        ("(0, -2)", "_saved_dim = (0, 18446744073709551614)", "(0, 18446744073709551614)"),
        ("-100", "_saved_ignore_index = 18446744073709551516", "18446744073709551516"),
        ("-1", "_saved_scale = -1", None),
        ("-1", None, None),
        ("-1.5", "_saved_p = 18446744073709551615", None),
        ("3", "_saved_dim = 3", None),
    ],
)
def test_what_a_number_reads_as(value: str, printed: str | None, expected: str | None) -> None:
    assert read_as(value, printed) == expected


def test_every_number_near_two_to_the_64_in_evidence_is_explained(committed: Catalogue) -> None:
    """What a program of a page prints as a huge number stands in the table as it reads, too."""
    records: list[OpRecord | ModuleRecord] = [*committed.ops.values(), *committed.modules.values()]
    references = [one for record in records for one in record.references]
    huge = 0
    for one in references:
        seen = set(re.findall(r"_saved_\w+ = \(?.*?(1844674407370955\d{4})\b", one.printed or ""))
        told = {text for value in one.values if (text := read_as(value, one.printed))}
        huge += len(seen)
        assert all(any(number in text for text in told) for number in seen), one.printed
    assert huge > 50
