"""Measure every release that has no catalogue yet, one after another, without building sites.

What is done stays done: a catalogue is written when its release is measured, and the next run goes
on with the first that is missing. A release that cannot be measured is left out, and the rest goes
on; a full disk ends the run, since it would be full for the rest as well.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator.catalogue import store
from generator.checkout import Checkout
from generator.console import say, steps
from generator.errors import CatalogueError, FullDiskError, NewerSchemaError, TapekeptError
from generator.pipeline import measure, prepare, read_committed
from generator.release.environment import remove
from generator.release.lock import only_run
from generator.release.releases import Release, find_release, in_order, known_releases


@dataclass
class Sweep:
    """What became of each release so far; `left_out` says why.

    `seconds` holds the wall time of each that this run measured from its start on.
    """

    there: list[str] = field(default_factory=list)
    measured: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)


def measure_missing(
    checkout: Checkout, versions: Sequence[str], device: str, *, keep_environments: bool
) -> bool:
    """Measure those of `versions` (of all known releases where it is empty) that need it.

    The newest comes first. Unless environments are kept, at most one is on disk at a time.
    Returns whether each of them has its catalogue now.

    Raises:
        TapekeptError: a version is no release's number, another run is at work, or a disk is full.
    """
    named = in_order(find_release(version) for version in versions)
    with only_run(checkout.lock):
        sweep = Sweep()
        missing = [*find_missing(checkout, named or known_releases(), device, sweep)]
        try:
            with steps("Releases") as tell:
                for number, release in enumerate(missing):
                    tell(number, len(missing), release.version + remaining(sweep, len(missing)))
                    if not keep_environments:
                        remove_environments(checkout, but=release.version)
                    measure_one(checkout, release, device, sweep)
                    if not keep_environments:
                        remove_environments(checkout)
                if missing:
                    tell(len(missing), len(missing), "")
        finally:
            for line in outcome(sweep, [one.version for one in missing]):
                say(line)
    return not sweep.left_out


def find_missing(
    checkout: Checkout, releases: Sequence[Release], device: str, sweep: Sweep
) -> Iterator[Release]:
    """Yield those of `releases` to measure, newest first, and note in `sweep` the others."""
    for release in reversed(releases):
        path = store.path_of(checkout.root, release.version, device)
        try:
            if is_current(path, release):
                sweep.there.append(release.version)
            else:
                yield release
        except NewerSchemaError as error:
            leave_out(sweep, release, error)


def is_current(path: Path, release: Release) -> bool:
    """Say whether a catalogue can be read and was measured as deep as its release should be.

    Raises:
        NewerSchemaError: a newer tapekept wrote it, so that it must stay as it is.
    """
    if not path.exists():
        return False
    try:
        depth = store.load(path).header.depth
    except NewerSchemaError:
        raise
    except CatalogueError:
        return False
    return depth in ("full", release.depth)


def measure_one(checkout: Checkout, release: Release, device: str, sweep: Sweep) -> None:
    """Measure one release and write its catalogue, or leave it out; say which, and note it.

    Raises FullDiskError; what was measured by then is kept.
    """
    path = store.path_of(checkout.root, release.version, device)
    from_its_start = not checkout.transcript(release.version, device).exists()
    start = time.monotonic()
    try:
        read_committed(path, checkout.work)
        python = prepare(checkout, release, device)
        store.save(path, measure(checkout, release, device, python))
    except FullDiskError:
        raise
    except TapekeptError as error:
        leave_out(sweep, release, error)
        return
    took = time.monotonic() - start
    sweep.measured.append(release.version)
    if from_its_start:
        sweep.seconds.append(took)
    say(f"Measured torch {release.version} in {duration(took)}: {path}")


def leave_out(sweep: Sweep, release: Release, reason: TapekeptError) -> None:
    """Note that a release was left out, and say why."""
    sweep.left_out[release.version] = str(reason)
    say(f"Left out torch {release.version}: {reason}")


def remove_environments(checkout: Checkout, but: str | None = None) -> None:
    """Remove each release that is installed, except `but`: it may be half-way, or whole already."""
    for folder in sorted(checkout.environments.glob("*")):
        if folder.name != but:
            remove(folder)


def remaining(sweep: Sweep, releases: int) -> str:
    """Word how long the rest of `releases` may take, once this run has measured one of them."""
    if not sweep.seconds:
        return ""
    left = releases - len(sweep.measured) - len(sweep.left_out)
    mean = sum(sweep.seconds) / len(sweep.seconds)
    return f", about {duration(left * mean)} to go"


def duration(seconds: float) -> str:
    """Word a duration in hours and minutes, or in seconds where it is short."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def outcome(sweep: Sweep, missing: Sequence[str]) -> Iterator[str]:
    """Yield lines: what was measured now, what was before, what was left out and why.

    Where the run ended early, some of the `missing` are none of these.
    """
    yield f"Measured now: {listed(sweep.measured)}"
    yield f"Measured before: {listed(sweep.there)}"
    yield f"Left out: {listed([*sweep.left_out])}"
    for version, reason in sweep.left_out.items():
        yield f"  {version}: {reason}"
    ahead = [one for one in missing if one not in {*sweep.measured, *sweep.left_out}]
    if ahead:
        yield f"Still to measure: {listed(ahead)}; the same command goes on with them"
    if sweep.measured:
        yield "No site was built: `make site TORCH=X.Y.Z` builds the one of a release."


def listed(versions: Sequence[str]) -> str:
    """List versions, after their number."""
    return f"{len(versions)} ({', '.join(versions)})" if versions else "none"
