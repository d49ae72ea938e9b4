"""The one-sentence answer of each record, and the short label it is filtered by.

Everything is read off the measurements: which roles are kept under the widest grad mask, and,
by comparing masks, which single argument decides whether a role is kept. Nothing is looked up by
name. Where other calls of the record keep other classes of tensor, the claim names its own call.
Sentences start in lower case, carry no full stop, and put names in backticks.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec.structs import replace

from generator.catalogue.bills import block_claim
from generator.catalogue.case_calls import written_call
from generator.catalogue.kept import (
    CLASSES,
    VIEW,
    Call,
    Kept,
    kept,
    kept_under,
    measured,
    other_cases,
    principal_calls,
    role_class,
    widest,
)
from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import (
    Case,
    ModuleRecord,
    NodeRecord,
    Observation,
    OpRecord,
    Reference,
)
from generator.catalogue.policies import measured_nodes
from generator.catalogue.undifferentiable import (
    arguments_without,
    declared_without,
    has_no_backward,
)

LONGEST_CALL = 90
LONGEST_EXAMPLE = 110

_CLASS_NOUNS = {
    "input": ("input", "inputs"),
    "parameter": ("parameter", "parameters"),
    "buffer": ("buffer", "buffers"),
    "output": ("output", "outputs"),
    "intermediate": ("intermediate", "intermediates"),
}
_ROLE_ARTICLES = {
    "input": "an input",
    "parameter": "a parameter",
    "buffer": "a buffer",
    "output": "the output",
    "intermediate": "an intermediate",
    "wrapped number": "a number",
    "incoming gradient": "an incoming gradient",
    "gradient": "a resulting gradient",
    "opaque": "a tensor whose memory is hidden",
}


def claim(record: OpRecord | ModuleRecord | NodeRecord | BlockRecord) -> str:
    """Say in one sentence what the record keeps, as measured; or why it was not measured."""
    if isinstance(record, BlockRecord):
        return block_claim(record)
    if isinstance(record, NodeRecord):
        return _node_claim(record)
    if record.state != "measured":
        return _unmeasured(record.state, record.reason)
    calls = principal_calls(record)
    if not calls:
        return "not measured: no sample ran"
    said = _over_modes(record, calls)
    cut = isinstance(record, OpRecord) and has_no_backward(record)
    others = other_cases(record)
    without = arguments_without(record) if isinstance(record, OpRecord) else ""
    said = f"{said}; {without}" if without else said
    if not others:
        return f"its backward is not implemented; the call itself {said}" if cut else said
    named = _own_call(calls[0])
    if cut:
        said = f"backward of {named or 'its reference call'} is not implemented; the call {said}"
    else:
        said = f"{named} {said}" if named else f"in its reference call {said}"
    return f"{said}; {_differing(record, calls[0], others)}"


def _over_modes(record: OpRecord | ModuleRecord, calls: Sequence[Call]) -> str:
    """Put the claims of a module's modes together; an op has no mode."""
    sentences = {call.mode: _call_claim(record, call, _only_one(record, call)) for call in calls}
    mode, sentence = next(iter(sentences.items()))
    if isinstance(record, OpRecord):
        return sentence
    if mode is None:
        return f"{sentence}, in train and in eval mode alike"
    if len(sentences) > 1 and len(set(sentences.values())) == 1:
        alike = len({_weights(call) for call in calls}) == 1
        how = "alike" if alike else "but not the same bytes"
        return f"{sentence}, in train and in eval mode {how}"
    return "; ".join(f"in {mode} mode {sentence}" for mode, sentence in sentences.items())


def _weights(call: Call) -> tuple[tuple[int, int, int], ...]:
    return tuple((one.logical_bytes, one.storage_bytes, one.extra_bytes) for one in measured(call))


