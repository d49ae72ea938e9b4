"""Tasks know nothing of each other: neither order nor neighbours change what is made."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
import pytest

from generator.catalogue import codec
from generator.catalogue.model.records import ModuleRecord, OpRecord
from generator.probe import tasks
from generator.probe.depth import HISTORY
from generator.probe.guard import Ended, Guard
from generator.probe.pool import run_tasks
from generator.probe.tasks import MAKERS, Made, Task, given_up, listed_tasks, make

pytestmark = pytest.mark.filterwarnings(
    "ignore"  # samples of OpInfo warn of what they try, and workers are forked on purpose
)
NAMES = ["torch.exp", "torch.nn.functional.dropout", "torch.nn.ReLU", "ExpBackward0", "tensor.add_"]


def made(tasks: Sequence[Task], workers: int) -> dict[str, Made]:
    outcomes = list(run_tasks(partial(make, device="cpu"), tasks, workers))
    assert all(outcome.state is None for outcome in outcomes)
    return {tasks[outcome.task].name: outcome.result for outcome in outcomes}


def test_order_and_neighbours_change_nothing() -> None:
    listed = listed_tasks(NAMES)
    assert {task.name for task in listed} == set(NAMES)
    together = made(listed, 3)
    assert made(listed[::-1], 1) == together
    alone: dict[str, Any] = {}
    for task in listed[:2]:
        alone.update(made([task], 1))
    assert alone == {task.name: together[task.name] for task in listed[:2]}


def test_every_kind_of_task_has_a_maker_and_a_name_of_its_own() -> None:
    listed = listed_tasks(None)
    assert {task.kind for task in listed} == set(MAKERS)
    labels = [(task.kind, task.name) for task in listed]
    assert len(labels) == len(set(labels))


def test_a_task_that_is_given_up_has_a_record_with_its_reason() -> None:
    ended = Ended("crashed", "the process was ended by SIGSEGV")
    for kind in set(MAKERS) - {"recipe"}:
        (record,) = given_up(Task(kind, "name", None), ended).records
        assert record.items() >= {"kind": kind, "name": "name", **ended._asdict()}.items()
        read = msgspec.convert(record, codec.MeasuredRecord)
        assert (read.name, read.state, read.reason) == ("name", *ended)
        if isinstance(read, (OpRecord, ModuleRecord)):
            assert ended.reason in str(read.unreferenced)
    node = given_up(Task("recipe", "ExpBackward0", None), ended)
    assert node.records == []
    assert "SIGSEGV" in str(node.sightings["ExpBackward0"])


def test_at_depth_history_no_block_is_a_task_and_ops_leave_out_what_is_costly() -> None:
    assert "block" not in {task.kind for task in listed_tasks(None, HISTORY)}
    (task,) = listed_tasks(["torch.exp"], HISTORY)
    (record,) = make(task, Guard(), "cpu").records
    (whole,) = make(*listed_tasks(["torch.exp"]), Guard(), "cpu").records
    left_out = {"conditions", "compiled", "formulas", "reads"}
    assert whole.keys() - record.keys() == left_out
    assert record == {field: value for field, value in whole.items() if field not in left_out}


def test_ops_with_a_reference_program_are_tasks_without_an_entry_of_opinfo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (listed,) = listed_tasks(["torch.exp"])
    assert [entry.name for entry in listed.source] == ["exp"]
    monkeypatch.setattr(tasks, "ops", dict)
    (unlisted,) = listed_tasks(["torch.exp"])
    assert unlisted == listed._replace(source=[])
    monkeypatch.setattr(tasks, "is_reachable", lambda name: name != "torch.exp")
    assert listed_tasks(["torch.exp"]) == []


def test_a_recipe_that_is_given_up_makes_no_type_that_the_release_lacks() -> None:
    ended = Ended("crashed", "the process was ended by SIGABRT")
    registered = given_up(Task("recipe", "ExpBackward0", None), ended)
    assert registered.sightings["ExpBackward0"]["witness"] is None
    assert given_up(Task("recipe", "NoSuchBackward0", None), ended) == Made([], {})
