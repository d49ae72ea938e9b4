"""Word in one sentence why pip did not install a release, from what it printed."""

import platform
import re

from generator.release.releases import Release

UNREACHABLE = ("NewConnectionError", "ConnectTimeoutError", "ReadTimeoutError", "ProxyError")
FULL = ("No space left on device", "Disk quota exceeded")
YANKED = re.compile(r"is a yanked version: '?torch'?\W.*\n\s*Reason for being yanked: (.+)")


def explain(release: Release, output: str) -> str:
    """Turn what a failed install printed into one sentence."""
    if any(sign in output for sign in FULL):
        return (
            f"the disk is full, so torch {release.version} could not be installed;"
            " free some space and run the same command again"
        )
    if any(sign in output for sign in UNREACHABLE):
        return out_of_reach(release)
    return (
        f"torch {release.version} could not be installed: {complaint(output)};"
        " run the same command again, or change the release's entry in"
        " generator/release/releases.toml"
    )


def is_missing(release: Release, output: str) -> bool:
    """Say whether pip found no wheel of just this version that it could install."""
    found = re.search(r"No matching distribution found for torch==([\w.+]+)", output)
    return found is not None and found[1] == release.version


def explain_missing(release: Release, output: str, python: str | None) -> str:
    """Word why there is no wheel to install; `output` is pip's under `-vv`.

    An index that cannot be reached has no wheels either, and pip may say so under `-vv` alone.
    """
    if any(sign in output for sign in UNREACHABLE):
        return out_of_reach(release)
    if is_published(release, output):
        return (
            f"torch {release.version} has no wheel for Python {python} on"
            f" {platform.system()} {platform.machine()}, so it cannot be measured here"
        )
    return f"there is no torch {release.version} on the package index{newest(output)}"


def out_of_reach(release: Release) -> str:
    """Word that no index answers."""
    return (
        f"the package index cannot be reached, so torch {release.version} could not be"
        " installed; check the network and run the same command again"
    )


def yanked(output: str) -> str | None:
    """Return the publishers' reason where the torch that pip took is a yanked one, else None."""
    found = YANKED.search(output)
    if found is None:
        return None
    reason = found[1].strip().rstrip(".")
    return "no reason was given" if reason == "<none given>" else reason


def is_published(release: Release, output: str) -> bool:
    """Say whether pip passed over a wheel of just this version, for its tags or its Python."""
    number = re.escape(release.version)
    return re.search(rf"[/ ]torch-{number}(?:(?:\+|%2B)[^-/]*)?-[^/\s]*\.whl", output) is not None


def newest(output: str) -> str:
    """Name the newest version that pip could have installed, if it says so."""
    listed = re.search(r"\(from versions: ([^)]*)\)", output)
    versions = listed.group(1).split(", ") if listed else []
    if not versions or versions[-1] == "none":
        return ""
    return f"; the newest one for this Python and platform is {versions[-1]}"


def complaint(output: str) -> str:
    """Pick the line that says what went wrong: pip's last error, or else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["no reason was given"])[-1].rstrip(".")
