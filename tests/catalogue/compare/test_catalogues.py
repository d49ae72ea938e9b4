"""Two catalogues, and the changes that comparing them must yield: (old, new, expected)."""

from typing import Any

import msgspec
import pytest

from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import Change, DetailChanged, NotComparable, Removed
from generator.catalogue.model.records import Catalogue, Witness
from tests.fixtures import changes_of_calls, changes_of_records, changes_of_writes, tiny, tiny_ops
from tests.fixtures.changing import EXP_NODE, changed, of

TABLE = {**changes_of_records.TABLE, **changes_of_calls.TABLE, **changes_of_writes.TABLE}


@pytest.mark.parametrize(("old", "new", "expected"), TABLE.values(), ids=TABLE.keys())
def test_changes(old: Catalogue, new: Catalogue, expected: list[Change]) -> None:
    assert compare(old, new) == expected


def test_identical_catalogues_have_no_changes(small: Catalogue) -> None:
    assert compare(small, tiny.catalogue()) == []


def test_renumbered_policies_are_told_although_nothing_else_changed() -> None:
    mul = tiny_ops.mul()

    def renumbered(call: Any) -> Any:
        measurements = [
            changed(one, policy=(0, 2, 1, 3)[one.policy or 0]) for one in call.measurements
        ]
        return changed(call, measurements=tuple(measurements))

    swapped = changed(
        mul,
        policies=(mul.policies[0], mul.policies[2], mul.policies[1], mul.policies[3]),
        references=(renumbered(mul.references[0]),),
        cases=(renumbered(mul.cases[0]),),
    )
    changes = compare(of(mul), of(swapped))
    assert [one.field for one in changes if isinstance(one, DetailChanged)] == [
        "policies",
        "references",
        "cases",
    ]
    assert len(changes) == 3


def test_changes_are_in_the_order_of_the_file(small: Catalogue) -> None:
    empty = of()
    subjects = [(one.subject, one.name) for one in compare(empty, small)]
    kinds = ("header", "op", "module", "node", "block", "write")
    assert subjects == sorted(subjects, key=lambda pair: (kinds.index(pair[0]), pair[1]))
    assert len(subjects) == sum(sum(states.values()) for states in small.header.counts.values())


def test_changes_can_be_written_and_read_back() -> None:
    changes = [change for _, _, expected in TABLE.values() for change in expected]
    written = msgspec.json.encode(changes)
    assert msgspec.json.encode(msgspec.json.decode(written, type=list[Change])) == written


def test_a_witness_that_is_no_longer_catalogued_hides_nothing() -> None:
    orphan = changed(EXP_NODE, witness=Witness(layer="op sample", name="torch.expp"))
    assert compare(of(orphan), of()) == [
        Removed(subject="node", name="ExpBackward0", state="witnessed")
    ]


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """List the place of every number and text inside a nested value."""
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for key, item in enumerate(value) for leaf in leaves(item, (*path, key))]
    return [path]


def touched(value: Any, path: tuple[str | int, ...]) -> Any:
    """Copy a nested value with one number or text changed."""
    if not path:
        return value + 1 if isinstance(value, int) else f"{value}?"
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = touched(value[path[0]], path[1:])
    return copy


def test_whatever_is_touched_makes_a_change(small: Catalogue) -> None:
    records = [
        *small.ops.values(),
        *small.modules.values(),
        *small.nodes.values(),
        *small.writes.values(),
    ]
    changes = 0
    for record in records:
        plain = msgspec.json.decode(msgspec.json.encode(record))
        for path in leaves(plain):
            # Renumbering has a test of its own; a number that leads nowhere is a violation.
            if {"kind", "policy", "policies"}.intersection(path) or path[3:4] == ("masks",):
                continue
            try:
                other = msgspec.convert(touched(plain, path), type(record), strict=True)
            except msgspec.ValidationError:
                continue  # one of a few fixed words, such as a state
            assert compare(of(record), of(other)), path
            assert compare(of(other), of(record)), path
            changes += 1
    assert changes > 400


def test_kinds_of_write_are_compared_by_name(small: Catalogue) -> None:
    add, data, fused = (small.writes[name] for name in sorted(small.writes))
    other = changed(small, writes={data.name: changed(data, versions=(0, 1)), fused.name: add})
    found = [one for one in compare(small, other) if one.subject == "write"]
    assert found == [
        Removed(subject="write", name=add.name, state="measured"),
        DetailChanged(subject="write", name=data.name, field="versions", old=(0, 0), new=(0, 1)),
        NotComparable(subject="write", name=fused.name, old="raised", new="measured"),
    ]
