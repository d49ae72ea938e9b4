"""What one catalogue says of each record: the facts that a history is folded from.

Of an op or module that is what its calls keep, see `catalogue.history.calls`; of a node type it is
its class. What a fact says in words is worked out once it is known that somebody is told.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue.claims_of_calls import claim_under
from generator.catalogue.compare.changes import CONCLUSIVE, Bytes, bytes_of
from generator.catalogue.compare.shifts import NodeCount
from generator.catalogue.kept import Call, kept_under
from generator.catalogue.model.history import Keeping, NodeClass, SavedRole
from generator.catalogue.model.measurement import Argument, Measurement
from generator.catalogue.model.records import (
    Case,
    ModuleRecord,
    NodeRecord,
    OpRecord,
    PolicyNode,
    SavedValue,
)
from generator.catalogue.policies import measured_nodes

ABSENT = "absent"
NO_CALL = "no reference call"
NOT_CALLED = "not called"
NO_CASE = "no such case"
ALIKE = "not told apart"
_VERB = "keeps "

Called = OpRecord | ModuleRecord


@dataclass(frozen=True)
class Spoken:
    """A call under one mask, and how it is written: all that is needed to say what it keeps."""

    record: Called
    call: Call
    measurement: Measurement
    text: str


@dataclass(frozen=True)
class Fact:
    """What one release says of one call, or of one class.

    `nodes` is the policy and `dtypes` pairs its roles with dtypes, as far as these are known.
    `called` is what has to be the same in two releases for bytes to be comparable: the text, the
    arguments and, of a sample, the mask that it asks for, which OpInfo may change. `program` is
    what is the same where the very same program was run. `told` is None where nothing was measured.
    """

    state: str
    reason: str | None = None
    nodes: tuple[PolicyNode, ...] = ()
    weight: Bytes | None = None
    dtypes: tuple[tuple[str, str], ...] = ()
    called: tuple[str, tuple[Argument, ...], tuple[str, ...] | None] | None = None
    program: str = ""
    told: Spoken | NodeClass | None = None

    @property
    def concludes(self) -> bool:
        """Whether the fact can be compared with that of another release."""
        return self.told is not None or self.state in CONCLUSIVE


def keeping_fact(told: Spoken, program: str) -> Fact:
    """Read the fact off a measurement that succeeded."""
    one = told.measurement
    nodes = measured_nodes(told.record, one)
    roles = [role for node in nodes for value in node.saved for role in value.roles]
    dtypes = zip(roles, one.tensors, strict=False)
    return Fact(
        state="measured",
        nodes=nodes,
        weight=bytes_of(one),
        dtypes=tuple(sorted((role, tensor.dtype) for role, tensor in dtypes)),
        called=(told.text, told.call.arguments, one.mask if isinstance(told.call, Case) else None),
        program=program,
        told=told,
    )


def class_fact(node: NodeRecord) -> Fact:
    """Read the fact off a node type."""
    attributes = tuple(sorted(node.attributes))
    values = tuple(SavedValue(attribute=one, kind="none") for one in attributes)
    return Fact(
        state=node.state if node.state == "unregistered" else "registered",
        told=NodeClass(name=node.name, attributes=attributes),
        nodes=(PolicyNode(type=node.name, saved=values),),
    )


def said(fact: Fact) -> Keeping | NodeClass | None:
    """Say what a fact says."""
    told = fact.told
    if not isinstance(told, Spoken):
        return told
    one = told.measurement
    nodes = measured_nodes(told.record, one)
    return Keeping(
        call=told.text,
        mask=one.mask,
        claim=claim_under(told.record, told.call, one).removeprefix(_VERB),
        roles=kept_under(told.record, one, told.call.arguments).roles,
        saved=tuple(_saved(nodes)),
        nodes=tuple(
            NodeCount(type=name, nodes=number)
            for name, number in Counter(node.type for node in nodes).items()
        ),
        bytes=bytes_of(one),
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
