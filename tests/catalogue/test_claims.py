"""Claims of small records made here, against sentences written by hand."""

import pytest
from msgspec.structs import replace

from generator.catalogue.citations import markdown, sentence
from generator.catalogue.claims import claim, classes, label
from generator.catalogue.model.measurement import Measurement, SavedTensor
from generator.catalogue.model.records import (
    Argument,
    Case,
    Catalogue,
    Declaration,
    DeclaredValue,
    ModuleRecord,
    NodeRecord,
    Observation,
    OpRecord,
    PolicyNode,
    Reference,
    SavedValue,
    TwoWays,
)

Roles = tuple[str, ...]


def kept(*roles: str) -> PolicyNode:
    """A node with one tensor attribute for each role."""
    return PolicyNode(
        type="SomeBackward0",
        saved=tuple(
            SavedValue(attribute=f"_saved_{place}", kind="tensor", roles=(role,))
            for place, role in enumerate(roles)
        ),
    )


def without_tensors(*kinds: str) -> PolicyNode:
    return PolicyNode(
        type="SomeBackward0",
        saved=tuple(
            SavedValue(attribute=f"_saved_{place}", kind=kind)  # type: ignore[arg-type]
            for place, kind in enumerate(kinds)
        ),
    )


def measurement(mask: Roles, policy: int, *storages: int) -> Measurement:
    return Measurement(
        mask=mask,
        policy=policy,
        tensors=tuple(SavedTensor((2,), "float32", 8, storage) for storage in storages),
    )


def case(
    *measured: Measurement, names: Roles = ("input",), outputs: int = 1, mode: str | None = None
) -> Case:
    return Case(
        entry="op",
        mode=mode,  # type: ignore[arg-type]
        samples={"float32": 1},
        call="op(...)",
        arguments=tuple(Argument(name=name, shape=(2,), dtype="float32") for name in names),
        outputs=tuple(
            Argument(name=f"output {place}", shape=(2,), dtype="float32")
            for place in range(outputs)
        ),
        measurements=measured,
        two_ways=TwoWays(),
    )


def op(
    *nodes: PolicyNode, policies: tuple[tuple[int, ...], ...] = (), cases: tuple[Case, ...]
) -> OpRecord:
    return OpRecord(
        name="torch.op",
        state="measured",
        nodes=nodes,
        policies=policies or tuple((place,) for place in range(len(nodes))),
        cases=cases,
    )


def one(*roles: str, names: Roles = ("input",), outputs: int = 1) -> OpRecord:
    """An op of one node and one mask."""
    found = measurement(names, 0, *range(len(roles)))
    return op(kept(*roles), cases=(case(found, names=names, outputs=outputs),))


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


BOTH, FIRST, SECOND = ("a", "b"), ("a",), ("b",)


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


def module(*modes: tuple[str | None, Roles]) -> ModuleRecord:
    return ModuleRecord(
        name="torch.nn.Some",
        state="measured",
        nodes=tuple(kept(*roles) for _, roles in modes),
        policies=tuple((place,) for place in range(len(modes))),
        cases=tuple(
            case(measurement(("inputs", "parameters"), place, *range(len(roles))), mode=mode)
            for place, (mode, roles) in enumerate(modes)
        ),
    )


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


def seen(attribute: str, kind: str, **roles: int) -> Observation:
    return Observation(
        attribute=attribute,
        kinds={kind: max(roles.values(), default=1)},  # type: ignore[dict-item]
        roles={role.replace("_", " "): count for role, count in roles.items()},
    )


DECLARED = Declaration(overload="aten::neg", dispatch="Default", formulas=())


def node(state: str, *observed: Observation, **fields: object) -> NodeRecord:
    return NodeRecord(name="SomeBackward0", state=state, observed=observed, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            node("witnessed", seen("_saved_result", "tensor", output=3)),
            "saves its `result` (the output)",
        ),
        (
            node("witnessed", seen("_saved_self", "tensor", input=3, intermediate=9)),
            "saves `self` (an input or an intermediate)",
        ),
        (
            node(
                "witnessed",
                seen("_saved_self", "tensor", view_of_input=1),
                seen("_saved_dim", "scalar"),
            ),
            "saves `self` (a view of an input), and the size or scalar `dim`",
        ),
        (
            node(
                "witnessed",
                seen("_saved_result", "tensor", intermediate=9, view_of_output=7, output=2),
            ),
            "saves `result` (the output or an intermediate)",
        ),
        (node("witnessed", seen("_saved_dim", "scalar")), "saves no tensor, only `dim`"),
        (node("witnessed"), "exposes no saved attribute"),
        (node("witnessed", declared=(DECLARED,)), "saves nothing"),
        (
            node("stubbed", seen("_saved_result", "tensor", output=1)),
            "over a stub, saves its `result` (the output)",
        ),
        (
            node("unregistered"),
            "exposes no saved attribute; it is not in the release's registry",
        ),
        (
            node(
                "declared",
                reason="CUDA only",
                declared=(
                    Declaration(
                        overload="aten::some",
                        dispatch="Default",
                        formulas=(),
                        saved_inputs=(DeclaredValue(name="hx", type="at::Tensor"),),
                        saved_outputs=(DeclaredValue(name="result0", type="at::Tensor"),),
                    ),
                ),
            ),
            "declared only: CUDA only; declares that it saves `hx` and `result0`",
        ),
    ],
)
def test_nodes(record: NodeRecord, expected: str) -> None:
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


def referred(call: str, *roles: str) -> Reference:
    """A reference call of the first policy."""
    return Reference(
        family="reduction",
        setup="input = torch.randn(2)",
        call=call,
        held="",
        grad_fns="",
        template="op",
        printed="",
        arguments=(Argument(name="input", shape=(2,), dtype="float32"),),
        outputs=(Argument(name="output 0", shape=(2,), dtype="float32"),) * 2,
        measurements=(measurement(("input",), 0, *range(len(roles))),),
        edges=(),
    )


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


def test_modes_are_alike_only_where_their_bytes_are() -> None:
    record = module(("train", ("intermediate",)), ("eval", ("intermediate",)))
    train, evaluation = record.cases
    (found,) = evaluation.measurements
    heavier = replace(evaluation, measurements=(replace(found, storage_bytes=4096),))
    assert claim(record) == "keeps 1 intermediate (2 float32), in train and in eval mode alike"
    assert claim(replace(record, cases=(train, heavier))) == (
        "keeps 1 intermediate (2 float32), in train and in eval mode but not the same bytes"
    )


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
