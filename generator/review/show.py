"""Draw a text page: by rich where a person looks at a terminal, as aligned plain text elsewhere."""

import textwrap
from collections.abc import Iterator

from generator.review.page import Table, TextPage

WIDTH = 100
INDENT = "  "


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


def _aligned(table: Table) -> Iterator[str]:
    columns = list(zip(table.columns, *table.rows, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    for row in (table.columns, *table.rows):
        cells = (
            cell.rjust(width) if name in table.right else cell.ljust(width)
            for name, cell, width in zip(table.columns, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def draw(page: TextPage) -> None:
    """Print the page to a terminal, fitted to its width."""
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.table import Table as Grid  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    console.print(Text(page.title, style="bold"))
    console.print(Text(page.claim), "")
    facts = Grid(box=None, show_header=False, padding=(0, 2, 0, 0))
    for label, text in page.facts:
        facts.add_row(Text(label, style="dim"), Text(text))
    console.print(facts)
    for table in page.tables:
        grid = Grid(title=Text(table.title, style="bold"), title_justify="left")
        for name in table.columns:
            grid.add_column(Text(name), justify="right" if name in table.right else "left")
        for row in table.rows:
            grid.add_row(*map(Text, row))
        console.print("", grid)
