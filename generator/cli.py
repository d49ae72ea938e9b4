"""The command `tapekept`: its commands, its exit codes, and the one place that catches errors.

Every import of a room happens inside the command that needs it, so that `cite` and `show` load
neither torch nor pandas. Exit codes: 0; 1 where `verify` found a difference or `catalogs` left a
release out; 2 with one sentence on stderr for anything that the user can do something about; 130
after Ctrl-C.
"""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from generator.checkout import Checkout, find_checkout
from generator.cli_workflows import WORKFLOWS, device_option, measuring_option
from generator.errors import CatalogueError, SizesError, TapekeptError, UnknownNameError, quoted

if TYPE_CHECKING:
    from generator.catalogue.model import Catalogue
    from generator.catalogue.names import Resolution
    from generator.review.page import TextPage

NAME = "tapekept"
LONGEST = 300

Command = TypeVar("Command", bound=Callable[..., Any])


def _release(_context: click.Context, _option: click.Parameter, given: str | None) -> str:
    """Return the number of the release that was named, or else of the default."""
    from generator.release.releases import default_release, find_release

    return default_release() if given is None else find_release(given).version


def _release_option(flag: str) -> Callable[[Command], Command]:
    return click.option(
        flag, "release", metavar="X.Y.Z", callback=_release, help="The PyTorch release."
    )


torch_option = _release_option("--torch")
release_option = _release_option("--release")


class Number(click.IntRange):
    """A whole number, whose refusal says so in plain words."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number, and raise click.BadParameter where it is none or out of range."""
        try:
            whole = int(str(value))
        except ValueError:
            self.fail(f"{quoted(str(value))} is no whole number", param, ctx)
        return int(super().convert(whole, param, ctx))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--root", type=click.Path(path_type=Path), help="The checkout, if not the one installed from."
)
@click.version_option(package_name=NAME)
@click.pass_context
def commands(context: click.Context, root: Path | None) -> None:
    """What the Tape Kept: what PyTorch's autograd keeps alive for backward, measured."""
    context.obj = root


@commands.command()
@torch_option
@measuring_option
@click.pass_obj
def catalog(root: Path | None, release: str, device: str) -> None:
    """Measure a release afresh, write its catalogue, and build its site."""
    from generator.pipeline import measure_release

    measure_release(find_checkout(root), release, device)


@commands.command()
@click.option("--releases", "listed", metavar="'X.Y.Z …'", help="These alone.")
@click.option(
    "--keep-envs",
    is_flag=True,
    envvar="KEEP_ENVS",
    help="Leave every release installed: 1 to 7 GB each. [env: KEEP_ENVS=1]",
)
@measuring_option
@click.pass_context
def catalogs(context: click.Context, *, listed: str | None, keep_envs: bool, device: str) -> None:
    """Measure every release that has no catalogue yet, the newest first; builds no site.

    A release that cannot be measured here is left out (exit code 1); the same command goes on
    where an interrupted one stopped.
    """
    from generator.sweep import measure_missing

    versions = (listed or "").replace(",", " ").split()
    checkout = find_checkout(context.obj)
    if not measure_missing(checkout, versions, device, keep_environments=keep_envs):
        context.exit(1)


@commands.command()
@click.option("--all", "every", is_flag=True, help="Of each release whose site is not up to date.")
@torch_option
@device_option
@click.pass_obj
def site(root: Path | None, *, every: bool, release: str, device: str) -> None:
    """Build the site of a release from its committed catalogue, without torch."""
    if every:
        from generator.sites import build_sites

        build_sites(find_checkout(root), device)
    else:
        from generator.pipeline import build_release

        build_release(find_checkout(root), release, device)


@commands.command()
@click.option("--port", default=8000, show_default=True, type=Number(1, 65535))
@click.pass_obj
def serve(root: Path | None, port: int) -> None:
    """Show the built site on this machine until Ctrl-C."""
    from generator.serve import serve_site

    serve_site(find_checkout(root).site, port)


@commands.command()
@click.option("--update", is_flag=True, help="Write what the code blocks print now.")
@torch_option
@click.pass_obj
def guides(root: Path | None, release: str, update: bool) -> None:
    """Run the code blocks of the guides and compare what they print with what is shown."""
    from generator.pipeline import run_guides

    run_guides(find_checkout(root), release, update=update)


