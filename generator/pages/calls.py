"""Views that op and module pages share: reference calls, evidence, sample cases, OpInfo entries."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup
from msgspec.structs import replace

from generator.catalogue.case_calls import uncallable, written_call
from generator.catalogue.case_titles import case_marks
from generator.catalogue.evidence import evidence_program
from generator.catalogue.kept import Call, principal_calls
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Case, Header, ModuleRecord, OpInfoEntry, Reference
from generator.catalogue.policies import measured_nodes
from generator.pages.brief_cases import BriefCase, brief, in_full
from generator.pages.case_formulas import CaseFormula, case_formulas
from generator.pages.figures import by_dtype, exact, plural, shape_text
from generator.pages.graph import LARGEST, Drawing, draw
from generator.pages.markup import code_fence
from generator.pages.saved import Block, CompactRow, Measured, blocks, compact

MOST_ROWS = 45  # of the tables of other masks, for a page that can be read


@dataclass(frozen=True)
class CallView:
    """The call that answers the page's question, with every grad mask of it.

    `first` is the block under the widest mask. The rest is in `others` for a reference, and in
    `masks` for a sample, of whose other masks no tensors are recorded, and for what has too many
    rows: shapes and dtypes under those masks are in the downloads. `graph` is None for a single
    node, and `graph_note` says why a larger graph is not drawn.
    """

    title: str
    anchor: str
    suffix: str
    call: str
    source: str
    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    first: Block
    others: tuple[Block, ...]
    masks: tuple[CompactRow, ...]
    graph: Drawing | None
    graph_note: str | None


@dataclass(frozen=True)
class EvidenceView:
    """A program and what it printed in the build that was measured."""

    title: str
    anchor: str
    program: Markup
    printed: Markup


@dataclass(frozen=True)
class CaseView:
    """Samples that agreed: how many by dtype, the call of the first, and what it keeps.

    `mark` tells it from other cases of the same call; `remark` says why the op takes no such call.
    """

    call: str
    remark: str
    mark: str
    samples: str
    arguments: tuple[str, ...]
    rows: tuple[CompactRow, ...]
    formula: CaseFormula | None


@dataclass(frozen=True)
class CasesView:
    """The cases that are told in full, and those in a line each."""

    full: tuple[CaseView, ...]
    brief: tuple[BriefCase, ...]


@dataclass(frozen=True)
class EntryView:
    """One entry of PyTorch's own test database, and what became of its samples."""

    name: str
    state: str
    detail: str


@dataclass(frozen=True)
class TwoWaysView:
    """Both ways of finding saved tensors, compared over all samples of the record."""

    total: str
    same: str
    attributes_only: str
    hooks_only: str
    let_go: str | None
    agree: bool


def call_views(record: Measured, root: str) -> tuple[CallView, ...]:
    """Lay out the call that speaks for each mode; modes that agree in everything share one."""
    calls = principal_calls(record)
    groups: dict[tuple[object, ...], list[Call]] = {}
    for call in calls:
        drawn = (call.edges, call.values) if isinstance(call, Reference) else ()
        groups.setdefault((call.measurements, call.arguments, drawn), []).append(call)
    return tuple(
        _call_view(record, group, root, alone=len(calls) == 1) for group in groups.values()
    )


def evidence_views(header: Header, record: Measured) -> tuple[EvidenceView, ...]:
    """Lay out the program behind each reference call."""
    several = len(record.references) > 1
    return tuple(
        EvidenceView(
            title=f"Evidence, {_mode(one.mode, place)}" if several else "Evidence",
            anchor="evidence" if place == 0 else f"evidence-{one.mode or place + 1}",
            program=code_fence(evidence_program(header, one), "python"),
            printed=code_fence(one.printed or "(nothing)", "text"),
        )
        for place, one in enumerate(record.references)
    )


def case_views(record: Measured) -> CasesView:
    """Lay out the cases, the one with most samples first, and in brief what finds no room."""
    formulas, marks = case_formulas(record), case_marks(record)
    ordered = sorted(enumerate(record.cases), key=lambda one: -sum(one[1].samples.values()))
    number = in_full([compact(record, one.measurements) for _, one in ordered])
    return CasesView(
        full=tuple(
            _case_view(record, one, marks[place], formulas.get(place))
            for place, one in ordered[:number]
        ),
        brief=tuple(
            brief(record, one, written_call(record, one), _marked(marks[place]), _sampled(one))
            for place, one in ordered[number:]
        ),
    )


def entry_views(entries: Sequence[OpInfoEntry]) -> tuple[EntryView, ...]:
    """Lay out the entries of `op_db` or `module_db` behind a record."""
    return tuple(EntryView(one.name, one.state, entry_detail(one)) for one in entries)


