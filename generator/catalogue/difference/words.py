"""How one finding of a comparison is worded: what changed, and the records where it did.

The same words serve the terminal, Markdown and pages: a pen writes names and code as each needs.
Every sentence reads from old to new: `->`, `now`, `no longer`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.catalogue.conditions import condition_text
from generator.catalogue.difference.figure_words import backward_words, formula_words, weighs
from generator.catalogue.difference.findings import (
    Attributes,
    Backward,
    Conditions,
    Details,
    Elsewhere,
    Finding,
    Formulas,
    Incomparable,
    InPlace,
    Kept,
    KindOfWrite,
    Named,
    Numbered,
    ReadAfter,
    Records,
    RegistrySize,
    Renames,
    Unmeasured,
    Wording,
)
from generator.catalogue.difference.name_words import attribute_words, rename_words, wording_words
from generator.catalogue.difference.of_calls import LOOK_ALIKES, OTHER_ARGUMENTS
from generator.catalogue.difference.pen import ARROW, Pen
from generator.catalogue.difference.shift_words import phrase
from generator.catalogue.difference.write_words import ending_words, told_targets, ways_that_differ
from generator.catalogue.field_words import field_words
from generator.catalogue.reads import written

KINDS = {
    "op": ("op", "ops"),
    "module": ("module", "modules"),
    "node": ("node type", "node types"),
    "block": ("block", "blocks"),
    "write": ("kind of write", "kinds of write"),
    "header": ("header", "headers"),
}


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
            sentence = formula_words(finding, pen)
            members = [
                (pen.name("op", one.name), pen.code(one.call) if one.call else "") for one in calls
            ]
        case Conditions(names=names):
            sentence, members = _conditions(finding), _bare("op", names, pen)
        case InPlace():
            sentence, members = ending_words(finding.old, finding.new), told_targets(finding, pen)
        case ReadAfter(old=had_read, new=has_read):
            ways = ways_that_differ(written(had_read), written(has_read))
            sentence = f"an output read after a write: {'; '.join(ways)}"
            members = told_targets(finding, pen)
        case KindOfWrite(old=had, new=has, names=names):
            sentence = ", ".join(
                f"{how} {one} {ARROW} {other}"
                for how, one, other in zip(("plainly", "under hooks"), had, has, strict=False)
            )
            members = _bare("write", names, pen)
        case Wording(records=records):
            sentence, members = wording_words(finding, pen), _named(records, pen)
        case Backward(subject=subject, name=name):
            sentence, members = backward_words(finding), _bare(subject, [name], pen)
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
            return rename_words(finding, pen), _bare("node", nodes, pen)
        case Attributes(nodes=nodes):
            return attribute_words(finding, pen), _bare("node", nodes, pen)
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


def _bare(
    subject: str, names: Iterable[str], pen: Pen, *, old: bool = False
) -> tuple[tuple[str, str], ...]:
    return tuple((pen.name(subject, name, old=old), "") for name in names)


def _named(records: Sequence[Named], pen: Pen) -> tuple[tuple[str, str], ...]:
    return tuple((pen.name(one.subject, one.name), "") for one in records)


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


def _incomparable(finding: Incomparable) -> str:
    if finding.old == finding.new == OTHER_ARGUMENTS:
        return "some calls were made with other arguments"
    if finding.old == finding.new == LOOK_ALIKES:
        return "some calls differ that cannot be told from others that look alike"
    if finding.old == finding.new == "other calls":
        return "measured on both sides, with no call in common"
    which = "" if finding.whole else "some calls: "
    return f"{which}{finding.old} {ARROW} {finding.new}"
