"""The program of a condition prints what the record says is kept under it."""

from typing import Any

import msgspec
import pytest

from generator.catalogue.codec import assemble
from generator.catalogue.conditions import condition_program
from generator.catalogue.model.records import ModuleRecord, OpRecord
from generator.catalogue.policies import measured_nodes
from generator.probe.cases import RecordBody
from generator.probe.conditions.trials import conditions, module_conditions
from generator.probe.evidence import TEMPLATES, reference
from generator.probe.masks import module_masks, op_masks
from generator.probe.program_calls import program_call
from generator.probe.programs import new_namespace, run_block
from generator.probe.references import MODULES, OPS
from generator.probe.signatures import parse
from tests.fixtures import tiny


def met(program: str) -> list[str]:
    """Return the node types that a program met, but for the leaves."""
    lines = [line for line in run_block(program, new_namespace()).splitlines() if line]
    return sorted(one for one in lines if not one.startswith(" ") and "AccumulateGrad" not in one)


def record(name: str) -> OpRecord:
    """The part of an op's record that its reference makes."""
    program = OPS[name]
    body = RecordBody(name, "op", op_masks)
    call = program_call(program.setup, program.call, seed=0)
    made: dict[str, Any] = {
        "name": name,
        "state": "measured",
        "references": [reference(body, program, call, op_masks(call), None)],
        "conditions": conditions(body, program, parse(name), ["complex64"]),
    }
    return msgspec.convert({**made, **body.policies()}, OpRecord)


@pytest.mark.parametrize(
    "name",
    [
        "torch.mul",
        "torch.matmul",
        "torch.nn.functional.linear",
        "torch.nn.functional.dropout",
        "torch.nn.functional.batch_norm",
        "torch.nn.functional.scaled_dot_product_attention",
        "torch.nn.functional.conv1d",
        "torch.einsum",
    ],
)
def test_a_program_meets_the_nodes_that_are_recorded(name: str) -> None:
    op = record(name)
    header = assemble(tiny.RELEASE, tiny.BUILD, [], TEMPLATES).header
    assert op.conditions is not None
    assert op.conditions.changed
    for changed in op.conditions.changed:
        for applied in changed.conditions:
            program = condition_program(header, op, changed, applied)
            printed = run_block(program, new_namespace())
            nodes = [line for line in printed.splitlines() if line and not line.startswith(" ")]
            expected = [node.type for node in measured_nodes(op, changed.measurement)]
            met = [one for one in nodes if "AccumulateGrad" not in one]
            assert sorted(met) == sorted(expected), (applied, program)


@pytest.mark.parametrize("name", ["torch.nn.Linear", "torch.nn.BatchNorm2d", "torch.nn.Dropout"])
def test_the_program_of_a_module_meets_them_too_and_that_of_a_pair(name: str) -> None:
    program = MODULES[name]
    body = RecordBody(name, "module", module_masks)
    call = program_call(program.setup, program.call, seed=0)
    made: dict[str, Any] = {
        "name": name,
        "state": "measured",
        "references": [reference(body, program, call, module_masks(call), None)],
        "conditions": module_conditions(body, program, []),
    }
    module = msgspec.convert({**made, **body.policies()}, ModuleRecord)
    header = assemble(tiny.RELEASE, tiny.BUILD, [], TEMPLATES).header
    assert module.conditions is not None
    assert module.conditions.changed
    for changed in module.conditions.changed:
        expected = sorted(node.type for node in measured_nodes(module, changed.measurement))
        for applied in changed.conditions:
            assert met(condition_program(header, module, changed, applied)) == expected, applied
    for kept in module.conditions.pairs:
        expected = sorted(node.type for node in measured_nodes(module, kept.measurement))
        for pair in kept.pairs:
            assert met(condition_program(header, module, kept, pair)) == expected, pair
