"""What each stage costs in seconds and what it leaves in bytes, for one release.

The probe's cost is told by layer against that of PyTorch's own calls in it, so that the ratio says
what recording adds whatever the machine; every other figure is one run.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from generator.catalogue import store
from generator.catalogue.history_stored import stored_history
from generator.checkout import Checkout
from generator.console import progress, say
from generator.errors import ProbeError
from generator.pages.build import build_site
from generator.pages.freshness import stamp
from generator.pages.render import render_pages
from generator.release.environment import ensure_environment
from generator.release.lock import only_run
from generator.release.releases import find_release, release_dates
from generator.release.run import run_probe


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
        committed = store.path_of(checkout.root, version, device)
        measured = store.load(committed)
        python = ensure_environment(find_release(version), checkout.environment(version))
        figures = [*probe_figures(checkout, python, version, device)]
        history = stored_history(checkout.root, measured, release_dates())
        made_of = stamp(checkout.root, measured)
        render = seconds(lambda: render_pages(measured, history, checkout.docs, checkout.templates))
        build = seconds(lambda: build_site(checkout.root, version, made_of))
        figures += [
            ("rendering the pages", f"{render:.1f} s"),
            ("building the site", f"{build:.1f} s"),
            ("size of the site", f"{size(checkout.site / version):,} bytes"),
            ("size of the catalogue", f"{committed.stat().st_size:,} bytes"),
        ]
        lines = checkout.transcript(version, device)
        if lines.exists():
            figures.append(("size of the last run's records", f"{lines.stat().st_size:,} bytes"))
    width = max(len(name) for name, _ in figures)
    for name, figure in figures:
        say(f"{name:<{width}}  {figure}")


def probe_figures(
    checkout: Checkout, python: Path, version: str, device: str
) -> Iterator[tuple[str, str]]:
    """Yield what each layer of the probe costs in PyTorch's own calls and in all, and the rest."""
    answer = checkout.transcript(version, device).with_suffix(".bench.json")
    workers = str(os.cpu_count() or 1)
    answer.parent.mkdir(parents=True, exist_ok=True)
    with progress("Probe") as done:
        run_probe(
            python,
            checkout.root,
            ("--bench", "--out", str(answer), "--device", device, "--workers", workers),
            done,
            say,
        )
    try:
        timed = msgspec.json.decode(answer.read_bytes(), type=Timed)
    except (OSError, msgspec.DecodeError) as error:
        raise ProbeError(f"the probe's timing at {answer} cannot be read ({error})") from error
    yield f"{timed.tasks:,} tasks of {timed.of_tasks:,}, by layer", "bare, recorded, ratio"
    bare, full = 0.0, 0.0
    for layer in timed.layers:
        yield f"  {layer.name}", costs(layer.bare_seconds, layer.full_seconds)
        bare += layer.bare_seconds
        full += layer.full_seconds
    yield "  all layers", costs(bare, full)
    used = timed.worker_seconds / (timed.wall_seconds * timed.workers)
    yield f"use of {timed.workers} workers", f"{used:.0%}"
    yield "most memory of one process", f"{timed.peak_bytes:,} bytes"


def costs(bare: float, full: float) -> str:
    """Write what calls cost bare and recorded, and the ratio where there were calls."""
    ratio = f"{full / bare:.2f} times" if bare else "–"
    return f"{bare:6.1f} s {full:6.1f} s  {ratio}"


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes by the wall clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def size(folder: Path) -> int:
    """Return the bytes of all files below `folder`."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
