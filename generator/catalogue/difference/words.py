"""How one finding of a comparison is worded: what changed, and the records where it did.

The same words serve the terminal, Markdown and pages: a pen writes names and code as each needs.
Every sentence reads from old to new: `->`, `now`, `no longer`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from generator.catalogue.compare.changes import Bytes
from generator.catalogue.compare.wordings import FORWARD, NODE, said_node
from generator.catalogue.conditions import condition_text
from generator.catalogue.difference.findings import (
    Attributes,
    Backward,
    Conditions,
    Details,
    Elsewhere,
    Ending,
    Finding,
    Formulas,
    Incomparable,
    InPlace,
    Kept,
    KeptIn,
    KindOfWrite,
    Named,
    Numbered,
    ReadAfter,
    Records,
    RegistrySize,
    Renames,
    Unmeasured,
    Weighed,
    Wording,
)
from generator.catalogue.difference.of_calls import LOOK_ALIKES, OTHER_ARGUMENTS
from generator.catalogue.difference.shift_words import listed, phrase
from generator.catalogue.field_words import field_words
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.records import Verdicts
from generator.catalogue.reads import written

ARROW = "->"
# Letters of a call that a line has room for.
LONGEST = 90
WRITES = ("in place", "through a view", "under no_grad", "through .data")
KINDS = {
    "op": ("op", "ops"),
    "module": ("module", "modules"),
    "node": ("node type", "node types"),
    "block": ("block", "blocks"),
    "write": ("kind of write", "kinds of write"),
    "header": ("header", "headers"),
}
BASES = {
    "declaration": "both declare the same overload",
    "calls": "in the same place of the same calls",
    "spelling": "by the spelling",
}


class Pen(Protocol):
    """Writes what is no plain prose."""

    def name(self, subject: str, name: str, *, old: bool = False) -> str:
        """Write the name of a record, which only the old side has if `old`."""

    def code(self, text: str) -> str:
        """Write code, such as a call."""

    def quote(self, text: str) -> str:
        """Write what a message says."""


@dataclass(frozen=True)
class Told:
    """One finding in words: a sentence, and the records that it is about, each with its own rest.

    Where there is one record alone, the sentence is about it; where `members` is empty, all is
    said.
    """

    sentence: str
    members: tuple[tuple[str, str], ...] = ()


def elsewhere_words(one: Elsewhere, arrow: str) -> str:
    """Word in what else two builds differ: `processor: AVX2 -> AVX-512`."""
    if one.field == "without_hooks":
        old, new = (why or "tried as well" for why in (one.old, one.new))
        return f"under saved-tensor hooks: {old} {arrow} {new}"
    return f"{one.field}: {one.old or 'not told'} {arrow} {one.new or 'not told'}"


def tell(finding: Finding, pen: Pen) -> Told:
    """Word one finding."""
    members: Iterable[tuple[str, str]] = ()
    match finding:
        case Kept():
            sentence = phrase(finding, pen.code)
            members = [
                (pen.name(one.subject, one.name), weighs(one, pen)) for one in finding.records
            ]
        case Formulas(calls=calls):
            sentence = _formulas(finding, pen)
            members = [
                (pen.name("op", one.name), pen.code(one.call) if one.call else "") for one in calls
            ]
        case Conditions(names=names):
            sentence, members = _conditions(finding), _bare("op", names, pen)
        case InPlace():
            sentence, members = _endings(finding.old, finding.new), _targets(finding, pen)
        case ReadAfter(old=had_read, new=has_read):
            ways = _ways(written(had_read), written(has_read))
            sentence = f"an output read after a write: {'; '.join(ways)}"
            members = _targets(finding, pen)
        case KindOfWrite(old=had, new=has, names=names):
            sentence = ", ".join(
                f"{how} {one} {ARROW} {other}"
                for how, one, other in zip(("plainly", "under hooks"), had, has, strict=False)
            )
            members = _bare("write", names, pen)
        case Wording(records=records):
            sentence, members = _wording(finding, pen), _named(records, pen)
        case Backward(subject=subject, name=name):
            sentence, members = _backward(finding), _bare(subject, [name], pen)
        case Incomparable(records=records):
            sentence, members = _incomparable(finding), _named(records, pen)
        case _:
            sentence, members = _tell_names(finding, pen)
    return Told(sentence, tuple(members))


def _tell_names(
    finding: Records | RegistrySize | Renames | Numbered | Attributes | Unmeasured | Details,
    pen: Pen,
) -> tuple[str, Iterable[tuple[str, str]]]:
    match finding:
        case Records(subject=subject, names=names):
            sentence = f"{many(subject, len(names))} {_records(finding)}"
            return sentence, _bare(subject, names, pen, old=finding.new is None)
        case RegistrySize(old=before, new=after):
            return f"the registry: {before} {ARROW} {after} node types ({after - before:+})", ()
        case Renames(nodes=nodes) | Numbered(nodes=nodes):
            return _rename(finding, pen), _bare("node", nodes, pen)
        case Attributes(nodes=nodes):
            return _attributes(finding, pen), _bare("node", nodes, pen)
        case Unmeasured(layers=layers, old=before, new=after):
            side = "old" if before == "full" else "new"
            whose = f"measured in the {side} release alone"
            return f"{', '.join(layers)}: {whose} (depth {before} {ARROW} {after})", ()
        case Details(subject=subject, field=field, names=names):
            sentence = f"{field_words(field)}: {many(subject, len(names))}"
            return sentence, _bare(subject, names, pen)


def many(subject: str, number: int) -> str:
    """Count records: `1 op`, `12 node types`."""
    return f"{number} {KINDS[subject][number != 1]}"


def weighs(one: KeptIn, pen: Pen) -> str:
    """Say what a call weighs, and which call that is where it is not the reference."""
    parts = [figures(one.old, one.new)]
    if one.among:
        parts.append(f"with {listed(one.mask)} requiring grad")
    if one.call.kind not in ("reference", "bill"):
        parts.append(f"{one.call.kind} {pen.code(_shortened(one.call.text))}")
    elif one.call.kind == "bill":
        parts.append(", ".join(filter(None, (one.call.text, one.call.filed))))
    if one.call.mode is not None:
        parts.append(f"{one.call.mode} mode")
    if one.otherwise:
        parts.append(f"{one.otherwise} more calls and masks differ in other ways")
    return "; ".join(parts)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def figures(old: Bytes | None, new: Bytes | None) -> str:
    """Say the extra and the storage bytes of both sides."""
    if old is None or new is None:
        return "the same bytes"
    if (old.extra, old.storage) == (new.extra, new.storage):
        return (
            f"logical bytes {old.logical:,} {ARROW} {new.logical:,},"
            f" the same {new.extra:,} extra bytes and {new.storage:,} of storage"
        )
    return (
        f"extra bytes {old.extra:,} {ARROW} {new.extra:,},"
        f" storage {old.storage:,} {ARROW} {new.storage:,}"
    )


def _bare(
    subject: str, names: Iterable[str], pen: Pen, *, old: bool = False
) -> tuple[tuple[str, str], ...]:
    return tuple((pen.name(subject, name, old=old), "") for name in names)


def _named(records: Sequence[Named], pen: Pen) -> tuple[tuple[str, str], ...]:
    return tuple((pen.name(one.subject, one.name), "") for one in records)


def _formulas(finding: Formulas, pen: Pen) -> str:
    what = ("logical", "storage", "extra")
    parts = [
        f"{name} bytes {pen.code(old)} {ARROW} {pen.code(new)}"
        for name, old, new in zip(what, finding.old, finding.new, strict=True)
        if old != new
    ]
    return f"in terms of sizes: {', '.join(reversed(parts))}"


def _conditions(finding: Conditions) -> str:
    ends = {
        "unchanged": "keeps the same as the plain call",
        "changed": "keeps something else than the plain call",
        "refused": "is refused",
    }
    under = ", ".join(condition_text(one) for one in finding.conditions)
    return f"under {under}: {ends[finding.old]} {ARROW} {ends[finding.new]}"


def _records(finding: Records) -> str:
    # Which ops are catalogued follows PyTorch's own tests; a registry says itself what it has.
    listed = finding.subject in ("op", "module")
    if finding.old is None:
        return f"{'catalogued from now on' if listed else 'added'} ({finding.new})"
    if finding.new is None:
        return f"{'no longer catalogued' if listed else 'removed'} (was {finding.old})"
    return f"{finding.old} {ARROW} {finding.new}"


def _endings(old: Ending, new: Ending) -> str:
    """Say which kinds of write end otherwise, those that end alike at once."""
    parts = []
    settings = (
        ("", old.plain, new.plain),
        ("under identity hooks, ", old.hooked, new.hooked),
        ("under save_on_cpu, ", old.on_cpu, new.on_cpu),
    )
    for setting, before, after in settings:
        if before is None or after is None or before == after:
            continue
        ways = _ways(_verdicts(before), _verdicts(after))
        parts += [f"{setting}{one}" for one in ways]
    return "; ".join(parts)


def _ways(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Say of each end of writes that is another now which kinds of write ended so."""
    ways: dict[tuple[str, str], list[str]] = defaultdict(list)
    for how, one, other in zip(WRITES, before, after, strict=True):
        if one != other:
            ways[one, other].append(how)
    for (one, other), hows in ways.items():
        which = "however written" if len(hows) == len(WRITES) else ", ".join(hows)
        yield f"{which}: {one} {ARROW} {other}"


