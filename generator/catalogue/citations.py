"""The line that cites a record: the claim, the build it was measured on, and where it stays."""

from collections.abc import Mapping

from generator.catalogue.claims import claim
from generator.catalogue.links import Paged, permalink
from generator.catalogue.model.records import Header, NodeRecord, OpRecord, Variant
from generator.catalogue.spellings import NO_NODES, speaks_for_itself, spelling_claim

GIT_DIGITS = 12


SPELLINGS = "#variants"


def sentence(
    record: Paged,
    spelling: Variant | None = None,
    nodes: Mapping[str, NodeRecord] = NO_NODES,
) -> str:
    """Say the claim as a whole sentence of Markdown that begins with the record's name or call.

    Of a spelling that keeps what is its own, say that.
    """
    if own := _own(record, spelling, nodes):
        return own
    said = claim(record)
    if said.startswith("`"):
        return f"{said}."
    verb = said.startswith(("keeps ", "saves "))
    return f"`{record.name}` {said}." if verb else f"`{record.name}`: {said}."


def _own(record: Paged, spelling: Variant | None, nodes: Mapping[str, NodeRecord]) -> str:
    if spelling is None or not isinstance(record, OpRecord):
        return ""
    if not speaks_for_itself(record, spelling):
        return ""
    return f"`{spelling.name}` {spelling_claim(record, spelling, nodes)}."


def build_text(header: Header) -> str:
    """Name the build: release, commit and device."""
    build = header.build
    return f"PyTorch {build.version}, git {build.git[:GIT_DIGITS]}, measured on {build.device}"


def markdown(
    header: Header,
    record: Paged,
    spelling: Variant | None = None,
    nodes: Mapping[str, NodeRecord] = NO_NODES,
) -> str:
    """Write the citation as one line of Markdown, with the permanent address of the page."""
    place = SPELLINGS if _own(record, spelling, nodes) else ""
    return (
        f"{sentence(record, spelling, nodes)} "
        f"([What the Tape Kept]({permalink(header.release, record)}{place}); "
        f"{build_text(header)})"
    )
