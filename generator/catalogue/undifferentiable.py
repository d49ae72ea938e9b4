"""Tell what has no derivative: an op whose backward is not implemented, an argument, a spelling.

Of an op two things show it: the node that PyTorch makes where an op has no derivative at all, and
the error with which backward of the reference call ended. Of an argument it is what the call, or
backward, did where that argument requires grad. Of a spelling that makes a node of its own, it is
what the release declares of that node.
"""

import re
from collections.abc import Iterator, Mapping

from generator.catalogue.kept import principal_calls, widest
from generator.catalogue.model.records import NodeRecord, OpRecord, Reference, Variant
from generator.catalogue.policies import measured_nodes

NODE = "NotImplemented"
MESSAGE = re.compile(r"derivative for .+ is not implemented")
DECLARED = "not_implemented"


def has_no_backward(op: OpRecord) -> bool:
    """Say whether backward of the call that speaks for the op is not implemented."""
    tried = (op.writes.reason if op.writes else None) or ""
    return MESSAGE.search(tried) is not None or any(
        node.type == NODE
        for call in principal_calls(op)
        for node in measured_nodes(op, widest(call))
    )


def arguments_without(op: OpRecord) -> str:
    """Say which arguments of the reference call have no derivative, though others have one.

    Empty where there is none, or where the op has no backward anyway.
    """
    calls = principal_calls(op)
    if not calls or not isinstance(calls[0], Reference) or has_no_backward(op):
        return ""
    return "; ".join(_clauses(op, calls[0]))


def spelling_without(op: OpRecord, spelling: Variant, nodes: Mapping[str, NodeRecord]) -> str:
    """Say that backward of a spelling raises, as its nodes show, or as the release declares.

    What is missing of the op's own call is missing of a spelling that makes the same nodes.
    """
    one = spelling.measurement
    if one is None or one.policy is None:
        return ""
    made = {node.type for node in measured_nodes(op, one)}
    if NODE in made:
        return "its backward is not implemented"
    own = {node.type for call in principal_calls(op) for node in measured_nodes(op, widest(call))}
    if made == own:
        return "its backward is not implemented" if has_no_backward(op) else arguments_without(op)
    cut = sorted(name for name in made if name in nodes and declares_none(nodes[name]))
    return f"the release declares no derivative for it (`{cut[0]}`)" if cut else ""


def declares_none(node: NodeRecord) -> bool:
    """Say whether the release declares of a node that none of its derivatives is implemented."""
    formulas = [each.formula for one in node.declared for each in one.formulas]
    return bool(formulas) and all(each.startswith(DECLARED) for each in formulas)


def declared_without(node: NodeRecord) -> tuple[str, ...]:
    """Name the inputs of a node for which the release declares no derivative."""
    told = [
        (name, each.formula.startswith(DECLARED))
        for one in node.declared
        for each in one.formulas
        for name in each.inputs
    ]
    # Of overloads, or of layouts, one may have what another lacks.
    there = {name for name, missing in told if not missing}
    return tuple(dict.fromkeys(name for name, _ in told if name not in there))


def _clauses(op: OpRecord, call: Reference) -> Iterator[str]:
    if names := _cut(op, call):
        have = "has" if len(names) == 1 else "have"
        either = "it requires" if len(names) == 1 else "one of them requires"
        yield f"{_listed(names)} {have} no derivative: backward raises where {either} grad"
    alone = {one.mask[0]: one for one in call.measurements if len(one.mask) == 1}
    if names := [name for name, one in alone.items() if one.state == "raised"]:
        yield f"{_listed(names)} must not require grad: the call raises"
    if names := [name for name, one in alone.items() if one.state == "not differentiable"]:
        yield f"{_listed(names)} {'gets' if len(names) == 1 else 'get'} no gradient"


def _cut(op: OpRecord, call: Reference) -> list[str]:
    """Name the arguments with which backward ended in an error, and without which in none."""
    tried = op.writes
    if tried is None or tried.left_out is None or MESSAGE.search(tried.left_out) is None:
        return []
    asked = dict.fromkeys(
        name for one in call.measurements if one.policy is not None for name in one.mask
    )
    able = {name for mask in tried.masks for name in mask}
    return [name for name in asked if name not in able]


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
