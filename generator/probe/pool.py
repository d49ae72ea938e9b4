"""Run tasks in forked workers, so that a task that kills its process costs one record.

The parent has imported everything, a fork inherits it. Each worker is given one task at a time;
when it dies or exceeds the time limit, its task gets a `crashed` or `timed out` outcome and a new
worker takes its place.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from multiprocessing.connection import Connection, wait
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple


class Outcome(NamedTuple):
    """The end of one task: its result, or the state and reason that stand for it."""

    task: int
    result: Any = None
    state: Optional[str] = None
    reason: Optional[str] = None


class _Worker:
    def __init__(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(theirs, self.connection, function, tasks), daemon=True
        )
        self.process.start()
        theirs.close()
        self.task: Optional[int] = None
        self.deadline = 0.0

    def give(self, task: int, limit: float) -> None:
        self.task = task
        self.deadline = time.monotonic() + limit
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
    pool: List[_Worker], function: Callable[[Any], Any], tasks: Sequence[Any], limit: float
) -> Iterator[Outcome]:
    busy = {worker.connection: place for place, worker in enumerate(pool) if worker.task is not None}
    soonest = min(pool[place].deadline for place in busy.values())
    ready = wait(list(busy), timeout=max(0.0, soonest - time.monotonic()))
    for connection in ready:
        worker = pool[busy[connection]]  # type: ignore[index]  # wait returns what it was given
        task = worker.task
        assert task is not None
        try:
            result, error = worker.connection.recv()
        except (EOFError, ConnectionResetError):
            worker.process.join()
            pool[pool.index(worker)] = _Worker(function, tasks)
            yield Outcome(task, None, "crashed", _cause(worker.process.exitcode))
            worker.end()
            continue
        worker.task = None
        yield Outcome(task, result) if error is None else Outcome(task, None, "raised", error)
    for place, worker in enumerate(pool):
        if worker.task is not None and time.monotonic() > worker.deadline:
            task = worker.task
            worker.end()
            pool[place] = _Worker(function, tasks)
            yield Outcome(task, None, "timed out", f"took longer than {limit:g} seconds")


def _cause(exit_code: Optional[int]) -> str:
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
            answer: Tuple[Any, Optional[str]] = (function(tasks[task]), None)
        except Exception as error:
            answer = (None, f"{type(error).__name__}: {error}".splitlines()[0])
        connection.send(answer)
