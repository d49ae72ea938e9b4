"""Why attributes and pack hooks found different storages for samples of a record.

As with other mismatches, an explanation is derived from the catalogue itself, or there is none.
"""

from generator.catalogue.model.records import ModuleRecord, OpRecord
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
    return all(case.two_ways.let_go == case.two_ways.hooks_only for case in record.cases)
