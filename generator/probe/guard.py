"""Divide the making of a record into steps, so that one that cannot be survived costs itself alone.

A worker notes in shared memory which step it is at. When it dies there, or stays there too long,
the task is begun anew by another worker, with that step left out: instead of being called it
raises `StepEndedError`, which says how it ended. Steps are numbered in the order in which they
begin, and may hold steps of their own.
"""

from __future__ import annotations

import os
from multiprocessing.sharedctypes import RawArray
from typing import Any, Callable, NamedTuple, TypeVar

from generator.probe.torch_state import SETTINGS, changed_setting, read_settings

Json = dict[str, Any]
Result = TypeVar("Result")

UNSURVIVED = ("crashed", "timed out", "corrupted")
CORRUPTED = 86  # the exit code of a worker whose settings a step has changed


class Ended(NamedTuple):
    """How a step ended, one of `UNSURVIVED`, and the reason in words."""

    state: str
    reason: str


class StepEndedError(Exception):
    """The step cannot be made: `ended` says how it ended when it was tried."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.reason)
        self.ended = ended

    def as_fields(self) -> Json:
        """Return the fields `state` and `reason` that stand for what was not measured."""
        return self.ended._asdict()


class Mark:
    """Where a worker is, in memory that it shares with its parent.

    `step` is the number of the innermost step that it is in, 0 between steps; `begun` counts the
    steps that were begun or left, so that it moves whenever the worker does.
    """

    def __init__(self) -> None:
        self._cells = RawArray("q", 3)

    step = property(lambda self: int(self._cells[0]))
    begun = property(lambda self: int(self._cells[1]))

    def move(self, step: int) -> None:
        """Note that the worker is in `step` now."""
        self._cells[0] = step
        self._cells[1] += 1

    def note_setting(self, name: str) -> None:
        """Note which setting the step has changed."""
        self._cells[2] = list(SETTINGS).index(name)

    def corrupted(self) -> Ended:
        """Return how a step ended that has changed a setting."""
        return _corrupted(list(SETTINGS)[self._cells[2]])


class Guard:
    """Makes the steps of one task: all but those in `ended`, by number.

    Without a `mark` there is no parent to begin anew: then a step that changed a setting raises
    at once, and one that kills the process kills it.
    """

    def __init__(self, mark: Mark | None = None, ended: dict[int, Ended] | None = None) -> None:
        self._mark = mark
        self._ended = ended or {}
        self._begun = 0

    def step(self, function: Callable[[], Result]) -> Result:
        """Return `function()`.

        Raises StepEndedError where the step could not be survived, and what `function` raises.
        """
        self._begun += 1
        number = self._begun
        if number in self._ended:
            raise StepEndedError(self._ended[number])
        outer = self._mark.step if self._mark else 0
        self._move(number)
        before = read_settings()
        try:
            return function()
        finally:
            self._check(before)
            self._move(outer)

    def part(self, function: Callable[[], Json | None]) -> Json | None:
        """Return `function()`, or the fields `state` and `reason` where it ended otherwise.

        An error that the part did not foresee is the state `raised`: it costs the part alone.
        """
        try:
            return self.step(function)
        except StepEndedError as error:
            return error.as_fields()
        except Exception as error:
            lines = f"the probe failed: {type(error).__name__}: {error}".splitlines()
            return {"state": "raised", "reason": lines[0]}

    def _move(self, step: int) -> None:
        if self._mark:
            self._mark.move(step)

    def _check(self, before: list[Any]) -> None:
        changed = changed_setting(before, read_settings())
        if changed is None:
            return
        if self._mark is None:
            raise StepEndedError(_corrupted(changed))
        self._mark.note_setting(changed)
        os._exit(CORRUPTED)


def _corrupted(setting: str) -> Ended:
    return Ended("corrupted", f"it left {setting} changed")
