"""The commands that the scheduled workflows run, and the options they share with all others.

Each is a step of `.github/workflows/` and can be run by hand as well: finding a release, measuring
it on a machine of its own, proposing it, publishing the sites.
"""

import os
from pathlib import Path

import click

from generator.checkout import find_checkout
from generator.cli_options import device_option, measuring_option
from generator.errors import quoted

index_option = click.option(
    "--index",
    required=True,
    metavar="URL",
    help="The address at which a package index lists the releases of torch, as JSON.",
)


def _writable(_context: click.Context, _option: click.Parameter, given: Path | None) -> Path | None:
    """Refuse a file that cannot be appended to, before anything else is done."""
    if given is not None:
        there = given if given.exists() else given.parent
        if not given.name or not (given.is_file() or given.parent.is_dir()):
            raise click.UsageError(f"--output {quoted(str(given))} is no file in a folder")
        if not os.access(there, os.W_OK):
            raise click.UsageError(f"--output {quoted(str(given))} cannot be written")
    return given


output_option = click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_writable,
    help="Append it to this file as well, as a step of a workflow tells the next.",
)


@click.command()
@index_option
@output_option
@click.pass_obj
def upcoming(root: Path | None, index: str, output: Path | None) -> None:
    """Print the releases that were published and are neither known here nor proposed yet."""
    from generator.proposal import proposed
    from generator.release.releases import known_releases
    from generator.release.upstream import newer_releases

    checkout = find_checkout(root)
    newer = newer_releases(index, [one.version for one in known_releases()])
    found = [one.version for one in newer if not proposed(checkout, [one.version])]
    for version in found:
        click.echo(version)
    if found:
        _tell_next(output, f"release={found[0]}")


@click.command()
@click.argument("version", metavar="X.Y.Z")
@index_option
@click.pass_obj
def add(root: Path | None, version: str, index: str) -> None:
    """Write a release that was published into releases.toml."""
    from generator.release.additions import add_release
    from generator.release.upstream import find_published

    add_release(find_checkout(root).releases, find_published(index, version))


@click.command()
@click.argument("named", nargs=-1, metavar="[X.Y.Z]...")
@output_option
@device_option
@click.pass_obj
def unmeasured(
    root: Path | None, *, named: tuple[str, ...], output: Path | None, device: str
) -> None:
    """Print the releases that have no catalogue, or those that are named: one for a machine."""
    import msgspec

    from generator.catalogue import store
    from generator.release.releases import find_release, known_releases

    there = store.releases(find_checkout(root).root)
    missing = (one for one in known_releases() if (one.version, device) not in there)
    asked = [find_release(version) for version in named] or missing
    found = [one.version for one in asked]
    for version in found:
        click.echo(version)
    _tell_next(output, f"releases={msgspec.json.encode(found).decode()}")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@measuring_option
@click.pass_obj
def collect(root: Path | None, folder: Path, device: str) -> None:
    """Take over catalogues that other machines measured, from FOLDER/X.Y.Z/ for each release."""
    from generator.collection import collect as take

    take(find_checkout(root), folder, device)


@click.command()
@click.argument("releases", nargs=-1)
@device_option
@click.pass_obj
def propose(root: Path | None, releases: tuple[str, ...], device: str) -> None:
    """Open a pull request with the catalogues that are not committed yet, of RELEASES if named."""
    from generator.proposal import propose as open_request
    from generator.release.releases import find_release

    named = [find_release(version).version for version in releases]
    open_request(find_checkout(root), named, device)


@click.command("fetch-sites")
@click.pass_obj
def fetch_sites(root: Path | None) -> None:
    """Put the sites that are published into site/, so that they need not be built again."""
    from generator.publication import fetch_sites as fetch

    fetch(find_checkout(root))


@click.command("publish-sites")
@click.pass_obj
def publish_sites(root: Path | None) -> None:
    """Push what is in site/ to the branch that is served."""
    from generator.publication import publish_sites as publish

    publish(find_checkout(root))


def _tell_next(output: Path | None, line: str) -> None:
    if output is not None:
        with output.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


WORKFLOWS = (upcoming, add, unmeasured, collect, propose, fetch_sites, publish_sites)
