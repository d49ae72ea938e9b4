"""Structs of what backward itself keeps when it is run so that it can be differentiated again.

That is `torch.autograd.grad(..., create_graph=True)`: the gradient then has a graph of its own,
and the nodes of that graph save tensors as any node does.
"""

from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import State


class KeptTensor(Frozen, frozen=True, array_like=True):
    """A kept tensor that is no argument, output or gradient of its call: a view, an intermediate.

    `bytes` are its logical bytes.
    """

    role: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int


class BackwardNode(Frozen, frozen=True, array_like=True):
    """`number` nodes of one type that saved the same: pairs of attribute and position of a tensor.

    An attribute that holds a list of tensors is there once for each of them; one that holds no
    tensor is left out.
    """

    type: str
    number: int
    saved: tuple[tuple[str, int], ...]


class SecondOrder(Frozen, frozen=True, kw_only=True):
    """What the graph of a call's gradient keeps, every incoming gradient requiring grad.

    The call is the record's first reference, with `require` in place of its own where that is set,
    or `call` under `mask` where there is no reference. `nodes` are those that the call's own graph
    does not hold, from the gradients inwards, and `tensors` what they saved. A single node without
    saved tensors is its type alone, and a tensor is its role alone where the role gives its shape
    (and in graphs with more than 40 distinct nodes). Roles are those of the call, and
    `incoming gradient` (of `output`; `incoming gradient I` of `output I`), `gradient of NAME`, and
    `forward intermediate`: an intermediate of the call that the call's own graph keeps as well.

    `logical_bytes` adds up every saved tensor, as often as it is saved, `storage_bytes` the
    distinct storages. `extra_bytes` are those of the storages that are kept for this graph alone:
    no argument, output, incoming gradient or gradient holds them, nor does the call's own graph.

    `state` is `not differentiable` when no gradient depends on anything that requires grad, and
    `raised` when backward raises under `create_graph=True`. `again` is the error of differentiating
    the gradients once more, where that raises. `unconfirmed` says why the shown program did not
    count the same tensors and bytes on its own, where it did not.
    """

    state: State = "measured"
    reason: str | None = None
    call: str | None = None
    require: str | None = None
    mask: tuple[str, ...] = ()
    nodes: tuple[str | BackwardNode, ...] = ()
    tensors: tuple[str | KeptTensor, ...] = ()
    logical_bytes: int = 0
    storage_bytes: int = 0
    extra_bytes: int = 0
    again: str | None = None
    unconfirmed: str | None = None
