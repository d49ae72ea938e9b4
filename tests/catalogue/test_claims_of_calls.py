"""What a call keeps in words, of small records made here, against sentences written by hand."""

import pytest
from msgspec.structs import replace

from generator.catalogue.claims import claim
from generator.catalogue.model.measurement import Argument, Measurement, SavedTensor
from generator.catalogue.model.records import Case, Catalogue, ModuleRecord, OpRecord
from tests.fixtures.tiny_claims import (
    BOTH,
    FIRST,
    SECOND,
    Roles,
    case,
    kept,
    measurement,
    module,
    one,
    op,
    referred,
    without_tensors,
)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (one("output"), "keeps its output"),
        (one("input input"), "keeps `input`"),
        (one("input b", "input a", names=("a", "b")), "keeps `a` and `b`"),
        (one("output", "input input"), "keeps `input` and its output"),
        (one("output 1", outputs=3), "keeps its output 1"),
        (one("output 0", "output 2", outputs=3), "keeps its outputs 0 and 2"),
        (one("output 0", "output 1", outputs=2), "keeps both outputs"),
        (one("view of input input"), "keeps a view of `input`"),
        (one("view of input input", "input input"), "keeps `input`"),
        (one("view of output"), "keeps a view of its output"),
        (one("intermediate"), "keeps 1 intermediate (2 float32)"),
        (one("input input", "intermediate", "intermediate"), "keeps `input` and 2 intermediates"),
        (one("wrapped number"), "keeps no tensor, only scalars"),
        (one("input input", "wrapped number"), "keeps `input`"),
        (
            one("input t[0]", "input t[1]", names=("t[0]", "t[1]")),
            "keeps every tensor of `t`",
        ),
        (one("input t[1]", names=("t[0]", "t[1]", "t[2]")), "keeps `t[1]`"),
        (
            one("input t[0]", "input t[1]", "input t[2]", names=("t[0]", "t[1]", "t[2]", "t[3]")),
            "keeps 3 of the 4 tensors of `t`",
        ),
    ],
)
def test_one_call(record: OpRecord, expected: str) -> None:
    assert claim(record) == expected


def test_many_parameters_are_counted_and_few_are_named() -> None:
    names = ("a", "b", "c", "d")
    arguments = tuple(
        Argument(name=name, source="parameter", shape=(2,), dtype="float32") for name in names
    )

    def claimed(*roles: str) -> str:
        found = measurement(("parameters",), 0, *range(len(roles)))
        call = replace(case(found), arguments=arguments)
        return claim(op(kept(*roles), cases=(call,)))

    assert claimed("parameter a", "parameter c") == "keeps its parameter `a` and its parameter `c`"
    assert claimed("parameter a", "parameter b", "parameter c") == "keeps 3 of its parameters"
    assert claimed(*(f"parameter {name}" for name in names)) == "keeps all its 4 parameters"
    assert claimed(*(f"view of parameter {name}" for name in names[:3])) == (
        "keeps views of 3 of its parameters"
    )


def test_two_tensors_behind_one_storage_are_one_intermediate() -> None:
    node = kept("intermediate", "intermediate")
    assert claim(op(node, cases=(case(measurement(("input",), 0, 4, 4)),))) == (
        "keeps 1 intermediate (2 float32)"
    )


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ((), "keeps nothing"),
        (("none",), "keeps nothing"),
        (("sizes",), "keeps no tensor, only sizes"),
        (("scalar", "sizes"), "keeps no tensor, only sizes and scalars"),
    ],
)
def test_calls_that_keep_no_tensor(kinds: Roles, expected: str) -> None:
    record = op(without_tensors(*kinds), cases=(case(measurement(("input",), 0)),))
    assert claim(record) == expected


def test_a_result_without_a_graph() -> None:
    record = op(kept(), policies=((),), cases=(case(measurement(("input",), 0)),))
    assert claim(record) == "keeps nothing: it adds no node to the graph"


def test_a_composite_says_how_many_nodes() -> None:
    record = op(
        kept("input input"),
        kept("output"),
        policies=((0, 1),),
        cases=(case(measurement(("input",), 0, 0, 1)),),
    )
    assert claim(record) == "keeps `input` and its output, in a graph of 2 nodes"


def test_the_graph_is_counted_before_what_depends_on_the_mask() -> None:
    record = op(
        kept("input a"),
        kept("output"),
        policies=((0, 1), (0,)),
        cases=(case(measurement(BOTH, 0, 0, 1), measurement(FIRST, 1, 0), names=BOTH),),
    )
    assert claim(record) == (
        "keeps `a`, in a graph of 1 or 2 nodes; its output only when `b` requires grad"
    )


