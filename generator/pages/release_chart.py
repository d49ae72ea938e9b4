"""A chart of releases: how many records keep something else in each, and how that weighs."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.difference.findings import Difference
from generator.pages.figures import plural
from generator.pages.release_page import changed_records

HEIGHT, BAR, STEP, FOOT = 120, 22, 44, 20
TONES = ("less", "more", "same")
LABELS = {
    "less": "fewer extra bytes",
    "more": "more extra bytes",
    "same": "the same extra bytes",
}


@dataclass(frozen=True)
class Legend:
    """What a colour of the chart means."""

    tone: str
    text: str


@dataclass(frozen=True)
class Chart:
    """The drawing, what it says in words, and its colours."""

    svg: Markup
    description: str
    legend: tuple[Legend, ...]


def chart_of(differences: Sequence[Difference]) -> Chart | None:
    """Draw a bar for each release that has one before it; None where there is none."""
    if not differences:
        return None
    bars = [_parts(one) for one in differences]
    most = max(*(sum(bar.values()) for bar in bars), 1)
    drawn = Markup("").join(
        _bar(place, one.new.release, bar, most)
        for place, (one, bar) in enumerate(zip(differences, bars, strict=True))
    )
    width, height = STEP * len(bars), HEIGHT + 2 * FOOT
    svg = Markup(
        '<svg class="tk-chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="group" aria-label="{said}">{drawn}</svg>'
    )
    said = "Records that keep something else or go through other nodes: " + ", ".join(
        f"{sum(bar.values())} in {one.new.release}"
        for one, bar in zip(differences, bars, strict=True)
    )
    return Chart(
        svg=svg.format(width=width, height=height, said=said, drawn=drawn),
        description=said,
        legend=tuple(Legend(tone, LABELS[tone]) for tone in TONES),
    )


def _parts(difference: Difference) -> dict[str, int]:
    """Count the changed records of a release by how their extra bytes changed."""
    changes = [*changed_records(difference).values()]
    return {
        "less": sum(one < 0 for one in changes),
        "more": sum(one > 0 for one in changes),
        "same": sum(one == 0 for one in changes),
    }


def _bar(place: int, release: str, parts: dict[str, int], most: int) -> Markup:
    left, foot = place * STEP + (STEP - BAR) // 2, FOOT + HEIGHT
    middle = left + BAR // 2
    pieces: list[Markup] = []
    below = 0
    for tone in TONES:
        # Cumulated before it is rounded, so that the parts end where the whole does.
        top, bottom = ((below + number) * HEIGHT // most for number in (parts[tone], 0))
        below += parts[tone]
        if top > bottom:
            pieces.append(
                Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(
                    tone, left, foot - top, BAR, top - bottom
                )
            )
    count = sum(parts.values())
    said = Markup('<text x="{}" y="{}">{}</text>')
    return Markup('<a href="{release}/"><title>{release}: {words}</title>{inner}</a>').format(
        release=release,
        words=plural(count, "record"),
        inner=Markup("").join(
            [
                *pieces,
                said.format(middle, foot - below * HEIGHT // most - 4, count),
                said.format(middle, foot + 13, release),
            ]
        ),
    )
