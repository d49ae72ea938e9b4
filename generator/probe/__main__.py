"""`python -m generator.probe --out FILE`: measure the release that this interpreter imports.

FILE gets a line about the build, the records and a closing line with their number, as
`generator.probe.transcript` describes. Progress (`done total name`) goes to stderr, one line a
finished task, and so does what there is to say about the run (`note: …`). Exit codes: 0; 2 with one
sentence on stderr; 3 with the name of what could not be written to a full disk; 130 and 143 when it
was interrupted or told to end.
"""

from __future__ import annotations

import argparse
import errno
import gc
import json
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import torch

from generator.probe.bench import bench_recording
from generator.probe.build import describe_build
from generator.probe.calls import first_line
from generator.probe.depth import DEPTHS, FULL
from generator.probe.evidence import templates as evidence_templates
from generator.probe.guard import Ended
from generator.probe.nodes import node_records
from generator.probe.pool import run_tasks
from generator.probe.processes import end_with
from generator.probe.recipes.layer import declarations
from generator.probe.recipes.templates import TEMPLATES as RECIPE_TEMPLATES
from generator.probe.sightings import merge
from generator.probe.spelling_program import templates as spelling_templates
from generator.probe.tasks import Task, given_up, listed_tasks, make
from generator.probe.transcript import BusyError, Transcript, describe_run, open_transcript
from generator.probe.unseen.trial import TEMPLATE as UNSEEN_TEMPLATE
from generator.probe.writes.program import templates as write_templates
from generator.probe.writes.reads_program import templates as reads_templates

Json = dict[str, Any]

FULL_DISK = 3


def main(arguments: Sequence[str]) -> int:
    """Probe, and return the exit code."""
    options = _options(arguments)
    if options.end_with is not None:
        end_with(options.end_with)
    if options.release not in (None, _release()):
        return _refuse(f"asked for {options.release}, but torch {_release()} is here")
    wrong = _unusable(options)
    if wrong is not None:
        return _refuse(wrong)
    prepare_process()
    try:
        if options.bench:
            figures = json.dumps(bench_recording(options.device, options.workers, options.depth))
            Path(options.out).write_text(figures, encoding="utf-8")
        else:
            _probe(options)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BusyError as error:
        return _refuse(str(error))
    except OSError as error:
        return _unwritten(error, options.out)
    return 0


def prepare_process() -> None:
    """Make calls repeatable: one thread, no warnings on the channel for progress."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="generator.probe", description=__doc__)
    parser.add_argument("--out", required=True, help="the file to write the records to")
    parser.add_argument("--resume", action="store_true", help="keep what an interrupted run left")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--release", help="refuse to measure any other release")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", nargs="*", help="ops and modules to measure, by name")
    parser.add_argument("--depth", choices=DEPTHS, default=FULL)
    parser.add_argument("--bench", action="store_true", help="time recording; write JSON instead")
    parser.add_argument("--end-with", type=int, metavar="PID", help="end when that parent does")
    return parser.parse_args(arguments)


def _unusable(options: argparse.Namespace) -> str | None:
    """Say in a sentence what is wrong with the options, None where they can be used."""
    if options.workers < 1:
        return f"--workers must be 1 or more, not {options.workers}"
    try:
        torch.empty(1, device=options.device)
    except (RuntimeError, AssertionError) as error:
        reason = first_line(error).split(". ")[0]
        return f"this build cannot reach the device {options.device!r}: {reason}"
    for name in options.only or ():
        if not listed_tasks([name], options.depth):
            return f"--only: torch {_release()} has no op, module or node type called {name!r}"
    return None


def _probe(options: argparse.Namespace) -> None:
    tasks = {f"{task.kind} {task.name}": task for task in listed_tasks(options.only, options.depth)}
    first = {
        "kind": "build",
        "release": _release(),
        "build": describe_build(options.device),
        "depth": options.depth,
        "evidence": {
            **evidence_templates(options.depth),
            **write_templates(options.depth),
            **reads_templates(options.depth),
            **RECIPE_TEMPLATES,
            "write": UNSEEN_TEMPLATE,
            **spelling_templates(options.depth),
        },
        "run": describe_run(tasks),
    }
    declared = declarations()
    with open_transcript(Path(options.out), first, resume=options.resume) as transcript:
        if transcript.found == "this run":
            done = f"{len(transcript.done)} of {len(tasks)}"
            _say(f"note: {done} were measured before an interruption")
        elif transcript.found == "another run":
            _say("note: starting afresh: what was there is of another build or of other sources")
        for label in _finish(transcript, tasks, options):
            _say(f"{len(transcript.done)} {len(tasks)} {tasks[label].name}")
        sightings = merge(transcript.done[label] for label in sorted(transcript.done))
        transcript.end(node_records(declared, sightings, options.device))


def _finish(
    transcript: Transcript, tasks: dict[str, Task], options: argparse.Namespace
) -> Iterator[str]:
    """Make the tasks that the transcript lacks, and yield each that is closed."""
    missing = [label for label in tasks if label not in transcript.done]
    # What is there by now is never collected: the workers then share it with this process.
    gc.freeze()
    signal.signal(signal.SIGTERM, _end)
    work = partial(make, device=options.device)
    for outcome in run_tasks(work, [tasks[label] for label in missing], options.workers):
        label = missing[outcome.task]
        made = outcome.result
        if outcome.state is not None:
            made = given_up(tasks[label], Ended(outcome.state, outcome.reason))
        transcript.close_task(label, *made)
        yield label


def _end(*_: Any) -> NoReturn:
    sys.exit(128 + signal.SIGTERM)


def _release() -> str:
    return str(torch.__version__).split("+")[0]


def _unwritten(error: OSError, out: str) -> int:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        _say(error.filename or out)
        return FULL_DISK
    return _refuse(f"{out} could not be written: {error.strerror or error}")


def _refuse(sentence: str) -> int:
    _say(sentence)
    return 2


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
