"""The page of one module: what it keeps in train and in eval mode, itemized, with evidence."""

from dataclasses import dataclass

from generator.catalogue.claims import claim
from generator.catalogue.model.records import Catalogue, ModuleRecord
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
from generator.pages.op_page import ROOT, node_links
from generator.pages.parts import Citation, Front, Head, Link, citation, head
from generator.pages.search_tags import last_word_tags, name_tag
from generator.pages.second_order import SecondOrderView, second_order_view
from generator.pages.timeline import AcrossView, Past

UNLISTED = (
    "PyTorch's own test database has no entry for this module: it was measured by its reference "
    "call alone."
)
# Weighs a page in the search, shorter names more, as with ops: `Dropout` before `Dropout1d`.
WEIGHT = 2000
SHORTEST = 7


@dataclass(frozen=True)
class ModulePage:
    """Everything that the page of a module shows."""

    front: Front
    head: Head
    unreferenced: str | None
    unlisted: str | None
    across: AcrossView
    calls: tuple[CallView, ...]
    evidence: tuple[EvidenceView, ...]
    cases: CasesView
    nodes: tuple[Link, ...]
    conditions: ConditionsView | None
    second_order: SecondOrderView | None
    compiled: CompiledView | None
    blocks: tuple[Link, ...]
    double_backward: tuple[Link, ...]
    two_ways: TwoWaysView | None
    entries: tuple[EntryView, ...]
    citation: Citation


def module_page(catalogue: Catalogue, past: Past, module: ModuleRecord) -> ModulePage:
    """Decide everything that the page of `module` shows."""
    last = module.name.rpartition(".")[2]
    return ModulePage(
        front=Front(
            title=module.name,
            description=(
                f"{module.name} in PyTorch {catalogue.header.release}: "
                f"{claim(module).replace('`', '')}."
            ),
            section=Link("Modules", f"{ROOT}modules/"),
            tags=(name_tag(module.name), *last_word_tags(module.name)),
            boost=round(WEIGHT / max(len(last), SHORTEST) ** 3, 2),
            hide=("navigation",),
        ),
        head=head(catalogue.header, module, "module", (last, _words(last))),
        unreferenced=module.unreferenced if module.state == "measured" else None,
        across=past.view("module", module.name),
        unlisted=None if module.entries else UNLISTED,
        calls=call_views(module, ROOT) if module.state == "measured" else (),
        evidence=evidence_views(catalogue.header, module),
        cases=case_views(module),
        nodes=node_links(node_types(module), catalogue),
        conditions=conditions_view(catalogue.header, module),
        second_order=second_order_view(catalogue, module, ROOT),
        compiled=compiled_view(catalogue.header, module),
        blocks=tuple(
            Link(block.title, f"{ROOT}blocks/{block.name}/")
            for block in catalogue.blocks.values()
            if module.name in block.modules
        ),
        double_backward=node_links(module.double_backward, catalogue),
        two_ways=two_ways(module),
        entries=entry_views(module.entries),
        citation=citation(catalogue.header, module),
    )


def _words(name: str) -> str:
    """Split a camel-case name: `LayerNorm` is also looked for as `Layer Norm`."""
    return "".join(
        f" {character}"
        if place and character.isupper() and name[place - 1].islower()
        else character
        for place, character in enumerate(name)
    )
