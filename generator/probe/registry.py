"""List the backward classes of the running release: its registry of node types."""

from __future__ import annotations

from functools import cache

from generator.tape.compat import node_classes

# Classes that stand for Python code in a graph are no node types of their own.
PYTHON_CLASSES = frozenset({"CppFunction"})


@cache
def node_types() -> dict[str, type]:
    """Return every node type of the release by name, sorted.

    Done once, and before the workers are forked.
    """
    classes = node_classes()
    return {name: classes[name] for name in sorted(classes) if name not in PYTHON_CLASSES}
