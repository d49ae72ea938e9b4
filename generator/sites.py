"""Build the site of every measured release whose pages are not up to date, one after another.

All of them lay out their pages in `docs/` before they are built, so that one release is at work at
a time. Sites that are up to date keep their bytes, and so do those of releases whose catalogue is
no longer here: their addresses are cited somewhere.
"""

from generator.catalogue import store
from generator.catalogue.history.stored import stored_history
from generator.checkout import Checkout
from generator.console import say, steps
from generator.errors import TapekeptError
from generator.pages.build import lead_to_releases
from generator.pages.freshness import is_fresh, stamp
from generator.pages.versions import built_releases
from generator.pipeline import build_pages, refuse_broken
from generator.release.lock import only_run
from generator.release.releases import release_dates


def build_sites(checkout: Checkout, device: str) -> None:
    """Build the sites that are missing or not up to date, and what leads to all of them.

    Raises:
        TapekeptError: nothing was measured on `device`, a catalogue is damaged, or a page could not
            be built; the sites that were done by then stay.
    """
    with only_run(checkout.lock):
        stale = find_stale(checkout, device)
        if stale:
            first = store.load(store.path_of(checkout.root, stale[0], device))
            history = stored_history(checkout.root, first, release_dates())
        with steps("Sites") as tell:
            for number, release in enumerate(stale):
                tell(number, len(stale), release)
                measured = store.load(store.path_of(checkout.root, release, device))
                refuse_broken(measured)
                build_pages(checkout, measured, history)
        lead_to_releases(checkout.root)
    there = built_releases(checkout.site)
    say(f"{len(there)} sites, newest first: {', '.join(there)}; {len(stale)} built anew")


def find_stale(checkout: Checkout, device: str) -> list[str]:
    """Return the measured releases whose site is missing or not up to date, oldest first.

    Raises:
        TapekeptError: nothing was measured on `device`, or a catalogue is damaged.
    """
    measured = [one for one, on in store.releases(checkout.root) if on == device]
    if not measured:
        raise TapekeptError(f"nothing was measured on {device}; `make catalog` measures a release")
    return [
        release
        for release in measured
        if not is_fresh(
            checkout.site / release,
            stamp(checkout.root, store.load(store.path_of(checkout.root, release, device))),
        )
    ]
