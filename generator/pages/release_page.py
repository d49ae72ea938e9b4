"""A release's page: what was measured of it, and what changed since the release before it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.citations import GIT_DIGITS
from generator.catalogue.compare.depth import LAYERS
from generator.catalogue.difference.findings import Difference, Finding, Kept, Topic
from generator.catalogue.difference.words import elsewhere_words
from generator.catalogue.model.history import History, Measured
from generator.catalogue.model.records import Catalogue
from generator.pages.across import Across
from generator.pages.figures import exact, plural
from generator.pages.parts import Front, Link
from generator.pages.told import FindingView, KeptRow, extra_change, finding_view, kept_rows

ROOT = "../../"
LARGEST = 10
# Records that differ alike and are more than these stand in one line, to be unfolded.
APART = 3
TITLES: dict[Topic, tuple[str, str]] = {
    "kept": ("Other changes of what calls keep", "kept-otherwise"),
    "records": ("Ops, modules and blocks", "records"),
    "verdicts": ("In-place writes", "writes"),
    "wording": ("Wording of errors", "errors"),
    "registry": ("Node types", "nodes"),
    "backward": ("Double backward and compiled", "backward"),
    "not comparable": ("Not comparable", "not-comparable"),
    "details": ("Details", "details"),
}
NOTES: dict[Topic, str] = {
    "records": (
        "Ops and modules are catalogued where PyTorch's own tests list them: this says nothing on "
        "whether a function exists."
    ),
    "details": (
        "Whatever else differs, by the field of the record or of its call, as the catalogue's "
        "schema names it."
    ),
    "not comparable": (
        "At least one side came to no conclusion, made another call, or did not measure it: "
        "nothing is said of a change."
    ),
}


@dataclass(frozen=True)
class Fact:
    """One thing known of a release."""

    label: str
    text: str


@dataclass(frozen=True)
class KeptGroup:
    """Records that keep something else in the same way; `summary` counts them if folded."""

    rows: tuple[KeptRow, ...]
    summary: str


@dataclass(frozen=True)
class Section:
    """The findings of one topic, and what is to be known of all of them, if anything."""

    title: str
    anchor: str
    note: str
    findings: tuple[FindingView, ...]


@dataclass(frozen=True)
class Since:
    """What changed since another release."""

    release: str
    link: Link
    compare: str
    command: str
    elsewhere: tuple[str, ...]
    savings: tuple[KeptRow, ...]
    regressions: tuple[KeptRow, ...]
    kept: tuple[KeptGroup, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class ReleasePage:
    """One release among those that were measured; `since` is None for the oldest."""

    front: Front
    release: str
    claim: Markup
    facts: tuple[Fact, ...]
    neighbours: tuple[Link, ...]
    since: Since | None


def release_pages(catalogue: Catalogue, history: History) -> Iterator[tuple[str, ReleasePage]]:
    """Yield each measured release and its page in the site of `catalogue`."""
    across = Across(catalogue, ROOT)
    told: list[Difference | None] = [None, *history.differences]
    for place, (one, difference) in enumerate(zip(history.releases, told, strict=True)):
        around = history.releases[max(place - 1, 0) : place + 2]
        neighbours = tuple(
            Link(f"PyTorch {other.release}", f"../{other.release}/")
            for other in around
            if other is not one
        )
        yield one.release, _page(one, difference, neighbours, across)


def changed_records(difference: Difference) -> dict[tuple[str, str], int]:
    """Return by how many bytes the extra bytes of each record's telling call grew.

    A record that differs in several ways is told by the way that weighs most.
    """
    found: dict[tuple[str, str], int] = {}
    for finding in difference.findings:
        for one in finding.records if isinstance(finding, Kept) else ():
            key = one.subject, one.name
            found[key] = max(found.get(key, 0), extra_change(one), key=abs)
    return found


def claim_of(difference: Difference) -> str:
    """Say in a sentence how many records keep something else, and how that weighs."""
    changed = changed_records(difference)
    old, new = difference.old.release, difference.new.release
    if not changed:
        return f"Every call measured in both keeps in {new} what it kept in {old}."
    counted = " and ".join(
        plural(number, noun)
        for noun in ("op", "module", "block")
        if (number := sum(subject == noun for subject, _ in changed))
    )
    verbs = ("keeps", "goes") if len(changed) == 1 else ("keep", "go")
    said = f"{counted} {verbs[0]} something else or {verbs[1]} through other nodes than in {old}"
    return f"{said}: {weighed(changed.values())}."


def weighed(changes: Iterable[int]) -> str:
    """Count records whose extra bytes fell, rose, or stayed: `2 with fewer extra bytes`."""
    each = list(changes)
    counts = (
        (sum(one < 0 for one in each), "with fewer extra bytes"),
        (sum(one > 0 for one in each), "with more extra bytes"),
        (sum(one == 0 for one in each), "with the same extra bytes"),
    )
    return ", ".join(f"{exact(number)} {words}" for number, words in counts if number)


def published(one: Measured) -> str:
    """Say when a release was published, as far as that is known."""
    return one.published.isoformat() if one.published else "date not known"


def depth_text(one: Measured) -> str:
    """Say how deep a release was measured."""
    if one.depth == "full":
        return "full"
    return f"history: without {', '.join(LAYERS[:-1])} and {LAYERS[-1]}"


def _page(
    one: Measured, difference: Difference | None, neighbours: tuple[Link, ...], across: Across
) -> ReleasePage:
    if difference is None:
        claim = f"The oldest release that was measured: there is none before {one.release}."
    else:
        claim = claim_of(difference)
    return ReleasePage(
        front=Front(
            title=f"PyTorch {one.release}",
            description=f"What PyTorch {one.release} changed in what autograd keeps: {claim}",
            section=Link("Releases", "../"),
            boost=8.0,  # its version is a word of many pages
            hide=("navigation",),
        ),
        release=one.release,
        claim=Markup("{}").format(claim),
        facts=tuple(_facts(one)),
        neighbours=neighbours,
        since=None if difference is None else _since(difference, across),
    )


def _facts(one: Measured) -> Iterator[Fact]:
    yield Fact("published", published(one))
    yield Fact("measured build", f"{one.version}, git {one.git[:GIT_DIGITS]}, {one.device}")
    yield Fact("measured with", f"Python {one.python}, {one.platform}, {one.processor}")
    yield Fact("depth", depth_text(one))
    if one.without_hooks is not None:
        yield Fact("under hooks", f"not tried: {one.without_hooks}")
    for kind, label in (("op", "ops"), ("module", "modules"), ("block", "blocks")):
        number = one.counts.get(kind, {}).get("measured", 0)
        if number:
            yield Fact(f"{label} measured", exact(number))
    live = one.counts.get("node", {})
    yield Fact(
        "node types",
        f"{exact(one.registered)} in the registry, {exact(live.get('witnessed', 0))} seen live",
    )


def _since(difference: Difference, across: Across) -> Since:
    old, new = difference.old.release, difference.new.release
    kept = [one for one in difference.findings if isinstance(one, Kept)]
    changes = _by_record(kept, difference, across)
    return Since(
        release=old,
        link=Link(f"PyTorch {old}", f"../{old}/"),
        compare=f"../compare/?from={old}&to={new}",
        command=f"tapekept diff {old} {new}",
        elsewhere=tuple(elsewhere_words(one, "→") for one in difference.elsewhere),
        savings=_largest((change, row) for change, row in changes if change < 0),
        regressions=_largest((-change, row) for change, row in changes if change > 0),
        kept=tuple(_groups(kept, difference, across)),
        sections=tuple(_sections(difference, across)),
    )


def _by_record(
    kept: Iterable[Kept], difference: Difference, across: Across
) -> list[tuple[int, KeptRow]]:
    """Return the change of extra bytes of each reference call, the largest one of each record."""
    found: dict[tuple[str, str], tuple[int, KeptRow]] = {}
    for finding in kept:
        rows = kept_rows(finding, difference, across)
        for one, row in zip(finding.records, rows, strict=True):
            key, change = (one.subject, one.name), extra_change(one)
            if one.call.kind == "reference" and (
                key not in found or abs(change) > abs(found[key][0])
            ):
                found[key] = change, row
    return [*found.values()]


def _largest(rows: Iterable[tuple[int, KeptRow]]) -> tuple[KeptRow, ...]:
    ordered = sorted(rows, key=lambda one: (one[0], one[1].link.text))
    return tuple(row for _, row in ordered[:LARGEST])


def _groups(kept: Iterable[Kept], difference: Difference, across: Across) -> Iterator[KeptGroup]:
    for finding in kept:
        rows = kept_rows(finding, difference, across)
        folded = len(rows) > APART
        yield KeptGroup(rows, plural(len(rows), "record") if folded else "")


def _sections(difference: Difference, across: Across) -> Iterator[Section]:
    for topic, (title, anchor) in TITLES.items():
        findings: list[Finding] = [
            one for one in difference.findings if one.topic == topic and not isinstance(one, Kept)
        ]
        if findings:
            views = tuple(finding_view(one, difference, across) for one in findings)
            yield Section(title, anchor, NOTES.get(topic, ""), views)
