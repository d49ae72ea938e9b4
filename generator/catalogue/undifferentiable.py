"""Tell an op that takes part in a graph although the graph cannot be run backward.

Two things show it: the node that PyTorch makes where an op has no derivative at all, and the error
with which backward of the reference call ended.
"""

import re

from generator.catalogue.kept import principal_calls, widest
from generator.catalogue.model.records import OpRecord
from generator.catalogue.policies import measured_nodes

NODE = "NotImplemented"
MESSAGE = re.compile(r"derivative for \S+ is not implemented")


def has_no_backward(op: OpRecord) -> bool:
    """Say whether backward of the call that speaks for the op is not implemented."""
    tried = (op.writes.reason if op.writes else None) or ""
    return MESSAGE.search(tried) is not None or any(
        node.type == NODE
        for call in principal_calls(op)
        for node in measured_nodes(op, widest(call))
    )
