"""What a condition does to a reference call: in words, and as the program that shows it."""

import re
from collections import Counter
from collections.abc import Iterator
from string import Template

from msgspec.structs import replace

from generator.catalogue.evidence import evidence_program
from generator.catalogue.kept import spoken_role
from generator.catalogue.model import Header, OpRecord, PolicyNode, Reference
from generator.catalogue.model_conditions import (
    Applied,
    ChangedCall,
    ConditionName,
    Conditions,
    Group,
)
from generator.catalogue.model_measurement import Measurement
from generator.catalogue.policies import measured_nodes

DTYPES: tuple[ConditionName, ...] = ("float64", "bfloat16", "float16", "complex64")
LAYOUTS: tuple[ConditionName, ...] = (
    "transposed",
    "strided",
    "offset",
    "expanded",
    "channels_last",
)
_OWN = "float32"
_LISTED = 3

_WORDS: dict[ConditionName | Group, str] = {
    "dtypes": "other dtypes",
    "layouts": "other layouts of {}",
    **{name: f"all arguments {name}" for name in ("float64", "bfloat16", "float16", "complex64")},
    "autocast": "under CPU autocast to bfloat16",
    "training": "in the other mode",
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
    return _WORDS[applied.condition].format(f"`{applied.argument}`")


def members(name: ConditionName | Group) -> tuple[ConditionName, ...]:
    """Return the conditions that a name in a list of unchanged ones may stand for."""
    if name == "dtypes":
        return DTYPES
    return LAYOUTS if name == "layouts" else (name,)


def unchanged_texts(conditions: Conditions) -> Iterator[str]:
    """Say under which conditions nothing changed: `other dtypes`, `other layouts of x`."""
    for argument, names in conditions.unchanged.items():
        for name in names:
            yield _WORDS[name].format(f"`{argument}`")


def added_lines(header: Header, reference: Reference, applied: Applied) -> str:
    """Return what a condition adds to the reference's program after its setup, if anything."""
    name = f"condition {applied.condition}"
    if applied.condition in ("autocast", "training") or name not in header.evidence:
        return ""
    line = Template(header.evidence[name])
    own = [one.name for one in reference.arguments if one.dtype == _OWN]
    first = reference.measurements[0].mask[0]
    names = [applied.argument] if applied.argument else own
    return "\n".join(line.substitute(name=one, first=first) for one in names)


def condition_program(header: Header, op: OpRecord, changed: ChangedCall, applied: Applied) -> str:
    """Return the program of the op's reference under a condition that changes what is kept."""
    reference = op.references[0]
    made = measured_nodes(op, changed.measurement)
    call = changed.call or reference.call
    if applied.condition == "autocast":
        call = Template(header.evidence["condition autocast"]).substitute(call=call)
    # Where the output is an argument itself there is no node to begin at.
    grad_fns = reference.grad_fns if made else ""
    dropped = {*reference.measurements[0].mask} - {*changed.measurement.mask}
    require, held = reference.require, reference.held
    for name in dropped:
        require = require.replace(f"{name}.requires_grad_()\n", "")
        held = re.sub(rf'"{re.escape(name)}": {re.escape(name)},?\s*', "", held)
    lines = added_lines(header, reference, applied)
    setup = f"{reference.setup}\n{lines}" if lines else reference.setup
    return evidence_program(
        header,
        replace(reference, setup=setup, require=require, held=held, call=call, grad_fns=grad_fns),
    )


def plain_measurement(reference: Reference, changed: ChangedCall) -> Measurement:
    """Return what the reference keeps under the same mask, which the condition changes."""
    mask = changed.measurement.mask
    return next(
        (one for one in reference.measurements if one.mask == mask), reference.measurements[0]
    )


def differences(op: OpRecord, changed: ChangedCall) -> Iterator[str]:
    """Say in clauses how what is kept differs from the plain call, names in backticks."""
    plain, now = plain_measurement(op.references[0], changed), changed.measurement
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


def _other_dtypes(changed: ChangedCall, plain: Measurement) -> Iterator[str]:
    """Name the dtypes that are new; where every argument has another, those that did not follow."""
    now = changed.measurement
    new = {tensor.dtype for tensor in now.tensors} - {tensor.dtype for tensor in plain.tensors}
    given = {one.condition for one in changed.conditions} & {*DTYPES}
    kept = {tensor.dtype for tensor in now.tensors} & {*DTYPES, _OWN}
    if given:
        if others := sorted(kept - given):
            yield f"some of it in {' and '.join(others)}"
    elif new:
        yield f"some of it in {' and '.join(sorted(new))}"


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
