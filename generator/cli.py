"""The command `tapekept`: its commands, its exit codes, and the one place that catches errors.

Every import of a room happens inside the command that needs it, so that `cite` and `show` load
neither torch nor pandas. Exit codes: 0; 1 where `verify` found a difference or `catalogs` left a
release out; 2 with one sentence on stderr for anything that the user can do something about; 130
after Ctrl-C.
"""

import errno
import os
import sys
from io import TextIOWrapper
from pathlib import Path

import click

from generator.checkout import find_checkout
from generator.cli_lookups import LOOKUPS
from generator.cli_options import Number, device_option, measuring_option, torch_option
from generator.cli_workflows import WORKFLOWS
from generator.errors import TapekeptError

NAME = "tapekept"
LONGEST = 300


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
    if listed is not None and not versions:
        raise click.UsageError("--releases names none; leave it out for all that are missing")
    checkout = find_checkout(context.obj)
    if not measure_missing(checkout, versions, device, keep_environments=keep_envs):
        context.exit(1)


@commands.command()
@click.option("--all", "every", is_flag=True, help="Of each release whose site is not up to date.")
@torch_option
@device_option
@click.pass_context
def site(context: click.Context, *, every: bool, release: str, device: str) -> None:
    """Build the site of a release from its committed catalogue, without torch."""
    checkout = find_checkout(context.obj)
    if every:
        from generator.sites import build_sites

        if context.get_parameter_source("release") is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("--all is of all measured releases and goes without --torch")
        build_sites(checkout, device)
    else:
        from generator.pipeline import build_release

        build_release(checkout, release, device)


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
@click.argument("names", nargs=-1)
@click.option("--sample", type=Number(min=1), help="Measure so many records, drawn.")
@click.option("--seed", type=Number(min=0), metavar="N", help="Draw the same sample again.")
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
    if seed is not None and sample is None:
        raise click.UsageError("--seed goes with --sample")
    checkout = find_checkout(context.obj)
    if not verify_release(checkout, release, device, Choice(names, sample, seed)):
        context.exit(1)


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


for _one in (*LOOKUPS, *WORKFLOWS):
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
    """Let what is written to a stream that the shell closed (`>&-`) go nowhere.

    Signs that the encoding of a stream does not have are written, and read, as escapes.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - until the end
            setattr(sys, name, nowhere)
        elif isinstance(stream, TextIOWrapper):
            # A terminal of another encoding has no room for every sign of a call or a message.
            stream.reconfigure(errors="backslashreplace")


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
