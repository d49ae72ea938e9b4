"""The words that find a page before all that begin like them: names of records, in one word each.

The search takes every word for the beginning of one, parts names at underscores, and weighs rarer
words more, so that `relu` would find `relu6` first. `docs/assets/search.js` asks for these tags.
"""

import re

from generator.catalogue.code.operators import ITEMS_OF
from generator.catalogue.model.records import Catalogue, NodeRecord, OpRecord

# As in docs/assets/search.js: names of ops are not to find the nodes of their backward, and what a
# name ends with comes behind names that are this word alone.
NODE = "n0"
LAST = "w0"
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DIMENSIONS = re.compile(r"(?<=[a-z])\dd$")


def name_tag(name: str) -> str:
    """Write the last part of a name as one word: `layernorm` for `torch.nn.LayerNorm`."""
    return re.sub(r"[^a-z0-9]", "", name.rpartition(".")[2].lower())


def last_word_tags(name: str) -> tuple[str, ...]:
    """Tag a name of several words with the last: `attention`, `pool` for `max_pool2d`."""
    words = _WORD.findall(_DIMENSIONS.sub("", name.rpartition(".")[2]))
    return (LAST + words[-1].lower(),) if words[1:] else ()


def op_tags(catalogue: Catalogue, op: OpRecord) -> tuple[str, ...]:
    """Tag an op with its name and those of its spellings, but for what a plainer op is called.

    `torch.masked.mean` leaves the word to `torch.mean`.
    """
    names = [op.name, *(one.name for one in op.variants if "(" not in one.name)]
    plain = [name for name in names if _plainest(catalogue, name) in (None, op.name)]
    ends = last_word_tags(op.name)
    return tuple(dict.fromkeys((*map(name_tag, plain), *ITEMS_OF.get(op.name, ()), *ends)))


def _plainest(catalogue: Catalogue, name: str) -> str | None:
    """Return the op that is called like the last part of a name, directly below torch."""
    plain = f"torch.{name.rpartition('.')[2]}"
    return plain if plain in catalogue.ops else None


def node_tags(node: NodeRecord) -> tuple[str, ...]:
    """Tag a node type with its name less its number."""
    return (NODE + name_tag(node.name.rstrip("0123456789")), *ITEMS_OF.get(node.name, ()))
