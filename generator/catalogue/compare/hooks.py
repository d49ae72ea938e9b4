"""Put two catalogues on a par where one of the builds has no saved-tensor hooks.

What the other build did under hooks is then nothing that changed.
"""

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue, ModuleRecord, NodeRecord, OpRecord, TwoWays
from generator.catalogue.model.writes import Writes

Measured = TypeVar("Measured", OpRecord, ModuleRecord)


def at_common_hooks(old: Catalogue, new: Catalogue) -> tuple[Catalogue, Catalogue]:
    """Leave out of both what was seen under hooks, unless both builds have them or neither has."""
    if (old.header.build.without_hooks is None) == (new.header.build.without_hooks is None):
        return old, new
    return _bare(old), _bare(new)


def _bare(catalogue: Catalogue) -> Catalogue:
    return replace(
        catalogue,
        ops={
            name: replace(one, writes=None if one.writes is None else _plain(one.writes))
            for name, one in _not_compared(catalogue.ops).items()
        },
        modules=_not_compared(catalogue.modules),
        nodes={name: _unpacked(one) for name, one in catalogue.nodes.items()},
        writes={name: replace(one, hooked=None) for name, one in catalogue.writes.items()},
    )


def _not_compared(records: Mapping[str, Measured]) -> dict[str, Measured]:
    """Leave out of cases how many samples the two ways of measuring agreed on."""
    return {
        name: replace(one, cases=tuple(replace(case, two_ways=TwoWays()) for case in one.cases))
        for name, one in records.items()
    }


def _plain(writes: Writes) -> Writes:
    return replace(
        writes,
        on_cpu=False,
        trials=tuple(replace(one, hooked=None, on_cpu=None) for one in writes.trials),
    )


def _unpacked(node: NodeRecord) -> NodeRecord:
    return replace(node, packed=None)
