"""The built sites as a branch of the repository, from which a host serves them.

The branch holds one commit without a parent: the pages of all releases as they are now. Those of
older releases come from it and go back to it unchanged, whoever built them and when.
"""

from pathlib import Path

from generator.checkout import Checkout
from generator.console import say
from generator.errors import TapekeptError
from generator.git import git
from generator.pages.build import UNFINISHED
from generator.release.lock import only_run

REMOTE = "origin"
BRANCH = "gh-pages"
# What a build that was killed left beside the sites.
BUT_UNFINISHED = f":(exclude)*{UNFINISHED}/*"


def fetch_sites(checkout: Checkout) -> None:
    """Put the published sites into `site/`, over what is there.

    Raises:
        TapekeptError: git could not fetch them.
    """
    with only_run(checkout.lock):
        if not git(checkout.root, "ls-remote", "--heads", REMOTE, BRANCH):
            say(f"{REMOTE} has no branch {BRANCH} yet: nothing was published")
            return
        git(checkout.root, "fetch", "--quiet", "--depth=1", REMOTE, BRANCH)
        checkout.site.mkdir(exist_ok=True)
        _in_site(checkout, "read-tree", "FETCH_HEAD")
        _in_site(checkout, "checkout-index", "--all", "--force", "--quiet")
    say(f"The published sites are in {checkout.site}")


def publish_sites(checkout: Checkout) -> None:
    """Put what is in `site/` onto the branch that is served, as its one commit.

    Raises:
        TapekeptError: no site has been built, or git could not push it.
    """
    with only_run(checkout.lock):
        if not (checkout.site / "index.html").is_file():
            raise TapekeptError(f"{checkout.site} holds no site; `make sites` builds them")
        _index(checkout).unlink(missing_ok=True)
        _in_site(checkout, "add", "--all", "--force", "--", ".", BUT_UNFINISHED)
        tree = _in_site(checkout, "write-tree")
        commit = git(checkout.root, "commit-tree", tree, "-m", "Publish the built sites")
        git(checkout.root, "push", "--quiet", "--force", REMOTE, f"{commit}:refs/heads/{BRANCH}")
    say(f"Published: {REMOTE} {BRANCH} is commit {commit[:12]}")


def _in_site(checkout: Checkout, *arguments: str) -> str:
    """Run git with `site/` as its working tree and an index of its own."""
    where = {"GIT_INDEX_FILE": str(_index(checkout)), "GIT_WORK_TREE": str(checkout.site)}
    folder = git(checkout.root, "rev-parse", "--absolute-git-dir")
    return git(checkout.site, *arguments, surroundings={**where, "GIT_DIR": folder})


def _index(checkout: Checkout) -> Path:
    return checkout.work / "site.index"
