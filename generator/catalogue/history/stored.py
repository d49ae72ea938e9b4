"""The history that the committed catalogues of a device tell together."""

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

from packaging.version import Version

from generator.catalogue import store
from generator.catalogue.history.timelines import history
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue


def stored_history(root: Path, catalogue: Catalogue, dates: Mapping[str, dt.date]) -> History:
    """Compute the history of all releases in the project at `root`, with `catalogue` as its own.

    `dates` says when releases were published. Raises CatalogueError where a catalogue of the same
    device is damaged or was written by another schema.
    """
    known = {
        one.header.release: one for one in store.load_all(root, catalogue.header.build.device)
    } | {catalogue.header.release: catalogue}
    return history([known[release] for release in sorted(known, key=Version)], dates)