def _verdicts(verdicts: Verdicts) -> tuple[str, ...]:
    return (
        verdicts.in_place,
        verdicts.through_view,
        verdicts.under_no_grad,
        verdicts.through_data,
    )


def _targets(finding: InPlace | ReadAfter, pen: Pen) -> Iterator[tuple[str, str]]:
    targets: dict[str, dict[str, None]] = defaultdict(dict)
    for one in finding.targets:
        targets[one.name][one.target] = None
    for name, each in targets.items():
        yield pen.name("op", name), f"writing to {', '.join(map(spoken_role, each))}"


def _wording(finding: Wording, pen: Pen) -> str:
    named = _named_otherwise(finding)
    old, new = named or (finding.old, finding.new)
    return f"errors that said {pen.quote(old)} now say {pen.quote(new)}"


def reworded_among_others(finding: Wording, pen: Pen) -> str:
    """Word a finding for the page of any of its records: what is an example says whose it is."""
    named = _named_otherwise(finding)
    if named is None:
        return _wording(finding, pen)
    return (
        "errors name the forward op where they named the node type; that of"
        f" {pen.code(finding.example.name)} said {pen.quote(named[0])}"
        f" and now says {pen.quote(named[1])}"
    )


def _named_otherwise(finding: Wording) -> tuple[str, str] | None:
    """Return how the example named its node, where that alone is worded otherwise."""
    old, new = said_node(finding.old_example), said_node(finding.new_example)
    if old and new and finding.old.replace(NODE, FORWARD) == finding.new.replace(NODE, FORWARD):
        return old, new
    return None


