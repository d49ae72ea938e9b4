"""Rules about whole records: states and reasons, and the references from one record to another.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

import re
from collections.abc import Iterable, Iterator

from generator.catalogue.evidence import recipe_template
from generator.catalogue.model.records import Catalogue, NodeRecord, OpRecord
from generator.catalogue.policies import node_types
from generator.catalogue.rules.calls import Finding, calls, made, records

# In hexadecimal as an object's repr writes it, or as the number that `id` returns.
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b|(?<![\w.])\d{14,16}(?![\w.])")


def nodes(catalogue: Catalogue) -> Iterator[tuple[str, NodeRecord]]:
    """Yield every node type, with how findings speak of it."""
    for node in catalogue.nodes.values():
        yield f"node {node.name}", node


def reason_unless_measured(catalogue: Catalogue) -> Iterator[Finding]:
    """Whatever was not measured says why, and whatever was measured has nothing to explain."""
    for label, record in records(catalogue):
        stated = [(record.name, record.state, record.reason)]
        stated += [(entry.name, entry.state, entry.reason) for entry in record.entries]
        stated += [
            (call.call, one.state, one.reason) for call in made(record) for one in call.measurements
        ]
        for what, state, reason in stated:
            if (state == "measured") == bool(reason):
                yield label, f"{what} is {state} {'with' if reason else 'without'} a reason"


def reason_unless_witnessed(catalogue: Catalogue) -> Iterator[Finding]:
    """A node type that no real kernel made says why; a witnessed one does not."""
    for label, node in nodes(catalogue):
        if (node.state == "witnessed") == bool(node.reason):
            yield label, f"is {node.state} {'with' if node.reason else 'without'} a reason"


def witness_exactly_where_seen(catalogue: Catalogue) -> Iterator[Finding]:
    """A node type has a witness and observations exactly where it was seen live."""
    for label, node in nodes(catalogue):
        if (node.state == "declared") != (node.witness is None):
            yield label, f"is {node.state} {'with' if node.witness else 'without'} a witness"
        if node.state == "declared" and node.observed:
            yield label, "has observations although it was never seen"


def witnesses_exist(catalogue: Catalogue) -> Iterator[Finding]:
    """The call that showed a node type belongs to a record: of an op, a module, or its own."""
    known = catalogue.ops.keys() | catalogue.modules.keys() | catalogue.nodes.keys()
    for label, node in nodes(catalogue):
        if node.witness is not None and node.witness.name not in known:
            yield label, f"was seen in {node.witness.name}, which the catalogue does not have"


def measured_records_have_calls(catalogue: Catalogue) -> Iterator[Finding]:
    """A measured record holds a measured call; another one holds none."""
    for label, record in records(catalogue):
        measured = any(
            one.state == "measured" for call in made(record) for one in call.measurements
        )
        if measured != (record.state == "measured"):
            yield label, f"is {record.state} {'with' if measured else 'without'} a measured call"


def reason_unless_referenced(catalogue: Catalogue) -> Iterator[Finding]:
    """A record has references, or says why it has none."""
    for label, record in records(catalogue):
        if bool(record.references) == bool(record.unreferenced):
            with_or_without = "with" if record.references else "without"
            yield label, f"is {with_or_without} a reference, which {record.unreferenced!r} explains"


def cases_belong_to_entries(catalogue: Catalogue) -> Iterator[Finding]:
    """A case belongs to an entry of its record, and counts at least one sample."""
    for label, record in records(catalogue):
        entries = {entry.name for entry in record.entries}
        for case in record.cases:
            if case.entry not in entries:
                yield label, f"has a case of {case.entry}, which is no entry of it"
            if not case.samples or min(case.samples.values()) < 1:
                yield label, f"has a case of {case.entry} without samples"


def two_ways_count_samples(catalogue: Catalogue) -> Iterator[Finding]:
    """The two ways of finding tensors were compared for no more samples than a case has."""
    for label, record in records(catalogue):
        for case in record.cases:
            ways = case.two_ways
            compared = ways.same + ways.attributes_only + ways.hooks_only
            samples = sum(case.samples.values())
            if compared > samples:
                yield label, f"compared {compared} samples of {samples} in {case.call}"
            if ways.let_go > ways.hooks_only:
                yield label, f"let go in {ways.let_go} samples of {ways.hooks_only} in {case.call}"


def policies_are_distinct_and_used(catalogue: Catalogue) -> Iterator[Finding]:
    """Each node and each policy of a record is written once, and something points to it."""
    used = {(call.record, call.measurement.policy) for call in calls(catalogue)}
    for label, record in records(catalogue):
        if len(set(record.nodes)) != len(record.nodes):
            yield label, "writes a node twice"
        if len(set(record.policies)) != len(record.policies):
            yield label, "writes a policy twice"
        for position in range(len(record.policies)):
            if (label, position) not in used:
                yield label, f"never uses policy {position}"
        unused = {*range(len(record.nodes))} - {place for one in record.policies for place in one}
        for place in sorted(unused):
            yield label, f"never uses node {place}"


def node_types_are_catalogued(catalogue: Catalogue) -> Iterator[Finding]:
    """Each node type of a graph has a record, which says that it was seen."""
    for label, record in records(catalogue):
        for name in dict.fromkeys((*node_types(record), *record.double_backward)):
            node = catalogue.nodes.get(name)
            if node is None:
                yield label, f"has a {name}, which the catalogue does not have"
            elif node.state == "declared":
                yield label, f"has a {name}, which is said never to have been seen"


def attributes_are_catalogued(catalogue: Catalogue) -> Iterator[Finding]:
    """What a node saved is an attribute that its type is said to have."""
    for label, record in records(catalogue):
        saved = {(node.type, value.attribute) for node in record.nodes for value in node.saved}
        for name, attribute in sorted(saved):
            node = catalogue.nodes.get(name)
            if node is not None and attribute not in node.attributes:
                yield label, f"has {attribute} on a {name}, whose record does not list it"


def references_name_templates(catalogue: Catalogue) -> Iterator[Finding]:
    """The template that a reference's program is made from is in the header."""
    for label, record in records(catalogue):
        for reference in record.references:
            if reference.template not in catalogue.header.evidence:
                yield label, f"names the template {reference.template}, which is not in the header"


