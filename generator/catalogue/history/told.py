"""Choose which calls of a record have a timeline: those that changed, and not as another did.

The reference has one always. Of other calls and masks, most never changed, and most that did
changed as the reference: of those that did not, the first of each story is told. A story is what
changed in which release; of a module, whose graph holds the nodes of many ops, it is in which
releases extra bytes became more or less.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from generator.catalogue.history.calls import REFERENCE, newest_case
from generator.catalogue.history.facts import Fact
from generator.catalogue.history.spans import Fold, Turn
from generator.catalogue.model.history import Followed
from generator.catalogue.model.records import Mode

_OTHER_DTYPES = ("complex", "bfloat", "float16", "float64")

Outline = Callable[[Turn], object]
Story = frozenset[tuple[int, object]]


@dataclass(frozen=True)
class Line:
    """One call in one mode over all releases."""

    followed: Followed
    mode: Mode | None
    facts: Sequence[Fact | None]
    folds: tuple[Fold, ...]


@dataclass
class Told:
    """A line that is told, and how many other calls and masks are told by it."""

    line: Line
    alike: int = 0


def told(lines: Iterable[Line], *, coarse: bool) -> list[Told]:
    """Choose the lines to tell, the reference's first; by extra bytes alone where `coarse`."""
    outline = _coarse if coarse else _fine
    main: list[Line] = []
    others: list[Line] = []
    for line in lines:
        (main if line.followed == REFERENCE else others).append(line)
    chosen = [Told(one) for one in sorted(main, key=_mode_order)]
    stories: dict[Story, Told] = {}
    counted: set[tuple[Story, Followed]] = set()
    for line in sorted(others, key=_rank):
        story = _story(line, outline)
        if not story or any(
            _as(line, one, outline) == story for one in _references(main, line.mode)
        ):
            continue
        if story not in stories:
            stories[story] = Told(line)
        elif (story, line.followed) not in counted:
            stories[story].alike += 1
        counted.add((story, line.followed))
    return [*chosen, *stories.values()]


def _fine(turn: Turn) -> object:
    return turn


def _coarse(turn: Turn) -> object:
    return turn.extra, turn.states


def _mode_order(line: Line) -> int:
    return (None, "train", "eval").index(line.mode)


def _rank(line: Line) -> tuple[int, ...]:
    """Order calls by how plainly they are told; in their own order where that is alike.

    A sample is plain that is of float32 and has no dimension of 1 or none at all, then one that
    stands for many, then one with few arguments besides its tensors.
    """
    kind = ("reference", "variant", "case").index(line.followed.of)
    case = newest_case(line.facts)
    if line.followed.of != "case" or case is None:
        return (kind,)
    tensors = [one for one in case.arguments if one.shape is not None]
    return (
        kind,
        any((one.dtype or "").startswith(_OTHER_DTYPES) for one in tensors),
        any(not one.shape or min(one.shape) <= 1 for one in tensors),
        -sum(case.samples.values()),
        len(case.arguments) - len(tensors),
    )


def _references(main: Sequence[Line], mode: Mode | None) -> Iterator[Line]:
    return (one for one in main if mode is None or one.mode in (mode, None))


def _story(line: Line, outline: Outline) -> Story:
    return frozenset((one.first, outline(one.turn)) for one in line.folds if one.turn is not None)


def _as(line: Line, other: Line, outline: Outline) -> Story:
    """Tell what of another line's story falls between releases that `line` compares."""
    compared = _compared(line.folds)
    return frozenset(one for one in _story(other, outline) if one[0] in compared)


def _compared(folds: Sequence[Fold]) -> set[int]:
    """Return the places of the releases that are compared with what was known before them."""
    found: set[int] = set()
    known: int | None = None
    for one in folds:
        if not one.fact.concludes:
            continue
        since = one.first if known is None or one.step not in ("same", "changed") else known
        found.update(range(since + 1, one.last + 1))
        known = one.last
    return found