def _own_call(call: Call) -> str:
    """Write the call that a claim is about, in backticks; empty where that is too long to read.

    A module's reference is named by how the module was built.
    """
    text = call.call.removeprefix("output = ")
    if isinstance(call, Reference) and text.startswith("module("):
        built = [line for line in call.setup.splitlines() if line.startswith("module = ")]
        text = built[0].removeprefix("module = ") if built else ""
        text = text if text.endswith(")") else ""
    return f"`{text}`" if text and _readable(text) else ""


def _readable(call: str) -> bool:
    """Say whether a call names its arguments in a length that a sentence bears."""
    return len(call) <= LONGEST_CALL and not any(word in call for word in ("args[", "`", "\n"))


def _differing(record: OpRecord | ModuleRecord, call: Call, others: Sequence[Case]) -> str:
    """Say that other calls keep other things, in how many samples, and name one of them."""
    total = sum(_samples(case) for case in record.cases if measured(case))
    said = f"other calls keep other things ({sum(map(_samples, others))} of {total} samples)"
    dtype = _dtype(call)
    readable = [case for case in others if _readable(case.call)]
    # What only another dtype changes would not be seen in the text of a call.
    plain = [case for case in readable if _dtype(case) == dtype] or readable
    if not plain:
        return said
    shown = max(plain, key=_samples)
    keeps = claim_under(record, shown, widest(shown))
    if len(keeps) > LONGEST_EXAMPLE:
        return said
    where = "" if _dtype(shown) == dtype else f" of {_dtype(shown)}"
    return f"{said}: `{written_call(record, shown)}`{where} {keeps}"


def claim_under(record: OpRecord | ModuleRecord, call: Call, one: Measurement) -> str:
    """Say in a few words what a call keeps under the mask of one measurement: `keeps nothing`."""
    return _call_claim(record, replace(call, measurements=(one,)))


def _samples(case: Case) -> int:
    return sum(case.samples.values())


def _dtype(call: Call) -> str | None:
    return next((one.dtype for one in call.arguments if one.dtype), None)


def classes(record: OpRecord | ModuleRecord | NodeRecord) -> tuple[str, ...]:
    """Name the classes of tensor that the record keeps, in the order of `CLASSES`."""
    if isinstance(record, NodeRecord):
        roles: Iterable[str] = (role for seen in record.observed for role in seen.roles)
    elif record.state == "measured":
        roles = (role for call in principal_calls(record) for role in kept(record, call).roles)
    else:
        roles = ()
    found = {role_class(role) for role in roles}
    return tuple(name for name in CLASSES if name in found)


def label(record: OpRecord | ModuleRecord | NodeRecord) -> str:
    """Give the short label that records are filtered by, such as `input and output`."""
    if isinstance(record, NodeRecord):
        if record.state == "declared":
            return "not measured"
        values = any(kind != "none" for seen in record.observed for kind in seen.kinds)
    elif record.state != "measured" or not principal_calls(record):
        return "not measured"
    else:
        calls = [kept(record, call) for call in principal_calls(record)]
        values = any(call.kinds or call.numbers for call in calls)
    names = classes(record)
    if names:
        return _join(
            [_CLASS_NOUNS[name][0 if name in ("input", "output") else 1] for name in names]
        )
    return "sizes and scalars only" if values else "nothing"


