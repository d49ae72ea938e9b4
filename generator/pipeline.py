"""The whole way from a release's number to its site, stage by stage."""

import os
import shutil
from pathlib import Path

from generator import report
from generator.catalogue import store
from generator.catalogue.checks import violations
from generator.catalogue.history.stored import stored_history
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue, Depth
from generator.checkout import Checkout
from generator.console import progress, say
from generator.errors import CatalogueError, NewerSchemaError
from generator.pages.build import build_site
from generator.pages.freshness import stamp
from generator.pages.render import render_pages
from generator.release.build import check_build
from generator.release.environment import ensure_environment
from generator.release.guides import check_guides
from generator.release.lock import only_run
from generator.release.releases import Release, default_release, find_release, release_dates
from generator.release.run import run_probe
from generator.release.transcript import read_transcript


def measure_release(checkout: Checkout, version: str, device: str) -> None:
    """Measure a release afresh, write its catalogue to `docs/data/`, and build its site.

    Raises:
        TapekeptError: a stage could not do its work. Up to the check of what was measured, the
            catalogue that was there is unchanged; a failure of the guides, the pages or the site
            leaves the new one.
    """
    with only_run(checkout.lock):
        release = find_release(version)
        committed = store.path_of(checkout.root, version, device)
        before = read_committed(committed, checkout.work)
        python = prepare(checkout, release, device)
        measured = measure(checkout, release, device, python)
        store.save(committed, measured)
        if version == default_release():
            say("Guides: running every code block")
            check_guides(python, checkout.guides, update=False)
        render_release(checkout, measured)
        say(report.outcome(measured, before, committed))
        say(look_at(checkout, version))


def prepare(checkout: Checkout, release: Release, device: str) -> Path:
    """Return the interpreter in which a release is measured, its environment made if need be.

    Raises:
        TapekeptError: the catalogue could not be written, or the release cannot be had here.
    """
    store.check_writable(store.path_of(checkout.root, release.version, device))
    say(f"Environment: torch {release.version} (a few minutes where it is not there yet)")
    python = ensure_environment(release, checkout.environment(release.version))
    check_build(python, release.version, device)
    return python


def measure(checkout: Checkout, release: Release, device: str, python: Path) -> Catalogue:
    """Measure a release with its own interpreter, going on where an interrupted run left off.

    Raises:
        TapekeptError: the probe ended early, or its records contradict each other.
    """
    lines = checkout.transcript(release.version, device)
    arguments = probe_arguments(lines, device, release.depth)
    try:
        with progress("Probe") as done:
            run_probe(python, checkout.root, arguments, done, say)
    except KeyboardInterrupt:
        say("Interrupted; what was measured is kept, and the same command continues.")
        raise
    measured = read_transcript(lines, release.version)
    refuse_broken(measured)
    return measured


def build_release(checkout: Checkout, version: str, device: str) -> None:
    """Build the site of a release from its committed catalogue alone.

    Raises:
        TapekeptError: there is no such catalogue, it is damaged, or a page could not be built.
    """
    with only_run(checkout.lock):
        measured = store.load(store.path_of(checkout.root, version, device))
        refuse_broken(measured)
        render_release(checkout, measured)
        say(report.counts(measured))
        say(look_at(checkout, version))


def run_guides(checkout: Checkout, version: str, *, update: bool) -> None:
    """Run the guides in a release; with `update`, write what their code blocks print now.

    Raises:
        TapekeptError: a code block printed something else than what is shown, or failed.
    """
    with only_run(checkout.lock):
        python = ensure_environment(find_release(version), checkout.environment(version))
        done = check_guides(python, checkout.guides, update=update)
    say(f"{done.blocks} code blocks of {done.guides} guides print what is shown.")
    for path in done.rewritten:
        say(f"Rewritten: {path}")


def probe_arguments(lines: Path, device: str, depth: Depth) -> tuple[str, ...]:
    """Return the probe's command line; it continues what an interrupted run left in `lines`."""
    lines.parent.mkdir(parents=True, exist_ok=True)
    workers = str(os.cpu_count() or 1)
    run = ("--out", str(lines), "--resume", "--device", device, "--workers", workers)
    return (*run, "--depth", depth)


def refuse_broken(measured: Catalogue) -> None:
    """Refuse a catalogue whose records contradict each other.

    Raises:
        CatalogueError: names the first contradiction and says how many there are.
    """
    found = violations(measured)
    if found:
        raise CatalogueError(
            f"the catalogue contradicts itself in {len(found)} places, first:"
            f" {found[0].record} {found[0].message}; nothing was written"
        )


def read_committed(path: Path, work: Path) -> Catalogue | CatalogueError | None:
    """Read the catalogue that is about to be replaced; a damaged one is set aside in `work`.

    Raises:
        NewerSchemaError: a newer tapekept wrote it, so it must not be replaced.
    """
    if not path.exists():
        return None
    try:
        return store.load(path)
    except NewerSchemaError:
        raise
    except CatalogueError as error:
        shutil.copy2(path, work / f"damaged-{path.name}")
        return error


def render_release(checkout: Checkout, measured: Catalogue) -> None:
    """Render the pages of a catalogue and build the site from them."""
    say("Pages: reading what all releases say")
    build_pages(checkout, measured, stored_history(checkout.root, measured, release_dates()))


def build_pages(checkout: Checkout, measured: Catalogue, history: History) -> None:
    """Render the pages of a catalogue, given what all releases say, and build the site."""
    say("Pages: rendering")
    render_pages(measured, history, checkout.docs, checkout.templates)
    say("Site: building")
    build_site(checkout.root, measured.header.release, stamp(checkout.root, measured))


def look_at(checkout: Checkout, version: str) -> str:
    """Say where the built site is."""
    page = checkout.site / version / "index.html"
    return f"Look at it: `make serve`, or open {page}"
