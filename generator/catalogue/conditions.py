"""What a condition does to a reference call: in words, and as the program that shows it."""

import re
from collections import Counter
from collections.abc import Iterator
from string import Template

from msgspec.structs import replace

from generator.catalogue.evidence import evidence_program
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.conditions import (
    Applied,
    ChangedCall,
    ChangedPair,
    ConditionName,
    Conditions,
    Group,
)
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import Header, ModuleRecord, OpRecord, PolicyNode
from generator.catalogue.policies import measured_nodes

Record = OpRecord | ModuleRecord

DTYPES: tuple[ConditionName, ...] = ("float64", "bfloat16", "float16", "complex64")
LAYOUTS: tuple[ConditionName, ...] = (
    "transposed",
    "strided",
    "offset",
    "expanded",
    "channels_last",
)
OWN = "float32"
_FRACTIONS = ("float", "bfloat", "complex")
_MODULE = "module"
_LISTED = 3

_WORDS: dict[ConditionName | Group, str] = {
    "dtypes": "other dtypes",
    "layouts": "other layouts of {}",
    **{name: f"all arguments {name}" for name in ("float64", "bfloat16", "float16", "complex64")},
    "autocast": "under CPU autocast to bfloat16",
    "training": "in the other mode",
    "eval": "in eval mode",
    "frozen": "with all parameters frozen",
    "nan": "every input is NaN",
    "empty": "no rows",
    "number": "{} is a Python number",
    "0-dim": "{} is a tensor without dimensions",
    "one row": "{} has one row, which is broadcast",
    "same tensor": "{} is the first argument once more",
    "transposed": "{} is transposed, so not contiguous",
    "strided": "{} is every second element of a larger tensor",
    "offset": "{} is the second half of a larger tensor",
    "expanded": "{} is one row, expanded (stride 0)",
    "channels_last": "{} is in channels_last",
}


def condition_text(applied: Applied) -> str:
    """Say a condition in a few words, its argument in backticks."""
    return _text(applied.condition, applied.argument)


def pair_text(pair: tuple[Applied, Applied]) -> str:
    """Say two conditions at once."""
    return " and ".join(condition_text(one) for one in pair)


def _text(name: ConditionName | Group, argument: str) -> str:
    words = "{} has no rows" if name == "empty" and argument else _WORDS[name]
    return words.format(f"`{argument}`")


def members(name: ConditionName | Group) -> tuple[ConditionName, ...]:
    """Return the conditions that a name in a list of unchanged ones may stand for."""
    if name == "dtypes":
        return DTYPES
    return LAYOUTS if name == "layouts" else (name,)


def unchanged_texts(conditions: Conditions) -> Iterator[str]:
    """Say under which conditions nothing changed: `other dtypes`, `other layouts of x`."""
    for argument, names in conditions.unchanged.items():
        for name in names:
            yield _text(name, argument)


def added_lines(header: Header, record: Record, applied: Applied) -> str:
    """Return what a condition adds to the reference's program after its setup, if anything."""
    name = f"condition {applied.condition}"
    if applied.condition in ("autocast", "training") or name not in header.evidence:
        return ""
    line = Template(header.evidence[name])
    first = record.references[0].measurements[0].mask[0]
    if isinstance(record, ModuleRecord) and record.conditions and record.conditions.require:
        first = record.conditions.require.partition(".")[0]
    names = [applied.argument] if applied.argument else list(_concerned(record, applied))
    return "\n".join(line.substitute(name=one, first=first) for one in names)


def _concerned(record: Record, applied: Applied) -> Iterator[str]:
    """Name what a condition of the whole call is about: the module, or which of its inputs."""
    inputs = [one for one in record.references[0].arguments if one.source == "input"]
    tensors = [one for one in inputs if one.shape is not None]
    rows = tensors[0].shape[:1] if tensors and tensors[0].shape else None
    if isinstance(record, ModuleRecord) and applied.condition in ("eval", "frozen", *DTYPES):
        yield _MODULE
    for one in tensors:
        dtype = str(one.dtype)
        if applied.condition == "empty":
            concerned = one.shape is not None and one.shape[:1] == rows
        elif applied.condition == "nan":
            concerned = dtype.startswith(_FRACTIONS)
        else:
            concerned = applied.condition in DTYPES and dtype == OWN
        if concerned:
            yield one.name


