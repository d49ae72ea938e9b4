"""The page that compares any two releases: what it offers; the comparing is a script's."""

from dataclasses import dataclass

from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.pages.parts import Front, Link
from generator.pages.release_page import published

ROOT = "../../"


@dataclass(frozen=True)
class Choice:
    """A release to choose, and whether it is chosen where the address names none."""

    release: str
    text: str
    is_from: bool
    is_to: bool


@dataclass(frozen=True)
class PairPage:
    """Two choices, newest first, and where to go without a script.

    `alone` is the page of the only release, where there is only one.
    """

    front: Front
    root: str
    release: str
    alone: Link | None
    choices: tuple[Choice, ...]
    pages: tuple[Link, ...]


def pair_page(catalogue: Catalogue, history: History) -> PairPage:
    """Offer every measured release on both sides, at first the two newest."""
    measured = history.releases
    pages = tuple(Link(one.release, f"../{one.release}/") for one in reversed(measured))
    return PairPage(
        front=Front(
            title="Compare two releases",
            description="What changed in what PyTorch keeps for backward between any two releases.",
            section=Link("releases", "../"),
            boost=4.0,
            hide=("navigation", "toc"),
        ),
        root=ROOT,
        release=catalogue.header.release,
        alone=pages[0] if len(pages) == 1 else None,
        choices=tuple(
            Choice(
                release=one.release,
                text=f"{one.release} ({published(one)})",
                is_from=one is measured[max(len(measured) - 2, 0)],
                is_to=one is measured[-1],
            )
            for one in reversed(measured)
        ),
        pages=pages,
    )
