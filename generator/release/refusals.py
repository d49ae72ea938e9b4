"""Word in one sentence why a release cannot be installed, from what pip printed."""

import platform
import re

from generator.errors import FULL_WORDS, FullDiskError, ReleaseError, TapekeptError
from generator.release.releases import Release

UNREACHABLE = ("NewConnectionError", "ConnectTimeoutError", "ReadTimeoutError", "ProxyError")
# Not found is an answer: the index has nothing of that name.
REFUSED = re.compile(r"Could not fetch URL \S+: (?!404 )")
NONE = "No matching distribution found for torch"
OFFERED = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
SKIPPED = "Skipping link: "
YANKED = "yanked for reason: "
YANKED_INSTALL = re.compile(r"is a yanked version: '?torch'?\W.*\n\s*Reason for being yanked: (.+)")


def failure(release: Release, output: str) -> TapekeptError:
    """Return what a failed install means, of which pip printed `output`."""
    if any(words in output for words in FULL_WORDS):
        return FullDiskError(f"torch {release.version} could not be installed")
    if any(sign in output for sign in UNREACHABLE):
        return ReleaseError(out_of_reach(release))
    return ReleaseError(
        f"torch {release.version} could not be installed: {complaint(output)};"
        " run the same command again, or change the release's entry in"
        " generator/release/releases.toml"
    )


def why_not_offered(release: Release, listing: str, python: str | None) -> str | None:
    """Word why no wheel of a release is offered to this Python; None where one is.

    `listing` is what `pip index versions torch -vv` printed, which names each wheel that it passes
    over. A pip too old for that command tells nothing: None.
    """
    offered = offered_in(listing)
    if release.version in [one.partition("+")[0] for one in offered]:
        return None
    if not offered and NONE not in listing:
        return None
    if any(sign in listing for sign in UNREACHABLE) or REFUSED.search(listing):
        return out_of_reach(release)
    if (reason := yanked_in(release, listing)) is not None:
        return yanked(release, reason)
    if wheel_of(release).search(listing):
        return (
            f"torch {release.version} has no wheel for Python {python} on"
            f" {platform.system()} {platform.machine()}, so it cannot be measured here"
        )
    newest = f"; the newest one for this Python and platform is {offered[0]}" if offered else ""
    return f"there is no torch {release.version} on the package index{newest}"


def offered_in(listing: str) -> list[str]:
    """Return the versions that pip would install, newest first."""
    found = OFFERED.search(listing)
    return found[1].strip().split(", ") if found else []


def yanked_in(release: Release, listing: str) -> str | None:
    """Return the publishers' reason where pip passed over a yanked wheel of a release, else None.

    A reason may have several lines.
    """
    for passed_over in listing.split(SKIPPED)[1:]:
        wheel = wheel_of(release).search(passed_over)
        if passed_over.startswith(YANKED) and wheel:
            said, _, _address = passed_over[: wheel.start()].rpartition(": ")
            return said.removeprefix(YANKED)
    return None


def yanked_and_installed(output: str) -> str | None:
    """Return the publishers' reason where the torch that pip installed is yanked, else None."""
    found = YANKED_INSTALL.search(output)
    return found[1] if found else None


def yanked(release: Release, reason: str) -> str:
    """Word that a release was yanked, for a reason as pip prints it."""
    words = " ".join(reason.split()).rstrip(".")
    said = "no reason was given" if words == "<none given>" else words
    return (
        f"torch {release.version} was yanked by its publishers ({said});"
        " measure another patch of it"
    )


def out_of_reach(release: Release) -> str:
    """Word that no index answers."""
    return (
        f"the package index cannot be reached, so torch {release.version} could not be"
        " installed; check the network and run the same command again"
    )


def wheel_of(release: Release) -> re.Pattern[str]:
    """Return what matches the name of a wheel of just this version, of whatever build."""
    number = re.escape(release.version)
    return re.compile(rf"[/ ]torch-{number}(?:(?:\+|%2B)[^-/]*)?-[^/\s]*\.whl")


def complaint(output: str) -> str:
    """Pick the line that says what went wrong: pip's last error, or else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["no reason was given"])[-1].rstrip(".")
