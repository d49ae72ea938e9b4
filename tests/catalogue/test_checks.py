"""Each rule finds the contradiction that it is for, and none in a sound catalogue."""

import pytest

from generator.catalogue import checks
from generator.catalogue.model.records import Catalogue, Variant
from tests.fixtures import broken_backward, broken_records, broken_trials
from tests.fixtures.breaking import RAISED, Broken, changed, op

BROKEN = [*broken_records.BROKEN, *broken_trials.BROKEN, *broken_backward.BROKEN]


def test_a_sound_catalogue_has_no_violation(small: Catalogue) -> None:
    assert checks.violations(small) == []


@pytest.mark.parametrize(("rule", "breaking", "says"), BROKEN)
def test_a_rule_finds_what_it_is_for(
    small: Catalogue, rule: str, breaking: Broken, says: str
) -> None:
    found = [one for one in checks.violations(breaking(small)) if one.rule == rule]
    assert any(says in one.message for one in found)


def test_every_rule_is_shown_to_find_something() -> None:
    assert {rule for rule, _, _ in BROKEN} == checks.RULES.keys()


def test_a_violation_names_its_record(small: Catalogue) -> None:
    broken = op("torch.linalg.eig", reason=None)(small)
    assert checks.violations(broken) == [
        checks.Violation(
            record="op torch.linalg.eig",
            rule="reason_unless_measured",
            message="torch.linalg.eig is crashed without a reason",
        )
    ]


def test_a_failed_variant_is_checked_too(small: Catalogue) -> None:
    variant = Variant(name="torch.Tensor.exp_", relation="in-place", measurement=RAISED)
    assert checks.violations(op("torch.exp", variants=(variant,))(small)) == []
    wrong = changed(variant, measurement=changed(RAISED, policy=0))
    found = checks.violations(op("torch.exp", variants=(wrong,))(small))
    assert {one.rule for one in found} == {"policy_exactly_where_measured", "tensors_match_roles"}


@pytest.mark.parametrize(("rule", "breaking", "says"), BROKEN)
def test_one_record_is_checked_like_all(
    small: Catalogue, rule: str, breaking: Broken, says: str
) -> None:
    broken = breaking(small)
    records = (
        *broken.ops.values(),
        *broken.modules.values(),
        *broken.nodes.values(),
        *broken.blocks.values(),
        *broken.writes.values(),
    )
    alone = [one for record in records for one in checks.violations_of(broken, record)]
    of_header = [one for one in checks.violations(broken) if one.record.startswith("header")]
    found = {(one.record, one.rule, one.message) for one in (*alone, *of_header)}
    assert found == {(one.record, one.rule, one.message) for one in checks.violations(broken)}
    assert any(one.rule == rule and says in one.message for one in (*alone, *of_header))
