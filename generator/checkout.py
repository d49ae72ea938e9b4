"""Where things lie in a checkout: what is committed, what is made from it, and what is shown."""

from dataclasses import dataclass
from pathlib import Path

from generator.errors import TapekeptError

MARK = "mkdocs.yml"


@dataclass(frozen=True)
class Checkout:
    """The folders of one checkout; `root` is the one that holds `mkdocs.yml`."""

    root: Path

    @property
    def docs(self) -> Path:
        """Hand-written pages, the committed data and, beside them, generated pages."""
        return self.root / "docs"

    @property
    def guides(self) -> Path:
        """The guides, whose code blocks are run."""
        return self.docs / "guides"

    @property
    def templates(self) -> Path:
        """A Jinja template for each kind of page."""
        return self.root / "site_templates"

    @property
    def releases(self) -> Path:
        """The table of the releases that are known here."""
        return self.root / "generator" / "release" / "releases.toml"

    @property
    def site(self) -> Path:
        """The built site, one folder a release."""
        return self.root / "site"

    @property
    def work(self) -> Path:
        """Everything that can be made again: environments, the probe's records, the lock."""
        return self.root / ".tapekept"

    @property
    def lock(self) -> Path:
        """Held by the one run that may work here."""
        return self.work / "lock"

    @property
    def environments(self) -> Path:
        """A folder for each release that is installed."""
        return self.work / "envs"

    def environment(self, release: str) -> Path:
        """Return the folder of the environment in which `release` is measured."""
        return self.environments / release

    def transcript(self, release: str, device: str) -> Path:
        """Return the file into which the probe of `release` on `device` writes its records."""
        return self.work / f"torch-{release}-{device}.jsonl"


def find_checkout(root: Path | None = None) -> Checkout:
    """Return the checkout at `root`, or else the one that this package is imported from.

    Raises:
        TapekeptError: there is no checkout, because the package was installed without one.
    """
    folder = (root or Path(__file__).parents[1]).resolve()
    if not (folder / MARK).is_file():
        raise TapekeptError(f"{folder} holds no {MARK}; name the folder of a checkout with --root")
    return Checkout(folder)
