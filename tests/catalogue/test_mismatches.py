"""Small catalogues in which declaration and measurement disagree in one way each."""

from typing import Any

import msgspec

from generator.catalogue import codec
from generator.catalogue.mismatches import Mismatch, mismatches
from generator.catalogue.model.records import (
    Catalogue,
    Kind,
    NodeRecord,
    Observation,
    PolicyNode,
    Recipe,
    Witness,
)
from tests.fixtures import tiny, tiny_nodes, tiny_ops, tiny_spellings

EXP = tiny_ops.exp()
EXP_NODE = next(node for node in tiny_nodes.nodes() if node.name == "ExpBackward0")


def changed(struct: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(struct, **fields)


def found(*records: Any) -> list[tuple[str, str | None, str, str]]:
    """List the mismatches of a catalogue of these records: node, name, finding, explanation."""
    catalogue = codec.assemble(tiny.RELEASE, tiny.BUILD, records, tiny.EVIDENCE)
    return [(one.node, one.name, one.finding, one.explanation) for one in mismatches(catalogue)]


def observed(kinds: dict[Kind, int], roles: dict[str, int] | None = None) -> NodeRecord:
    """ExpBackward0 with its one attribute seen like this."""
    one = Observation(attribute="_saved_result", kinds=kinds, roles=roles or {})
    return changed(EXP_NODE, observed=(one,))


def declaring(*values: Any) -> NodeRecord:
    """ExpBackward0 with these declared inputs besides its output."""
    return changed(EXP_NODE, declared=(changed(EXP_NODE.declared[0], saved_inputs=values),))


def test_agreement_is_no_mismatch() -> None:
    assert found(EXP, EXP_NODE) == []


def test_the_small_catalogue_has_only_explained_ones(small: Catalogue) -> None:
    assert [(one.node, one.name, one.explanation) for one in mismatches(small)] == [
        ("AddBackward0", "other_scalar_type", "C++ type without a Python getter"),
        ("AddBackward0", "self_scalar_type", "C++ type without a Python getter"),
        ("AddmmBackward0", "mat1_layout", "C++ type without a Python getter"),
        ("AddmmBackward0", "mat2_layout", "C++ type without a Python getter"),
        ("DivBackward0", "self_scalar_type", "C++ type without a Python getter"),
        ("DivBackward0", "other", "inner step of an op"),
        ("MulBackward0", "other_scalar_type", "C++ type without a Python getter"),
        ("MulBackward0", "self_scalar_type", "C++ type without a Python getter"),
        ("SgnBackward0", "result", "seen in graphs of backward alone"),
    ]


def test_both_sides_and_the_evidence_are_told(small: Catalogue) -> None:
    assert mismatches(small)[0] == Mismatch(
        node="AddBackward0",
        name="other_scalar_type",
        finding="value without attribute",
        declared="at::ScalarType, other.scalar_type()",
        measured="no attribute",
        explanation="C++ type without a Python getter",
        evidence="none of the 5 declared values of this type has one",
    )


def test_a_release_without_declarations_has_nothing_to_compare() -> None:
    assert found(EXP, changed(EXP_NODE, declared=())) == []


def test_a_type_that_can_be_read_elsewhere_explains_nothing() -> None:
    flag = tiny_nodes.value("flag", "bool")
    other = changed(
        EXP_NODE,
        name="OtherBackward0",
        attributes=("_saved_flag",),
        declared=(tiny_nodes.declaration("aten::other", 1, {}, (flag,)),),
        observed=(tiny_nodes.others("_saved_flag", "scalar", 1),),
    )
    hidden = ("ExpBackward0", "flag", "value without attribute", "C++ type without a Python getter")
    assert found(EXP, declaring(flag)) == [hidden]
    assert found(EXP, declaring(flag), other) == [(*hidden[:3], "unexplained")]


def test_a_tensor_without_attribute_is_never_explained_away() -> None:
    assert found(EXP, declaring(tiny_nodes.value("self"))) == [
        ("ExpBackward0", "self", "value without attribute", "unexplained")
    ]


def test_an_attribute_that_nothing_declares() -> None:
    node = changed(EXP_NODE, attributes=("_saved_extra", "_saved_result"))
    assert found(EXP, node) == [
        ("ExpBackward0", "_saved_extra", "attribute not declared", "unexplained")
    ]


def test_a_class_without_a_number_was_written_by_hand() -> None:
    plain = NodeRecord(name="AccumulateGrad", state="declared", reason="in no graph")
    numbered = changed(plain, name="LostBackward0")
    copy = changed(EXP_NODE, name="ExpBackward0_copy")
    assert found(EXP, EXP_NODE, copy, plain, numbered) == [
        ("AccumulateGrad", None, "type not declared", "class written by hand"),
        ("LostBackward0", None, "type not declared", "unexplained"),
    ]


def test_where_declared_classes_lack_numbers_too_the_number_explains_nothing() -> None:
    plain = NodeRecord(name="AccumulateGrad", state="declared", reason="in no graph")
    old = changed(EXP_NODE, name="ExpBackward")
    assert found(EXP, EXP_NODE, old, plain) == [
        ("AccumulateGrad", None, "type not declared", "unexplained")
    ]


def test_an_unregistered_type_is_no_mismatch() -> None:
    assert found(EXP, EXP_NODE, NodeRecord(name="Foreach", state="unregistered")) == []


def test_an_attribute_that_was_never_read() -> None:
    assert found(EXP, changed(EXP_NODE, observed=())) == [
        ("ExpBackward0", "result", "attribute never read", "unexplained")
    ]


def test_a_tensor_that_was_none_or_a_number() -> None:
    expected = [("ExpBackward0", "result", "other kind than declared", "unexplained")]
    assert found(EXP, observed({"none": 3})) == expected
    assert found(EXP, observed({"scalar": 1, "tensor": 3}, {"output": 3})) == expected
    assert found(EXP, observed({"unreadable": 1})) == expected
    assert found(EXP, observed({"none": 3, "tensor": 1}, {"output": 1})) == []


def test_an_optional_tensor_may_always_be_none() -> None:
    value = tiny_nodes.value("weight", "::std::optional<at::Tensor>")
    node = changed(
        declaring(value),
        attributes=("_saved_result", "_saved_weight"),
        observed=(*EXP_NODE.observed, tiny_nodes.others("_saved_weight", "none", 3)),
    )
    assert found(EXP, node) == []


def test_an_output_in_another_role_is_explained_by_the_graphs_that_have_it() -> None:
    node = observed({"tensor": 2}, {"intermediate": 2})

    def role(explanation: str) -> list[tuple[str, str | None, str, str]]:
        return [("ExpBackward0", "result", "other role than declared", explanation)]

    composite = changed(
        EXP, nodes=(*EXP.nodes, PolicyNode(type="AbsBackward0")), policies=((0, 1),)
    )
    assert found(EXP, node) == role("output that the op does not return")
    assert found(composite, node) == role("inner step of an op")
    assert found(node) == role("seen in graphs of backward alone")
    assert found(EXP, observed({"tensor": 2}, {"input": 2})) == role("unexplained")
    assert found(EXP, observed({"tensor": 2}, {"input": 2, "view of output": 1})) == []


def test_a_type_that_only_its_recipe_makes_is_explained_by_the_recipe() -> None:
    def node(program: str, role: str) -> NodeRecord:
        return changed(
            observed({"tensor": 1}, {role: 1}),
            witness=Witness(layer="recipe", name="ExpBackward0"),
            recipe=Recipe(program=program, printed=""),
        )

    def role(explanation: str) -> list[tuple[str, str | None, str, str]]:
        return [("ExpBackward0", "result", "other role than declared", explanation)]

    twice = "output = torch.autograd.grad(y, x, create_graph=True)"
    assert found(node("output = x.exp()", "output")) == []
    assert found(node("output = f(x)", "opaque")) == role("hidden memory")
    assert found(node("output = f(x)", "intermediate")) == role(
        "output that the op does not return"
    )
    assert found(node(twice, "intermediate")) == role("seen in graphs of backward alone")
    assert found(node("output = f(x)", "input")) == role("unexplained")


def test_an_argument_that_no_caller_gave() -> None:
    node = changed(
        declaring(tiny_nodes.value("self")),
        attributes=("_saved_result", "_saved_self"),
        observed=(*EXP_NODE.observed, tiny_nodes.tensors("_saved_self", "intermediate", 2)),
    )
    assert found(EXP, node) == [
        ("ExpBackward0", "self", "other role than declared", "argument that the op makes itself")
    ]


def test_an_argument_that_in_place_spellings_alone_copy_is_their_hidden_clone() -> None:
    """As `threshold_` does: a type of its own, which no call that leaves its argument makes."""
    mul = tiny_spellings.cloning()
    plain = [one for one in mul.nodes if one not in tiny_spellings.CLONES]
    copying = [changed(one, type="SomeBackward1") for one in tiny_spellings.CLONES]
    record = changed(mul, nodes=(*plain, *copying))
    node = changed(
        declaring(tiny_nodes.value("self")),
        name="SomeBackward1",
        attributes=("_saved_result", "_saved_self"),
        observed=(*EXP_NODE.observed, tiny_nodes.tensors("_saved_self", "intermediate", 1)),
    )
    wrong = ("SomeBackward1", "self", "other role than declared")
    assert found(record, node) == [(*wrong, "hidden clone of an in-place spelling")]
    # The last policy is that of a call which no spelling in place made.
    besides = changed(record, policies=(*record.policies, record.policies[-1]))
    assert found(besides, node) == [(*wrong, "argument that the op makes itself")]


def test_the_committed_clones_are_of_overloads_in_place(committed: Catalogue) -> None:
    """Both types are declared for `threshold_` and `polygamma_` alone."""
    cloned = [
        one
        for one in mismatches(committed)
        if one.explanation == "hidden clone of an in-place spelling"
    ]
    assert [(one.node, one.name) for one in cloned] == [
        ("PolygammaBackward1", "self"),
        ("ThresholdBackward1", "self"),
    ]
    for one in cloned:
        (declared,) = committed.nodes[one.node].declared
        assert declared.overload.endswith("_")
        assert declared.overload.removeprefix("aten::") in one.evidence
    assert not any(
        one.explanation == "argument that the op makes itself" for one in mismatches(committed)
    )


def test_an_inner_step_says_in_how_many_graphs_it_is_one(small: Catalogue) -> None:
    (inner,) = [one for one in mismatches(small) if one.explanation == "inner step of an op"]
    assert inner.evidence == (
        "one of several nodes in the one graph that has it, so that its arguments need not be"
        " those of the call"
    )


def test_a_node_that_was_never_seen_has_only_its_class_compared() -> None:
    unseen = changed(EXP_NODE, state="declared", reason="in no graph", witness=None, observed=())
    assert found(EXP, unseen) == []
