"""Why attributes and pack hooks found different storages for samples of a record.

As with other mismatches, an explanation is derived from the catalogue itself, or there is none.
"""

from collections.abc import Mapping

from generator.catalogue.model.records import Case, ModuleRecord, NodeRecord, OpRecord
from generator.catalogue.policies import measured_nodes

WRAPPED_NUMBER = "wrapped number"


def only_wrapped_numbers(record: OpRecord | ModuleRecord) -> bool:
    """Say whether each case for which attributes hold more has a number that was made a tensor.

    Autograd hands no such tensor to a pack hook.
    """
    cases = (case for case in record.cases if case.two_ways.attributes_only)
    return all(
        any(
            WRAPPED_NUMBER in saved.roles
            for one in case.measurements
            if one.policy is not None
            for node in measured_nodes(record, one)
            for saved in node.saved
        )
        for case in cases
    )


def let_go(record: OpRecord | ModuleRecord) -> bool:
    """Say whether all that hooks alone saw was gone when the calls returned.

    It was then packed for nodes that a call made and let go, which no output leads to.
    """
    return not any(map(_left, record.cases))


def hiding(record: OpRecord | ModuleRecord, nodes: Mapping[str, NodeRecord]) -> tuple[str, ...]:
    """Return node types that hide tensors from attributes, of which each case not let go has one.

    Empty where there is such a case without any.
    """
    found: dict[str, None] = {}
    for case in filter(_left, record.cases):
        own = [
            node.type
            for one in case.measurements
            for node in measured_nodes(record, one)
            if node.type in nodes and nodes[node.type].packed
        ]
        if not own:
            return ()
        found.update(dict.fromkeys(own))
    return tuple(found)


def _left(case: Case) -> bool:
    return case.two_ways.let_go < case.two_ways.hooks_only