def recipes_name_templates(catalogue: Catalogue) -> Iterator[Finding]:
    """A node type with a recipe was seen, and the template around the recipe is in the header."""
    for label, node in nodes(catalogue):
        if node.recipe is not None:
            if node.state == "declared":
                yield label, "has a recipe although it was never seen"
            elif recipe_template(node) not in catalogue.header.evidence:
                template = recipe_template(node)
                yield label, f"needs the template {template}, which is not in the header"


def stubs_are_kept_apart(catalogue: Catalogue) -> Iterator[Finding]:
    """A node type was witnessed over a stub exactly where its state says so."""
    for label, node in nodes(catalogue):
        layer = node.witness.layer if node.witness else None
        if (node.state == "stubbed") != (layer == "stub"):
            yield label, f"is {node.state}, and its witness is of the layer {layer}"


def observations_are_of_attributes(catalogue: Catalogue) -> Iterator[Finding]:
    """A node type was observed through its own attributes, each once and with positive counts."""
    for label, node in nodes(catalogue):
        observed = [one.attribute for one in node.observed]
        for attribute in sorted({*observed} - {*node.attributes}):
            yield label, f"was observed through {attribute}, which its record does not list"
        if len(set(observed)) != len(observed):
            yield label, "has two observations of one attribute"
        for one in node.observed:
            if not one.kinds or min([*one.kinds.values(), *one.roles.values()]) < 1:
                yield label, f"has {one.attribute} observed no times"


def texts_hold_no_address(catalogue: Catalogue) -> Iterator[Finding]:
    """No text of a record holds an address in memory, which the next run would not repeat."""
    for label, record in records(catalogue):
        texts = [record.reason or ""]
        texts += [failure.reason for entry in record.entries for failure in entry.failures]
        texts += [one.reason or "" for call in made(record) for one in call.measurements]
        texts += [reference.printed for reference in record.references]
        if isinstance(record, OpRecord) and record.writes is not None:
            texts += [record.writes.reason or ""]
            texts += [trial.message or "" for trial in record.writes.trials]
        if isinstance(record, OpRecord) and record.reads is not None:
            texts += [record.reads.reason or ""]
            texts += [trial.message or "" for trial in record.reads.trials]
        yield from _addresses(label, texts)
    for label, node in nodes(catalogue):
        yield from _addresses(
            label, [node.reason or "", node.recipe.printed if node.recipe else ""]
        )


def _addresses(label: str, texts: Iterable[str]) -> Iterator[Finding]:
    for text in dict.fromkeys(texts):
        if _ADDRESS.search(text):
            yield label, f"says {text!r}"


def header_names_the_build(catalogue: Catalogue) -> Iterator[Finding]:
    """The header's name and release are those of the build that it describes."""
    header = catalogue.header
    name = f"torch-{header.release}-{header.build.device}"
    if header.name != name:
        yield f"header {header.name}", f"should be named {name}"
    if header.build.version.split("+")[0] != header.release:
        yield f"header {header.name}", f"was measured on the build {header.build.version}"


RULES = (
    header_names_the_build,
    texts_hold_no_address,
    reason_unless_measured,
    reason_unless_witnessed,
    witness_exactly_where_seen,
    witnesses_exist,
    measured_records_have_calls,
    reason_unless_referenced,
    cases_belong_to_entries,
    two_ways_count_samples,
    policies_are_distinct_and_used,
    node_types_are_catalogued,
    attributes_are_catalogued,
    references_name_templates,
    recipes_name_templates,
    stubs_are_kept_apart,
    observations_are_of_attributes,
)
