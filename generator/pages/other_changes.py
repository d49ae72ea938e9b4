"""What neighbouring releases differ in besides what timelines tell, as pages show it."""

from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.history.others import others
from generator.catalogue.model.history import History
from generator.pages.parts import Link
from generator.pages.told import marked, marks


@dataclass(frozen=True)
class OtherChange:
    """One change in one release: the release's page, and the change in words."""

    release: Link
    sentence: Markup


OtherChanges = dict[tuple[str, str], tuple[OtherChange, ...]]


class _Marking:
    """A pen that marks code."""

    def name(self, subject: str, name: str, *, old: bool = False) -> str:  # noqa: ARG002 - a Pen
        """Write the bare name."""
        return name

    def code(self, text: str) -> str:
        """Mark code."""
        return marks(text)

    def quote(self, text: str) -> str:
        """Mark what a message says as code."""
        return marks(text)


def other_changes(history: History, root: str) -> OtherChanges:
    """File them by subject and name, the newest release first; `root` leads to the site's root."""
    return {
        record: tuple(
            OtherChange(Link(one.release, f"{root}releases/{one.release}/"), marked(one.sentence))
            for one in each
        )
        for record, each in others(history, _Marking()).items()
    }
