"""The coverage page: what was measured, by which layer, and the reason for everything else."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.catalogue.formulas.evaluation import case_pricings, entry_pricings
from generator.catalogue.model.records import Catalogue, ModuleRecord, NodeRecord, OpRecord
from generator.pages.calls import entry_detail
from generator.pages.figures import exact, percent, plural
from generator.pages.parts import Front, Link, record_link

ROOT = "../"
WRAPPED = "CallRaisedError: "
FORMULAS = {
    "symbolic": "derived from symbolic sizes, and confirmed",
    "fitted": "fitted to measurements, and confirmed at others",
    "none": "no formula",
}


@dataclass(frozen=True)
class Tally:
    """A count with its label and its share of the whole."""

    text: str
    count: str
    share: str


@dataclass(frozen=True)
class ReasonGroup:
    """Records that share a reason."""

    reason: str
    count: str
    members: tuple[Link, ...]


@dataclass(frozen=True)
class EntryRow:
    """An entry of PyTorch's test database that was not measured in full, and why."""

    page: Link
    entry: str
    state: str
    detail: str


@dataclass(frozen=True)
class CoveragePage:
    """Coverage of the registry, of `op_db` and of `module_db`."""

    front: Front
    samples: str | None
    states: tuple[Tally, ...]
    layers: tuple[Tally, ...]
    stubbed: tuple[ReasonGroup, ...]
    reasons: tuple[ReasonGroup, ...]
    unregistered: tuple[Link, ...]
    op_entries: tuple[Tally, ...]
    op_rows: tuple[EntryRow, ...]
    formulas: tuple[Tally, ...]
    case_formulas: tuple[Tally, ...]
    formula_rows: tuple[EntryRow, ...]
    module_entries: tuple[Tally, ...]
    module_rows: tuple[EntryRow, ...]


def coverage_page(catalogue: Catalogue) -> CoveragePage:
    """Count everything once, and give every gap its reason."""
    nodes = list(catalogue.nodes.values())
    registry = [one for one in nodes if one.state != "unregistered"]
    layers = Counter(
        str(one.witness.layer) for one in registry if one.state == "witnessed" and one.witness
    )
    return CoveragePage(
        front=Front(
            title="Coverage",
            description="What was measured in this build, and the reason for everything else.",
            section=None,
        ),
        samples=catalogue.header.build.samples,
        states=_tallies(Counter(one.state for one in registry), len(registry)),
        layers=_tallies(layers, len(registry)),
        stubbed=_reasons(one for one in registry if one.state == "stubbed"),
        reasons=_reasons(one for one in registry if one.state == "declared"),
        unregistered=tuple(record_link(one, ROOT) for one in nodes if one.state == "unregistered"),
        op_entries=_entry_tallies(catalogue.ops),
        op_rows=tuple(_entry_rows(catalogue.ops.values())),
        formulas=_formula_tallies(catalogue.ops.values()),
        case_formulas=_case_tallies(catalogue.ops.values()),
        formula_rows=tuple(_formula_rows(catalogue.ops.values())),
        module_entries=_entry_tallies(catalogue.modules),
        module_rows=tuple(_entry_rows(catalogue.modules.values())),
    )


def _tallies(counts: Mapping[str, int], whole: int) -> tuple[Tally, ...]:
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Tally(text, exact(count), percent(count, whole)) for text, count in ranked)


def _reasons(nodes: Iterable[NodeRecord]) -> tuple[ReasonGroup, ...]:
    members: dict[str, list[Link]] = {}
    for node in nodes:
        members.setdefault(node.reason or "no reason recorded", []).append(record_link(node, ROOT))
    ranked = sorted(members.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(
        ReasonGroup(reason, plural(len(links), "type"), tuple(links)) for reason, links in ranked
    )


def _formula_tallies(records: Iterable[OpRecord]) -> tuple[Tally, ...]:
    states = Counter(
        FORMULAS[one.state] for record in records for one in entry_pricings(record).values()
    )
    return _tallies(states, states.total())


def _case_tallies(records: Iterable[OpRecord]) -> tuple[Tally, ...]:
    states = Counter(
        FORMULAS[one.state] for record in records for one in case_pricings(record).values()
    )
    return _tallies(states, states.total())


def _formula_rows(records: Iterable[OpRecord]) -> Iterable[EntryRow]:
    """Yield each entry without a formula, and each further case of an entry that has one."""
    for record in records:
        page = record_link(record, ROOT)
        without = [one for one in case_pricings(record).values() if one.state == "none"]
        for entry, pricing in entry_pricings(record).items():
            if pricing.state == "none":
                yield EntryRow(page, entry, "no formula", _raised(pricing.reason))
                continue
            reasons = Counter(
                _raised(one.reason)
                for one in without
                if one.case is not None and record.cases[one.case].entry == entry
            )
            for reason, number in reasons.items():
                state = f"no formula for {plural(number, 'case')}"
                yield EntryRow(page, entry, state, reason)


def _raised(reason: str | None) -> str:
    """Tell of an error that ended the call by its own name, not by that of its wrapper."""
    text = reason or ""
    return f"the call raised {text.removeprefix(WRAPPED)}" if text.startswith(WRAPPED) else text


def _entry_tallies(records: Mapping[str, OpRecord | ModuleRecord]) -> tuple[Tally, ...]:
    states = Counter(str(entry.state) for one in records.values() for entry in one.entries)
    return _tallies(states, states.total())


def _entry_rows(records: Iterable[OpRecord | ModuleRecord]) -> Iterable[EntryRow]:
    for record in records:
        for entry in record.entries:
            if entry.state != "measured" or entry.failures:
                state = "measured in part" if entry.state == "measured" else entry.state
                yield EntryRow(record_link(record, ROOT), entry.name, state, entry_detail(entry))
