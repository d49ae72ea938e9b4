"""The options that commands of `tapekept` share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from generator.errors import quoted

Command = TypeVar("Command", bound=Callable[..., Any])


def named_release(_context: click.Context, _option: click.Parameter, given: str | None) -> str:
    """Return the number of the release that was named, or else of the default."""
    from generator.release.releases import default_release, find_release

    return default_release() if given is None else find_release(given).version


def _release_option(flag: str) -> Callable[[Command], Command]:
    return click.option(
        flag, "release", metavar="X.Y.Z", callback=named_release, help="The PyTorch release."
    )


torch_option = _release_option("--torch")
release_option = _release_option("--release")


def device_option_saying(text: str) -> Callable[[Command], Command]:
    """Return the option that names a device, with what it means for a command."""
    return click.option(
        "--device",
        type=click.Choice(["cpu", "cuda", "mps"]),
        default="cpu",
        show_default=True,
        help=text,
    )


measuring_option = device_option_saying("Where to measure.")
device_option = device_option_saying("Which catalogue: where it was measured.")


class Text(click.Command):
    """A command whose argument is code or a name: `-x` is read as one, and is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what was typed once more where it begins with one dash and is no option."""
        typed = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name.startswith("--"):
                raise
            ctx.ignore_unknown_options = True
            return super().parse_args(ctx, typed)


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
