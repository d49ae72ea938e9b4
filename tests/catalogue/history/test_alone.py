"""The history of one record alone is what the history of all records says of it."""

from pathlib import Path

import pytest
from msgspec import structs

from generator.catalogue import store
from generator.catalogue.history.alone import history_alone
from generator.catalogue.history.others import Other, others
from generator.catalogue.history.timelines import history
from generator.catalogue.model.conditions import Applied, ConditionName, Conditions, RefusedCall
from generator.catalogue.model.history import History, Timeline
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.shelf import Shelf, open_shelf
from generator.review.diff import Plain
from tests.fixtures.tiny_releases import INPUT, NEW, OLD, node, op, released, type_of

OLDEST = "1.13.1"
CONDITIONS: tuple[ConditionName, ...] = ("float64", "complex64")
Told = tuple[tuple[Timeline, ...], tuple[Other, ...]]


def told(of: History, kind: str, name: str) -> Told:
    filed = {"op": of.ops, "module": of.modules, "node": of.nodes}[kind]
    return filed.get(name, ()), others(of, Plain()).get((kind, name), ())


@pytest.fixture(scope="module")
def shelf(root: Path) -> Shelf:
    return open_shelf(root, "cpu")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("op", "torch.mean"),  # another policy, other verdicts, other messages
        ("op", "torch.nn.functional.layer_norm"),  # renamed attributes on the way
        ("op", "torch.norm"),  # an op whose graph changed often
        ("module", "torch.nn.LSTM"),
        ("node", "ExpandBackward0"),  # renamed attributes that other types share
        ("node", "AddmmBackward"),  # another name in every newer release
    ],
)
def test_a_committed_record(whole_history: History, shelf: Shelf, kind: str, name: str) -> None:
    expected = told(whole_history, kind, name)
    assert expected[0]
    alone = history_alone(shelf, (kind, name)).history
    assert told(alone, kind, name) == expected
    assert alone.releases == whole_history.releases


def alone(root: Path, catalogues: list[Catalogue], kind: str, name: str) -> Told:
    """Write catalogues and tell the history of a record of theirs alone."""
    for one in catalogues:
        store.save(store.path_of(root, one.header.release, "cpu"), one)
    return told(history_alone(open_shelf(root, "cpu"), (kind, name)).history, kind, name)


def under(name: str, *refused: ConditionName) -> OpRecord:
    """An op that is refused under some conditions, and keeps the same under the others of two."""
    same = tuple(one for one in CONDITIONS if one not in refused)
    found = Conditions(
        unchanged={"": same},
        refused=tuple(RefusedCall(conditions=(Applied(one),), reason="no") for one in refused),
    )
    return structs.replace(op(name=name), conditions=found)


def test_conditions_are_put_together_as_among_other_ops(tmp_path: Path) -> None:
    # Both are new to torch.mean; one of them is to torch.exp as well, and is told apart for that.
    catalogues = [
        released(OLD, under("torch.exp", "float64"), under("torch.mean", *CONDITIONS)),
        released(NEW, under("torch.exp"), under("torch.mean")),
    ]
    expected = told(history(catalogues), "op", "torch.mean")
    assert len(expected[1]) == len(CONDITIONS)
    assert alone(tmp_path, catalogues, "op", "torch.mean") == expected


def test_a_type_that_only_other_calls_show_to_be_renamed(tmp_path: Path) -> None:
    # What is spelled alike came as well, so that the calls of another op decide.
    before = [op(node("OldBackward", INPUT)), op(node("OldBackward", INPUT), name="torch.exp")]
    after = [op(node("NewBackward", INPUT)), op(node("NewBackward", INPUT), name="torch.exp")]
    types = [type_of("OldBackward", "_saved_self")], [type_of("NewBackward", "_saved_self")]
    doubt = op(node("Third", INPUT), name="torch.exp")
    for others_after in (after[1], doubt):
        catalogues = [
            released(OLDEST, *before, *types[0]),
            released(OLD, after[0], others_after, *types[1], type_of("Third")),
        ]
        expected = told(history(catalogues), "op", "torch.mean")
        assert alone(tmp_path, catalogues, "op", "torch.mean") == expected
        steps = [one.step for one in expected[0][0].spans]
        assert steps == (["first"] if others_after is after[1] else ["first", "changed"])


def test_a_message_is_counted_among_those_of_other_records(tmp_path: Path) -> None:
    said = "RuntimeError: of output 0 of {}, is at version 1"
    catalogues = [
        released(
            release,
            *(
                type_of(f"{name}Backward0", error=said.format(f"{name}{ending}"))
                for name in ("Exp", "Sin", "Tanh")
            ),
        )
        for release, ending in ((OLD, "Backward0"), (NEW, ""))
    ]
    expected = told(history(catalogues), "node", "SinBackward0")
    assert expected[1][0].sentence.startswith("here and in 2 other records")
    assert alone(tmp_path, catalogues, "node", "SinBackward0") == expected
