"""Bring together catalogues that several machines measured, each in a folder of its own.

A machine's folder is its whole `docs/data/`, named after the release that it measured: a catalogue
may name others beside it for what they have in common.
"""

from pathlib import Path

from generator.catalogue import store
from generator.checkout import Checkout
from generator.console import say
from generator.errors import TapekeptError
from generator.pipeline import refuse_broken
from generator.release.lock import only_run


def collect(checkout: Checkout, folder: Path, device: str) -> list[str]:
    """Save the catalogue of each folder `folder/X.Y.Z/` in this checkout; return the releases.

    Raises:
        TapekeptError: there is none, or one is missing, damaged or contradicts itself.
    """
    found = sorted(path.parent for path in folder.glob("*/torch-*.jsonl"))
    releases = [path.name for path in dict.fromkeys(found)]
    if not releases:
        raise TapekeptError(f"{folder} holds no catalogue: one folder for each release is expected")
    with only_run(checkout.lock):
        for release in releases:
            catalogue = store.load(folder / release / f"torch-{release}-{device}.jsonl")
            refuse_broken(catalogue)
            store.save(store.path_of(checkout.root, release, device), catalogue)
            say(f"torch {release}: collected")
    return releases
