"""The page of one op: its answer, its reference call, its evidence, and everything it touches."""

from collections.abc import Iterable
from dataclasses import dataclass

from generator.catalogue.claims import claim
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.policies import node_types
from generator.pages.calls import (
    CallView,
    CasesView,
    EntryView,
    EvidenceView,
    TwoWaysView,
    call_views,
    case_views,
    entry_views,
    evidence_views,
    two_ways,
)
from generator.pages.compiled import CompiledView, compiled_view
from generator.pages.conditions import ConditionsView, conditions_view
from generator.pages.formulas import FormulaView, formula_view
from generator.pages.parts import Citation, Front, Head, Link, citation, head
from generator.pages.relations import Relations
from generator.pages.search_tags import op_tags
from generator.pages.second_order import SecondOrderView, second_order_view
from generator.pages.spellings import SpellingsView, spellings_view
from generator.pages.timeline import AcrossView, Past
from generator.pages.writes import WritesView, writes_view

ROOT = "../../"
UNLISTED = (
    "This release's own test database has no entry for this op: it was measured by its reference "
    "call alone."
)
SHORTEST = 3


@dataclass(frozen=True)
class OpPage:
    """Everything that the page of an op shows."""

    front: Front
    head: Head
    across: AcrossView
    unreferenced: str | None
    unlisted: str | None
    calls: tuple[CallView, ...]
    writes: WritesView | None
    formulas: FormulaView | None
    conditions: ConditionsView | None
    evidence: tuple[EvidenceView, ...]
    cases: CasesView
    overloads: tuple[str, ...]
    spellings: SpellingsView | None
    nodes: tuple[Link, ...]
    modules: tuple[Link, ...]
    second_order: SecondOrderView | None
    compiled: CompiledView | None
    double_backward: tuple[Link, ...]
    two_ways: TwoWaysView | None
    entries: tuple[EntryView, ...]
    citation: Citation


def op_page(catalogue: Catalogue, relations: Relations, past: Past, op: OpRecord) -> OpPage:
    """Decide everything that the page of `op` shows."""
    return OpPage(
        front=Front(
            title=op.name,
            description=f"{op.name} in PyTorch {catalogue.header.release}: {_plain(claim(op))}.",
            section=Link("Ops", f"{ROOT}ops/"),
            boost=search_boost(op.name),
            tags=op_tags(catalogue, op),
            hide=("navigation",),
        ),
        head=head(catalogue.header, op, "op", _aliases(op)),
        across=past.view("op", op.name),
        unreferenced=op.unreferenced if op.state == "measured" else None,
        unlisted=UNLISTED if op.state == "measured" and not op.entries else None,
        calls=call_views(op, ROOT) if op.state == "measured" else (),
        writes=writes_view(catalogue.header, op, ROOT),
        formulas=formula_view(op),
        conditions=conditions_view(catalogue.header, op),
        evidence=evidence_views(catalogue.header, op),
        cases=case_views(op),
        overloads=op.overloads,
        spellings=spellings_view(catalogue, op),
        nodes=node_links(node_types(op), catalogue),
        modules=tuple(
            Link(name, f"{ROOT}modules/{name}/")
            for name in relations.modules_of_op.get(op.name, ())
        ),
        second_order=second_order_view(catalogue, op, ROOT),
        compiled=compiled_view(catalogue.header, op),
        double_backward=node_links(op.double_backward, catalogue),
        two_ways=two_ways(op),
        entries=entry_views(op.entries),
        citation=citation(catalogue.header, op),
    )


def search_boost(name: str) -> float:
    """Weigh a page in the search: every query is a prefix there, so shorter words come first.

    Without it `exp` finds `torch.expm1`, the rarer word, before `torch.exp`. The words of a name
    count, not its length: `layer norm` finds `layer_norm` before `norm`.
    """
    words = [word for word in name.rpartition(".")[2].split("_") if word] or [name]
    mean = sum(len(word) for word in words) / len(words)
    return round(100 / max(mean, SHORTEST) ** 2, 2)


def node_links(types: Iterable[str], catalogue: Catalogue) -> tuple[Link, ...]:
    """Link to the pages of node types; a type without a record has no page and no address."""
    return tuple(
        Link(name, f"{ROOT}nodes/{name}/" if name in catalogue.nodes else "") for name in types
    )


def _aliases(op: OpRecord) -> tuple[str, ...]:
    last = op.name.rpartition(".")[2]
    words = last.replace("_", " ")
    variants = (one.name for one in op.variants)
    return (last, words, last.replace("_", ""), *variants, *op.overloads)


def _plain(sentence: str) -> str:
    return sentence.replace("`", "")
