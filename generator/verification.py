"""Measure records of a committed catalogue again, and tell what differs; nothing is replaced.

A record of an op, a module or anything else that is made by a task of its own can be measured
alone. What is said of a node type rests on every graph that was met, so that nodes are compared
only where everything was measured again.
"""

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator import report
from generator.catalogue import codec, store
from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import BuildChanged, Change
from generator.catalogue.model.records import Catalogue, Header, NodeRecord
from generator.catalogue.names import resolve
from generator.checkout import Checkout
from generator.console import progress, say
from generator.errors import UnknownNameError, quoted
from generator.release.build import check_build
from generator.release.environment import ensure_environment
from generator.release.lock import only_run
from generator.release.releases import find_release
from generator.release.run import run_probe
from generator.release.transcript import read_transcript

SHOWN = 12


@dataclass(frozen=True)
class Choice:
    """Which records to measure again: those of `names`, or `sample` of them drawn by `seed`.

    All of them where there are neither names nor a sample.
    """

    names: tuple[str, ...] = ()
    sample: int | None = None
    seed: int | None = None


def verify_release(checkout: Checkout, version: str, device: str, choice: Choice) -> bool:
    """Measure the chosen records again, and return whether they are the same, byte for byte.

    Raises:
        TapekeptError: there is no such catalogue or record, or a stage could not do its work.
    """
    with only_run(checkout.lock):
        committed = store.load(store.path_of(checkout.root, version, device))
        chosen, how = choose(committed, choice)
        release = find_release(version)
        python = ensure_environment(release, checkout.environment(version))
        check_build(python, version, device)
        say(f"Measuring again: {how}")
        lines = checkout.transcript(version, device).with_suffix(".verified.jsonl")
        with progress("Probe") as done:
            run_probe(python, checkout.root, _arguments(lines, committed.header, chosen), done, say)
        measured = read_transcript(lines, version)
    before, now = (committed, measured) if chosen is None else _both(committed, measured, chosen)
    changes = compare(before, now)
    for line in outcome(before, now, changes):
        say(line)
    return not differing(changes)


def choose(catalogue: Catalogue, choice: Choice) -> tuple[list[str] | None, str]:
    """Return the names of the records to measure (None for everything), and how they were chosen.

    Raises UnknownNameError: nothing is called so, or it is a node.
    """
    if choice.names:
        names = sorted({_alone(catalogue, text) for text in choice.names})
        return names, _listed(names)
    if choice.sample is None:
        return None, "every record"
    seed = random.SystemRandom().randrange(10**6) if choice.seed is None else choice.seed
    there = sorted(record.name for record in _measured_alone(catalogue))
    count = min(choice.sample, len(there))
    names = sorted(random.Random(seed).sample(there, count))  # noqa: S311 - to be drawn again
    return names, f"{_listed(names)} (--sample {count} --seed {seed})"


def outcome(before: Catalogue, now: Catalogue, changes: Sequence[Change]) -> Iterator[str]:
    """Yield lines: how many records were compared, and each difference, the committed side first.

    A build on another machine is no difference of its own, but may explain some.
    """
    found = differing(changes)
    for change in changes:
        if isinstance(change, BuildChanged):
            yield f"Measured elsewhere: {report.describe(change)}"
    records = sum(total for states in before.header.counts.values() for total in states.values())
    if not found:
        same = codec.encode(before) == codec.encode(now)
        told = "The record is" if records == 1 else f"All {records} records are"
        yield f"{told} the same{', byte for byte' if same else ''}."
        return
    names = {f"{one.subject} {one.name}" for one in found if one.subject != "header"}
    if len(names) < len({(one.subject, one.name) for one in found}):
        yield "The header differs."
    yield f"{len(names)} of {records} records differ: {', '.join(sorted(names)) or 'none'}"
    yield f"{report.differences(len(found))}, committed → now:"
    yield from (f"  {report.describe(change)}" for change in found[: report.LISTED])
    if len(found) > report.LISTED:
        yield f"  and {len(found) - report.LISTED} more"


def differing(changes: Sequence[Change]) -> list[Change]:
    """Return the changes of what was measured, as opposed to where."""
    return [change for change in changes if not isinstance(change, BuildChanged)]


def _arguments(lines: Path, header: Header, chosen: list[str] | None) -> tuple[str, ...]:
    lines.parent.mkdir(parents=True, exist_ok=True)
    only = () if chosen is None else ("--only", *chosen)
    workers = str(os.cpu_count() or 1)
    run = ("--out", str(lines), "--resume", "--device", header.build.device, "--workers", workers)
    return (*run, "--depth", header.depth, *only)


def _alone(catalogue: Catalogue, text: str) -> str:
    record = resolve(catalogue, text).record
    if isinstance(record, NodeRecord):
        raise UnknownNameError(
            f"{quoted(text)} is a node: what is said of it rests on every record, so measure"
            " everything again (`tapekept verify` without a name)"
        )
    return record.name


def _measured_alone(catalogue: Catalogue) -> list[codec.MeasuredRecord]:
    return [one for one in codec.records_of(catalogue) if not isinstance(one, NodeRecord)]


def _both(
    committed: Catalogue, measured: Catalogue, names: Sequence[str]
) -> tuple[Catalogue, Catalogue]:
    """Reduce two catalogues to the records of those names."""
    before, now = (
        codec.assemble(
            one.header.release,
            one.header.build,
            [record for record in _measured_alone(one) if record.name in names],
            one.header.evidence,
            one.header.depth,
        )
        for one in (committed, measured)
    )
    return before, now


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(names[:SHOWN])
    return listed if len(names) <= SHOWN else f"{listed} and {len(names) - SHOWN} more"
