"""Which node types have a saved attribute in which releases, and its name in the others."""

from collections import Counter
from collections.abc import Sequence

from generator.catalogue.history.attributes import AttributeSpan
from generator.catalogue.links import attribute_path, release_url
from generator.review.layout import Row, Table, TextPage

COLUMNS = ("releases", "node types", "in its place before", "in its place after")
NAMED = 3


def attribute_page(
    name: str, spans: Sequence[AttributeSpan], releases: Sequence[str], device: str
) -> TextPage:
    """Lay out the spans of an attribute, of which there is one at least."""
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for one in spans:
        key = (one.since, one.until, one.before or "", one.instead or "")
        groups.setdefault(key, []).append(one.node)
    rows = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    where = (
        (("page", f"{release_url(releases[-1])}{attribute_path(name)}"),)
        if any(one.until == releases[-1] for one in spans)
        else ()
    )
    return TextPage(
        title=name,
        claim=_claim(spans, releases),
        facts=(
            (
                "measured releases",
                f"{len(releases)} on {device}, {_range(releases[0], releases[-1])}",
            ),
            *where,
        ),
        tables=(Table("Where it is", COLUMNS, tuple(_row(*item) for item in rows)),),
        legend=(),
    )


def _claim(spans: Sequence[AttributeSpan], releases: Sequence[str]) -> str:
    """Say which node types have it and when, and what most have in its place."""
    since = min((one.since for one in spans), key=releases.index)
    until = max((one.until for one in spans), key=releases.index)
    said = f"an attribute of {_nodes(sorted({one.node for one in spans}))}, in "
    said += _of(since, until, releases)
    if len({(one.since, one.until) for one in spans}) > 1:
        said += " (by node type)"
    for told, others in (
        ("before", [one.before for one in spans]),
        ("afterwards", [one.instead for one in spans]),
    ):
        for other, count in Counter(filter(None, others)).most_common(1):
            most = f" of {count} of them" if count < len(spans) else ""
            said += f"; {told} {other}{most} in its place"
    return f"{said}."


def _of(since: str, until: str, releases: Sequence[str]) -> str:
    if (since, until) == (releases[0], releases[-1]):
        return f"all {len(releases)} measured releases, {_range(since, until)}"
    return f"torch {_range(since, until)}"


def _range(since: str, until: str) -> str:
    return since if since == until else f"{since} to {until}"


def _row(key: tuple[str, str, str, str], nodes: list[str]) -> Row:
    since, until, before, instead = key
    return (_range(since, until), _nodes(nodes), before, instead)


def _nodes(nodes: Sequence[str]) -> str:
    shown = ", ".join(nodes[:NAMED])
    rest = len(nodes) - NAMED
    return f"{shown} and {rest} more" if rest > 0 else shown
