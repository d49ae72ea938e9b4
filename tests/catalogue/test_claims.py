"""Claims of small records made here, against sentences written by hand."""

import pytest
from msgspec.structs import replace

from generator.catalogue.citations import markdown, sentence
from generator.catalogue.claims import claim, classes, label
from generator.catalogue.model import (
    Argument,
    Case,
    Catalogue,
    Declaration,
    DeclaredValue,
    Measurement,
    ModuleRecord,
    NodeRecord,
    Observation,
    OpRecord,
    PolicyNode,
    SavedTensor,
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
        (one("output 0", "output 1", outputs=2), "keeps all 2 outputs"),
        (one("view of input input"), "keeps a view of `input`"),
        (one("view of input input", "input input"), "keeps `input`"),
        (one("view of output"), "keeps a view of its output"),
        (one("intermediate"), "keeps 1 intermediate"),
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
        "keeps 1 intermediate"
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
    assert claim(record) == "keeps nothing: its result has no graph"


def test_a_composite_says_how_many_nodes() -> None:
    record = op(
        kept("input input"),
        kept("output"),
        policies=((0, 1),),
        cases=(case(measurement(("input",), 0, 0, 1)),),
    )
    assert claim(record) == "keeps `input` and its output, in a graph of 2 nodes"


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
            "keeps `b` and `a`, `a` only when `b` requires grad",
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
            "keeps `a` and its output, its output only when `a` and `b` require grad",
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
        (node("witnessed"), "saves nothing"),
        (
            node("stubbed", seen("_saved_result", "tensor", output=1)),
            "over a stub, saves its `result` (the output)",
        ),
        (node("unregistered"), "saves nothing; it is not in the release's registry"),
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
