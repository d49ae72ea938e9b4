"""Renames are told from removals: pairs of releases, and what is certain of them."""

import pytest

from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.renames import Renamed, find_renames, names_of, renamed_nodes
from generator.catalogue.model.records import Catalogue, SavedValue
from tests.fixtures.tiny_calls import tensor
from tests.fixtures.tiny_releases import INPUT, NEW, OLD, SIZES, node, op, released, type_of

OLD_SIZES = SavedValue(attribute="_saved_self_sizes", kind="sizes")
X = tensor("_saved_x", "input input")
PRELU = ("PreluBackward0", "_saved_self")
KERNEL = ("PreluKernelBackward0", "_saved_self")
FLASH = "ScaledDotProductFlashAttentionBackward0"

TABLE: dict[str, tuple[Catalogue, Catalogue, list[Renamed]]] = {
    "a type that declares the same overload": (
        released(OLD, type_of("OldBackward0", overload="aten::one")),
        released(NEW, type_of("NewBackward0", overload="aten::one")),
        [
            Renamed(
                what="node type",
                old="OldBackward0",
                new="NewBackward0",
                basis="declaration",
                calls=0,
            )
        ],
    ),
    "a type that declares another overload": (
        released(OLD, type_of("OldBackward0", overload="aten::one")),
        released(NEW, type_of("NewBackward0", overload="aten::two")),
        [],
    ),
    "two types for one overload are ambiguous": (
        released(OLD, type_of("OldBackward0", overload="aten::one")),
        released(
            NEW,
            type_of("NewBackward0", overload="aten::one"),
            type_of("NewerBackward0", overload="aten::one"),
        ),
        [],
    ),
    "a type in the same place of the same call": (
        released(OLD, op(node("PreluBackward0", INPUT)), type_of(*PRELU)),
        released(NEW, op(node("PreluKernelBackward0", INPUT)), type_of(*KERNEL)),
        [
            Renamed(
                what="node type",
                old="PreluBackward0",
                new="PreluKernelBackward0",
                basis="calls",
                calls=1,
            )
        ],
    ),
    "a type in the same place that saves something else": (
        released(OLD, op(node("PreluBackward0", INPUT)), type_of(*PRELU)),
        released(NEW, op(node("PreluKernelBackward0", SIZES)), type_of(*KERNEL)),
        [],
    ),
    "a type that stands for two": (
        released(
            OLD,
            op(node("PreluBackward0", INPUT), node("GoneBackward0")),
            type_of(*PRELU),
            type_of("GoneBackward0"),
        ),
        released(NEW, op(node("PreluKernelBackward0", INPUT)), type_of(*KERNEL)),
        [],
    ),
    "a type that stands for it in one call and not in another": (
        released(
            OLD,
            op(node("PreluBackward0", INPUT)),
            op(node("PreluBackward0", INPUT), name="torch.exp"),
            type_of(*PRELU),
        ),
        released(
            NEW,
            op(node("PreluKernelBackward0", INPUT)),
            op(node("ExpBackward0", INPUT), name="torch.exp"),
            type_of(*KERNEL),
        ),
        [],
    ),
    "a type that got its number": (
        released(OLD, type_of("ViewBackward")),
        released(NEW, type_of("ViewBackward0")),
        [
            Renamed(
                what="node type",
                old="ViewBackward",
                new="ViewBackward0",
                basis="spelling",
                calls=0,
            )
        ],
    ),
    "another number is another type": (
        released(OLD, type_of("MeanBackward1")),
        released(NEW, type_of("MeanBackward2")),
        [],
    ),
    "an attribute that was misspelled, in no call": (
        released(OLD, type_of(FLASH, "_saved_ouput", "_saved_query")),
        released(NEW, type_of(FLASH, "_saved_output", "_saved_query")),
        [
            Renamed(
                what="attribute",
                node=FLASH,
                old="_saved_ouput",
                new="_saved_output",
                basis="spelling",
                calls=0,
            )
        ],
    ),
    "an attribute that became symbolic, in a call": (
        released(OLD, op(node("A", OLD_SIZES)), type_of("A", "_saved_self_sizes")),
        released(NEW, op(node("A", SIZES)), type_of("A", "_saved_self_sym_sizes")),
        [
            Renamed(
                what="attribute",
                node="A",
                old="_saved_self_sizes",
                new="_saved_self_sym_sizes",
                basis="spelling",
                calls=1,
            )
        ],
    ),
    "an attribute that holds what the other held": (
        released(OLD, op(node("A", INPUT)), type_of("A", "_saved_self")),
        released(NEW, op(node("A", X)), type_of("A", "_saved_x")),
        [
            Renamed(
                what="attribute",
                node="A",
                old="_saved_self",
                new="_saved_x",
                basis="calls",
                calls=1,
            )
        ],
    ),
    "a number that has nothing to do with another": (
        released(
            OLD,
            op(node("A", SavedValue(attribute="_saved_alpha", kind="scalar"))),
            type_of("A", "_saved_alpha"),
        ),
        released(
            NEW,
            op(node("A", SavedValue(attribute="_saved_rounding", kind="scalar"))),
            type_of("A", "_saved_rounding"),
        ),
        [],
    ),
    "a tensor and the number of its elements": (
        released(OLD, type_of("MeanBackward0", "_saved_self")),
        released(NEW, type_of("MeanBackward0", "_saved_self_sym_numel")),
        [],
    ),
    "digits are no misspelling": (
        released(OLD, type_of("A", "_saved_result1")),
        released(NEW, type_of("A", "_saved_result2")),
        [],
    ),
    "two that it may have become": (
        released(OLD, type_of("A", "_saved_ouput")),
        released(NEW, type_of("A", "_saved_output", "_saved_sym_output")),
        [],
    ),
    "an attribute of a type that was renamed itself": (
        released(OLD, type_of("OldBackward0", "_saved_ouput", overload="aten::one")),
        released(NEW, type_of("NewBackward0", "_saved_output", overload="aten::one")),
        [
            Renamed(
                what="node type",
                old="OldBackward0",
                new="NewBackward0",
                basis="declaration",
                calls=0,
            ),
            Renamed(
                what="attribute",
                node="NewBackward0",
                old="_saved_ouput",
                new="_saved_output",
                basis="spelling",
                calls=0,
            ),
        ],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), TABLE.values(), ids=TABLE)
def test_what_is_certain_is_a_rename(
    old: Catalogue, new: Catalogue, expected: list[Renamed]
) -> None:
    assert list(find_renames(old, new, compare(old, new))) == expected


def test_nodes_are_written_with_the_new_names_in_their_order() -> None:
    renames = [
        Renamed(what="node type", old="A", new="B", basis="calls", calls=1),
        Renamed(what="attribute", node="B", old="_saved_z", new="_saved_a", basis="calls", calls=1),
    ]
    old = node("A", tensor("_saved_m", "output"), tensor("_saved_z", "intermediate"))
    new = node("B", tensor("_saved_a", "intermediate"), tensor("_saved_m", "output"))
    assert renamed_nodes([old], names_of(renames)) == [new]
