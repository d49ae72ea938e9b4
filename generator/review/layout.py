"""What is shown of a record before anything decides how it is drawn: a claim, facts, and tables.

Byte figures are in bytes.
"""

from dataclasses import dataclass

FIGURES = (
    ("logical bytes", "numel × itemsize of each saved tensor, added up"),
    ("storage bytes", "the sizes of the distinct storages behind them, added up"),
    ("extra bytes", "those of them that no input, parameter, buffer or output holds"),
)
Row = tuple[str, ...]
Fact = tuple[str, str]


@dataclass(frozen=True)
class Table:
    """A table with a title, its column names and its rows, all as text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


RIGHT = frozenset({"bytes", *(name for name, _ in FIGURES)})


@dataclass(frozen=True)
class TextPage:
    """All that is shown of one record; `legend` says what each byte figure counts."""

    title: str
    claim: str
    facts: tuple[Fact, ...]
    tables: tuple[Table, ...]
    legend: tuple[Fact, ...]
