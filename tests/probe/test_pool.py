"""A task that kills, hangs or raises costs its own result alone."""

import faulthandler
import os
import resource
import signal
import time
from typing import Any

import pytest

from generator.probe.guard import Guard
from generator.probe.pool import Limits, Outcome, run_tasks

pytestmark = pytest.mark.filterwarnings(
    # the workers are forked on purpose, and use nothing that another thread may hold
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)


def act(task: Any, _guard: Guard) -> Any:
    if task == "abort":
        faulthandler.disable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.abort()
    if task == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "exit":
        os._exit(3)
    if task == "hang":
        while True:
            time.sleep(0.01)
    if task == "raise":
        raise ValueError("first line\nsecond line")
    if task == "slow":
        time.sleep(0.2)
    return f"did {task}", os.getpid()


def outcomes(tasks: list[Any], workers: int, limit: float = 30.0) -> dict[Any, Outcome]:
    done = list(run_tasks(act, tasks, workers, Limits(step_seconds=limit)))
    assert sorted(outcome.task for outcome in done) == list(range(len(tasks)))
    return {tasks[outcome.task]: outcome for outcome in done}


def fates(done: dict[Any, Outcome]) -> dict[Any, Any]:
    return {
        task: outcome.result[0] if outcome.state is None else (outcome.state, outcome.reason)
        for task, outcome in done.items()
    }


EXPECTED: dict[Any, Any] = {
    **{number: f"did {number}" for number in range(6)},
    "slow": "did slow",
    "abort": ("crashed", "the process was ended by SIGABRT"),
    "kill": ("crashed", "the process was ended by SIGKILL"),
    "exit": ("crashed", "the process ended with exit code 3"),
    "raise": ("raised", "the probe failed: ValueError: first line"),
}


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_task_has_its_own_fate_and_the_others_theirs(workers: int) -> None:
    tasks = [0, "abort", 1, "kill", 2, "raise", 3, "slow", "exit", 4, 5]
    assert fates(outcomes(tasks, workers)) == EXPECTED
    assert fates(outcomes(tasks[::-1], workers)) == EXPECTED


@pytest.mark.parametrize("workers", [1, 2])
def test_an_endless_task_is_ended(workers: int) -> None:
    tasks = ["hang", 0, 1, "hang too", 2]
    done = fates(outcomes(tasks, workers, limit=1.0))
    assert done["hang"] == ("timed out", "took longer than 1 seconds")
    assert [done[task] for task in (0, 1, "hang too", 2)] == [
        f"did {task}" for task in (0, 1, "hang too", 2)
    ]


def test_a_task_that_takes_its_time_within_the_limit_is_left_alone() -> None:
    assert fates(outcomes(["slow", 0], 2, limit=20.0)) == {"slow": "did slow", 0: "did 0"}


def test_workers_are_other_processes_and_are_used_again() -> None:
    done = outcomes(list(range(8)), 2)
    processes = {outcome.result[1] for outcome in done.values()}
    assert os.getpid() not in processes
    assert len(processes) <= 2


def test_a_crash_does_not_touch_the_parents_state() -> None:
    changed: list[int] = []

    def change(task: int, _guard: Guard) -> int:
        changed.append(task)
        return len(changed)

    done = list(run_tasks(change, [1, 2, 3], 1))
    assert [outcome.result for outcome in done] == [1, 2, 3]
    assert changed == []


def test_no_worker_is_left_behind() -> None:
    done = outcomes(["slow", 0, "kill", 1], 3)
    processes = [outcome.result[1] for outcome in done.values() if outcome.state is None]
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_no_tasks_need_no_workers() -> None:
    assert list(run_tasks(act, [], 2)) == []


def test_a_result_that_cannot_be_sent_costs_its_task_alone() -> None:
    def make(task: int, _guard: Guard) -> Any:
        return (lambda: task) if task == 1 else task

    done = {o.task: o for o in run_tasks(make, [0, 1, 2], 1)}
    assert (done[0].result, done[2].result) == (0, 2)
    assert done[1].state in ("crashed", "raised")
