"""Propose what was measured as a pull request, described by what changed between releases."""

from collections.abc import Sequence

from generator.catalogue import store
from generator.catalogue.difference.told import difference
from generator.checkout import Checkout
from generator.console import say
from generator.errors import TapekeptError
from generator.git import git, run
from generator.review.diff import write

REMOTE = "origin"
# What a pull request's description may hold, in characters.
LONGEST = 60_000
CUT = "\n\n(cut here: `tapekept diff OLD NEW --format markdown` prints all of it)\n"
DATA = "docs/data"
PROPOSED = (DATA, "generator/release/releases.toml")


def branch_of(releases: Sequence[str]) -> str:
    """Name the branch on which these releases are proposed."""
    return f"torch-{'-'.join(dict.fromkeys((releases[0], releases[-1])))}"


def proposed(checkout: Checkout, releases: Sequence[str]) -> bool:
    """Say whether the remote has a branch on which these releases are proposed already."""
    return bool(git(checkout.root, "ls-remote", "--heads", REMOTE, branch_of(releases)))


def changed(checkout: Checkout, device: str) -> list[str]:
    """Return the releases whose catalogue is not as it is committed, oldest first."""
    listed = git(checkout.root, "status", "--porcelain", "--untracked-files=all", "--", DATA)
    names = {line[3:].rpartition("/")[2] for line in listed.splitlines()}
    return [
        one
        for one, on in store.releases(checkout.root)
        if on == device and store.path_of(checkout.root, one, on).name in names
    ]


def describe(checkout: Checkout, releases: Sequence[str], device: str) -> str:
    """Tell, as Markdown, what changed to each release from the one before it."""
    measured = [one for one, on in store.releases(checkout.root) if on == device]
    parts = []
    for release in releases:
        place = measured.index(release)
        if place == 0:
            parts.append(f"torch {release} is the oldest release here.\n")
            continue
        old, new = (
            store.load(store.path_of(checkout.root, one, device))
            for one in measured[place - 1 : place + 1]
        )
        parts.append(write(difference(old, new), "markdown", everything=False))
    text = "\n".join(parts)
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition("\n")[0] + CUT


def propose(checkout: Checkout, named: Sequence[str], device: str) -> None:
    """Commit the catalogues to a branch of their own, push it, and open a pull request.

    It is about the releases that are named, or else about all whose catalogue changed.

    Raises:
        TapekeptError: a release was not measured, or git or GitHub's `gh` failed.
    """
    root = checkout.root
    for release in named:
        if (release, device) not in store.releases(root):
            raise TapekeptError(f"torch {release} was not measured on {device}")
    releases = list(named) or changed(checkout, device)
    if not releases or not git(root, "status", "--porcelain", "--", *PROPOSED):
        say("Nothing to propose: the catalogues are as they are committed")
        return
    branch = branch_of(releases)
    description = describe(checkout, releases, device)
    title = f"Measure torch {', '.join(releases)}"
    title = title if len(title) <= 72 else f"Measure {len(releases)} releases of torch"
    git(root, "switch", "--create", branch)
    git(root, "add", "--", *PROPOSED)
    git(root, "commit", "--quiet", "--message", title)
    git(root, "push", "--quiet", "--set-upstream", REMOTE, branch)
    note = checkout.work / "description.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(description, encoding="utf-8")
    asked = ("--head", branch, "--title", title, "--body-file", str(note))
    say(run(root, "gh", "pr", "create", *asked))
