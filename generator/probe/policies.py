"""Write equal answers once: intern policies of a record, and group samples that agree."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, FrozenSet, List, Tuple

Json = Dict[str, Any]
Group = FrozenSet[Tuple[str, Tuple[Tuple[str, str, Tuple[str, ...]], ...]]]


class Interned:
    """The distinct policies of one record, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._positions: Dict[str, int] = {}

    def position(self, policy: List[Json]) -> int:
        """Return the position of `policy`, adding it if it is new."""
        key = json.dumps(policy, sort_keys=True)
        return self._positions.setdefault(key, len(self._positions))

    def as_list(self) -> List[Json]:
        """Return the policies in order."""
        return [{"nodes": json.loads(key)} for key in self._positions]


def group_of(policy: List[Json]) -> Group:
    """Return what samples must share to count as one case.

    Node types, attributes, kinds and roles; how often a node repeats and which element of a list
    a role names are left aside.
    """
    return frozenset(
        (
            node["type"],
            tuple(
                (
                    saved["attribute"],
                    saved["kind"],
                    tuple(sorted({_without_position(role) for role in saved["roles"]})),
                )
                for saved in node["saved"]
            ),
        )
        for node in policy
    )


def _without_position(role: str) -> str:
    return re.sub(r"\[\d+\]|(?<=output) \d+$", "", role)
