"""The words that find a page before all that begin like them: names of records, in one word each.

The search takes every word for the beginning of one, parts names at underscores, and weighs rarer
words more, so that `relu` would find `relu6` first. `docs/assets/search.js` asks for these tags.
"""

import re

from generator.catalogue.code.operators import ITEMS_OF
from generator.catalogue.model.records import Catalogue, NodeRecord, OpRecord

NODE = "n0"  # as in docs/assets/search.js: names of ops are not to find the nodes of their backward


def name_tag(name: str) -> str:
    """Write the last part of a name as one word: `layernorm` for `torch.nn.LayerNorm`."""
    return re.sub(r"[^a-z0-9]", "", name.rpartition(".")[2].lower())


def op_tags(catalogue: Catalogue, op: OpRecord) -> tuple[str, ...]:
    """Tag an op with its name and those of its spellings, but for what a plainer op is called.

    `torch.masked.mean` leaves the word to `torch.mean`.
    """
    names = [op.name, *(one.name for one in op.variants if "(" not in one.name)]
    plain = [name for name in names if _plainest(catalogue, name) in (None, op.name)]
    return tuple(dict.fromkeys((*map(name_tag, plain), *ITEMS_OF.get(op.name, ()))))


def _plainest(catalogue: Catalogue, name: str) -> str | None:
    """Return the op that is called like the last part of a name, directly below torch."""
    plain = f"torch.{name.rpartition('.')[2]}"
    return plain if plain in catalogue.ops else None


def node_tags(node: NodeRecord) -> tuple[str, ...]:
    """Tag a node type with its name less its number."""
    return (NODE + name_tag(node.name.rstrip("0123456789")), *ITEMS_OF.get(node.name, ()))
