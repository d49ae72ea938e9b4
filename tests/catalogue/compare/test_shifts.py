"""What differs between two policies, on nodes that are written down here."""

import pytest

from generator.catalogue.compare.shifts import (
    Held,
    NodeCount,
    NodesShifted,
    Shift,
    TensorShifted,
    ValueShifted,
    policy_shifts,
    roles_lost,
    tensor_shifts,
)
from generator.catalogue.model.measurement import SavedTensor
from generator.catalogue.model.records import PolicyNode, SavedValue
from tests.fixtures.tiny_calls import tensor
from tests.fixtures.tiny_releases import INPUT, NUMEL, SIZES, node

OUTPUT = tensor("_saved_result", "output")
HELD_INPUT = Held(kind="tensor", roles=("input input",))
NUMBER = tensor("_saved_other", "wrapped number")
Nodes = list[PolicyNode]

TABLE: dict[str, tuple[Nodes, Nodes, list[Shift]]] = {
    "nothing": ([node("A", INPUT)], [node("A", INPUT)], []),
    "another order alone": ([node("A"), node("B")], [node("B"), node("A")], []),
    "a role that is no longer kept": (
        [node("MeanBackward0", INPUT, SIZES)],
        [node("MeanBackward0", SIZES)],
        [ValueShifted(node="MeanBackward0", attribute="_saved_self", old=HELD_INPUT, new=None)],
    ),
    "a number in the place of a tensor": (
        [node("MeanBackward0", INPUT)],
        [node("MeanBackward0", NUMEL)],
        [
            ValueShifted(node="MeanBackward0", attribute="_saved_self", old=HELD_INPUT, new=None),
            ValueShifted(
                node="MeanBackward0",
                attribute="_saved_self_sym_numel",
                old=None,
                new=Held(kind="scalar"),
            ),
        ],
    ),
    "another role of the same attribute": (
        [node("A", tensor("_saved_self", "input input"))],
        [node("A", tensor("_saved_self", "intermediate"))],
        [
            ValueShifted(
                node="A",
                attribute="_saved_self",
                old=HELD_INPUT,
                new=Held(kind="tensor", roles=("intermediate",)),
            )
        ],
    ),
    "one node in the place of several": (
        [node("MulBackward0"), node("TanhBackward0", OUTPUT), node("MulBackward0")],
        [node("MkldnnRnnLayerBackward0", OUTPUT)],
        [
            NodesShifted(
                lost=(
                    NodeCount(type="MulBackward0", nodes=2),
                    NodeCount(type="TanhBackward0", nodes=1),
                ),
                gained=(NodeCount(type="MkldnnRnnLayerBackward0", nodes=1),),
            )
        ],
    ),
    "one more node of a type that was there": (
        [node("ViewBackward0", SIZES)],
        [node("ViewBackward0", SIZES), node("ViewBackward0", SIZES)],
        [NodesShifted(gained=(NodeCount(type="ViewBackward0", nodes=1),))],
    ),
    "the same in two nodes of a type is told once": (
        [node("A", INPUT), node("A", INPUT)],
        [node("A"), node("A")],
        [ValueShifted(node="A", attribute="_saved_self", old=HELD_INPUT, new=None)],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), TABLE.values(), ids=TABLE)
def test_policies_are_told_apart(old: Nodes, new: Nodes, expected: list[Shift]) -> None:
    assert list(policy_shifts(old, new)) == expected


def test_roles_count_wherever_they_are_kept_and_numbers_do_not() -> None:
    old = [node("A", INPUT, NUMBER), node("B", OUTPUT)]
    new = [node("C", tensor("_saved_x", "input input"))]
    assert roles_lost(old, new) == ("output",)
    assert roles_lost(new, old) == ()


def test_a_tensor_is_described_otherwise_by_dtype_shape_or_layout_alone() -> None:
    nodes = [node("A", INPUT, SavedValue(attribute="_saved_n", kind="scalar"), OUTPUT)]
    before = SavedTensor(shape=(4, 2), dtype="float32", bytes=32, storage=0)
    after = SavedTensor(shape=(4, 2), dtype="float64", bytes=64, storage=0)
    elsewhere = SavedTensor(shape=(4, 2), dtype="float32", bytes=32, storage=1)
    assert tensor_shifts(nodes, [before, before], [elsewhere, after]) == (
        TensorShifted(node="A", attribute="_saved_result", role="output", old=before, new=after),
    )
    assert tensor_shifts(nodes, [before, before], []) == ()
