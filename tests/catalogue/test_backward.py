"""Double backward and the compiler on a record: words, programs, rules and changes."""

import pytest
from msgspec.structs import replace

from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import CutChanged, GradientChanged
from generator.catalogue.compiled import (
    compiled_answer,
    compiled_program,
    cut_by,
    extra_difference,
    same_as_eager,
)
from generator.catalogue.model.compiled import Compiled
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.model.second_order import SecondOrder
from generator.catalogue.second_order import (
    kept_rows,
    known_tensor,
    second_order_answer,
    second_order_program,
)
from tests.fixtures.broken_backward import EXP, KEPT, SOFTSIGN, with_op

PLANE = 524_288


def gradient(op: OpRecord) -> SecondOrder:
    assert op.second_order is not None
    return op.second_order


def compiled(op: OpRecord) -> Compiled:
    assert op.compiled is not None
    return op.compiled


def test_a_role_that_the_call_has_takes_its_shape_from_there(small: Catalogue) -> None:
    rows = kept_rows(small.ops[EXP])
    assert [(row.attribute, row.role, row.shape, row.bytes) for row in rows] == [
        ("_saved_other", "output", (256, 512), PLANE),
        ("_saved_self", "incoming gradient", (256, 512), PLANE),
    ]
    assert known_tensor(small.ops[EXP], "gradient of input")[1] == (256, 512)
    assert known_tensor(small.ops[EXP], "gradient of nothing")[1] is None


def test_the_answers_name_what_is_kept(small: Catalogue) -> None:
    assert second_order_answer(small.ops[EXP]) == (
        "With `create_graph=True` the gradient has a graph of 1 node of its own, which keeps its "
        "output and the incoming gradient."
    )
    said = second_order_answer(small.ops[SOFTSIGN])
    assert "a graph of 4 nodes" in said
    assert "intermediates that the forward graph keeps anyway" in said


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (SecondOrder(state="not differentiable", reason="no such thing"), "Nothing to keep: no s"),
        (SecondOrder(state="raised", reason="RuntimeError: no"), "raises: RuntimeError: no"),
        (SecondOrder(state="crashed", reason="signal 11"), "Not measured (crashed): signal 11"),
        (SecondOrder(), "by no node"),
        (SecondOrder(nodes=("ExpandBackward0",)), "which keeps no tensor"),
    ],
)
def test_every_state_has_an_answer(small: Catalogue, found: SecondOrder, said: str) -> None:
    assert said in second_order_answer(replace(small.ops[EXP], second_order=found))


def test_the_programs_are_the_reference_in_the_templates(small: Catalogue) -> None:
    twice = second_order_program(small.header, small.ops[EXP])
    assert twice is not None
    assert "input.requires_grad_()" in twice
    traced = compiled_program(small.header, small.ops[EXP])
    assert traced is not None
    assert "def function(input):\n    output = torch.exp(input)\n    return output\n" in traced
    bare = replace(small.header, evidence={})
    assert second_order_program(bare, small.ops[EXP]) is None
    assert compiled_program(bare, small.ops[EXP]) is None


def test_the_same_storages_are_the_same_policy(small: Catalogue) -> None:
    exp, softsign = small.ops[EXP], small.ops[SOFTSIGN]
    default = cut_by(exp.compiled, "default")
    assert default is not None
    assert same_as_eager(exp, default)
    # softsign's eager graph saves its input twice: the storages are what counts
    default, shorter = cut_by(softsign.compiled, "default"), cut_by(softsign.compiled, "min-cut")
    assert default is not None
    assert shorter is not None
    assert same_as_eager(softsign, default)
    assert not same_as_eager(softsign, shorter)
    assert extra_difference(softsign) == -PLANE


def test_the_compiler_is_told_beside_eager_mode(small: Catalogue) -> None:
    assert compiled_answer(small.ops[EXP]).startswith("The compiler keeps what eager mode keeps")
    said = compiled_answer(small.ops[SOFTSIGN])
    assert "`input`" in said
    assert "0 extra bytes" in said
    assert "524,288" in said
    assert compiled_answer(small.ops["torch.mul"]) == "Tracing it raises: RuntimeError: made up"


def test_other_tensors_of_a_gradient_are_a_change(small: Catalogue) -> None:
    after = replace(gradient(small.ops[SOFTSIGN]), extra_bytes=0)
    assert compare(small, with_op(small, SOFTSIGN, second_order=after)) == [
        GradientChanged(subject="op", name=SOFTSIGN, old=gradient(small.ops[SOFTSIGN]), new=after)
    ]


def test_a_partitioner_that_chooses_otherwise_is_a_change(small: Catalogue) -> None:
    other = replace(KEPT, by=("min-cut",), tensors=(), logical_bytes=0, storage_bytes=0)
    kept = replace(KEPT, by=("default", "min-cut, Inductor"))
    after = replace(compiled(small.ops[EXP]), cuts=(kept, other))
    assert compare(small, with_op(small, EXP, compiled=after)) == [
        CutChanged(
            subject="op",
            name=EXP,
            partitioner="min-cut",
            old=replace(KEPT, by=("min-cut",)),
            new=other,
        )
    ]
