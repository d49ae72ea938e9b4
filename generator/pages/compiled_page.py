"""The page of what the compiler keeps: ops and modules beside eager mode, what differs first."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.compiled import (
    Record,
    cut_by,
    eager_measurement,
    extra_difference,
    foremost,
    same_as_eager,
    traced,
)
from generator.catalogue.model.compiled import PARTITIONERS
from generator.catalogue.model.records import Catalogue, ModuleRecord
from generator.pages.figures import exact, plural
from generator.pages.markup import code_spans
from generator.pages.parts import Front, Link, record_link

ROOT = "../"


@dataclass(frozen=True)
class DifferenceRow:
    """The extra bytes of one op, in eager mode and under each partitioner, and the difference."""

    link: Link
    eager: str
    cuts: tuple[str, ...]
    difference: str


@dataclass(frozen=True)
class UntracedRow:
    """An op that was not traced, and why."""

    link: Link
    reason: str


@dataclass(frozen=True)
class CompiledPage:
    """The ops by what the compiler changes: other extra bytes, other tensors, nothing."""

    front: Front
    summary: Markup
    columns: tuple[str, ...]
    differing: tuple[DifferenceRow, ...]
    otherwise: tuple[Link, ...]
    same: tuple[Link, ...]
    same_count: str
    untraced: tuple[UntracedRow, ...]


def compiled_page(catalogue: Catalogue) -> CompiledPage:
    """Lay out what partitioners keep of every op's reference call."""
    everything: list[Record] = [*catalogue.ops.values(), *catalogue.modules.values()]
    ops = [one for one in everything if one.compiled is not None]
    tried = [op for op in ops if traced(op) and eager_measurement(op) is not None]
    differing = sorted(
        (op for op in tried if _difference(op)), key=lambda op: (_difference(op), op.name)
    )
    alike = [op for op in tried if not _difference(op)]
    same = [op for op in alike if _keeps_the_same(op)]
    otherwise = [op for op in alike if not _keeps_the_same(op)]
    return CompiledPage(
        front=Front(
            title="Under torch.compile",
            description=(
                f"What AOTAutograd's partitioners keep for backward in PyTorch "
                f"{catalogue.header.release}, op by op, beside eager mode."
            ),
            section=None,
            boost=2.0,
            hide=("navigation",),
        ),
        summary=code_spans(_summary(tried, differing, same)),
        columns=PARTITIONERS,
        differing=tuple(_row(op) for op in differing),
        otherwise=tuple(record_link(op, ROOT) for op in otherwise),
        same=tuple(record_link(op, ROOT) for op in same),
        same_count=_counted(same),
        untraced=tuple(
            UntracedRow(record_link(op, ROOT), f"{op.compiled.state}: {op.compiled.reason}")
            for op in ops
            if op.compiled is not None and op.compiled.state != "traced"
        ),
    )


def _difference(op: Record) -> int:
    return extra_difference(op) or 0


def _keeps_the_same(op: Record) -> bool:
    chosen = foremost(op.compiled)
    return chosen is not None and same_as_eager(op, chosen[1])


def _summary(tried: Sequence[Record], differing: Sequence[Record], same: Sequence[Record]) -> str:
    less = sum(_difference(op) < 0 for op in differing)
    return (
        f"The reference calls of {_counted(tried)}, traced and cut into a forward and a "
        f"backward graph without compiling any kernel. In {exact(len(same))} of them the cut "
        f"nearest to `torch.compile`'s keeps what eager mode keeps; the memory that backward alone "
        f"needs shrinks in {exact(less)} and grows in {exact(len(differing) - less)}."
    )


def _counted(tried: Sequence[Record]) -> str:
    modules = sum(isinstance(one, ModuleRecord) for one in tried)
    ops = plural(len(tried) - modules, "op")
    return f"{ops} and {plural(modules, 'module')}" if modules else ops


def _row(op: Record) -> DifferenceRow:
    one = eager_measurement(op)
    cuts = [cut_by(op.compiled, partitioner) for partitioner in PARTITIONERS]
    return DifferenceRow(
        link=record_link(op, ROOT),
        eager="" if one is None else exact(one.extra_bytes),
        cuts=tuple("–" if cut is None else exact(cut.extra_bytes) for cut in cuts),
        difference=f"{_difference(op):+,}",
    )