def condition_program(
    header: Header,
    record: Record,
    changed: ChangedCall | ChangedPair,
    applied: Applied | tuple[Applied, Applied],
) -> str:
    """Return the program of the record's reference under a condition, or two at once."""
    reference, tried = record.references[0], record.conditions
    conditions = (applied,) if isinstance(applied, Applied) else applied
    made = measured_nodes(record, changed.measurement)
    call = changed.call or reference.call
    if any(one.condition == "autocast" for one in conditions):
        call = Template(header.evidence["condition autocast"]).substitute(call=call)
    # Where the output is an argument itself there is no node to begin at.
    raised = changed.measurement.state != "measured"
    grad_fns = reference.grad_fns if made or raised else ""
    dropped = {*reference.measurements[0].mask} - {*changed.measurement.mask}
    require, held = reference.require, reference.held
    if tried is not None and tried.require is not None:
        require = tried.require
    for name in dropped:
        require = require.replace(f"{name}.requires_grad_()\n", "")
        held = re.sub(rf'"{re.escape(name)}": {re.escape(name)},?\s*', "", held)
    lines = [added_lines(header, record, one) for one in conditions]
    # Empty tensors have no address to tell them by.
    empty = any(one.condition == "empty" for one in conditions)
    return evidence_program(
        header,
        replace(
            reference,
            setup="\n".join([reference.setup, *(line for line in lines if line)]),
            require=require,
            held=held,
            call=call,
            grad_fns=grad_fns,
            template="layouts" if empty else reference.template,
        ),
    )


def plain_measurement(record: Record, changed: ChangedCall | ChangedPair) -> Measurement:
    """Return what the reference keeps plainly: under the same mask, or the mask of all trials."""
    measurements = record.references[0].measurements
    tried = record.conditions.mask if record.conditions else ()
    mask = tried or changed.measurement.mask
    return next((one for one in measurements if one.mask == mask), measurements[0])


def differences(op: Record, changed: ChangedCall | ChangedPair) -> Iterator[str]:
    """Say in clauses how what is kept differs from the plain call, names in backticks."""
    plain, now = plain_measurement(op, changed), changed.measurement
    if now.policy is None:
        yield f"{now.state}: {now.reason}"
        return
    before, after = measured_nodes(op, plain), measured_nodes(op, now)
    said = [*_other_roles(before, after), *_other_dtypes(changed, plain), *_counted(before, after)]
    otherwise = "the same, in other shapes" if before == after else "the same, otherwise arranged"
    yield from said or [otherwise]


def _other_roles(before: tuple[PolicyNode, ...], after: tuple[PolicyNode, ...]) -> Iterator[str]:
    old, new = _roles(before), _roles(after)
    if gone := [role for role in old if role not in new]:
        yield f"no longer kept: {', '.join(map(spoken_role, gone))}"
    if come := [role for role in new if role not in old]:
        yield (
            f"kept instead: {', '.join(map(spoken_role, come))}"
            if gone
            else (f"kept besides: {', '.join(map(spoken_role, come))}")
        )


def _roles(nodes: tuple[PolicyNode, ...]) -> list[str]:
    roles = [role for node in nodes for value in node.saved for role in value.roles]
    return list(dict.fromkeys(roles))


def _other_dtypes(changed: ChangedCall | ChangedPair, plain: Measurement) -> Iterator[str]:
    """Name the dtypes that are new; where every argument has another, those that did not follow."""
    now = changed.measurement
    new = {tensor.dtype for tensor in now.tensors} - {tensor.dtype for tensor in plain.tensors}
    given = _conditions_of(changed) & {*DTYPES}
    kept = {tensor.dtype for tensor in now.tensors} & {*DTYPES, OWN}
    if given:
        if others := sorted(kept - given):
            yield f"some of it in {' and '.join(others)}"
    elif new:
        yield f"some of it in {' and '.join(sorted(new))}"


def _conditions_of(changed: ChangedCall | ChangedPair) -> set[str]:
    if isinstance(changed, ChangedCall):
        return {one.condition for one in changed.conditions}
    return {one.condition for pair in changed.pairs for one in pair}


def _counted(before: tuple[PolicyNode, ...], after: tuple[PolicyNode, ...]) -> Iterator[str]:
    old, new = Counter(node.type for node in before), Counter(node.type for node in after)
    for words, found in (("more nodes", new - old), ("fewer nodes", old - new)):
        if found:
            listed = [
                f"`{name}`" if count == 1 else f"{count} `{name}`"
                for name, count in found.most_common(_LISTED)
            ]
            others = len(found) - len(listed)
            rest = f" and {others} other types" if others > 1 else ""
            yield f"{words}: {', '.join(listed)}{rest}"
