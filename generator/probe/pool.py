"""Run tasks in forked workers, so that a step that kills its process costs that step alone.

The parent has imported everything, a fork inherits it. Each worker is given one task at a time.
When it dies or stays too long in one step, another worker takes its place and begins the task
anew, with that step left out; the task itself is given up when that happens outside of any step,
too often, or when it has taken too long in all.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, NamedTuple

from generator.probe.guard import CORRUPTED, Ended, Guard, Mark
from generator.probe.processes import cause_of_death, prepare_worker
from generator.probe.torch_state import changed_setting, read_settings

Work = Callable[[Any, Guard], Any]
POLL_SECONDS = 0.5


class Limits(NamedTuple):
    """What a task may cost: seconds in one step, seconds in all, and steps that end otherwise."""

    step_seconds: float = 300.0
    task_seconds: float = 3600.0
    ended_steps: int = 100


DEFAULT = Limits()


class Outcome(NamedTuple):
    """The end of one task: its result, or the state and reason that stand for it."""

    task: int
    result: Any = None
    state: str | None = None
    reason: str = ""


class _Task:
    """A task that was begun: its position, the steps that ended otherwise, and when it began."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.ended: dict[int, Ended] = {}
        self.deaths = 0
        self.started = 0.0

    def leave_out(self, step: int, ended: Ended) -> None:
        # Numbers beyond it may have been of steps inside it, or come to be of other steps.
        self.ended = {number: one for number, one in self.ended.items() if number < step}
        self.ended[step] = ended
        self.deaths += 1


class _Worker:
    """A process that makes one task at a time; a spent one is to be replaced."""

    def __init__(self, work: Work, tasks: Sequence[Any]) -> None:
        context = multiprocessing.get_context("fork")
        self.mark = Mark()
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve,
            args=((theirs, self.connection), self.mark, os.getpid(), work, tasks),
            daemon=True,
        )
        self.process.start()
        theirs.close()
        self.task: _Task | None = None
        self.is_spent = False
        self._begun = 0
        self._since = 0.0

    def give(self, task: _Task) -> None:
        self.task = task
        self._since = time.monotonic()
        task.started = task.started or self._since
        # A worker that died while idle shows itself when its answer is read.
        with suppress(BrokenPipeError):
            self.connection.send((task.place, task.ended))

    def stays(self) -> float:
        """Return for how many seconds the worker has been at the same point."""
        if self.mark.begun != self._begun:
            self._begun = self.mark.begun
            self._since = time.monotonic()
        return time.monotonic() - self._since

    def died(self) -> Ended:
        """Say how the process ended."""
        self.process.join()
        if self.process.exitcode == CORRUPTED:
            return self.mark.corrupted()
        return Ended("crashed", cause_of_death(self.process.exitcode))

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


def run_tasks(
    work: Work, tasks: Sequence[Any], workers: int, limits: Limits = DEFAULT
) -> Iterator[Outcome]:
    """Yield the outcome of `work(task, guard)` for each task, as they finish.

    A task that raises ends with state `raised`.
    """
    waiting = [_Task(place) for place in range(len(tasks))][::-1]
    pool = [_Worker(work, tasks) for _ in range(min(workers, len(tasks)))]
    poll = min(POLL_SECONDS, limits.step_seconds / 4)
    try:
        while waiting or any(worker.task is not None for worker in pool):
            for worker in pool:
                if worker.task is None and waiting:
                    worker.give(waiting.pop())
            wait([worker.connection for worker in pool if worker.task is not None], timeout=poll)
            yield from _collect(pool, work, tasks, limits)
    finally:
        for worker in pool:
            worker.end()


def _collect(
    pool: list[_Worker], work: Work, tasks: Sequence[Any], limits: Limits
) -> Iterator[Outcome]:
    """Yield what the workers have come to by now, and put new ones in the place of spent ones."""
    for place, worker in enumerate(pool):
        if worker.task is None:
            continue
        outcome = _outcome(worker, worker.task, limits)
        if worker.is_spent:
            worker.end()
            pool[place] = _Worker(work, tasks)
            if outcome is None:
                pool[place].give(worker.task)
        elif outcome is not None:
            worker.task = None
        if outcome is not None:
            yield outcome


def _outcome(worker: _Worker, task: _Task, limits: Limits) -> Outcome | None:
    """Return the outcome of a worker's task, or None where it is at work or to be begun anew."""
    if worker.connection.poll():
        try:
            result, error, worker.is_spent = worker.connection.recv()
        except (EOFError, OSError):  # it died between answers, or while sending one
            return _ended(worker, task, worker.died(), limits)
        return Outcome(task.place, result, *(("raised", error) if error else ()))
    if time.monotonic() - task.started > limits.task_seconds:
        worker.is_spent = True
        reason = f"took longer than {limits.task_seconds:g} seconds"
        return Outcome(task.place, None, "timed out", reason)
    if worker.stays() > limits.step_seconds:
        ended = Ended("timed out", f"took longer than {limits.step_seconds:g} seconds")
        return _ended(worker, task, ended, limits)
    return None


def _ended(worker: _Worker, task: _Task, ended: Ended, limits: Limits) -> Outcome | None:
    worker.is_spent = True
    step = worker.mark.step
    if step == 0 or task.deaths >= limits.ended_steps:
        return Outcome(task.place, None, *ended)
    task.leave_out(step, ended)
    return None


def _serve(
    ends: tuple[Connection, Connection],
    mark: Mark,
    parent: int,
    work: Work,
    tasks: Sequence[Any],
) -> None:
    connection, parents = ends
    parents.close()
    prepare_worker(parent)
    before = read_settings()
    while True:
        try:
            task, ended = connection.recv()
        except EOFError:
            return
        result = error = None
        try:
            result = work(tasks[task], Guard(mark, ended))
        except Exception as raised:
            error = f"the probe failed: {type(raised).__name__}: {raised}".splitlines()[0]
        # What a task left behind outside of its steps must not reach the next one.
        is_spent = changed_setting(before, read_settings()) is not None
        connection.send((result, error, is_spent))
