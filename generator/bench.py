"""What each stage costs in seconds for one release, and what every release weighs in bytes.

The probe's cost is told by layer against that of PyTorch's own calls in it, so that the ratio says
what recording adds whatever the machine; every other figure is one run.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from generator.catalogue import store
from generator.catalogue.history.stored import stored_history
from generator.checkout import Checkout
from generator.console import progress, say
from generator.errors import ProbeError
from generator.pages.build import build_site
from generator.pages.freshness import stamp
from generator.pages.render import render_pages
from generator.release.environment import ensure_environment, is_complete
from generator.release.lock import only_run
from generator.release.releases import Release, find_release, release_dates
from generator.release.run import run_probe

Made = TypeVar("Made")
LEAST_SECONDS = 0.05  # less is written as 0.0, and no ratio


class Layer(msgspec.Struct, frozen=True):
    """Processor seconds of one layer: in PyTorch's own calls, and in all of it."""

    name: str
    bare_seconds: float
    full_seconds: float


class Timed(msgspec.Struct, frozen=True):
    """What the probe says of its own cost, for `tasks` out of `of_tasks`.

    `wall_seconds` and `worker_seconds` (of all workers together) are those of a run by `workers`.
    """

    tasks: int
    of_tasks: int
    layers: list[Layer]
    workers: int
    wall_seconds: float
    worker_seconds: float
    peak_bytes: int


def run_bench(checkout: Checkout, version: str, device: str) -> None:
    """Print the cost of each stage.

    Raises:
        TapekeptError: a stage could not do its work.
    """
    with only_run(checkout.lock):
        release = find_release(version)
        committed = store.path_of(checkout.root, version, device)
        measured, read = timed(lambda: store.load(committed))
        folder = checkout.environment(version)
        there = is_complete(release, folder)
        python, install = timed(lambda: ensure_environment(release, folder))
        figures = [
            ("installing", "not timed, it was there" if there else f"{install:.1f} s"),
            ("size of the environment", f"{size(folder):,} bytes"),
            *probe_figures(checkout, python, release, device),
            ("reading the catalogue", f"{read:.1f} s"),
        ]
        history, fold = timed(lambda: stored_history(checkout.root, measured, release_dates()))
        made_of = stamp(checkout.root, measured)
        _, render = timed(
            lambda: render_pages(measured, history, checkout.docs, checkout.templates)
        )
        _, build = timed(lambda: build_site(checkout.root, version, made_of))
        figures += [
            ("reading what all releases say", f"{fold:.1f} s"),
            ("rendering the pages", f"{render:.1f} s"),
            ("building the site", f"{build:.1f} s"),
            *weights(checkout, device),
        ]
    width = max(len(name) for name, _ in figures)
    for name, figure in figures:
        say(f"{name:<{width}}  {figure}")


def weights(checkout: Checkout, device: str) -> Iterator[tuple[str, str]]:
    """Yield the bytes of each release in `docs/data/` and in `site/`, and those of all."""
    yield "bytes by release", f"{'docs/data/':>12} {'site/':>13}"
    data, site = 0, 0
    for version, measured_on in store.releases(checkout.root):
        if measured_on == device:
            catalogue = store.path_of(checkout.root, version, device).stat().st_size
            pages = size(checkout.site / version)
            yield f"  {version}", f"{catalogue:12,} {f'{pages:,}' if pages else 'not built':>13}"
            data, site = data + catalogue, site + pages
    yield "  all of them", f"{data:12,} {site:13,}"


def probe_figures(
    checkout: Checkout, python: Path, release: Release, device: str
) -> Iterator[tuple[str, str]]:
    """Yield what each layer of the probe costs in PyTorch's own calls and in all, and the rest."""
    answer = checkout.transcript(release.version, device).with_suffix(".bench.json")
    workers = str(os.cpu_count() or 1)
    run = ("--device", device, "--workers", workers, "--depth", release.depth)
    answer.parent.mkdir(parents=True, exist_ok=True)
    with progress("Probe") as done:
        run_probe(
            python,
            checkout.root,
            ("--bench", "--out", str(answer), *run),
            done,
            say,
        )
    try:
        part = msgspec.json.decode(answer.read_bytes(), type=Timed)
    except (OSError, msgspec.DecodeError) as error:
        raise ProbeError(f"the probe's timing at {answer} cannot be read ({error})") from error
    yield f"{part.tasks:,} tasks of {part.of_tasks:,}, by layer", "bare, recorded, ratio"
    bare, full = 0.0, 0.0
    for layer in part.layers:
        yield f"  {layer.name}", costs(layer.bare_seconds, layer.full_seconds)
        bare += layer.bare_seconds
        full += layer.full_seconds
    yield "  all layers", costs(bare, full)
    yield "  all tasks, estimated from these", whole(part)
    used = part.worker_seconds / (part.wall_seconds * part.workers)
    yield f"use of {part.workers} workers", f"{used:.0%}"
    yield "most memory of one process", f"{part.peak_bytes:,} bytes"


def whole(part: Timed) -> str:
    """Write what all tasks may take, given what every twentieth took."""
    factor = part.of_tasks / part.tasks
    processor, wall = factor * part.worker_seconds, factor * part.wall_seconds
    return f"{processor:.0f} s of processors, {wall:.0f} s by {part.workers} workers"


def costs(bare: float, full: float) -> str:
    """Write what calls cost bare and recorded, and the ratio unless they cost nearly nothing."""
    ratio = f"{full / bare:.2f} times" if bare >= LEAST_SECONDS else "–"
    return f"{bare:6.1f} s {full:6.1f} s  {ratio}"


def timed(work: Callable[[], Made]) -> tuple[Made, float]:
    """Return what `work` makes, and the seconds that it takes by the wall clock."""
    start = time.perf_counter()
    made = work()
    return made, time.perf_counter() - start


def size(folder: Path) -> int:
    """Return the bytes of all files below `folder`."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
