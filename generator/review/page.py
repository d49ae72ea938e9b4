"""A record as typed sections of text and tables: one claim, then facts, then tables."""

from collections.abc import Iterator, Mapping, Sequence

from generator.catalogue.claims import claim
from generator.catalogue.conditions import condition_text, unchanged_texts
from generator.catalogue.links import Paged, permalink
from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.records import Header, ModuleRecord, NodeRecord, OpRecord, Variant
from generator.catalogue.policies import node_types
from generator.catalogue.spellings import NO_NODES, speaks_for_itself, spelling_claim
from generator.review.backward import backward_facts
from generator.review.bill import COLUMNS, SETTING_COLUMNS, bill_title, item_rows, setting_rows
from generator.review.call_tables import SAVED_COLUMNS, call_tables
from generator.review.layout import FIGURES, Fact, Table, TextPage
from generator.review.node_facts import node_facts, node_tables
from generator.review.reads import read_facts, then_means
from generator.review.rows_alike import TIMES
from generator.review.spelling import spelling_facts

HOW = "each write was a copy_ of other numbers; no other op in place was tried"
LEGEND = (
    *FIGURES,
    ("requires grad", "each set of arguments that did; sizes and scalars are listed for the first"),
)


def source(header: Header, record: Paged | None) -> tuple[Fact, ...]:
    """Say on which build it was measured, and where the record can be read, if it is about one."""
    build = header.build
    where = f"torch {build.version}, {build.device}, git {build.git[:10]}, Python {build.python}"
    read = (("permalink", permalink(header.release, record)),) if record is not None else ()
    return ("measured on", where), *read


def text_page(
    header: Header,
    record: Paged,
    spelling: Variant | None = None,
    nodes: Mapping[str, NodeRecord] = NO_NODES,
) -> TextPage:
    """Lay out a record of the catalogue with that header.

    Where a `spelling` of it was asked for, the page says first what that keeps, and of which
    derivative the `nodes` of the catalogue declare that there is none.
    """
    facts, drawn = _contents(header, record)
    tables = tuple(drawn)
    title, said = record.name, claim(record)
    own: tuple[Fact, ...] = ()
    if spelling is not None and isinstance(record, OpRecord):
        own = tuple(spelling_facts(record, spelling))
        if speaks_for_itself(record, spelling):
            title, said = spelling.name, spelling_claim(record, spelling, nodes)
    return TextPage(
        title=title,
        claim=said,
        facts=(*own, *facts, *source(header, record)),
        tables=tables,
        legend=() if isinstance(record, NodeRecord) else (*LEGEND, *_explained(record, tables)),
    )


def _explained(record: Paged, tables: Sequence[Table]) -> Iterator[Fact]:
    """Say what counts in a table of saved tensors are, and what was run after a write."""
    if isinstance(record, OpRecord) and record.writes and record.writes.trials:
        yield "written in place", HOW
        yield "then", then_means(record)
    node = SAVED_COLUMNS.index("node")
    rows = (row for one in tables if one.columns == SAVED_COLUMNS for row in one.rows)
    if any(TIMES in row[node] for row in rows):
        yield "node × n", "n rows that are alike; the bytes are those of one"


def _contents(header: Header, record: Paged) -> tuple[Iterator[Fact], Iterator[Table]]:
    if isinstance(record, NodeRecord):
        return node_facts(header, record), node_tables(record)
    if isinstance(record, BlockRecord):
        return _block_facts(record), _block_tables(record)
    return _facts(record), call_tables(record)


def _block_facts(block: BlockRecord) -> Iterator[Fact]:
    yield "block", block.title
    if block.reason:
        yield block.state, block.reason
    if block.modules:
        yield "modules", ", ".join(block.modules)


def _block_tables(block: BlockRecord) -> Iterator[Table]:
    if items := tuple(item_rows(block)):
        yield Table(f"The bill: {bill_title(block)}", COLUMNS, items)
    if block.bills:
        yield Table("What requires grad decides", SETTING_COLUMNS, tuple(setting_rows(block)))


def _tried(record: OpRecord | ModuleRecord) -> Iterator[Fact]:
    """Yield what came of trials without a table of their own."""
    if isinstance(record, OpRecord) and record.writes and record.writes.reason:
        yield "no writes tried", record.writes.reason
    found = record.conditions
    same = ", ".join(unchanged_texts(found)) if found else ""
    if same:
        yield "keeps the same under", same.replace("`", "")
    for refused in found.refused if found else ():
        told = ", ".join(condition_text(one) for one in refused.conditions).replace("`", "")
        yield f"raises under {told}", refused.reason


def _facts(record: OpRecord | ModuleRecord) -> Iterator[Fact]:
    if isinstance(record, OpRecord):
        if record.overloads:
            yield "overloads", ", ".join(record.overloads)
        if record.variants:
            yield "also as", ", ".join(f"{one.name} ({one.relation})" for one in record.variants)
    if record.reason:
        yield record.state, record.reason
    if record.unreferenced:
        yield "no reference call", record.unreferenced
    if record.nodes:
        yield "nodes", ", ".join(node_types(record))
    yield from _tried(record)
    if isinstance(record, OpRecord):
        if record.writes and record.writes.left_out:
            yield "writes under other masks", record.writes.left_out
        yield from read_facts(record)
    yield from backward_facts(record)
    if record.double_backward:
        yield (
            "nodes of the second and third backward of its samples",
            ", ".join(record.double_backward),
        )
