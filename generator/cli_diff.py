"""The command that compares two committed catalogues: diff."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.checkout import find_checkout
from generator.cli_measured import attribute_elsewhere, load, shelf_of
from generator.cli_options import device_option, named_release
from generator.errors import UnknownNameError

if TYPE_CHECKING:
    from generator.catalogue.model.records import Catalogue
    from generator.catalogue.names import Resolution
    from generator.catalogue.shelf import Shelf


@click.command()
@click.argument("old", callback=named_release, metavar="OLD")
@click.argument("new", callback=named_release, metavar="NEW")
@click.option(
    "--op",
    "ops",
    multiple=True,
    metavar="NAME",
    help="Of these records alone; of a saved attribute, its nodes.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How to write it.",
)
@click.option("--long", "everything", is_flag=True, help="List every name; in JSON, every change.")
@device_option
@click.pass_obj
def diff(
    root: Path | None,
    *,
    old: str,
    new: str,
    ops: tuple[str, ...],
    form: str,
    everything: bool,
    device: str,
) -> None:
    """Tell what changed from release OLD to release NEW, as their catalogues say."""
    from generator.catalogue.difference.alone import difference_alone
    from generator.catalogue.difference.told import difference
    from generator.review.diff import write

    checkout = find_checkout(root)
    with_changes = everything and form == "json"
    if ops:
        shelf = shelf_of(checkout, device, old, new)
        only = _names_in(shelf, old, new, ops)
        found = difference_alone(shelf, old, new, only=only, with_changes=with_changes)
    else:
        sides = (load(checkout, release, device) for release in (old, new))
        found = difference(*sides, with_changes=with_changes)
    click.echo(write(found, form, everything=everything), nl=False)


def _names_in(shelf: "Shelf", old: str, new: str, asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the records that are meant, which one side alone may have.

    A saved attribute means the node types that have it on either side.
    """
    from generator.catalogue.lookup import named

    after, before = (named(shelf, release) for release in (new, old))
    found: list[str] = []
    for name in asked:
        having = [
            node.name
            for side in (after, before)
            for node in side.nodes.values()
            if name in node.attributes
        ]
        if having:
            found += having
            continue
        found.append(_meant(shelf, (after, before), name).record.name)
    return tuple(dict.fromkeys(found))


def _meant(shelf: "Shelf", sides: tuple["Catalogue", "Catalogue"], name: str) -> "Resolution":
    """Return what a name means on the newer side, or else on the older, which may have it alone."""
    from generator.catalogue.names import resolve

    meant, refused = [], []
    for side in sides:
        try:
            meant.append(resolve(side, name))
        except UnknownNameError as unknown:
            refused.append(unknown)
    if not meant:
        new = sides[0].header.release
        raise attribute_elsewhere(shelf.root, shelf.device, new, name) or refused[0]
    return next((one for one in meant if not one.nearest), meant[0])
