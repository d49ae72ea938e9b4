"""List the backward classes of the running release: its registry of node types."""

from __future__ import annotations

from functools import cache

import torch

# Classes that stand for Python code in a graph are no node types of their own.
PYTHON_CLASSES = frozenset({"CppFunction"})


@cache
def node_types() -> dict[str, type]:
    """Return every node type of the release by name, sorted.

    Up to 1.13 the module `torch._C._functions` lists a few of them; the others are found as the
    classes that have a node's `next_functions` and no module of their own. Looking through all
    classes takes 20 ms, so it is done once, and before the workers are forked.
    """
    listed = {
        name: item
        for name, item in vars(torch._C._functions).items()
        if isinstance(item, type) and name not in PYTHON_CLASSES
    }
    unlisted = {
        item.__name__: item
        for item in object.__subclasses__()
        if hasattr(item, "next_functions")
        and item.__module__ == "builtins"
        and item.__name__ not in PYTHON_CLASSES
    }
    return dict(sorted({**unlisted, **listed}.items()))
