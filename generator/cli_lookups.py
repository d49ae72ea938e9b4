"""The commands that look something up in one committed catalogue: show, explain and cite.

They import a room where they need it, so that neither torch nor pandas is loaded.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator.checkout import Checkout, find_checkout
from generator.cli_diff import diff
from generator.cli_measured import (
    attribute_elsewhere,
    attribute_page_of,
    load,
    refuse_unmeasured,
    shelf_of,
)
from generator.cli_options import Text, device_option, release_option
from generator.errors import (
    SizesError,
    TapekeptError,
    UnknownNameError,
    quoted,
)

if TYPE_CHECKING:
    from generator.catalogue.model.records import Catalogue
    from generator.catalogue.names import Resolution
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
    across = attribute_page_of(root, device, name)
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

    refuse_unmeasured(checkout, device, release)
    if not is_known(text):
        return None
    catalogue = load(checkout, release, device)
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


def _look_up(
    checkout: Checkout, release: str, device: str, name: str
) -> tuple["Catalogue", "Resolution"]:
    """Return the record that is meant, whole, and a catalogue of the names of all.

    Where there is none, tell which other releases have it, or which guide it is in.
    """
    from generator.catalogue import elsewhere
    from generator.catalogue.lookup import named, whole
    from generator.catalogue.names import resolve

    shelf = shelf_of(checkout, device, release)
    catalogue = named(shelf, release)
    try:
        found = resolve(catalogue, name)
    except UnknownNameError as unknown:
        raise _unknown(checkout, catalogue, device, name, str(unknown)) from unknown
    told = elsewhere.told(checkout.root, device, name) if found.nearest else None
    if told is not None:
        raise UnknownNameError(f"torch {release} has no {told}")
    return catalogue, whole(shelf, catalogue, found)


def _unknown(
    checkout: Checkout, catalogue: "Catalogue", device: str, name: str, said: str
) -> UnknownNameError:
    """Say where else a name is that a catalogue has not: `said` is what its refusal says."""
    from generator.catalogue import elsewhere
    from generator.catalogue.links import release_url
    from generator.review.guide_sections import sections_about, writes_about

    release = catalogue.header.release
    if any(name in node.attributes for node in catalogue.nodes.values()):
        return UnknownNameError(said)
    across = attribute_elsewhere(checkout.root, device, release, name)
    if across is not None:
        return across
    told = elsewhere.told(checkout.root, device, name)
    if told is not None:
        return UnknownNameError(f"torch {release} has no {told}")
    sections = (*sections_about(checkout.guides, name), *writes_about(catalogue.writes, name))
    if not sections:
        return UnknownNameError(said)
    site = release_url(release)
    spoken = " and ".join(f"{site}{one}" for one in sections)
    return UnknownNameError(f"{said.partition('; ')[0]}; it is spoken of at {spoken}")
