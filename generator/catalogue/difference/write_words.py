"""How writes that end otherwise than before are worded."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from generator.catalogue.difference.findings import Ending, InPlace, ReadAfter
from generator.catalogue.difference.pen import ARROW, Pen
from generator.catalogue.kept import spoken_role
from generator.catalogue.writes import KINDS, each_kind


def ending_words(old: Ending, new: Ending) -> str:
    """Say which kinds of write end otherwise, those that end alike at once."""
    parts = []
    settings = (
        ("", old.plain, new.plain),
        ("under identity hooks, ", old.hooked, new.hooked),
        ("under save_on_cpu, ", old.on_cpu, new.on_cpu),
    )
    for setting, before, after in settings:
        if before is None or after is None or before == after:
            continue
        ways = ways_that_differ(each_kind(before), each_kind(after))
        parts += [f"{setting}{one}" for one in ways]
    return "; ".join(parts)


def ways_that_differ(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Say of each end of writes that is another now which kinds of write ended so."""
    ways: dict[tuple[str, str], list[str]] = defaultdict(list)
    for how, one, other in zip(KINDS, before, after, strict=True):
        if one != other:
            ways[one, other].append(how)
    for (one, other), hows in ways.items():
        which = "however written" if len(hows) == len(KINDS) else ", ".join(hows)
        yield f"{which}: {one} {ARROW} {other}"


def told_targets(finding: InPlace | ReadAfter, pen: Pen) -> Iterator[tuple[str, str]]:
    """Yield each op, and what of its call was written."""
    targets: dict[str, dict[str, None]] = defaultdict(dict)
    for one in finding.targets:
        targets[one.name][one.target] = None
    for name, each in targets.items():
        yield pen.name("op", name), f"writing to {', '.join(map(spoken_role, each))}"
