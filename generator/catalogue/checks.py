"""Check a decoded catalogue across its records, beyond what the types of its fields can say."""

from dataclasses import dataclass

import msgspec

from generator.catalogue.codec import MeasuredRecord, kind_of
from generator.catalogue.model.records import Catalogue, NodeRecord
from generator.catalogue.rules import backward as rules_of_backward
from generator.catalogue.rules import bills as rules_of_bills
from generator.catalogue.rules import calls as rules_of_calls
from generator.catalogue.rules import conditions as rules_of_conditions
from generator.catalogue.rules import formulas as rules_of_formulas
from generator.catalogue.rules import reads as rules_of_reads
from generator.catalogue.rules import records as rules_of_records
from generator.catalogue.rules import spellings as rules_of_spellings
from generator.catalogue.rules import unseen as rules_of_unseen
from generator.catalogue.rules import writes as rules_of_writes

RULES = {
    rule.__name__: rule
    for rule in (
        *rules_of_records.RULES,
        *rules_of_calls.RULES,
        *rules_of_spellings.RULES,
        *rules_of_writes.RULES,
        *rules_of_reads.RULES,
        *rules_of_unseen.RULES,
        *rules_of_conditions.RULES,
        *rules_of_bills.RULES,
        *rules_of_backward.RULES,
        *rules_of_formulas.RULES,
    )
}


@dataclass(frozen=True)
class Violation:
    """One place where a catalogue contradicts itself.

    `record` names the record by kind and name, `rule` the rule that it breaks, and `message`
    says how, with the record as its subject.
    """

    record: str
    rule: str
    message: str


def violations(catalogue: Catalogue) -> list[Violation]:
    """List every contradiction, rule by rule; a catalogue that may be published has none."""
    return [
        Violation(record, name, message)
        for name, rule in RULES.items()
        for record, message in rule(catalogue)
    ]


def violations_of(catalogue: Catalogue, record: MeasuredRecord) -> list[Violation]:
    """List the contradictions of one record; the others are not looked at, which saves time."""
    label = f"{kind_of(record)} {record.name}"
    witness = record.witness.name if isinstance(record, NodeRecord) and record.witness else None
    wanted = (record.name, witness)
    narrowed = msgspec.structs.replace(
        catalogue,
        ops={name: catalogue.ops[name] for name in wanted if name in catalogue.ops},
        modules={name: catalogue.modules[name] for name in wanted if name in catalogue.modules},
    )
    return [one for one in violations(narrowed) if one.record == label]