@commands.command()
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
    catalogue = _load(checkout, release, device)
    found = _find_or_tell(checkout, catalogue, name)
    if as_json:
        import msgspec

        text = msgspec.json.format(msgspec.json.encode(found.record), indent=2)
        click.echo(text.decode())
        return
    from generator.review.page import text_page
    from generator.review.show import draw, plain

    if shape is None:
        page = text_page(catalogue.header, found.record)
    else:
        page = _page_at(find_checkout(root), catalogue, found, Asked(shape, dtype, call))
    if sys.stdout.isatty():
        draw(page)
    else:
        click.echo(plain(page), nl=False)
    if found.others:
        click.echo(f"{quoted(name)} also names {', '.join(found.others)}", err=True)


@commands.command()
@click.argument("names", nargs=-1)
@click.option("--sample", type=Number(min=1), help="Measure so many records, drawn.")
@click.option("--seed", type=Number(), help="Draw the same sample again.")
@torch_option
@measuring_option
@click.pass_context
def verify(
    context: click.Context,
    *,
    names: tuple[str, ...],
    sample: int | None,
    seed: int | None,
    release: str,
    device: str,
) -> None:
    """Measure records of the committed catalogue again and tell what differs (exit code 1).

    NAMES are the records to measure; without any, and without --sample, it is all of them.
    """
    from generator.verification import Choice, verify_release

    if names and sample is not None:
        raise click.UsageError("name records, or draw a sample of them, but not both")
    checkout = find_checkout(context.obj)
    if not verify_release(checkout, release, device, Choice(names, sample, seed)):
        context.exit(1)


@commands.command()
@click.argument("name")
@release_option
@device_option
@click.pass_obj
def cite(root: Path | None, name: str, release: str, device: str) -> None:
    """Print one line of Markdown that quotes what an op, module or node keeps."""
    from generator.catalogue.citations import markdown

    checkout = find_checkout(root)
    catalogue = _load(checkout, release, device)
    found = _find_or_tell(checkout, catalogue, name)
    click.echo(markdown(catalogue.header, found.record))


@commands.command()
@click.argument("old", callback=_release, metavar="OLD")
@click.argument("new", callback=_release, metavar="NEW")
@click.option("--op", "ops", multiple=True, metavar="NAME", help="Of these ops or modules alone.")
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
    from generator.catalogue.difference import difference
    from generator.review.diff import write

    checkout = find_checkout(root)
    before, after = (_load(checkout, release, device) for release in (old, new))
    only = tuple(dict.fromkeys(_find_in(before, after, name) for name in ops))
    found = difference(before, after, only=only, with_changes=everything and form == "json")
    click.echo(write(found, form, everything=everything), nl=False)


@commands.command()
@torch_option
@measuring_option
@click.pass_obj
def bench(root: Path | None, release: str, device: str) -> None:
    """Time the probe, the rendering and the build, and weigh what they leave."""
    from generator.bench import run_bench

    run_bench(find_checkout(root), release, device)


@commands.command()
@click.pass_obj
def clean(root: Path | None) -> None:
    """Remove all that was made and can be made again; docs/data/ stays."""
    from generator.cleaning import remove_made

    checkout = find_checkout(root)
    for path in remove_made(checkout.root):
        click.echo(f"Removed {path.relative_to(checkout.root)}")


for _one in WORKFLOWS:
    commands.add_command(_one)


