"""A step that kills, hangs, bombs or corrupts its process costs itself alone, for real."""

import ctypes
import faulthandler
import os
import resource
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch

from generator.probe.guard import Guard, StepEndedError
from generator.probe.pool import Limits, Outcome, run_tasks

pytestmark = pytest.mark.filterwarnings(
    # the workers are forked on purpose, and use nothing that another thread may hold
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)


def segfault() -> None:
    faulthandler.disable()
    ctypes.string_at(0)


def abort() -> None:
    faulthandler.disable()
    os.abort()


def sleep_deaf() -> None:
    """Stay in C where no signal that Python could handle ends it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL})
    time.sleep(3600)


def spin_in_c() -> None:
    """Hold the interpreter for ever in one call."""
    pow(3, 10**9)


def allocate() -> str:
    try:
        kept = [torch.empty(2**26) for _ in range(1000)]
    except RuntimeError as error:
        return str(error)
    return f"nothing stopped it at {len(kept)}"


def double() -> None:
    torch.set_default_dtype(torch.float64)


def leave_deterministic() -> None:
    torch._C._set_deterministic_algorithms(True)  # noqa: FBT003


def leave_grad_off() -> None:
    torch._C._set_grad_enabled(False)  # noqa: FBT003


FATES: dict[Callable[[], Any], tuple[str, str]] = {
    segfault: ("crashed", "the process was ended by SIGSEGV"),
    abort: ("crashed", "the process was ended by SIGABRT"),
    sleep_deaf: ("timed out", "took longer than 2 seconds"),
    spin_in_c: ("timed out", "took longer than 2 seconds"),
    double: ("corrupted", "it left the default dtype changed"),
    leave_deterministic: ("corrupted", "it left the use of deterministic algorithms changed"),
    leave_grad_off: ("corrupted", "it left the grad mode changed"),
}


def in_steps(task: list[Callable[[], Any]], guard: Guard) -> list[Any]:
    """Make each function of the task in a step of its own, and say how it ended."""
    made: list[Any] = []
    for function in task:
        try:
            made.append(guard.step(function))
        except StepEndedError as error:
            made.append(tuple(error.ended))
    return made


def fine() -> Any:
    return torch.get_default_dtype(), torch.is_grad_enabled(), torch.ones(2).sum().item()


FINE = (torch.float32, True, 2.0)


def run(
    tasks: list[Any],
    work: Callable[[Any, Guard], Any] = in_steps,
    **limits: Any,
) -> dict[int, Outcome]:
    found = list(run_tasks(work, tasks, 2, Limits(**{"step_seconds": 60.0, **limits})))
    assert sorted(one.task for one in found) == list(range(len(tasks)))
    return {one.task: one for one in found}


def test_each_way_to_end_costs_its_step_alone() -> None:
    found = run([[fine, culprit, fine] for culprit in FATES], step_seconds=2.0)
    for place, fate in enumerate(FATES.values()):
        assert found[place].result == [FINE, fate, FINE]


def test_each_of_several_steps_of_one_task_has_its_own_end() -> None:
    several = [segfault, fine, double, abort, fine, segfault]
    expected = [FATES.get(one, FINE) for one in several]
    assert run([several])[0].result == expected


def test_an_allocation_without_end_is_an_error_of_its_step() -> None:
    found = run([[fine, allocate, fine]])
    before, said, after = found[0].result
    assert "can't allocate memory" in said
    assert (before, after) == (FINE, FINE)


def test_threads_work_under_the_limit_of_memory() -> None:
    def threaded() -> float:
        torch.set_num_threads(2)
        product = (torch.ones(400, 400) @ torch.ones(400, 400)).sum().item()
        torch.set_num_threads(1)
        return product

    assert run([[threaded]])[0].result == [400.0**3]


def test_a_worker_writes_no_core() -> None:
    limits = run([[lambda: resource.getrlimit(resource.RLIMIT_CORE)]])
    assert limits[0].result == [(0, 0)]


def test_a_step_within_a_step_ends_alone() -> None:
    def nested(_task: Any, guard: Guard) -> list[Any]:
        def outer() -> list[Any]:
            return in_steps([fine, segfault, fine], guard)

        return [*in_steps([outer, abort, fine], guard)]

    crashed = ("crashed", "the process was ended by SIGSEGV")
    expected = [[FINE, crashed, FINE], ("crashed", "the process was ended by SIGABRT"), FINE]
    assert run([None], nested)[0].result == expected


def test_steps_after_one_that_is_left_out_with_its_inner_steps_are_still_made() -> None:
    def nested(_task: Any, guard: Guard) -> list[Any]:
        def outer() -> None:
            in_steps([fine, segfault, fine], guard)
            os.abort()

        faulthandler.disable()
        return in_steps([outer, fine, fine, fine, segfault, fine], guard)

    crashed = ("crashed", "the process was ended by SIGSEGV")
    aborted = ("crashed", "the process was ended by SIGABRT")
    assert run([None], nested)[0].result == [aborted, FINE, FINE, FINE, crashed, FINE]


def test_a_task_that_dies_outside_of_its_steps_is_given_up() -> None:
    def die(_task: Any, guard: Guard) -> None:
        guard.step(fine)
        segfault()

    assert run([None], die)[0][2:] == ("crashed", "the process was ended by SIGSEGV")


def test_a_task_whose_steps_die_too_often_is_given_up() -> None:
    found = run([[segfault] * 5, [fine] * 5], ended_steps=3)
    assert found[0][1:] == (None, "crashed", "the process was ended by SIGSEGV")
    assert found[1].result == [FINE] * 5


def test_a_task_that_takes_too_long_in_all_is_given_up() -> None:
    def slow() -> None:
        time.sleep(0.3)

    found = run([[slow] * 100, [fine]], task_seconds=1.5)
    assert found[0][1:] == (None, "timed out", "took longer than 1.5 seconds")
    assert found[1].result == [FINE]


def test_many_quick_steps_may_take_longer_than_one_step_may() -> None:
    found = run([[lambda: time.sleep(0.6)] * 5], step_seconds=2.0)
    assert found[0].result == [None] * 5


def test_what_a_task_leaves_behind_outside_of_its_steps_reaches_no_other() -> None:
    def leave(task: str, _guard: Guard) -> Any:
        seen = fine()
        if task == "leave":
            double()
        return seen

    found = run(["leave", "look", "look", "leave", "look", "look"], leave)
    assert [found[place].result for place in range(6)] == [FINE] * 6


def test_a_part_ends_as_a_state_with_its_reason() -> None:
    def foreseen() -> dict[str, Any]:
        return {"state": "raised", "reason": "as said"}

    def unforeseen() -> dict[str, Any]:
        raise KeyError("key\nsecond line")

    def killed() -> dict[str, Any]:
        os.kill(os.getpid(), signal.SIGKILL)
        return {}

    def parts(_task: Any, guard: Guard) -> list[Any]:
        return [guard.part(one) for one in (foreseen, unforeseen, killed)]

    assert run([None], parts)[0].result == [
        {"state": "raised", "reason": "as said"},
        {"state": "raised", "reason": "the probe failed: KeyError: 'key\\nsecond line'"},
        {"state": "crashed", "reason": "the process was ended by SIGKILL"},
    ]


def test_without_a_worker_a_changed_setting_is_told_at_once() -> None:
    try:
        with pytest.raises(StepEndedError, match="it left the default dtype changed"):
            Guard().step(double)
    finally:
        torch.set_default_dtype(torch.float32)


def test_an_error_of_a_step_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        Guard().step(lambda: 1 // 0)
