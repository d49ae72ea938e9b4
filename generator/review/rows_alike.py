"""Put rows of a long table that say the same together, with their number."""

from collections.abc import Iterable, Iterator

LONGEST = 12
TIMES = " × "
Row = tuple[str, ...]


def alike(rows: Iterable[Row], counted: int) -> Iterator[Row]:
    """Yield equal rows once, `× n` at the end of the cell `counted`; all of a table that is short.

    Rows keep the order in which they were seen first.
    """
    listed = list(rows)
    if len(listed) <= LONGEST:
        yield from listed
        return
    counts: dict[Row, int] = {}
    for row in listed:
        counts[row] = counts.get(row, 0) + 1
    for row, count in counts.items():
        cells = list(row)
        cells[counted] += f"{TIMES}{count}" if count > 1 else ""
        yield tuple(cells)
