"""The commands that look something up in the committed catalogues: show, cite and diff.

They import a room where they need it, so that neither torch nor pandas is loaded.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator.checkout import Checkout, find_checkout
from generator.cli_options import Text, device_option, named_release, release_option
from generator.errors import (
    SizesError,
    TapekeptError,
    UnknownNameError,
    quoted,
)

if TYPE_CHECKING:
    from generator.catalogue.model.records import Catalogue
    from generator.catalogue.names import Resolution
    from generator.catalogue.shelf import Shelf
    from generator.review.layout import TextPage


@click.command(cls=Text)
@click.argument("name")
@release_option
@device_option
@click.option("--json", "as_json", is_flag=True, help="Print the record as the catalogue holds it.")
@click.option("--shape", metavar="8x128", help="Bytes for arguments of this shape; of an op.")
@click.option("--dtype", metavar="DTYPE", help="Their dtype; with --shape.")
@click.option("--call", metavar="TEXT", help="A part of the call that is meant; with --shape.")
@click.option("--history", is_flag=True, help="Since when, in all measured releases.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), help="How to write the history."
)
@click.pass_context
def show(
    context: click.Context,
    *,
    name: str,
    release: str,
    device: str,
    as_json: bool,
    shape: str | None,
    dtype: str | None,
    call: str | None,
    history: bool,
    form: str | None,
) -> None:
    """Show what an op, module or node keeps; NAME may be an alias or an error message.

    With --shape, what an op keeps for arguments of that shape, or of those in
    input=8x128,weight=64x128, worked out without making the call. With --history, since which
    release it keeps that, and what it kept before.
    """
    root: Path | None = context.obj
    if history:
        _show_history(context, name, device, form or "text")
        return
    if form is not None:
        raise click.UsageError("--format goes with --history; the record is printed by --json")
    if (as_json and shape is not None) or (shape is None and (dtype, call) != (None, None)):
        raise click.UsageError("--dtype and --call go with --shape, and --shape without --json")
    checkout = find_checkout(root)
    page = None if as_json or shape is not None else _explained(checkout, release, device, name)
    if page is not None:
        _print(page)
        return
    catalogue, found = _look_up(checkout, release, device, name)
    if as_json:
        click.echo(_json_of(catalogue, found))
        return
    from generator.review.page import text_page

    if shape is None:
        page = text_page(catalogue.header, found.record, found.spelling, catalogue.nodes)
    else:
        page = _page_at(checkout, catalogue, found, Asked(shape, dtype, call))
    _print(page, name, found)


@click.command(cls=Text)
@click.argument("message")
@release_option
@device_option
@click.pass_obj
def explain(root: Path | None, message: str, release: str, device: str) -> None:
    """Explain an error of autograd: who saved, who wrote, what helps.

    MESSAGE is the error, whole or the part that names an output; - reads it from standard input.
    """
    from generator.catalogue.links import release_url

    text = _read_stdin() if message == "-" else message
    page = _explained(find_checkout(root), release, device, text)
    if page is None:
        raise UnknownNameError(
            f"{quoted(text.strip())} is no error that is known here; those that are known are"
            f" listed at {release_url(release)}guides/explain-my-error/"
        )
    _print(page)


@click.command(cls=Text)
@click.argument("name")
@release_option
@device_option
@click.pass_obj
def cite(root: Path | None, name: str, release: str, device: str) -> None:
    """Print one line of Markdown that quotes what an op, module or node keeps."""
    from generator.catalogue.citations import markdown

    catalogue, found = _look_up(find_checkout(root), release, device, name)
    click.echo(markdown(catalogue.header, found.record, found.spelling, catalogue.nodes))


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
        shelf = _shelf(checkout, device, old, new)
        only = _names_in(shelf, old, new, ops)
        found = difference_alone(shelf, old, new, only=only, with_changes=with_changes)
    else:
        sides = (_load(checkout, release, device) for release in (old, new))
        found = difference(*sides, with_changes=with_changes)
    click.echo(write(found, form, everything=everything), nl=False)


LOOKUPS = (show, explain, cite, diff)


def _show_history(context: click.Context, name: str, device: str, form: str) -> None:
    from generator.catalogue.history.as_json import AskedSpelling, history_json
    from generator.retelling import retell
    from generator.review.diff import Plain
    from generator.review.history import history_page

    typed = [
        parameter
        for parameter in ("release", "as_json", "shape", "dtype", "call")
        if context.get_parameter_source(parameter) is click.core.ParameterSource.COMMANDLINE
    ]
    if typed:
        flag = "--json" if typed[0] == "as_json" else f"--{typed[0]}"
        raise click.UsageError(
            f"--history is of all releases and goes with --format and --device, not with {flag}"
        )
    root = find_checkout(context.obj).root
    across = _attribute_page(root, device, name)
    if across is not None:
        if form == "json":
            raise click.UsageError("--format json is of ops, modules and node types")
        _print(across)
        return
    retold = retell(root, device, name)
    told, kind, found = retold.history, retold.kind, retold.found
    asked = AskedSpelling(found.spelling.name, retold.spelling) if found.spelling else None
    if form == "json":
        click.echo(history_json(told, kind, found.record.name, Plain(), asked).decode(), nl=False)
        return
    page = history_page(told, kind, found.record.name, asked)
    _print(page, name, found)


def _attribute_page(root: Path, device: str, name: str) -> "TextPage | None":
    """Lay out where a saved attribute is in all releases; None where the text is none."""
    from generator.catalogue.history.attributes import attribute_spans
    from generator.catalogue.shelf import open_shelf
    from generator.review.attribute import attribute_page

    if not name.startswith("_saved_"):
        return None
    shelf = open_shelf(root, device)
    spans = attribute_spans(shelf, name)
    return attribute_page(name, spans, shelf.releases, device) if spans else None


def _attribute_elsewhere(
    root: Path, device: str, release: str, name: str
) -> UnknownNameError | None:
    """Tell which node types have a saved attribute in other releases; None where none has."""
    across = _attribute_page(root, device, name)
    if across is None:
        return None
    return UnknownNameError(
        f"torch {release} has no {name}, {across.claim.rstrip('.')};"
        f" `show {name} --history` has the table"
    )


def _read_stdin() -> str:
    try:
        return sys.stdin.read()
    except OSError as error:
        raise TapekeptError(f"standard input cannot be read: {error.strerror}") from error


def _json_of(catalogue: "Catalogue", found: "Resolution") -> str:
    """Write the record as the catalogue holds it; first a spelling of it that was asked for."""
    import msgspec

    from generator.catalogue.model.records import OpRecord
    from generator.review.spelling import spelling_data

    told = msgspec.to_builtins(found.record)
    if found.spelling is not None and isinstance(found.record, OpRecord):
        told = {"spelling": spelling_data(found.record, found.spelling, catalogue.nodes), **told}
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def _explained(checkout: Checkout, release: str, device: str, text: str) -> "TextPage | None":
    """Explain a text that is an error message; None where it is none that is known."""
    from generator.catalogue.elsewhere import names
    from generator.catalogue.explain.explanations import explanation, is_known
    from generator.review.explain import explained_page

    _refuse_unmeasured(checkout, device, release)
    if not is_known(text):
        return None
    catalogue = _load(checkout, release, device)
    told = explanation(catalogue, text, lambda: names(checkout.root, device, "node"))
    return None if told is None else explained_page(catalogue.header, told)


def _print(page: "TextPage", name: str = "", found: "Resolution | None" = None) -> None:
    """Print a page, drawn for a terminal, and say what else `name` may mean."""
    from generator.review.show import draw, plain

    if found is not None and found.decided:
        page = replace(page, facts=(("read as", found.decided), *page.facts))
    if sys.stdout.isatty():
        draw(page)
    else:
        click.echo(plain(page), nl=False)
    if found is not None and found.others:
        click.echo(f"{quoted(name)} also names {', '.join(found.others)}", err=True)


class Asked(NamedTuple):
    """What was typed of a call at other sizes: its shapes, its dtype, a part of its text."""

    shape: str
    dtype: str | None
    call: str | None


def _page_at(
    checkout: Checkout, catalogue: "Catalogue", found: "Resolution", asked: Asked
) -> "TextPage":
    from generator.catalogue.model.records import OpRecord
    from generator.release.acceptance import ask, interpreter_of
    from generator.review.question import question
    from generator.review.sizes import choose, sizes_page
    from generator.review.spelling import refuse_other_formula

    record, header = found.record, catalogue.header
    if not isinstance(record, OpRecord):
        raise UnknownNameError(f"{record.name} is no op: only ops have byte formulas")
    if found.spelling is not None:
        refuse_other_formula(record, found.spelling)
    priced = choose(record, *asked)
    python = interpreter_of(header.release, checkout.environment(header.release))
    answer = ask(python, question(record, priced)) if python else None
    if answer is not None and answer.refused is not None:
        raise SizesError(f"torch {header.release} refuses such a call: {answer.refused}")
    told = answer is not None and answer.untold is None
    accepted = f"by torch {header.release}, of meta tensors of these sizes" if told else None
    return sizes_page(header, record, priced, accepted, found.spelling)


def _load(checkout: Checkout, release: str, device: str) -> "Catalogue":
    from generator.catalogue import store

    _refuse_unmeasured(checkout, device, release)
    return store.load(store.path_of(checkout.root, release, device))


def _shelf(checkout: Checkout, device: str, *releases: str) -> "Shelf":
    """Open what was measured of some releases, to read of them what is asked for."""
    from generator.catalogue.shelf import open_shelf

    _refuse_unmeasured(checkout, device, *releases)
    return open_shelf(checkout.root, device, releases)


def _refuse_unmeasured(checkout: Checkout, device: str, *releases: str) -> None:
    from generator.catalogue import store

    there = [one for one, on in store.releases(checkout.root) if on == device]
    for release in releases:
        if there and release not in there:
            raise UnknownNameError(
                f"torch {release} was not measured on {device}; measured were {', '.join(there)}"
            )


def _names_in(shelf: "Shelf", old: str, new: str, asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the records that are meant, which one side alone may have.

    A saved attribute means the node types that have it on either side.
    """
    from generator.catalogue.lookup import look_up, named

    after, before = (named(shelf, release) for release in (new, old))
    found = []
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
        try:
            meant = look_up(shelf, after, name)
        except UnknownNameError as unknown:
            try:
                meant = look_up(shelf, before, name)
            except UnknownNameError:
                raise _attribute_elsewhere(shelf.root, shelf.device, new, name) or unknown from None
        found.append(meant.record.name)
    return tuple(dict.fromkeys(found))