def entry_detail(entry: OpInfoEntry) -> str:
    """Say how many samples ran by dtype, which did not, and why."""
    parts = [by_dtype(entry.samples)] if entry.samples else []
    if entry.reason:
        parts.append(entry.reason)
    parts += [
        f"{plural(one.samples, 'sample')} {one.state}: {one.reason}" for one in entry.failures
    ]
    return "; ".join(parts)


def two_ways(record: Measured) -> TwoWaysView | None:
    """Add up the two ways over all cases; None where no sample was compared."""
    same = sum(one.two_ways.same for one in record.cases)
    attributes_only = sum(one.two_ways.attributes_only for one in record.cases)
    hooks_only = sum(one.two_ways.hooks_only for one in record.cases)
    let_go = sum(one.two_ways.let_go for one in record.cases)
    total = sum(sum(one.samples.values()) for one in record.cases)
    if not same + attributes_only + hooks_only:
        return None
    return TwoWaysView(
        total=plural(total, "sample"),
        same=exact(same),
        attributes_only=exact(attributes_only),
        hooks_only=exact(hooks_only),
        let_go=exact(let_go) if let_go else None,
        agree=not attributes_only and not hooks_only,
    )


def argument_text(argument: Argument) -> str:
    """Print an argument: `weight: 512 × 512 float32 (parameter)`, or `dim = 1`."""
    if argument.shape is None:
        return f"{argument.name} = {argument.literal}"
    source = "" if argument.source == "input" else f" ({argument.source})"
    return f"{argument.name}: {shape_text(argument.shape)} {argument.dtype}{source}"


def _call_view(record: Measured, group: list[Call], root: str, *, alone: bool) -> CallView:
    call = group[0]
    modes = [one.mode for one in group if one.mode]
    suffix = "" if alone else f", {' and '.join(modes)} mode"
    first, *others = _laid_out(record, call, root)
    many = sum(len(one.rows) for one in others) > MOST_ROWS
    nodes = measured_nodes(record, call.measurements[0])
    edges = call.edges if isinstance(call, Reference) else ()
    return CallView(
        title=f"What it keeps{suffix}",
        anchor="-".join(["kept", *([] if alone else modes)]),
        suffix=suffix,
        call=f"{call.setup}\n{call.call}"
        if isinstance(call, Reference)
        else written_call(record, call),
        source=_source(record, call),
        arguments=tuple(argument_text(one) for one in call.arguments),
        outputs=tuple(argument_text(one) for one in call.outputs),
        first=first,
        others=() if many else tuple(others),
        masks=_other_masks(record, call, many=many),
        graph=draw(nodes, edges) if edges else None,
        graph_note=_too_large(len(nodes)) if edges and len(nodes) > LARGEST else None,
    )


def _laid_out(record: Measured, call: Call, root: str) -> tuple[Block, ...]:
    """Lay out every measurement of a reference, but of a sample only the first."""
    if isinstance(call, Case):
        call = replace(call, measurements=call.measurements[:1])
    return blocks(record, call, root)


def _other_masks(record: Measured, call: Call, *, many: bool) -> tuple[CompactRow, ...]:
    if isinstance(call, Case):
        return compact(record, call.measurements[1:])
    return compact(record, call.measurements)[1:] if many else ()


def _source(record: Measured, call: Call) -> str:
    if isinstance(call, Case):
        return f"a sample of PyTorch's own entry {call.entry}"
    source = f"the reference call, with the sizes of the family “{call.family}”"
    if isinstance(record, ModuleRecord) and call.mode is None:
        return f"{source}, alike in train and in eval mode"
    return source


def _too_large(nodes: int) -> str:
    return f"The graph has {exact(nodes)} nodes; graphs over {LARGEST} nodes are not drawn."


def _marked(mark: str) -> str:
    return f" with {mark}" if mark else ""


def _sampled(case: Case) -> str:
    count = plural(sum(case.samples.values()), "sample")
    mode = f", {case.mode} mode" if case.mode else ""
    return f"{count} of {case.entry}{mode}: {by_dtype(case.samples)}"


def _case_view(record: Measured, case: Case, mark: str, formula: CaseFormula | None) -> CaseView:
    return CaseView(
        call=written_call(record, case),
        remark=uncallable(record, case),
        mark=_marked(mark),
        samples=_sampled(case),
        arguments=tuple(argument_text(one) for one in case.arguments),
        rows=compact(record, case.measurements),
        formula=formula,
    )


def _mode(mode: str | None, place: int) -> str:
    return f"{mode} mode" if mode else str(place + 1)
