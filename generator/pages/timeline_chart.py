"""A small chart of a call's bytes over releases, where they differ; its table says the same."""

from collections.abc import Sequence

from markupsafe import Markup

from generator.catalogue.model.history import Keeping, Timeline
from generator.pages.figures import exact, plural

BAR, STEP, HEIGHT, FOOT = 20, 34, 56, 28


def chart(
    timeline: Timeline, releases: Sequence[str], here: str, *, extra_alone: bool = False
) -> Markup | None:
    """Draw a bar of extra bytes for each release, or of storage bytes where only these differ.

    None where neither differs between releases that measured them, or extra bytes do not and are
    all that is asked for.
    """
    spans = [one for one in timeline.spans if isinstance(one.said, Keeping)]
    weights = {
        release: one.said.bytes
        for one in spans
        if isinstance(one.said, Keeping)
        for release in releases[releases.index(one.since) : releases.index(one.until) + 1]
    }
    figures = (
        ("Extra bytes", {release: one.extra for release, one in weights.items()}),
        ("Storage bytes", {release: one.storage for release, one in weights.items()}),
    )
    for label, values in figures[:1] if extra_alone else figures:
        if len({*values.values()}) > 1:
            return _drawn(label, values, releases, here)
    return None


def _drawn(label: str, values: dict[str, int], releases: Sequence[str], here: str) -> Markup:
    most = max(values.values())
    said = f"{label} by release: " + ", ".join(
        f"{release} {exact(value)}" for release, value in values.items()
    )
    bars = Markup("").join(
        _bar(place, release, values.get(release), most, is_here=release == here)
        for place, release in enumerate(releases)
    )
    width, height = STEP * len(releases), HEIGHT + FOOT
    return Markup(
        '<svg class="tk-chart" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="{said}"><title>{label} by release</title>{bars}</svg>'
    ).format(width=width, height=height, said=said, label=label, bars=bars)


def _bar(place: int, release: str, value: int | None, most: int, *, is_here: bool) -> Markup:
    left = place * STEP + (STEP - BAR) // 2
    middle = left + BAR // 2
    major, _, patch = release.rpartition(".")
    foot = Markup('<text x="{}" y="{}"{}>{}</text>').format(
        middle, HEIGHT + 14, Markup(' font-weight="bold"') if is_here else "", major or patch
    )
    if value is None:
        return Markup("<g><title>{}: not measured</title>{}</g>").format(release, foot)
    tall = value * HEIGHT // most
    return Markup(
        '<g><title>{}: {}</title><rect class="same" x="{}" y="{}" width="{}" height="{}"/>{}</g>'
    ).format(release, plural(value, "byte"), left, HEIGHT - tall, BAR, max(tall, 1), foot)
