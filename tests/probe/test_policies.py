"""Equal answers are written once, and samples that agree are counted together."""

from typing import Any

from generator.probe.policies import Interned, group_of

Json = dict[str, Any]


def node(kind: str, *saved: tuple[str, str, list[str]]) -> Json:
    return {"type": kind, "saved": [list(value) for value in saved]}


EXP = node("ExpBackward0", ("_saved_result", "tensor", ["output"]))
SIN = node("SinBackward0", ("_saved_self", "tensor", ["input input"]))


def test_equal_policies_have_one_position() -> None:
    interned = Interned()
    assert interned.position([SIN, EXP]) == 0
    assert interned.position([EXP]) == 1
    assert (
        interned.position([node("SinBackward0", ("_saved_self", "tensor", ["input input"])), EXP])
        == 0
    )
    assert interned.position([EXP, SIN]) == 2
    assert interned.position([]) == 3
    assert interned.as_fields() == {
        "nodes": [SIN, EXP],
        "policies": [[0, 1], [1], [1, 0], []],
    }


def test_a_repeated_node_is_repeated_in_its_policy() -> None:
    interned = Interned()
    interned.position([EXP, EXP])
    assert interned.as_fields() == {"nodes": [EXP], "policies": [[0, 0]]}


def test_a_role_is_part_of_the_answer() -> None:
    other = node("ExpBackward0", ("_saved_result", "tensor", ["intermediate"]))
    interned = Interned()
    assert [interned.position([EXP]), interned.position([other])] == [0, 1]
    assert group_of([EXP]) != group_of([other])


def test_kind_attribute_and_type_tell_groups_apart() -> None:
    groups = [
        group_of([node("A", ("_saved_x", "tensor", ["input x"]))]),
        group_of([node("B", ("_saved_x", "tensor", ["input x"]))]),
        group_of([node("A", ("_saved_y", "tensor", ["input x"]))]),
        group_of([node("A", ("_saved_x", "tensor list", ["input x"]))]),
        group_of([node("A", ("_saved_x", "tensor", ["view of input x"]))]),
        group_of([node("A", ("_saved_x", "none", []))]),
        group_of([node("A")]),
    ]
    assert len(set(groups)) == len(groups)


def test_positions_in_lists_and_repetitions_do_not() -> None:
    two = node("StackBackward0", ("_saved_tensors", "tensor list", ["input t[0]", "input t[1]"]))
    three = node(
        "StackBackward0",
        ("_saved_tensors", "tensor list", ["input t[0]", "input t[1]", "input t[2]"]),
    )
    assert group_of([two]) == group_of([three]) == group_of([two, two, three])
    first = node("MaxBackward0", ("_saved_indices", "tensor", ["output 1"]))
    second = node("MaxBackward0", ("_saved_indices", "tensor", ["output 2"]))
    assert group_of([first]) == group_of([second])
