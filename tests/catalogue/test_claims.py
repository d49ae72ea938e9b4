"""The sentence and the label of small records made here, against ones written by hand."""

import pytest
from msgspec.structs import replace

from generator.catalogue.citations import markdown, sentence
from generator.catalogue.claims import claim, classes, label
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Case, Catalogue, ModuleRecord, NodeRecord, OpRecord
from tests.fixtures.tiny_claims import (
    BOTH,
    FIRST,
    Roles,
    case,
    kept,
    measurement,
    module,
    node,
    one,
    referred,
    seen,
)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            OpRecord(name="torch.op", state="not differentiable", reason="its output is an index"),
            "not differentiable: its output is an index",
        ),
        (
            OpRecord(name="torch.op", state="crashed", reason="signal 11"),
            "not measured (crashed): signal 11",
        ),
        (OpRecord(name="torch.op", state="measured"), "not measured: no sample ran"),
    ],
)
def test_records_without_a_measurement(record: OpRecord, expected: str) -> None:
    assert claim(record) == expected
    assert label(record) == "not measured"


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            module(("train", ("input input",)), ("eval", ("buffer running_mean",))),
            "in train mode keeps `input`; in eval mode keeps its buffer `running_mean`",
        ),
        (
            module((None, ("parameter weight",))),
            "keeps its parameter `weight`, in train and in eval mode alike",
        ),
        (
            module(("train", ("output",)), ("eval", ("output",))),
            "keeps its output, in train and in eval mode alike",
        ),
        (module(("eval", ("output",))), "in eval mode keeps its output"),
    ],
)
def test_modules(record: ModuleRecord, expected: str) -> None:
    assert claim(record) == expected


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (one("output"), "output"),
        (one("input a", "input b", names=("a", "b")), "input"),
        (one("output", "input input"), "input and output"),
        (one("view of input input", "intermediate"), "input and intermediates"),
        (one("wrapped number"), "sizes and scalars only"),
        (one(), "nothing"),
        (module((None, ("parameter weight", "buffer mean"))), "parameters and buffers"),
        (node("witnessed", seen("_saved_self", "tensor", input=1)), "input"),
        (node("declared"), "not measured"),
    ],
)
def test_labels(record: OpRecord | ModuleRecord | NodeRecord, expected: str) -> None:
    assert label(record) == expected


def test_classes_leave_out_wrapped_numbers() -> None:
    assert classes(one("wrapped number", "output")) == ("output",)


def test_a_citation_names_claim_build_and_permanent_address(small: Catalogue) -> None:
    assert sentence(small.ops["torch.exp"]) == "`torch.exp` keeps its output."
    assert markdown(small.header, small.ops["torch.exp"]) == (
        "`torch.exp` keeps its output. ([What the Tape Kept]"
        "(https://tapekept.github.io/2.13.0/ops/torch.exp/); "
        "PyTorch 2.13.0+cpu, git cf30153c4c13, measured on cpu)"
    )


def sampled(call: str, count: int, *roles: str, names: Roles = ("input",), at: int = 1) -> Case:
    """A case of `count` samples, of the policy at `at`, with the roles that the policy has."""
    found = case(measurement(names, at, *range(len(roles))), names=names)
    return replace(found, call=call, samples={"float32": count})


def reduction(*cases: Case, call: str = "output = torch.max(input, dim=1)") -> OpRecord:
    """An op whose reference keeps its output 1."""
    return OpRecord(
        name="torch.max",
        state="measured",
        nodes=(kept("output 1"), kept("input input", "input other"), kept("input input", "output")),
        policies=((0,), (1,), (2,)),
        references=(referred(call, "output 1"),),
        cases=cases,
    )


SAME = sampled("torch.max(input, 0)", 16, "output 1", at=0)
PAIR = sampled(
    "torch.max(input, other)", 36, "input input", "input other", names=("input", "other")
)
WHOLE = sampled("torch.max(input)", 8, "input input", "output", at=2)


def test_a_claim_names_its_call_where_other_calls_keep_other_things() -> None:
    record = reduction(SAME, PAIR, WHOLE)
    assert claim(record) == (
        "`torch.max(input, dim=1)` keeps its output 1; other calls keep other things (44 of 60 "
        "samples): `torch.max(input, other)` keeps `input` and `other`"
    )
    assert sentence(record) == f"{claim(record)}."


