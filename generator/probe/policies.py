"""Write equal answers once: intern policies of a record, and group samples that agree."""

from __future__ import annotations

import json
import re
from typing import Any

Json = dict[str, Any]
Group = frozenset[tuple[str, tuple[tuple[str, str, tuple[str, ...]], ...]]]


class Interned:
    """The distinct nodes and policies of one record, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._nodes: dict[str, int] = {}
        self._policies: dict[tuple[int, ...], int] = {}

    def position(self, policy: list[Json]) -> int:
        """Return the position of `policy`, adding it and its nodes where they are new."""
        places = tuple(
            self._nodes.setdefault(json.dumps(node, sort_keys=True), len(self._nodes))
            for node in policy
        )
        return self._policies.setdefault(places, len(self._policies))

    def as_fields(self) -> Json:
        """Return the record's `nodes` and its `policies`, each a list of positions in `nodes`."""
        return {
            "nodes": [json.loads(node) for node in self._nodes],
            "policies": [list(policy) for policy in self._policies],
        }


def group_of(policy: list[Json]) -> Group:
    """Return what samples must share to count as one case.

    Node types, attributes, kinds and roles; how often a node repeats and which element of a list
    a role names are left aside.
    """
    return frozenset(
        (
            node["type"],
            tuple(
                (attribute, kind, tuple(sorted({_without_position(role) for role in roles})))
                for attribute, kind, roles in node["saved"]
            ),
        )
        for node in policy
    )


def _without_position(role: str) -> str:
    return re.sub(r"\[\d+\]|(?<=output) \d+$", "", role)
