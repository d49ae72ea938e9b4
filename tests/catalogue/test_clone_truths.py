"""Hidden clones in the catalogue of 2.13.0, against the formulas that the release declares.

A spelling in place overwrites `self`, so it clones where a formula for an argument that requires
grad computes with the values of `self`.
"""

import re

from generator.catalogue.clones import clone_condition, cloning
from generator.catalogue.model.records import Catalogue, NodeRecord, OpRecord, Variant
from generator.catalogue.policies import measured_nodes, under_each_mask

# What a formula asks of a tensor besides its values is saved apart.
FACTS = "scalar_type|sym_sizes|sizes|options|layout|dim|sym_numel|is_complex|sym_size|device"
BY_VALUE = re.compile(rf"\bself\b(?!\.(?:{FACTS})\()")
# The names that a call has for what the schema calls otherwise.
RENAMED = {"divisor": "other", "dividend": "self"}


def needing(node: NodeRecord) -> set[str]:
    """Return the inputs of a node whose formula computes with the values of `self`."""
    return {
        name
        for one in node.declared
        for each in one.formulas
        if BY_VALUE.search(each.formula)
        for name in each.inputs
    }


def spellings(catalogue: Catalogue) -> list[tuple[OpRecord, Variant]]:
    """List those in place that were called under several masks."""
    return [
        (op, one)
        for op in catalogue.ops.values()
        for one in op.variants
        if one.relation == "in-place" and one.further
    ]


def test_a_clone_is_kept_where_a_declared_formula_needs_what_is_overwritten(
    committed: Catalogue,
) -> None:
    checked = []
    for op, spelling in spellings(committed):
        first = op.references[0].arguments[0].name
        clones = cloning(op, spelling)
        for row in under_each_mask(spelling):
            nodes = measured_nodes(op, row)
            if len(nodes) != 1:  # what several nodes keep, no one formula tells
                continue
            asked = {"self" if one == first else RENAMED.get(one, one) for one in row.mask}
            expected = bool(asked & needing(committed.nodes[nodes[0].type]))
            assert (row in clones) is expected, (spelling.name, row.mask)
            checked.append(spelling.name)
    assert len(set(checked)) > 30


def test_which_clones_depend_on_what_requires_grad(committed: Catalogue) -> None:
    conditions: dict[str, set[str]] = {}
    for op, spelling in spellings(committed):
        if cloning(op, spelling):
            when = clone_condition(op, spelling, op.references[0])
            conditions.setdefault(when, set()).add(spelling.name.removeprefix("torch.Tensor."))
    always = {"arctan2_", "atan2_", "index_reduce_", "scatter_reduce_", "xlogy_"}
    assert conditions.pop("") == always
    assert conditions == {
        "when `input` requires grad": {"copysign_", "hypot_", "nextafter_"},
        "when `other` requires grad": {
            *("div_", "divide_", "fmod_", "igamma_", "igammac_", "mul_", "multiply_", "remainder_"),
        },
        "when `divisor` requires grad": {"true_divide_"},
        "when `weight` requires grad": {"lerp_"},
    }
