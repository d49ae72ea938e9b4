"""What one catalogue says of each record in one call: the facts that a history is folded from.

Of an op or module that is its reference call, and each other spelling, under the mask where most
requires grad; of a node type its class.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue.changes import CONCLUSIVE, bytes_of
from generator.catalogue.claims import claim_under
from generator.catalogue.kept import Call, kept_under, measured, widest
from generator.catalogue.model import (
    Argument,
    Catalogue,
    Mode,
    ModuleRecord,
    NodeRecord,
    OpRecord,
    PolicyNode,
    SavedValue,
    Variant,
)
from generator.catalogue.model_history import Keeping, NodeClass, SavedRole
from generator.catalogue.model_measurement import Measurement
from generator.catalogue.policies import measured_nodes
from generator.catalogue.shifts import NodeCount

ABSENT = "absent"
NO_CALL = "no reference call"
NOT_CALLED = "not called"
_VERB = "keeps "

Called = OpRecord | ModuleRecord


@dataclass(frozen=True)
class Fact:
    """What one release says of one call, or of one class.

    `nodes` is the policy and `dtypes` pairs its roles with dtypes, as far as these are known.
    `called` is what has to be the same in two releases for bytes to be comparable, `program` what
    is the same where the very same program was run.
    """

    state: str
    reason: str | None = None
    said: Keeping | NodeClass | None = None
    nodes: tuple[PolicyNode, ...] = ()
    dtypes: tuple[tuple[str, str], ...] = ()
    called: tuple[str, tuple[Argument, ...]] | None = None
    program: str = ""

    @property
    def concludes(self) -> bool:
        """Whether the fact can be compared with that of another release."""
        return self.said is not None or self.state in CONCLUSIVE


@dataclass(frozen=True)
class Facts:
    """All facts of one catalogue: by name, and by mode, variant or nothing."""

    ops: dict[str, dict[str | None, Fact]]
    modules: dict[str, dict[Mode | None, Fact]]
    nodes: dict[str, Fact]
    witnesses: dict[str, str]
    unconcluded: dict[str, str]


def facts(catalogue: Catalogue) -> Facts:
    """Read the facts off a catalogue."""
    called: list[Called] = [*catalogue.ops.values(), *catalogue.modules.values()]
    return Facts(
        ops={name: _of_op(op) for name, op in catalogue.ops.items()},
        modules={name: _of_module(module) for name, module in catalogue.modules.items()},
        nodes={name: _of_node(node) for name, node in catalogue.nodes.items()},
        witnesses={
            name: node.witness.name for name, node in catalogue.nodes.items() if node.witness
        },
        unconcluded={one.name: one.state for one in called if one.state not in CONCLUSIVE},
    )


def _of_op(op: OpRecord) -> dict[str | None, Fact]:
    """File the reference under None, and other spellings that could be called under their name."""
    found: dict[str | None, Fact] = {None: _reference(op, None)}
    if op.state == "measured":
        for variant in op.variants:
            fact = _variant(op, variant)
            if fact is not None:
                found[variant.name] = fact
    return found


def _of_module(module: ModuleRecord) -> dict[Mode | None, Fact]:
    """File the reference of each mode; under None where both modes keep the same."""
    modes = {one.mode for one in module.references} or {None}
    return {mode: _reference(module, mode) for mode in sorted(modes, key=str)}


def _of_node(node: NodeRecord) -> Fact:
    attributes = tuple(sorted(node.attributes))
    values = tuple(SavedValue(attribute=one, kind="none") for one in attributes)
    return Fact(
        state=node.state if node.state == "unregistered" else "registered",
        said=NodeClass(name=node.name, attributes=attributes),
        nodes=(PolicyNode(type=node.name, saved=values),),
    )


def _reference(record: Called, mode: Mode | None) -> Fact:
    if record.state != "measured":
        return Fact(state=record.state, reason=record.reason)
    made = [one for one in record.references if one.mode == mode]
    if not made:
        return Fact(state=NO_CALL, reason=record.unreferenced)
    call = made[0]
    if not measured(call):
        failed = call.measurements[0]
        return Fact(state=failed.state, reason=failed.reason)
    program = f"{call.setup}\n{call.require}\n{call.call}"
    return _kept(record, call, widest(call), call.call, program)


def _variant(op: OpRecord, variant: Variant) -> Fact | None:
    """Tell what a spelling keeps; None where it was not called, or what it was called with."""
    one = variant.measurement
    calls: tuple[Call, ...] = op.references if variant.call is not None else op.cases
    if one is None or not calls:
        return None
    if one.policy is None:
        return Fact(state=one.state, reason=one.reason)
    setup = op.references[0].setup if variant.call is not None else ""
    text = variant.call or variant.name
    return _kept(op, calls[0], one, text, f"{setup}\n{text}")


def _kept(record: Called, call: Call, one: Measurement, text: str, program: str) -> Fact:
    nodes = measured_nodes(record, one)
    said = Keeping(
        call=text,
        mask=one.mask,
        claim=claim_under(record, call, one).removeprefix(_VERB),
        roles=kept_under(record, one, call.arguments).roles,
        saved=tuple(_saved(nodes)),
        nodes=tuple(
            NodeCount(type=name, nodes=number)
            for name, number in Counter(node.type for node in nodes).items()
        ),
        bytes=bytes_of(one),
    )
    roles = [role for node in nodes for value in node.saved for role in value.roles]
    dtypes = zip(roles, one.tensors, strict=False)
    return Fact(
        state="measured",
        said=said,
        nodes=nodes,
        dtypes=tuple(sorted((role, tensor.dtype) for role, tensor in dtypes)),
        called=(text, call.arguments),
        program=program,
    )


def _saved(nodes: tuple[PolicyNode, ...]) -> Iterator[SavedRole]:
    times = Counter(
        (node.type, value.attribute, role)
        for node in nodes
        for value in node.saved
        for role in value.roles
    )
    for (node, attribute, role), number in times.items():
        yield SavedRole(node=node, attribute=attribute, role=role, times=number)
