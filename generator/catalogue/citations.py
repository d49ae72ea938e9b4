"""The line that cites a record: the claim, the build it was measured on, and where it stays."""

from generator.catalogue.claims import claim
from generator.catalogue.links import Paged, permalink
from generator.catalogue.model import Header

GIT_DIGITS = 12


def sentence(record: Paged) -> str:
    """Say the claim as a whole sentence of Markdown that begins with the record's name or call."""
    said = claim(record)
    if said.startswith("`"):
        return f"{said}."
    verb = said.startswith(("keeps ", "saves "))
    return f"`{record.name}` {said}." if verb else f"`{record.name}`: {said}."


def build_text(header: Header) -> str:
    """Name the build: release, commit and device."""
    build = header.build
    return f"PyTorch {build.version}, git {build.git[:GIT_DIGITS]}, measured on {build.device}"


def markdown(header: Header, record: Paged) -> str:
    """Write the citation as one line of Markdown, with the permanent address of the page."""
    return (
        f"{sentence(record)} ([What the Tape Kept]({permalink(header.release, record)}); "
        f"{build_text(header)})"
    )
