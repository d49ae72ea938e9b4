"""The mismatches page: declared against measured, attributes against hooks, explained or not."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.catalogue.claim_nouns import join
from generator.catalogue.mismatches import Mismatch
from generator.catalogue.model.records import Catalogue
from generator.catalogue.two_ways import hiding, let_go, only_wrapped_numbers
from generator.pages.calls import two_ways
from generator.pages.figures import exact, plural
from generator.pages.parts import Front, Link, record_link
from generator.pages.saved import Measured
from generator.pages.writes import NO_HOOKS

ROOT = "../"
UNEXPLAINED = "unexplained"
NUMBERS = "a number of Python's that was made a tensor is saved, and no hook is given it"
LET_GO = (
    "the call saved for nodes that it let go before it returned: no output leads to them, and all"
    " that hooks alone saw was free by then"
)
HIDES = "keeps tensors that hooks see and no attribute shows"
NOT_SHIPPED = "This release's wheel ships no such file, so that there is nothing to compare."


@dataclass(frozen=True)
class MismatchRow:
    """One disagreement about one node type."""

    node: Link
    name: str
    declared: str
    measured: str
    evidence: str


@dataclass(frozen=True)
class MismatchGroup:
    """Disagreements of one sort with one explanation."""

    heading: str
    anchor: str
    count: str
    rows: tuple[MismatchRow, ...]


@dataclass(frozen=True)
class WaysRow:
    """An op or module for whose samples attributes and hooks found different storages."""

    link: Link
    same: str
    attributes_only: str
    hooks_only: str
    why: str


@dataclass(frozen=True)
class MismatchesPage:
    """Every disagreement of the build, those without an explanation first."""

    front: Front
    summary: str
    groups: tuple[MismatchGroup, ...]
    ways: tuple[WaysRow, ...]
    ways_count: str


def mismatches_page(catalogue: Catalogue, found: Iterable[Mismatch]) -> MismatchesPage:
    """Group the disagreements by what was found and how it is explained."""
    each = list(found)
    open_ones = sum(one.explanation == UNEXPLAINED for one in each)
    ways = tuple(_ways(catalogue))
    return MismatchesPage(
        front=Front(
            title="Mismatches",
            description="Where declared and measured, or attributes and hooks, disagree.",
            section=None,
            hide=("navigation",),
        ),
        summary=" ".join(_summary(catalogue, len(each), open_ones)),
        groups=tuple(_groups(each)),
        ways=ways,
        ways_count=plural(len(ways), "record"),
    )


def _summary(catalogue: Catalogue, found: int, unexplained: int) -> Iterator[str]:
    if any(node.declared for node in catalogue.nodes.values()):
        yield (
            f"{plural(found, 'disagreement')} between declared and measured, of which "
            f"{exact(unexplained)} without an explanation that the catalogue itself supports."
        )
    else:
        yield NOT_SHIPPED
    if catalogue.header.build.without_hooks is not None:
        yield NO_HOOKS


def _groups(found: Iterable[Mismatch]) -> Iterable[MismatchGroup]:
    members: dict[tuple[bool, str, str], list[Mismatch]] = {}
    for one in found:
        key = (one.explanation != UNEXPLAINED, str(one.finding), str(one.explanation))
        members.setdefault(key, []).append(one)
    for (_, finding, explanation), listed in sorted(members.items()):
        heading = f"{finding}: {explanation}"
        yield MismatchGroup(
            heading=heading[:1].upper() + heading[1:],
            anchor=heading.replace(": ", "-").replace(" ", "-").lower(),
            count=plural(len(listed), "disagreement"),
            rows=tuple(_row(one) for one in listed),
        )


def _row(one: Mismatch) -> MismatchRow:
    return MismatchRow(
        node=Link(one.node, f"{ROOT}nodes/{one.node}/"),
        name=one.name or "",
        declared=one.declared,
        measured=one.measured,
        evidence=one.evidence,
    )


def _ways(catalogue: Catalogue) -> Iterable[WaysRow]:
    records: list[Measured] = [*catalogue.ops.values(), *catalogue.modules.values()]
    for record in records:
        seen = two_ways(record)
        if seen and not seen.agree:
            yield WaysRow(
                link=record_link(record, ROOT),
                same=seen.same,
                attributes_only=seen.attributes_only,
                hooks_only=seen.hooks_only,
                why="; ".join(_why(catalogue, record)),
            )


def _why(catalogue: Catalogue, record: Measured) -> Iterator[str]:
    if any(case.two_ways.attributes_only for case in record.cases):
        yield NUMBERS if only_wrapped_numbers(record) else UNEXPLAINED
    if any(case.two_ways.let_go for case in record.cases):
        yield LET_GO
    if not let_go(record):
        hidden = hiding(record, catalogue.nodes)
        yield f"{join(hidden)} in its graph {HIDES}" if hidden else UNEXPLAINED