def test_a_claim_stands_alone_where_all_calls_agree() -> None:
    assert claim(reduction(SAME)) == "keeps its output 1"


def test_a_call_that_is_too_long_to_read_is_not_written_out() -> None:
    long = f"output = torch.max(input, {'dim, ' * 30}1)"
    assert claim(reduction(SAME, WHOLE, call=long)) == (
        "in its reference call keeps its output 1; other calls keep other things (8 of 24 "
        "samples): `torch.max(input)` keeps `input` and its output"
    )


def test_a_sample_of_another_dtype_says_so_and_unnamed_arguments_are_not_shown() -> None:
    double = replace(WHOLE, arguments=(Argument(name="input", shape=(2,), dtype="complex64"),))
    assert claim(reduction(SAME, double)).endswith(
        "(8 of 24 samples): `torch.max(input)` of complex64 keeps `input` and its output"
    )
    unnamed = replace(WHOLE, call="torch.max(args[0])")
    assert claim(reduction(SAME, unnamed)).endswith("(8 of 24 samples)")


def test_a_module_is_named_by_how_it_was_built() -> None:
    reference = replace(
        referred("output = module(input)", "output 1"),
        setup="module = torch.nn.Some(4)\ninput = torch.randn(2)",
        mode="train",
    )
    record = ModuleRecord(
        name="torch.nn.Some",
        state="measured",
        nodes=(kept("output 1"), kept("input input", "output")),
        policies=((0,), (1,)),
        references=(reference, replace(reference, mode="eval")),
        cases=(sampled("torch.nn.Some()(input)", 3, "input input", "output"),),
    )
    assert claim(record) == (
        "`torch.nn.Some(4)` keeps its output 1, in train and in eval mode alike; other calls "
        "keep other things (3 of 3 samples): `torch.nn.Some()(input)` keeps `input` and its output"
    )


def test_a_sample_is_compared_under_the_mask_that_it_asks_for() -> None:
    """With `a` alone requiring grad the reference keeps `b` only, and so does the sample."""
    reference = replace(
        referred("output = torch.op(a, b)"),
        arguments=tuple(Argument(name=name, shape=(2,), dtype="float32") for name in BOTH),
        measurements=(measurement(BOTH, 0, 0, 1), measurement(FIRST, 1, 0)),
    )
    record = OpRecord(
        name="torch.op",
        state="measured",
        nodes=(kept("input a", "output"), kept("output")),
        policies=((0,), (1,)),
        references=(reference,),
        cases=(sampled("torch.op(a, b)", 5, "output", names=FIRST),),
    )
    assert "other calls" not in claim(record)


def test_modes_are_alike_only_where_their_bytes_are() -> None:
    record = module(("train", ("intermediate",)), ("eval", ("intermediate",)))
    train, evaluation = record.cases
    (found,) = evaluation.measurements
    heavier = replace(evaluation, measurements=(replace(found, storage_bytes=4096),))
    assert claim(record) == "keeps 1 intermediate (2 float32), in train and in eval mode alike"
    assert claim(replace(record, cases=(train, heavier))) == (
        "keeps 1 intermediate (2 float32), in train and in eval mode but not the same bytes"
    )


# `backward` of each raises in live torch: "derivative for … is not implemented", or "the …".
@pytest.mark.parametrize(
    "name",
    ["torch.unique", "torch.histogram", "torch.linalg.ldl_factor", "torch.heaviside"],
)
def test_an_op_whose_backward_does_not_exist_says_so_first(committed: Catalogue, name: str) -> None:
    assert claim(committed.ops[name]).startswith("its backward is not implemented;")


def test_only_the_call_whose_backward_does_not_exist_is_said_to_have_none(
    committed: Catalogue,
) -> None:
    """`(2.0 % x).backward()` raises in live torch, `(x % x).backward()` does not."""
    assert claim(committed.ops["torch.Tensor.__rmod__"]).startswith(
        "backward of `1.0 % input` is not implemented;"
    )
    assert "not implemented" not in claim(committed.ops["torch.remainder"])
    assert "not implemented" not in claim(committed.ops["torch.exp"])
