"""What each stage costs in seconds and what it leaves in bytes, for one release.

The probe's cost is told against the same samples run bare, so that the ratio says what recording
adds whatever the machine; every other figure is one run.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from generator.catalogue import store
from generator.checkout import Checkout
from generator.console import progress, say
from generator.errors import ProbeError
from generator.pages.build import build_site
from generator.pages.render import render_pages
from generator.release.environment import ensure_environment
from generator.release.lock import only_run
from generator.release.releases import find_release
from generator.release.run import run_probe


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
        render = seconds(lambda: render_pages(measured, checkout.docs, checkout.templates))
        build = seconds(lambda: build_site(checkout.root, version))
        figures += [
            ("rendering the pages", f"{render:.1f} s"),
            ("building the site", f"{build:.1f} s"),
            ("size of the site", f"{size(checkout.site / version):,} bytes"),
            ("size of the catalogue", f"{committed.stat().st_size:,} bytes"),
        ]
    width = max(len(name) for name, _ in figures)
    for name, figure in figures:
        say(f"{name:<{width}}  {figure}")


def probe_figures(
    checkout: Checkout, python: Path, version: str, device: str
) -> Iterator[tuple[str, str]]:
    """Yield what the probe's samples cost bare, recorded, and as a ratio."""
    answer = checkout.transcript(version, device).with_suffix(".bench.json")
    answer.parent.mkdir(parents=True, exist_ok=True)
    with progress("Probe") as done:
        run_probe(
            python, checkout.root, ("--bench", "--out", str(answer), "--device", device), done, say
        )
    try:
        found = json.loads(answer.read_text(encoding="utf-8"))
        bare, recorded = float(found["bare_seconds"]), float(found["recorded_seconds"])
        samples = int(found["samples"])
    except (OSError, ValueError, KeyError) as error:
        raise ProbeError(f"the probe's timing at {answer} cannot be read ({error})") from error
    yield f"{samples:,} samples, bare", f"{bare:.1f} s"
    yield f"{samples:,} samples, recorded", f"{recorded:.1f} s"
    yield "recorded against bare", f"{recorded / bare:.2f} times"


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes by the wall clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def size(folder: Path) -> int:
    """Return the bytes of all files below `folder`."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