def _look_up(
    checkout: Checkout, release: str, device: str, name: str
) -> tuple["Catalogue", "Resolution"]:
    """Return the record that is meant, whole, and a catalogue of the names of all.

    Where there is none, tell which other releases have it, or which guide it is in.
    """
    from generator.catalogue import elsewhere
    from generator.catalogue.links import release_url
    from generator.catalogue.lookup import look_up, named
    from generator.review.guide_sections import sections_about, writes_about

    shelf = _shelf(checkout, device, release)
    catalogue = named(shelf, release)
    try:
        return catalogue, look_up(shelf, catalogue, name)
    except UnknownNameError as unknown:
        here = any(name in node.attributes for node in catalogue.nodes.values())
        across = None if here else _attribute_elsewhere(checkout.root, device, release, name)
        if across is not None:
            raise across from unknown
        told = elsewhere.told(checkout.root, device, name)
        if told is not None:
            raise UnknownNameError(f"torch {release} has no {told}") from unknown
        sections = (
            *sections_about(checkout.guides, name),
            *writes_about(catalogue.writes, name),
        )
        if here or not sections:
            raise
        site = release_url(release)
        spoken = " and ".join(f"{site}{one}" for one in sections)
        said = str(unknown).partition("; ")[0]
        raise UnknownNameError(f"{said}; it is spoken of at {spoken}") from unknown