def _call_claim(record: OpRecord | ModuleRecord, call: Call, size: str = "") -> str:
    """Say what a call keeps; `size` is what there is to say of an intermediate that is alone."""
    under = [(set(one.mask), kept_under(record, one, call.arguments)) for one in measured(call)]
    most = kept(record, call)
    if not most.nodes:
        return "keeps nothing: it adds no node to the graph"
    roles = dict.fromkeys(role for _, found in under for role in found.roles)
    deciders = {role: _decider(role, under, call) for role in roles}
    always = [role for role in roles if deciders[role] == ""]
    sometimes = [role for role in roles if deciders[role] != ""]
    if not roles:
        return _no_tensor(most)
    number = _intermediates([found for _, found in under], size)
    groups = [
        (
            condition,
            _join(_nouns([one for one in sometimes if deciders[one] == condition], number, call)),
        )
        for condition in dict.fromkeys(deciders[one] for one in sometimes)
    ]
    nodes = [found.nodes for _, found in under]
    graph = "" if most.nodes == 1 else f", in a graph of {_from_to(nodes)} nodes"
    if len(groups) < 2:
        sentence = "keeps " + _join(_nouns(always or sometimes, number, call))
        for condition, nouns in groups:
            if always:
                return f"{sentence}{graph}; {nouns} only {condition}"
            sentence += f", only {condition}"
    else:
        clauses = [f"{nouns} {condition}" for condition, nouns in groups]
        # Of lists within a list, it must be seen which of them a condition is about.
        lists = any(" and " in nouns for _, nouns in groups)
        each = "; and ".join(["; ".join(clauses[:-1]), clauses[-1]]) if lists else _join(clauses)
        kept_always = _join(_nouns(always, number, call))
        sentence = f"keeps {kept_always}; also {each}" if always else f"keeps {each}"
    return f"{sentence}{graph}"


def _decider(role: str, under: list[tuple[set[str], Kept]], call: Call) -> str:
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
    return f"{_join(words, between)} {'require' if several else 'requires'} grad"


def _no_tensor(found: Kept) -> str:
    kinds = [name for name in ("sizes", "scalar") if name in found.kinds]
    if not kinds and not found.numbers:
        return "keeps nothing"
    words = [{"sizes": "sizes", "scalar": "scalars"}[name] for name in kinds]
    if found.numbers and "scalars" not in words:
        words.append("scalars")
    return f"keeps no tensor, only {_join(words)}"


def _only_one(record: OpRecord | ModuleRecord, call: Call) -> str:
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


def _intermediates(each: Sequence[Kept], size: str) -> str:
    """Count intermediates in words: one number, or the fewest and the most where masks differ.

    Where there is one alone, `size` is said of it.
    """
    counts = [max(found.intermediates, 1) for found in each if "intermediate" in found.roles]
    if len(set(counts)) < 2:
        if counts[:1] == [1]:
            return f"1 intermediate{size}"
        return f"{counts[0]} intermediates" if counts else ""
    return f"{_from_to(counts)} intermediates (by what requires grad)"


def _from_to(counts: Sequence[int]) -> str:
    fewest, most = min(counts), max(counts)
    if fewest == most:
        return f"{most}"
    return f"{fewest} {'or' if most - fewest == 1 else 'to'} {most}"


def _nouns(roles: Sequence[str], intermediates: str, call: Call) -> list[str]:
    """Turn roles into noun phrases; outputs, parameters and members of a list are put together."""
    phrases: dict[str, None] = {}
    lists = {one.name.split("[")[0] for one in call.arguments if "[" in one.name}
    outputs = [role for role in roles if role.startswith("output ")]
    parameters = [role for role in roles if role.startswith("parameter ")]
    views = [role for role in roles if role.startswith(f"{VIEW}parameter ")]
    for role in roles:
        name = role.partition(" ")[2]
        stem = name.split("[")[0]
        if role in outputs:
            phrases[_outputs(outputs, len(call.outputs))] = None
        elif role in parameters and len(parameters) > 2:
            phrases[_parameters(parameters, call)] = None
        elif role in views and len(views) > 2:
            phrases[f"views of {_parameters(views, call)}"] = None
        elif "[" in name and stem in lists and not role.startswith(VIEW):
            phrases[_members(stem, roles, call)] = None
        else:
            phrases[_noun(role, intermediates)] = None
    return list(phrases)


def _parameters(roles: Sequence[str], call: Call) -> str:
    total = sum(one.source == "parameter" for one in call.arguments)
    return (
        f"all its {total} parameters" if len(roles) == total else f"{len(roles)} of its parameters"
    )


