"""What a run says while it works: lines to stdout, and how far it is.

On a terminal progress is a bar that rich draws; elsewhere it is plain lines: one at every tenth of
many things, one for each of a few that take long.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

Progress = Callable[[int, int, str], None]


def say(text: str) -> None:
    """Print one line at once, so that a log shows where a run stands."""
    print(text, flush=True)  # noqa: T201 - this is the one place that prints


@contextmanager
def progress(doing: str) -> Iterator[Progress]:
    """Yield a function that takes (done, total, name of what is at work)."""
    if sys.stdout.isatty():
        with _bar(doing) as report:
            yield report
    else:
        yield _tenths(doing)


@contextmanager
def steps(doing: str) -> Iterator[Progress]:
    """Yield a function that takes (done, total, what is at work) around each of a few long steps.

    Unlike `progress` it estimates nothing; a step may show progress of its own below. At the end,
    nothing is at work.
    """
    if sys.stdout.isatty():
        with _bar(doing, timed=False) as report:
            yield report
    else:
        yield partial(_step, doing)


def _step(doing: str, done: int, total: int, name: str) -> None:
    say(f"{doing}: {done} of {total} done" + (f", now {name}" if name else ""))


def _tenths(doing: str) -> Progress:
    said = -1

    def report(done: int, total: int, name: str) -> None:
        nonlocal said
        tenth = 10 * done // max(total, 1)
        if tenth > said:
            said = tenth
            say(f"{doing}: {done} of {total} ({name})")

    return report


@contextmanager
def _bar(doing: str, *, timed: bool = True) -> Iterator[Progress]:
    # rich is imported where a bar is drawn: most commands draw none.
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *([TimeRemainingColumn()] if timed else []),
        TextColumn("{task.fields[name]}"),
    )
    with Bar(*columns) as bar:
        task = bar.add_task(doing, total=None, name="")

        def report(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, name=name)

        yield report
