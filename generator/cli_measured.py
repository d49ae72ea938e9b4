"""What lookups on the command line open: a catalogue, a shelf of them, an attribute in all of them.

They import a room where they need it, so that neither torch nor pandas is loaded.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from generator.checkout import Checkout
from generator.errors import UnknownNameError

if TYPE_CHECKING:
    from generator.catalogue.model.records import Catalogue
    from generator.catalogue.shelf import Shelf
    from generator.review.layout import TextPage


def load(checkout: Checkout, release: str, device: str) -> "Catalogue":
    """Load the whole catalogue of a release."""
    from generator.catalogue import store

    refuse_unmeasured(checkout, device, release)
    return store.load(store.path_of(checkout.root, release, device))


def shelf_of(checkout: Checkout, device: str, *releases: str) -> "Shelf":
    """Open what was measured of some releases, to read of them what is asked for."""
    from generator.catalogue.shelf import open_shelf

    refuse_unmeasured(checkout, device, *releases)
    return open_shelf(checkout.root, device, releases)


def refuse_unmeasured(checkout: Checkout, device: str, *releases: str) -> None:
    """Raise UnknownNameError where one of the releases was not measured on the device."""
    from generator.catalogue import store

    there = [one for one, on in store.releases(checkout.root) if on == device]
    for release in releases:
        if there and release not in there:
            raise UnknownNameError(
                f"torch {release} was not measured on {device}; measured were {', '.join(there)}"
            )


def attribute_page_of(root: Path, device: str, name: str) -> "TextPage | None":
    """Lay out where a saved attribute is in all releases; None where the text is none."""
    from generator.catalogue.history.attributes import attribute_spans
    from generator.catalogue.shelf import open_shelf
    from generator.review.attribute import attribute_page

    if not name.startswith("_saved_"):
        return None
    shelf = open_shelf(root, device)
    spans = attribute_spans(shelf, name)
    return attribute_page(name, spans, shelf.releases, device) if spans else None


def attribute_elsewhere(
    root: Path, device: str, release: str, name: str
) -> UnknownNameError | None:
    """Tell which node types have a saved attribute in other releases; None where none has."""
    across = attribute_page_of(root, device, name)
    if across is None:
        return None
    return UnknownNameError(
        f"torch {release} has no {name}, {across.claim.rstrip('.')};"
        f" `show {name} --history` has the table"
    )
