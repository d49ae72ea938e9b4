"""What a run says of its outcome, for catalogues whose difference is known."""

from pathlib import Path

import msgspec
import pytest

from generator import report
from generator.catalogue import codec
from generator.catalogue.compare.changes import DetailChanged
from generator.catalogue.model.records import Catalogue, NodeRecord, OpRecord
from generator.errors import CatalogueError
from tests.fixtures import tiny, tiny_writes

PATH = Path("docs/data/torch-2.13.0-cpu.jsonl")


def catalogue_of(*records: OpRecord | NodeRecord, processor: str = "one") -> Catalogue:
    build = msgspec.structs.replace(tiny.BUILD, processor=processor)
    return codec.assemble(tiny.RELEASE, build, records, {})


def test_counts_name_the_build_and_every_state(small: Catalogue) -> None:
    lines = report.counts(small).splitlines()
    assert lines[0] == "Measured torch 2.13.0+cpu on cpu with Python 3.11.2:"
    assert "  5 ops: 1 crashed, 3 measured, 1 not differentiable" in lines
    assert "  1 module: 1 measured" in lines


def test_a_first_measurement_is_new(small: Catalogue) -> None:
    assert report.outcome(small, None, PATH).splitlines()[-1] == f"{PATH} is new."


def test_the_same_bytes_are_said_to_be_the_same(small: Catalogue) -> None:
    said = report.outcome(small, tiny.catalogue(), PATH)
    assert said.endswith("is unchanged: this run measured the same, byte for byte.")


def test_differences_are_listed_with_the_committed_side_first() -> None:
    before = catalogue_of(
        OpRecord(name="torch.exp", state="measured"),
        OpRecord(name="torch.gone", state="measured"),
        NodeRecord(name="ExpBackward0", state="declared"),
    )
    now = catalogue_of(
        OpRecord(name="torch.exp", state="crashed", reason="signal 11"),
        OpRecord(name="torch.new", state="measured"),
        NodeRecord(name="ExpBackward0", state="witnessed"),
        processor="another",
    )
    said = list(report.comparison(now, before, PATH))
    assert said[0].endswith("differences, before → now:")
    assert "  build: processor one → another" in said
    assert "  op torch.gone: removed (measured)" in said
    assert "  op torch.new: added (measured)" in said
    assert "  op torch.exp: not comparable, measured → crashed" in said
    assert "  node ExpBackward0: declared → witnessed" in said


def test_bytes_and_roles_are_worded() -> None:
    exp = tiny.catalogue().ops["torch.exp"]
    first = exp.references[0].measurements[0]
    heavier = msgspec.structs.replace(first, extra_bytes=7)
    reference = msgspec.structs.replace(exp.references[0], measurements=(heavier,))
    changed = msgspec.structs.replace(exp, references=(reference,))
    said = list(report.comparison(catalogue_of(changed), catalogue_of(exp), PATH))
    assert said[1] == (
        "  op torch.exp, reference output = torch.exp(input) where input requires grad:"
        " logical 524288 → 524288, storage 524288 → 524288, extra 0 → 7 bytes"
    )


def test_a_write_is_worded_by_how_it_ended() -> None:
    exp = tiny.catalogue().ops["torch.exp"]
    writes = tiny_writes.exp()
    unseen = msgspec.structs.replace(writes.trials[1], plain=tiny_writes.WRONG, message=None)
    now = msgspec.structs.replace(
        exp, writes=msgspec.structs.replace(writes, trials=(writes.trials[0], unseen))
    )
    said = list(report.comparison(catalogue_of(now), catalogue_of(exp), PATH))
    assert said[1:] == [
        (
            "  op torch.exp, writing to output where input requires grad:"
            " raises (by .data silently wrong, under hooks silently wrong) →"
            " silently wrong (by .data silently wrong, under hooks silently wrong)"
        )
    ]


def test_calls_that_cannot_be_paired_are_said_so() -> None:
    softsign = tiny.catalogue().ops["torch.nn.functional.softsign"]
    before = catalogue_of(msgspec.structs.replace(softsign, cases=()))
    now = catalogue_of(msgspec.structs.replace(softsign, references=()))
    said = list(report.comparison(now, before, PATH))
    assert said[1] == ("  op torch.nn.functional.softsign: not comparable, measured by other calls")


def test_a_long_list_is_cut_and_says_so() -> None:
    ops = [OpRecord(name=f"torch.op{number}", state="measured") for number in range(40)]
    said = list(report.comparison(catalogue_of(*ops), catalogue_of(), PATH))
    assert len(said) == 1 + report.LISTED + 1
    assert said[-1] == "  and 10 more; `git diff` shows them all"


def test_a_damaged_file_is_not_compared(small: Catalogue) -> None:
    said = list(report.comparison(small, CatalogueError("line 3 is damaged"), PATH))
    assert said == [
        "Not compared with the file that was there, which was set aside: line 3 is damaged."
    ]


def test_one_difference_is_counted_as_one() -> None:
    exp = OpRecord(name="torch.exp", state="measured")
    said = list(report.comparison(catalogue_of(exp), catalogue_of(), PATH))
    assert said[0] == f"{PATH} was replaced; 1 difference, before → now:"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, "b", 'field null → "b"'),
        ({"a": [1, {"b": True}]}, {"a": [1, {"b": False}]}, "field.a[1].b true → false"),
        ({"a": 1}, {"a": 1, "b": [2]}, "field.b absent → [2]"),
        ([1], [1, 2, 3], "field[1] absent → 2"),
        (
            "x" * 200 + "old",
            "x" * 200 + "new",
            f'field …{"x" * 15}old" → …{"x" * 15}new"',
        ),
        ("a" + "x" * 80, "b", f'field "a{"x" * 57}… → "b"'),
    ],
)
def test_a_detail_is_the_first_leaf_that_differs(old: object, new: object, expected: str) -> None:
    change = DetailChanged(subject="op", name="torch.exp", field="field", old=old, new=new)
    assert report.describe(change) == f"op torch.exp: {expected}"
