"""The timing of the probe: which tasks it takes, and that every layer it names is met."""

import os
import signal

import pytest

from generator.probe import bench
from generator.probe.calls import Call
from generator.probe.guard import Guard
from generator.probe.tasks import Made, Task, listed_tasks, make

pytestmark = pytest.mark.filterwarnings(
    "ignore"  # samples of OpInfo warn of what they try, and workers are forked on purpose
)


def test_every_twentieth_task_of_each_kind_is_chosen() -> None:
    tasks = [Task("op", str(place), None) for place in range(41)] + [Task("block", "b", None)]
    assert [task.name for task in bench.chosen(tasks)] == ["0", "20", "40", "b"]


def test_each_layer_is_timed_within_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {"torch.exp", "torch.nn.ReLU", "ExpBackward0", "mlp-classifier", "tensor.add_"}
    tasks = [task for task in listed_tasks(None) if task.name in wanted]
    assert len(tasks) == len(wanted)
    monkeypatch.setattr(bench, "listed_tasks", lambda *_: tasks)
    run = Call.run
    made = bench.bench_recording("cpu", workers=1)
    assert Call.run is run
    assert [layer["name"] for layer in made["layers"]] == list(bench.LAYERS)
    for layer in made["layers"]:
        assert 0 <= layer["bare_seconds"] <= layer["full_seconds"]
    assert (made["tasks"], made["of_tasks"], made["workers"]) == (5, 5, 1)
    assert made["peak_bytes"] > 100 * 2**20


def test_a_task_that_kills_its_process_costs_no_other_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parent = os.getpid()

    def deadly(task: Task, guard: Guard, device: str) -> Made:
        if task.name == "tensor.copy_" and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return make(task, guard, device)

    tasks = [Task("write", name, None) for name in ("tensor.copy_", "tensor.add_")]
    monkeypatch.setattr(bench, "STRIDE", 1)
    monkeypatch.setattr(bench, "make", deadly)
    monkeypatch.setattr(bench, "listed_tasks", lambda *_: tasks)
    made = bench.bench_recording("cpu", workers=1)
    assert made["tasks"] == 2
    assert [layer["name"] for layer in made["layers"]] == ["kinds of write"]
