"""Tell whether an error is worded otherwise, whatever tensor and version it is about."""

import re
from collections.abc import Container

from generator.catalogue.explain.messages import NAMESPACE, forward_name

NODE = "<node type>"
CXX_NODE = "<C++ name of the node type>"
FORWARD = "<name of the forward op>"
HINT = " Hint: "

# A tensor as a message writes it (`[torch.FloatTensor [2, 3]]`), and its versions.
_TENSOR = re.compile(r"\[[\w.]+ \[[\d, ]*\]\]")
_VERSION = re.compile(r"\bversion \d+")
# How a message names a tensor by the node that made it, also where its sentence begins so.
_OUTPUT_OF = re.compile(r"\b([Oo]utput)\s+(\d+)\s+of\s+((?:\w+::)*\w+)")
_ERROR = re.compile(r"^\w+Error: ")


def rewordings(
    old: str, new: str, old_types: Container[str], new_types: Container[str]
) -> tuple[tuple[str, str], ...]:
    """Return both wordings of one error where they differ: of what it says, and of its hint.

    `old_types` and `new_types` are the node types of the two releases. Messages that name
    different nodes are about different things, and worded alike as far as can be told.
    """
    if _named(old) != _named(new):
        return ()
    said, hint, hinted = wording(old, old_types).partition(HINT)
    now_said, now_hint, now_hinted = wording(new, new_types).partition(HINT)
    parts = [(said, now_said)]
    if hint and now_hint:
        parts.append((f"{hint}{hinted}".lstrip(), f"{now_hint}{now_hinted}".lstrip()))
    return tuple((before, after) for before, after in parts if before != after)


def wording(message: str, types: Container[str]) -> str:
    """Return the message with `<…>` for its tensor, its versions, and the output that it names.

    `types` are the node types of the release: what is none of them is the name of a forward op.
    """
    message = _ERROR.sub("", message)
    said = _OUTPUT_OF.search(message)
    if said is not None:
        output = f"{said[1]} <N> of {_kind(said[3], types)}"
        message = f"{message[: said.start()]}{output}{message[said.end() :]}"
    return _VERSION.sub("version <N>", _TENSOR.sub("<tensor>", message))


def said_node(message: str) -> str | None:
    """Return the part that names a node: `output 0 of Exp`; None where there is none."""
    found = _OUTPUT_OF.search(message)
    return found[0] if found else None


def _named(message: str) -> str | None:
    said = _OUTPUT_OF.search(message)
    return f"{said[2]} of {forward_name(NAMESPACE.sub('', said[3]))}" if said else None


def _kind(name: str, types: Container[str]) -> str:
    bare = NAMESPACE.sub("", name)
    if bare != name:
        return CXX_NODE
    return NODE if bare in types or bare != forward_name(bare) else FORWARD
