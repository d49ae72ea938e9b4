"""Draw a text page: by rich where a person looks at a terminal, as aligned plain text elsewhere."""

import textwrap
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal

from generator.review.layout import RIGHT, Table, TextPage

WIDTH = 100
INDENT = "  "
WHOLE = frozenset({"node", "attribute"})


def plain(page: TextPage) -> str:
    """Return the page as plain text; rows are never broken, so that they can be searched."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: TextPage) -> Iterator[str]:
    yield page.title
    yield from textwrap.wrap(page.claim, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
    yield ""
    for label, text in page.facts:
        yield f"{label}: {text}"
    for table in page.tables:
        yield ""
        yield table.title
        yield from (INDENT + row for row in _aligned(table))
    if page.legend:
        yield ""
    for label, text in page.legend:
        yield f"{label}: {text}"


def _aligned(table: Table) -> Iterator[str]:
    columns = list(zip(table.columns, *table.rows, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    for row in (table.columns, *table.rows):
        cells = (
            cell.rjust(width) if name in RIGHT else cell.ljust(width)
            for name, cell, width in zip(table.columns, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def draw(page: TextPage) -> None:
    """Print the page to a terminal, fitted to its width."""
    # Only a terminal needs rich, and most uses of this room are not at one.
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table as Grid  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    def facts(pairs: Iterable[tuple[str, str]]) -> Grid:
        grid = Grid(box=None, show_header=False, padding=(0, 2, 0, 0))
        for label, text in pairs:
            grid.add_row(Text(label, style="dim"), Text(text))
        return grid

    console = Console(highlight=False)
    console.print(Text(page.title, style="bold"))
    console.print(Text(page.claim), Text(""), facts(page.facts), sep="\n")
    for table in page.tables:
        console.print(Text(f"\n{table.title}", style="bold"))
        grid = Grid(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
        for name in table.columns:
            side: Literal["left", "right"] = "right" if name in RIGHT else "left"
            grid.add_column(Text(name), justify=side, overflow="fold", no_wrap=name in WHOLE)
        masks = ["", *(row[0] for row in table.rows)]
        for (before, mask), row in zip(pairwise(masks), table.rows, strict=True):
            # What holds for several rows is said in the first of them.
            grid.add_row(Text("" if mask == before else mask), *map(Text, row[1:]))
        console.print(grid)
    console.print("", facts(page.legend), sep="\n")
