"""Run tasks in forked workers, so that a task that kills its process costs one record.

The parent has imported everything, a fork inherits it. Each worker is given one task at a time;
when it dies or exceeds the time limit, its task gets a `crashed` or `timed out` outcome and a new
worker takes its place.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, NamedTuple


class Outcome(NamedTuple):
    """The end of one task: its result, or the state and reason that stand for it."""

    task: int
    result: Any = None
    state: str | None = None
    reason: str | None = None


class _Worker:
    def __init__(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(theirs, self.connection, function, tasks), daemon=True
        )
        self.process.start()
        theirs.close()
        self.task: int | None = None
        self.deadline = 0.0

    def give(self, task: int, limit: float) -> None:
        self.task = task
        self.deadline = time.monotonic() + limit
        # A worker that died while idle shows itself when its answer is read.
        with suppress(BrokenPipeError):
            self.connection.send(task)

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


def run_tasks(
    function: Callable[[Any], Any], tasks: Sequence[Any], workers: int, limit: float
) -> Iterator[Outcome]:
    """Yield the outcome of `function(task)` for each task, as they finish.

    `limit` is in seconds per task. A task that raises ends with state `raised`.
    """
    waiting = list(range(len(tasks)))[::-1]
    pool = [_Worker(function, tasks) for _ in range(min(workers, len(tasks)))]
    try:
        while waiting or any(worker.task is not None for worker in pool):
            for worker in pool:
                if worker.task is None and waiting:
                    worker.give(waiting.pop(), limit)
            yield from _collect(pool, function, tasks, limit)
    finally:
        for worker in pool:
            worker.end()


def _collect(
    pool: list[_Worker], function: Callable[[Any], Any], tasks: Sequence[Any], limit: float
) -> Iterator[Outcome]:
    busy = [(worker, worker.task) for worker in pool if worker.task is not None]
    soonest = min(worker.deadline for worker, _ in busy)
    ready = wait(
        [worker.connection for worker, _ in busy], timeout=max(0.0, soonest - time.monotonic())
    )
    for worker, task in busy:
        if worker.connection in ready:
            yield _received(pool, worker, task, function, tasks)
        elif time.monotonic() > worker.deadline:
            _replace(pool, worker, function, tasks)
            yield Outcome(task, None, "timed out", f"took longer than {limit:g} seconds")


def _received(
    pool: list[_Worker],
    worker: _Worker,
    task: int,
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
) -> Outcome:
    try:
        result, error = worker.connection.recv()
    except (EOFError, OSError):  # it died between answers, or while sending one
        worker.process.join()
        _replace(pool, worker, function, tasks)
        return Outcome(task, None, "crashed", _cause(worker.process.exitcode))
    worker.task = None
    return Outcome(task, result) if error is None else Outcome(task, None, "raised", error)


def _replace(
    pool: list[_Worker], worker: _Worker, function: Callable[[Any], Any], tasks: Sequence[Any]
) -> None:
    worker.end()
    pool[pool.index(worker)] = _Worker(function, tasks)


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return f"the process was ended by {signal.Signals(-exit_code).name}"
    return f"the process ended with exit code {exit_code}"


def _serve(
    connection: Connection,
    parents: Connection,
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
) -> None:
    parents.close()
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            answer: tuple[Any, str | None] = (function(tasks[task]), None)
        except Exception as error:
            answer = (None, f"the probe failed: {type(error).__name__}: {error}".splitlines()[0])
        connection.send(answer)
