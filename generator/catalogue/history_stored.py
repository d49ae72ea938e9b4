"""The history that the committed catalogues of a device tell together."""

import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path

from generator.catalogue import store
from generator.catalogue.history import history
from generator.catalogue.model import Catalogue
from generator.catalogue.model_history import History


def stored_history(root: Path, catalogue: Catalogue, dates: Mapping[str, dt.date]) -> History:
    """Compute the history of all releases in the project at `root`, with `catalogue` as its own.

    `dates` says when releases were published. Raises CatalogueError where a catalogue of the same
    device is damaged or was written by another schema.
    """
    return history(_catalogues(root, catalogue), dates)


def _catalogues(root: Path, catalogue: Catalogue) -> Iterator[Catalogue]:
    device = catalogue.header.build.device
    for release, measured_on in store.releases(root):
        if measured_on != device:
            continue
        if release == catalogue.header.release:
            yield catalogue
        else:
            yield store.load(store.path_of(root, release, device))