def _known(finding: Renames | Numbered) -> str:
    """Say what makes it certain that something goes by another name."""
    calls = (
        f"the one stands for the other in {finding.calls:,} call{'' if finding.calls == 1 else 's'}"
        if finding.calls
        else ("in no call that both measured")
    )
    return ", ".join([*(BASES[one] for one in finding.basis), calls])


def _rename(finding: Renames | Numbered, pen: Pen) -> str:
    known = _known(finding)
    if isinstance(finding, Renames):
        what = "node type" if finding.what == "node type" else "attribute"
        old, new = pen.code(finding.old), pen.code(finding.new)
        return f"{what} {old} is now called {new} ({known})"
    first = finding.nodes[0]
    return (
        f"{len(finding.nodes)} node types have a 0 behind their name now, as"
        f" {pen.code(first)} that was called {pen.code(first[:-1])} ({known})"
    )


def _attributes(finding: Attributes, pen: Pen) -> str:
    parts = [
        f"{verb} {', '.join(map(pen.code, names))}"
        for verb, names in (("no longer has", finding.lost), ("now has", finding.gained))
        if names
    ]
    return "; ".join(parts)


def _backward(finding: Backward) -> str:
    by = ", ".join(finding.partitioners)
    what = f"compiled ({by})" if by else "double backward"
    return f"{what}: {_weighed(finding.old)} {ARROW} {_weighed(finding.new)}"


def _weighed(found: Weighed) -> str:
    if found.state not in ("measured", "traced"):
        return found.state
    said = (
        f"{found.tensors} tensor{'' if found.tensors == 1 else 's'},"
        f" {found.bytes.extra:,} extra bytes, {found.bytes.storage:,} of storage"
    )
    return f"{said}, and a third backward raises" if found.raises else said


def _incomparable(finding: Incomparable) -> str:
    if finding.old == finding.new == OTHER_ARGUMENTS:
        return "some calls were made with other arguments"
    if finding.old == finding.new == LOOK_ALIKES:
        return "some calls differ that cannot be told from others that look alike"
    if finding.old == finding.new == "other calls":
        return "measured on both sides, with no call in common"
    which = "" if finding.whole else "some calls: "
    return f"{which}{finding.old} {ARROW} {finding.new}"
