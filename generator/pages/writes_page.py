"""The page of writes after the call: every measured op's answer, and the totals of all trials."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.kept import role_class
from generator.catalogue.model.records import Build, Catalogue, OpRecord
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.model.writes import Writes
from generator.catalogue.reads import READ_ENDINGS
from generator.catalogue.writes import (
    ENDINGS,
    FINE,
    KINDS,
    Answer,
    answers,
    each_kind,
    measured_ops,
)
from generator.pages.catalogue_page import Filter, Option, OptionGroup
from generator.pages.clones import Clone, clone_rows
from generator.pages.figures import exact, percent, plural
from generator.pages.markup import code_spans
from generator.pages.parts import Front, Link, Word, record_link
from generator.pages.reads import read_word
from generator.pages.writes import NO_HOOKS, WAYS, ways_of_saving, word
from generator.pages.writes_findings import (
    Finding,
    agreement,
    alarm_findings,
    exception_findings,
    mask_findings,
    read_findings,
    reads_count,
)

ROOT = "../"
VERDICTS: tuple[Verdict, ...] = ("correct", "raises", "silently wrong", "refused", "not tried")


@dataclass(frozen=True)
class Piece:
    """A word on some tensors of one side of a call; `names` is empty where it holds for all.

    `read` is another, where outputs read after the write end otherwise.
    """

    word: Word
    read: Word | None
    names: str
    remarks: tuple[Markup, ...]


@dataclass(frozen=True)
class Row:
    """An op in a line; the keys are what the filters compare, separated by `|`."""

    link: Link
    inputs: tuple[Piece, ...]
    inputs_key: str
    outputs: tuple[Piece, ...]
    outputs_key: str


@dataclass(frozen=True)
class TotalRow:
    """How many trials of one kind of write ended in each of `VERDICTS`."""

    kind: str
    hooks: str
    counts: tuple[str, ...]


@dataclass(frozen=True)
class Untried:
    """An op whose backward fails on its own, with the error."""

    link: Link
    reason: str


@dataclass(frozen=True)
class WritesPage:
    """The table of all ops, and what all trials together show."""

    front: Front
    summary: str
    rows: tuple[Row, ...]
    filters: tuple[Filter, ...]
    count: str
    verdicts: tuple[str, ...]
    totals: tuple[TotalRow, ...]
    trials: str
    on_cpu: Markup
    by_mask: tuple[Finding, ...]
    by_mask_count: str
    alarms: tuple[Finding, ...]
    alarms_count: str
    agreement: str
    exceptions: tuple[Finding, ...]
    clones: tuple[Clone, ...]
    clones_count: str
    untried: tuple[Untried, ...]
    reads: tuple[Finding, ...]
    reads_count: str


def writes_page(catalogue: Catalogue) -> WritesPage:
    """Lay out the trials of every op."""
    tried = list(measured_ops(catalogue.ops.values()))
    rows = tuple(_row(op, writes) for op, writes in tried)
    by_mask = mask_findings(tried)
    alarms = alarm_findings(tried)
    clones = tuple(clone_rows(catalogue.ops.values(), ROOT))
    trials = sum(len(one.masks) for _, writes in tried for one in writes.trials)
    return WritesPage(
        front=Front(
            title="Writes after the call",
            description="May I write into the input, or into the output? Every op's answer.",
            section=None,
            boost=12.0,
            hide=("navigation",),
        ),
        summary=_summary(rows),
        rows=rows,
        filters=(
            Filter("inputs", "Into an input", "anything", (_options(r.inputs_key for r in rows),)),
            Filter(
                "outputs", "Into an output", "anything", (_options(r.outputs_key for r in rows),)
            ),
        ),
        count=exact(len(rows)),
        verdicts=VERDICTS,
        totals=tuple(_totals(tried)),
        trials=plural(trials, "trial"),
        on_cpu=code_spans(_on_cpu(catalogue.header.build, tried)),
        by_mask=by_mask,
        by_mask_count=plural(len({one.link.text for one in by_mask}), "op"),
        alarms=alarms,
        alarms_count=plural(len({one.link.text for one in alarms}), "op"),
        agreement=agreement(tried),
        exceptions=exception_findings(tried),
        clones=clones,
        clones_count=plural(len(clones), "spelling"),
        untried=tuple(
            Untried(record_link(op, ROOT), op.writes.reason)
            for op in catalogue.ops.values()
            if op.writes is not None and op.writes.reason
        ),
        reads=read_findings(tried),
        reads_count=reads_count(tried),
    )


def _summary(rows: Sequence[Row]) -> str:
    inputs = sum(one.inputs_key == FINE for one in rows)
    outputs = sum(one.outputs_key == FINE for one in rows)
    return (
        f"Of {plural(len(rows), 'op')}, {exact(inputs)} let every input be written in place after "
        f"the call ({percent(inputs, len(rows))}), and {exact(outputs)} every output "
        f"({percent(outputs, len(rows))}), when everything requires grad."
    )


def _row(op: OpRecord, writes: Writes) -> Row:
    inputs = tuple(_pieces(op, writes, of_output=False))
    outputs = tuple(_pieces(op, writes, of_output=True))
    return Row(
        link=record_link(op, ROOT),
        inputs=inputs,
        inputs_key=_key(op, writes, of_output=False),
        outputs=outputs,
        outputs_key=_key(op, writes, of_output=True),
    )


def _pieces(op: OpRecord, writes: Writes, *, of_output: bool) -> Iterator[Piece]:
    """Yield the answers for the inputs or the outputs; one that holds for all names none."""
    present = list(_side(op, writes, of_output=of_output))
    for answer, targets in present:
        names = ", ".join(_bare(one) for one in targets) if len(present) > 1 else ""
        remarks = tuple(code_spans(one) for one in answer.remarks)
        yield Piece(word(answer.word), read_word(answer.read), names, remarks)


def _side(op: OpRecord, writes: Writes, *, of_output: bool) -> Iterator[tuple[Answer, list[str]]]:
    for answer in answers(writes, op.reads):
        targets = [one for one in answer.targets if (role_class(one) == "output") == of_output]
        if targets:
            yield answer, targets


def _bare(role: str) -> str:
    return role if role_class(role) == "output" else role.partition(" ")[2]


def _key(op: OpRecord, writes: Writes, *, of_output: bool) -> str:
    """Name each ending of a side; a false alarm is found among the errors too."""
    sides = [answer for answer, _ in _side(op, writes, of_output=of_output)]
    named = (name for one in sides for name in (one.word, one.ending, one.read) if name)
    return "|".join(dict.fromkeys(named))


def _options(keys: Iterable[str]) -> OptionGroup:
    found = Counter(name for key in keys for name in key.split("|") if name)
    known = [name for name in (*ENDINGS, *READ_ENDINGS) if found[name]]
    return OptionGroup("", tuple(Option(name, f"{name} ({exact(found[name])})") for name in known))


def _totals(tried: Sequence[tuple[OpRecord, Writes]]) -> Iterator[TotalRow]:
    for place, kind in enumerate(KINDS):
        for hooks in WAYS:
            found: Counter[Verdict] = Counter()
            for _, writes in tried:
                for one in writes.trials:
                    verdicts = ways_of_saving(one, on_cpu=writes.on_cpu).get(hooks)
                    if verdicts is not None:
                        found[each_kind(verdicts)[place]] += len(one.masks)
            if found:
                yield TotalRow(kind, hooks, tuple(exact(found[name]) for name in VERDICTS))


def _on_cpu(build: Build, tried: Sequence[tuple[OpRecord, Writes]]) -> str:
    """Say where `save_on_cpu` made a difference to identity hooks."""
    if build.without_hooks is not None:
        return NO_HOOKS.rstrip(".")
    device = build.device
    under = [one for _, writes in tried if writes.on_cpu for one in writes.trials]
    if not under:
        return "Under `save_on_cpu` nothing was tried in this build."
    trials = sum(len(one.masks) for one in under)
    differ = sum(len(one.masks) for one in under if one.on_cpu is not None)
    if not differ:
        return (
            f"Under `save_on_cpu`, with tensors on the device {device}, all "
            f"{plural(trials, 'trial')} ended as under identity hooks"
        )
    return (
        f"Under `save_on_cpu`, with tensors on the device {device}, {exact(differ)} of "
        f"{plural(trials, 'trial')} ended otherwise than under identity hooks"
    )
