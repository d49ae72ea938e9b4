"""What one call keeps, in a sentence: always, or by which argument requires grad.

By comparing masks it is read off which single argument, or which two, decide of a role.
"""

from collections.abc import Sequence
from itertools import combinations

from msgspec.structs import replace

from generator.catalogue.claim_nouns import counted_intermediates, from_to, join, noun_phrases
from generator.catalogue.kept import Call, Kept, kept, kept_under, measured
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import ModuleRecord, OpRecord
from generator.catalogue.policies import measured_nodes

Under = list[tuple[set[str], Kept]]


def claim_under(record: OpRecord | ModuleRecord, call: Call, one: Measurement) -> str:
    """Say in a few words what a call keeps under the mask of one measurement: `keeps nothing`."""
    return call_claim(record, replace(call, measurements=(one,)))


def call_claim(record: OpRecord | ModuleRecord, call: Call, size: str = "") -> str:
    """Say what a call keeps; `size` is what there is to say of an intermediate that is alone."""
    under = roles_under(record, call)
    most = kept(record, call)
    if not most.nodes:
        return "keeps nothing: it adds no node to the graph"
    roles = dict.fromkeys(role for _, found in under for role in found.roles)
    deciders = {role: decider(role, under, call) for role in roles}
    always = [role for role in roles if deciders[role] == ""]
    sometimes = [role for role in roles if deciders[role] != ""]
    if not roles:
        return _no_tensor(most)
    number = counted_intermediates([found for _, found in under], size)
    conditions = dict.fromkeys(deciders[one] for one in sometimes)
    groups = [
        (
            one,
            join(noun_phrases([role for role in sometimes if deciders[role] == one], number, call)),
        )
        for one in conditions
    ]
    nodes = [found.nodes for _, found in under]
    graph = "" if most.nodes == 1 else f", in a graph of {from_to(nodes)} nodes"
    if len(groups) < 2:
        sentence = "keeps " + join(noun_phrases(always or sometimes, number, call))
        for condition, nouns in groups:
            if always:
                return f"{sentence}{graph}; {nouns} only {condition}"
            sentence += f", only {condition}"
    else:
        clauses = [f"{nouns} {condition}" for condition, nouns in groups]
        # Of lists within a list, it must be seen which of them a condition is about.
        lists = any(" and " in nouns for _, nouns in groups)
        each = "; and ".join(["; ".join(clauses[:-1]), clauses[-1]]) if lists else join(clauses)
        kept_always = join(noun_phrases(always, number, call))
        sentence = f"keeps {kept_always}; also {each}" if always else f"keeps {each}"
    return f"{sentence}{graph}"


def roles_under(record: OpRecord | ModuleRecord, call: Call) -> Under:
    """Read what each measurement of a call kept, with its mask."""
    return [(set(one.mask), kept_under(record, one, call.arguments)) for one in measured(call)]


def decider(role: str, under: Under, call: Call) -> str:
    """Say on what a role depends: nothing, one argument, two of them, or an unnamed mixture."""
    held = [(mask, role in found.roles) for mask, found in under]
    if all(there for _, there in held):
        return ""
    masked = {name: None for one in call.measurements for name in one.mask}
    places = {one.name: place for place, one in enumerate(call.arguments)}
    names = sorted(masked, key=lambda name: places.get(name, len(places)))
    for name in names:
        if all((name in mask) == there for mask, there in held):
            return f"when {_requiring([name])}"
    for pair in combinations(names, 2):
        if all(bool(mask.intersection(pair)) == there for mask, there in held):
            return f"when {_requiring(pair, 'or')}"
        if all(mask.issuperset(pair) == there for mask, there in held):
            return f"when {_requiring(pair, 'and')}"
    return "under some grad masks"


def _requiring(names: Sequence[str], between: str = "") -> str:
    """Say that arguments require grad; the groups of a module's mask are written as its own."""
    groups = {"inputs": "its inputs", "parameters": "its parameters", "biases": "its biases"}
    words = [groups.get(name, f"`{name}`") for name in names]
    several = between == "and" or any(name in groups for name in names)
    return f"{join(words, between)} {'require' if several else 'requires'} grad"


def _no_tensor(found: Kept) -> str:
    kinds = [name for name in ("sizes", "scalar") if name in found.kinds]
    if not kinds and not found.numbers:
        return "keeps nothing"
    words = [{"sizes": "sizes", "scalar": "scalars"}[name] for name in kinds]
    if found.numbers and "scalars" not in words:
        words.append("scalars")
    return f"keeps no tensor, only {join(words)}"


def size_of_one(record: OpRecord | ModuleRecord, call: Call) -> str:
    """Say shape and dtype of a call's intermediates where all are of one: ` (256 × 512 bool)`."""
    found = set()
    for one in measured(call):
        saved = (value for node in measured_nodes(record, one) for value in node.saved)
        roles = (role for value in saved for role in value.roles)
        pairs = zip(roles, one.tensors, strict=bool(one.tensors))
        found |= {(held.shape, held.dtype) for role, held in pairs if role == "intermediate"}
    if len(found) != 1:
        return ""
    ((shape, dtype),) = found
    return f" ({' × '.join(map(str, shape)) or '()'} {dtype})"
