"""What conditions do, in words, as programs, and as changes between two catalogues."""

import pytest
from msgspec import structs

from generator.catalogue.checks import violations
from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import BytesChanged, ConditionChanged, PolicyChanged
from generator.catalogue.conditions import (
    condition_program,
    condition_text,
    differences,
    pair_text,
    plain_measurement,
    unchanged_texts,
)
from generator.catalogue.model.conditions import (
    Applied,
    ChangedCall,
    ConditionName,
    Conditions,
)
from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord
from tests.fixtures import tiny


def mul(catalogue: Catalogue) -> tuple[OpRecord, Conditions, ChangedCall]:
    op = catalogue.ops["torch.mul"]
    assert op.conditions is not None
    return op, op.conditions, op.conditions.changed[0]


def with_conditions(catalogue: Catalogue, conditions: Conditions | None) -> Catalogue:
    op = structs.replace(catalogue.ops["torch.mul"], conditions=conditions)
    return structs.replace(catalogue, ops={**catalogue.ops, "torch.mul": op})


def test_the_difference_is_read_off_the_two_policies(small: Catalogue) -> None:
    op, _, changed = mul(small)
    assert list(differences(op, changed)) == [
        "no longer kept: input other",
        "kept instead: wrapped number",
        "some of it in float64",
    ]


def test_a_condition_names_its_argument() -> None:
    assert condition_text(Applied("transposed", "weight")).startswith("`weight` is transposed")


def test_unchanged_conditions_are_all_said(small: Catalogue) -> None:
    _, conditions, _ = mul(small)
    said = list(unchanged_texts(conditions))
    assert len(said) == 4
    assert "other layouts of `other`" in said


def test_the_program_asks_no_grad_of_a_number(small: Catalogue) -> None:
    op, _, changed = mul(small)
    lines = condition_program(small.header, op, changed, changed.conditions[0]).splitlines()
    assert lines.index("other = 2.0") > lines.index("other = torch.randn(256, 512)")
    assert "input.requires_grad_()" in lines
    assert "other.requires_grad_()" not in lines
    assert 'held = {"input": input, "output": output}' in lines


def test_the_program_under_autocast_wraps_the_call(small: Catalogue) -> None:
    op, _, changed = mul(small)
    program = condition_program(small.header, op, changed, Applied("autocast"))
    assert "torch.bfloat16):\n    output = torch.mul(input, other)\n" in program


def test_a_condition_that_begins_to_matter_is_a_change(small: Catalogue) -> None:
    _, conditions, changed = mul(small)
    autocast = structs.replace(changed, conditions=(Applied("autocast"),))
    after = structs.replace(
        conditions, unchanged={}, changed=(changed, autocast), refused=conditions.refused
    )
    found = compare(small, with_conditions(small, after))
    assert found == [
        ConditionChanged(
            subject="op",
            name="torch.mul",
            condition="autocast",
            argument="",
            old="unchanged",
            new="changed",
        )
    ]


def test_other_bytes_under_a_condition_are_a_change(small: Catalogue) -> None:
    _, conditions, changed = mul(small)
    heavier = structs.replace(changed.measurement, policy=0, extra_bytes=0)
    after = structs.replace(conditions, changed=(structs.replace(changed, measurement=heavier),))
    kinds = [type(one) for one in compare(small, with_conditions(small, after))]
    assert kinds == [PolicyChanged, BytesChanged]


def test_a_catalogue_that_tried_none_says_nothing_of_the_op(small: Catalogue) -> None:
    before = with_conditions(small, None)
    assert not any(isinstance(one, ConditionChanged) for one in compare(before, small))


def test_what_the_reference_keeps_anyway_is_no_changed_condition(small: Catalogue) -> None:
    op, conditions, changed = mul(small)
    same = structs.replace(changed, measurement=op.references[0].measurements[0])
    other = structs.replace(conditions, changed=(changed, same), unchanged={})
    rules = [one.rule for one in violations(with_conditions(small, other))]
    assert "conditions_change_something" in rules