def main() -> None:
    """Run the command line; no traceback reaches a user."""
    _open_closed()
    try:
        # click's own `main` would answer a closed pipe and Ctrl-C with exit codes of its own.
        with commands.make_context(NAME, sys.argv[1:]) as context:
            commands.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except click.UsageError as error:
        said = error.format_message()
        # click quotes what was typed in full.
        _fail(said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…")
    except TapekeptError as error:
        _fail(str(error))
    except BrokenPipeError:
        _forget_stdout()
    except OSError as error:
        _forget_stdout()
        _fail(_explain(error))
    except KeyboardInterrupt:
        sys.exit(130)


def _open_closed() -> None:
    """Let what is written to a stream that the shell closed (`>&-`) go nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
            setattr(sys, name, nowhere)


def _forget_stdout() -> None:
    """Let nobody write what stdout still holds: it cannot be written, and exiting would try."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str) -> None:
    click.echo(f"{NAME}: {_printable(sentence.rstrip('.'))}", err=True)
    sys.exit(2)


def _printable(text: str) -> str:
    """Write escapes for what a terminal would obey, such as in the name of a file."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def _explain(error: OSError) -> str:
    where = error.filename or "the output"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full, so {where} could not be written; free some space and try again"
    return f"{where} could not be used: {error.strerror or error}"


def _show_history(context: click.Context, name: str, device: str, form: str) -> None:
    from generator.catalogue.history_json import history_json
    from generator.retelling import retell
    from generator.review.diff import Plain
    from generator.review.history import history_page
    from generator.review.show import draw, plain

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
    told, kind, found = retell(find_checkout(context.obj).root, device, name)
    if form == "json":
        click.echo(history_json(told, kind, found.record.name, Plain()).decode(), nl=False)
        return
    page = history_page(told, kind, found.record.name)
    if sys.stdout.isatty():
        draw(page)
    else:
        click.echo(plain(page), nl=False)
    if found.others:
        click.echo(f"{quoted(name)} also names {', '.join(found.others)}", err=True)


class Asked(NamedTuple):
    """What was typed of a call at other sizes: its shapes, its dtype, a part of its text."""

    shape: str
    dtype: str | None
    call: str | None


def _page_at(
    checkout: Checkout, catalogue: "Catalogue", found: "Resolution", asked: Asked
) -> "TextPage":
    from generator.catalogue.model import OpRecord
    from generator.release.acceptance import ask, interpreter_of
    from generator.review.question import question
    from generator.review.sizes import choose, sizes_page

    record, header = found.record, catalogue.header
    if not isinstance(record, OpRecord):
        raise UnknownNameError(f"{record.name} is no op: only ops have byte formulas")
    priced = choose(record, *asked)
    python = interpreter_of(header.release, checkout.environment(header.release))
    answer = ask(python, question(record, priced)) if python else None
    if answer is not None and answer.refused is not None:
        raise SizesError(f"torch {header.release} refuses such a call: {answer.refused}")
    told = answer is not None and answer.untold is None
    accepted = f"by torch {header.release}, of meta tensors of these sizes" if told else None
    return sizes_page(header, record, priced, accepted)


def _load(checkout: Checkout, release: str, device: str) -> "Catalogue":
    from generator.catalogue import store

    there = [one for one, on in store.releases(checkout.root) if on == device]
    if there and release not in there:
        raise UnknownNameError(
            f"torch {release} was not measured on {device}; measured were {', '.join(there)}"
        )
    return store.load(store.path_of(checkout.root, release, device))


def _find_in(before: "Catalogue", after: "Catalogue", name: str) -> str:
    """Return the name of the record that is meant, which one side alone may have."""
    try:
        return _find(after, name).record.name
    except UnknownNameError as unknown:
        try:
            return _find(before, name).record.name
        except UnknownNameError:
            raise unknown from None


def _find_or_tell(checkout: Checkout, catalogue: "Catalogue", name: str) -> "Resolution":
    """Return what `_find` does, or tell which other releases have it."""
    from generator.catalogue import elsewhere

    try:
        return _find(catalogue, name)
    except UnknownNameError as unknown:
        header = catalogue.header
        told = elsewhere.told(checkout.root, header.build.device, name)
        if told is None:
            raise
        raise UnknownNameError(f"torch {header.release} has no {told}") from unknown


def _find(catalogue: "Catalogue", name: str) -> "Resolution":
    from generator.catalogue.checks import violations_of
    from generator.catalogue.names import resolve

    found = resolve(catalogue, name)
    wrong = violations_of(catalogue, found.record)
    if wrong:
        raise CatalogueError(
            f"the catalogue {catalogue.header.name} contradicts itself: {wrong[0].record}"
            f" {wrong[0].message}; measure it again"
        )
    return found