def masked(both: Roles, first: Roles, second: Roles) -> OpRecord:
    """An op of arguments `a` and `b`, with the roles kept under each of the three masks."""
    found = [
        measurement(mask, place, *range(len(roles)))
        for place, (mask, roles) in enumerate(((BOTH, both), (FIRST, first), (SECOND, second)))
    ]
    return op(kept(*both), kept(*first), kept(*second), cases=(case(*found, names=BOTH),))


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (masked(("input a",), ("input a",), ("input a",)), "keeps `a`"),
        (masked(("input a",), (), ("input a",)), "keeps `a`, only when `b` requires grad"),
        (
            masked(("input a", "input b"), ("input b",), ("input a", "input b")),
            "keeps `b`; `a` only when `b` requires grad",
        ),
        (
            masked(("input a", "input b"), ("input b",), ("input a",)),
            "keeps `a` when `b` requires grad and `b` when `a` requires grad",
        ),
        (
            masked(("input a", "input b"), (), ("input a", "input b")),
            "keeps `a` and `b`, only when `b` requires grad",
        ),
        (
            masked(("input a", "output"), ("input a",), ("input a",)),
            "keeps `a`; its output only when `a` and `b` require grad",
        ),
        (
            masked(
                ("intermediate", "input a", "input b"),
                ("intermediate",),
                ("intermediate", "input a", "input b"),
            ),
            "keeps 1 intermediate (2 float32); `a` and `b` only when `b` requires grad",
        ),
        (
            masked(("input a", "input b", "output"), ("input b", "output"), ("input a",)),
            "keeps `a` when `b` requires grad; and `b` and its output when `a` requires grad",
        ),
        (
            masked((), ("input a",), ()),
            "keeps `a`, only under some grad masks",
        ),
    ],
)
def test_the_argument_that_decides(record: OpRecord, expected: str) -> None:
    assert claim(record) == expected


def test_masks_that_were_not_measured_are_not_compared() -> None:
    failed = Measurement(mask=("b",), state="raised", reason="no")
    record = op(kept("input a"), cases=(case(measurement(BOTH, 0, 0), failed, names=BOTH),))
    assert claim(record) == "keeps `a`"


def test_a_group_of_a_modules_mask_decides() -> None:
    record = ModuleRecord(
        name="torch.nn.Some",
        state="measured",
        nodes=(kept("parameter weight"), kept()),
        policies=((0,), (1,)),
        cases=(
            case(
                measurement(("inputs", "parameters"), 0, 0),
                measurement(("inputs",), 0, 0),
                measurement(("parameters",), 1),
            ),
        ),
    )
    assert claim(record) == (
        "keeps its parameter `weight`, only when its inputs require grad, "
        "in train and in eval mode alike"
    )


def empty(found: Case) -> Case:
    """The same call, whose saved tensors weigh nothing."""
    (one,) = found.measurements
    tensors = tuple(SavedTensor((0,), "float32", 0, tensor.storage) for tensor in one.tensors)
    return replace(found, measurements=(replace(one, tensors=tensors),))


def test_tensors_of_no_bytes_are_not_kept_memory() -> None:
    """As batch norm in eval mode saves two empty tensors in place of its statistics."""
    record = module(("train", ("intermediate",)), ("eval", ("intermediate",)))
    train, evaluation = record.cases
    record = replace(record, cases=(train, empty(evaluation)))
    assert (
        claim(record)
        == "in train mode keeps 1 intermediate (2 float32); in eval mode keeps nothing"
    )


def test_what_is_empty_because_an_argument_is_empty_is_kept_nevertheless() -> None:
    found = empty(one("input input").cases[0])
    argument = Argument(name="input", shape=(0, 3), dtype="float32")
    record = op(kept("input input"), cases=(replace(found, arguments=(argument,)),))
    assert claim(record) == "keeps `input`"


def test_what_masks_of_a_module_differ_in_is_counted_over_all_of_them() -> None:
    """A module's reference begins with the mask of its parameters alone."""
    reference = replace(
        referred("output = module(input)"),
        measurements=(
            measurement(("parameters",), 0, 0),
            measurement(("inputs", "parameters"), 1, 0, 1),
        ),
        mode="train",
    )
    record = ModuleRecord(
        name="torch.nn.Some",
        state="measured",
        nodes=(kept("intermediate"), kept("intermediate", "intermediate")),
        policies=((0,), (1,)),
        references=(reference,),
    )
    assert claim(record) == "in train mode keeps 1 or 2 intermediates (by what requires grad)"


def test_numbers_that_depend_on_the_mask_are_said_as_from_and_to() -> None:
    """Under both, three intermediates in three nodes; under one of two, one in one node."""
    node = kept("intermediate")
    record = op(
        node,
        policies=((0, 0, 0), (0,)),
        cases=(
            case(
                measurement(("x", "y"), 0, 0, 1, 2),
                measurement(("x",), 1, 0),
                measurement(("y",), 0, 0, 1, 2),
                names=("x", "y"),
            ),
        ),
    )
    assert claim(record) == (
        "keeps 1 to 3 intermediates (by what requires grad), in a graph of 1 to 3 nodes"
    )


def test_the_headline_of_a_gru_speaks_of_all_its_masks(committed: Catalogue) -> None:
    """Live torch has 109 nodes behind `GRU(512, 512)` with its biases alone requiring grad."""
    said = claim(committed.modules["torch.nn.GRU"])
    assert "in a graph of 109 to 123 nodes" in said
    assert "32 to 41 intermediates (by what requires grad)" in said


# Live torch: a float mask as large as the input, one a channel, and int64 indices of the output.
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("torch.nn.functional.dropout", "keeps 1 intermediate (256 × 512 float32)"),
        ("torch.nn.functional.dropout2d", "keeps 1 intermediate (8 × 16 × 1 × 1 float32)"),
        ("torch.nn.functional.max_pool2d", "and 1 intermediate (8 × 16 × 32 × 32 int64)"),
    ],
)
def test_an_intermediate_that_is_alone_is_told_by_shape_and_dtype(
    committed: Catalogue, name: str, said: str
) -> None:
    assert said in claim(committed.ops[name])
