"""Read what the graph of a gradient keeps off a record: rows, programs, and the answer in words."""

from dataclasses import dataclass
from string import Template

from generator.catalogue.kept import VIEW
from generator.catalogue.model.records import Header, ModuleRecord, OpRecord
from generator.catalogue.model.second_order import BackwardNode, KeptTensor, SecondOrder

INCOMING = "incoming gradient"
GRADIENT = "gradient of "
TEMPLATE = "second order"

Record = OpRecord | ModuleRecord


@dataclass(frozen=True)
class KeptRow:
    """One saved tensor of `number` nodes; what is None is not recorded, or unknown."""

    type: str
    number: int
    attribute: str
    role: str
    shape: tuple[int, ...] | None
    dtype: str | None
    bytes: int | None


def kept_rows(record: Record) -> list[KeptRow]:
    """List what the nodes of the gradient's graph saved, those that saved nothing left out."""
    found = record.second_order
    if found is None:
        return []
    tensors = [known_tensor(record, one) for one in found.tensors]
    return [
        KeptRow(node.type, node.number, attribute, *tensors[place])
        for node in backward_nodes(found)
        for attribute, place in node.saved
    ]


def backward_nodes(found: SecondOrder) -> list[BackwardNode]:
    """List the distinct nodes, each with its number."""
    return [BackwardNode(one, 1, ()) if isinstance(one, str) else one for one in found.nodes]


def nodes_in_all(found: SecondOrder) -> int:
    """Count the nodes of the gradient's graph."""
    return sum(node.number for node in backward_nodes(found))


Known = tuple[str, tuple[int, ...] | None, str | None, int | None]


def known_tensor(record: Record, tensor: str | KeptTensor) -> Known:
    """Return a tensor's role, shape, dtype and bytes; what its role names has those of the call."""
    if isinstance(tensor, KeptTensor):
        return tensor.role, tensor.shape, tensor.dtype, tensor.bytes
    for call in record.references[:1]:
        for one in call.arguments:
            if tensor in (f"{one.source} {one.name}", f"{GRADIENT}{one.name}"):
                return tensor, one.shape, one.dtype, one.bytes
        for one in call.outputs:
            if tensor in (one.name, gradient_of(one.name)):
                return tensor, one.shape, one.dtype, one.bytes
    return tensor, None, None, None


def gradient_of(output: str) -> str:
    """Name the incoming gradient of an output: `incoming gradient 1` of `output 1`."""
    return output.replace("output", INCOMING)


def second_order_program(header: Header, record: Record) -> str | None:
    """Return the program that was run; None where there is no reference, or no such template."""
    found = record.second_order
    if found is None or not record.references or TEMPLATE not in header.evidence:
        return None
    call = record.references[0]
    return Template(header.evidence[TEMPLATE]).substitute(
        setup=call.setup,
        require=call.require if found.require is None else found.require,
        call=call.call,
        held=call.held,
    )


def second_order_answer(record: Record) -> str:
    """Say in a sentence what `create_graph=True` keeps; Markdown code spans for names."""
    found = record.second_order
    if found is None:
        return ""
    if found.state != "measured":
        return _unmeasured(found)
    if not found.nodes:
        return "Nothing to keep: the gradient is passed on as it comes in, by no node."
    nodes = nodes_in_all(found)
    graph = f"the gradient has a graph of {nodes} node{'s' if nodes > 1 else ''} of its own"
    roles = list(dict.fromkeys(_noun(row.role) for row in kept_rows(record)))
    if not roles:
        return f"With `create_graph=True` {graph}, which keeps no tensor."
    return f"With `create_graph=True` {graph}, which keeps {joined(roles)}."


def _unmeasured(found: SecondOrder) -> str:
    if found.state == "not differentiable":
        return f"Nothing to keep: {found.reason}."
    if found.state == "raised":
        return f"Taking the gradient with `create_graph=True` raises: {found.reason}"
    return f"Not measured ({found.state}): {found.reason}"


def _noun(role: str) -> str:
    bare = role.removeprefix(VIEW)
    if bare == "forward intermediate":
        return "intermediates that the forward graph keeps anyway"
    if bare == "intermediate":
        return "intermediates of its own"
    if bare.startswith((INCOMING, GRADIENT)):
        return f"the {bare}"
    return noun(bare)


def noun(role: str) -> str:
    """Say a role that is an argument's or an output's: `weight`, its output 1."""
    source, _, name = role.partition(" ")
    if source == "output":
        return f"its {role}"
    return f"`{name}`" if source == "input" else f"its {source} `{name}`"


def joined(words: list[str]) -> str:
    """Put words in a row, the last behind an `and`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
