"""Links from the site of one release to records of any release: here if it has them, or there."""

from collections.abc import Container
from dataclasses import dataclass

from generator.catalogue.links import named_path
from generator.catalogue.model.records import Catalogue
from generator.pages.parts import Link


@dataclass(frozen=True)
class Across:
    """Links of one page: `root` is its way to the root of its own release's site.

    The sites of all releases lie beside each other, each in a folder of its name.
    """

    catalogue: Catalogue
    root: str

    def link(self, subject: str, name: str, release: str) -> Link:
        """Link to a record's page in this site, or else in that of `release`, which has it."""
        path = named_path(subject, name)
        if path is None:
            return Link(name, "")
        if self.has(subject, name):
            return Link(name, self.root + path)
        return Link(name, f"{self.root}../{release}/{path}")

    def has(self, subject: str, name: str) -> bool:
        """Say whether this site has a page for the record."""
        records: dict[str, Container[str]] = {
            "op": self.catalogue.ops,
            "module": self.catalogue.modules,
            "node": self.catalogue.nodes,
            "block": self.catalogue.blocks,
        }
        return name in records.get(subject, ())