@pytest.mark.parametrize(("condition", "found"), [("complex64", False), ("expanded", True)])
def test_what_stays_float32_in_a_call_of_another_dtype_is_changed(
    small: Catalogue, condition: ConditionName, found: bool
) -> None:
    """`dropout` of a complex input keeps a real mask since 2.15: the bytes of the reference."""
    op, conditions, changed = mul(small)
    plain = op.references[0].measurements[0]
    assert {tensor.dtype for tensor in plain.tensors} == {"float32"}
    same = structs.replace(changed, conditions=(Applied(condition),), measurement=plain)
    other = structs.replace(conditions, changed=(same,), unchanged={})
    rules = [one.rule for one in violations(with_conditions(small, other))]
    assert ("conditions_change_something" in rules) == found


def test_a_condition_of_an_unknown_argument_or_said_twice_is_found(small: Catalogue) -> None:
    _, conditions, _ = mul(small)
    for unchanged in ({"third": ("expanded",)}, {"other": ("number",)}):
        other = structs.replace(conditions, unchanged=unchanged)
        rules = [one.rule for one in violations(with_conditions(small, other))]
        assert rules == ["conditions_are_of_references"]


def test_the_small_catalogue_has_no_violation() -> None:
    assert violations(tiny.catalogue()) == []


def linear(catalogue: Catalogue) -> tuple[ModuleRecord, Conditions]:
    module = catalogue.modules["torch.nn.Linear"]
    assert module.conditions is not None
    return module, module.conditions


def test_the_program_of_a_module_makes_inputs_require_grad(small: Catalogue) -> None:
    module, conditions = linear(small)
    frozen = conditions.changed[1]
    lines = condition_program(small.header, module, frozen, frozen.conditions[0]).splitlines()
    assert lines.index("module.requires_grad_(False)") < lines.index("input.requires_grad_()")
    assert plain_measurement(module, frozen).mask == ("inputs", "parameters")


def test_the_program_of_a_pair_takes_both_steps(small: Catalogue) -> None:
    module, conditions = linear(small)
    pair = conditions.pairs[0]
    program = condition_program(small.header, module, pair, pair.pairs[0])
    assert "module.requires_grad_(False)\n" in program
    assert "torch.bfloat16):\n    output = module(input)\n" in program
    assert pair_text(pair.pairs[0]) == (
        "under CPU autocast to bfloat16 and with all parameters frozen"
    )


def test_without_rows_all_that_share_the_first_size_lose_theirs(small: Catalogue) -> None:
    op, _, changed = mul(small)
    evidence = {
        **small.header.evidence,
        "condition empty": "$name = $name[:0]",
        "layouts": "$setup",
    }
    header = structs.replace(small.header, evidence=evidence)
    assert condition_program(header, op, changed, Applied("empty")).splitlines()[-2:] == [
        "input = input[:0]",
        "other = other[:0]",
    ]
    assert condition_text(Applied("empty", "input")) == "`input` has no rows"


def test_a_pair_of_conditions_that_do_not_change_the_call_is_found(small: Catalogue) -> None:
    module, conditions = linear(small)
    unknown = structs.replace(
        conditions.pairs[0], pairs=((Applied("autocast"), Applied("float64")),)
    )
    for broken in (
        structs.replace(conditions, pairs=(unknown,)),
        structs.replace(conditions, pairs_tried=0),
    ):
        changed = structs.replace(module, conditions=broken)
        other = structs.replace(small, modules={**small.modules, module.name: changed})
        rules = {one.rule for one in violations(other)}
        assert rules == {"pairs_are_of_conditions_that_change"}


def test_other_bytes_under_a_pair_are_a_change(small: Catalogue) -> None:
    module, conditions = linear(small)
    pair = conditions.pairs[0]
    lighter = structs.replace(pair.measurement, extra_bytes=0)
    after = structs.replace(conditions, pairs=(structs.replace(pair, measurement=lighter),))
    changed = structs.replace(module, conditions=after)
    other = structs.replace(small, modules={**small.modules, module.name: changed})
    (found,) = compare(small, other)
    assert isinstance(found, BytesChanged)
    assert found.call.filed == "autocast, frozen"