def _noun(role: str, intermediates: str) -> str:
    if role == "output":
        return "its output"
    if role == "intermediate":
        return intermediates
    if role.startswith(VIEW):
        return f"a view of {_noun(role[len(VIEW) :], 'an intermediate')}"
    source, _, name = role.partition(" ")
    if source == "output":
        return f"its output {name}"
    return f"`{name}`" if source == "input" else f"its {source} `{name}`"


def _outputs(roles: Sequence[str], total: int) -> str:
    if len(roles) == total > 1:
        return "both outputs" if total == 2 else f"all {total} outputs"
    numbers = [role.partition(" ")[2] for role in roles]
    return f"its output{'s' if len(numbers) > 1 else ''} {_join(numbers)}"


def _members(stem: str, roles: Sequence[str], call: Call) -> str:
    members = [one.name for one in call.arguments if one.name.startswith(f"{stem}[")]
    held = [name for name in members if f"input {name}" in roles]
    if len(held) == len(members):
        return f"every tensor of `{stem}`"
    if len(held) <= 2:
        return _join([f"`{name}`" for name in held])
    return f"{len(held)} of the {len(members)} tensors of `{stem}`"


def _without_values(record: NodeRecord) -> str:
    if record.packed:
        roles = [_article(role_class(role)) for role in dict.fromkeys(record.packed)]
        return f"keeps {_join(list(dict.fromkeys(roles)))}, as saved-tensor hooks show"
    if record.packed is not None:
        return "keeps no tensor that hooks see"
    # What has no declaration was written by hand, and may hold what it does not show.
    known = bool(record.declared or record.attributes)
    return "saves nothing" if known else "exposes no saved attribute"


def _node_claim(record: NodeRecord) -> str:
    if record.state == "declared":
        why = f": {record.reason}" if record.reason else ""
        names = dict.fromkeys(
            value.name
            for one in record.declared
            for value in (*one.saved_inputs, *one.saved_outputs)
        )
        saved = (
            f"; declares that it saves {_join([f'`{name}`' for name in names])}" if names else ""
        )
        return f"declared only{why}{saved}"
    tensors = [_attribute(seen) for seen in record.observed if seen.roles]
    others = [
        f"`{_short(seen.attribute)}`"
        for seen in record.observed
        if not seen.roles and any(kind in ("sizes", "scalar") for kind in seen.kinds)
    ]
    if tensors:
        sentence = "saves " + _join(tensors)
        sentence += f", and the sizes or scalars {_join(others)}" if len(others) > 1 else ""
        sentence += f", and the size or scalar {others[0]}" if len(others) == 1 else ""
    else:
        sentence = f"saves no tensor, only {_join(others)}" if others else _without_values(record)
    if without := declared_without(record):
        sentence += f"; no derivative is declared for {_join([f'`{name}`' for name in without])}"
    return {
        "stubbed": f"over a stub, {sentence}",
        "unregistered": f"{sentence}; it is not in the release's registry",
    }.get(record.state, sentence)


def _attribute(seen: Observation) -> str:
    roles = [
        role for role in seen.roles if role.removeprefix(VIEW) not in seen.roles.keys() - {role}
    ]
    # What is an output of its own call is an intermediate of a larger one: that comes last.
    order = sorted(roles, key=lambda role: (role == "intermediate", -seen.roles[role], role))
    if order == ["output"]:
        return f"its `{_short(seen.attribute)}` (the output)"
    return f"`{_short(seen.attribute)}` ({_join([_article(role) for role in order], 'or')})"


def _article(role: str) -> str:
    if role.startswith(VIEW):
        return f"a view of {_article(role[len(VIEW) :])}"
    return _ROLE_ARTICLES.get(role, role)


def _short(attribute: str) -> str:
    return attribute.removeprefix("_saved_")


def _unmeasured(state: str, reason: str | None) -> str:
    known = "not differentiable" if state == "not differentiable" else f"not measured ({state})"
    return f"{known}: {reason.removesuffix('.')}" if reason else known


def _join(words: Sequence[str], last: str = "and") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
