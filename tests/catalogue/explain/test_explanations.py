"""What errors are explained to mean, held against live torch and the guides' own outputs."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from generator.catalogue.elsewhere import names
from generator.catalogue.explain.complaints import KNOWN, Complaint, complaint
from generator.catalogue.explain.explanations import Explanation, explanation
from generator.catalogue.explain.namings import by_name, namings
from generator.catalogue.explain.others import of_history, others
from generator.catalogue.explain.readings import readings
from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue

CHECK = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an"
    " inplace operation: {}; expected version {} instead. Hint: enable anomaly detection"
)
SECTION = re.compile(r"^#{2,3} .*\{: #(?P<anchor>[\w-]+) \}$", re.MULTILINE)

Op = Callable[[Tensor], Tensor]


# Names that no release but the one that is asked has are looked up here.
NODES = names(Path(__file__).parents[3], "cpu", "node")


def told(catalogue: Catalogue, text: str) -> Explanation:
    found = explanation(catalogue, text, lambda: NODES)
    assert found is not None, text
    return found


def facts(catalogue: Catalogue, text: str) -> str:
    return "\n".join(f"{label}: {said}" for label, said in told(catalogue, text).facts)


# What each op's backward is written with, which is its own output for the first seven alone.
LIVE: dict[str, tuple[Op, bool]] = {
    "exp": (torch.exp, True),
    "relu": (torch.relu, True),
    "sigmoid": (torch.sigmoid, True),
    "softmax": (lambda x: x.softmax(-1), True),
    "std": (lambda x: x.std(-1), True),
    "norm": (lambda x: torch.linalg.vector_norm(x, dim=-1), True),
    "sqrt": (torch.sqrt, True),
    "sin": (torch.sin, False),
    "gelu": (functional.gelu, False),
    "layer_norm": (lambda x: functional.layer_norm(x, (3,)), False),
    "conv2d": (lambda x: functional.conv2d(x[None, None], torch.ones(1, 1, 1, 1)), False),
    "batch_norm": (lambda x: functional.batch_norm(x, None, None, training=True), False),
    "max": (lambda x: x.max(-1).values, False),
    "add": (lambda x: x + 1, False),
}


@pytest.mark.parametrize("name", LIVE)
def test_the_saver_is_named_where_live_torch_saves_the_output(
    committed: Catalogue, name: str
) -> None:
    op, saves_output = LIVE[name]
    x = torch.rand(4, 3, requires_grad=True) + 0.5
    y = op(x)
    with torch.no_grad():
        y.mul_(1)
    try:
        torch.autograd.grad(y.sum(), x)
    except RuntimeError as error:
        assert saves_output
        said = facts(committed, str(error))
        assert "most likely:" in said
        assert "saved its own output" in said
    else:
        assert not saves_output
        assert y.grad_fn is not None
        message = CHECK.format(
            f"[torch.FloatTensor [4, 3]], which is output 0 of {y.grad_fn.name()}, is at version 1",
            0,
        )
        assert "most likely" not in facts(committed, message)
        assert "keeps no such output" in facts(committed, message)


def test_what_writes_in_place_is_told_from_what_only_makes_a_tensor(committed: Catalogue) -> None:
    assert "who wrote: Add itself, in place (add_" in facts(committed, "output 0 of Add")
    assert "who wrote: Fill3 itself, in place (fill_)" in facts(committed, "output 0 of Fill3")
    assert "no spelling of NativeBatchNorm was seen to write in place" in facts(
        committed, "output 0 of NativeBatchNorm"
    )
    assert "or: an op saved it as an input, and Relu wrote to it" in facts(
        committed, "which is output 0 of ReluBackward0, is at version 1"
    )


def doubled_under_no_grad(tensor: Tensor) -> None:
    with torch.no_grad():
        tensor.mul_(2)


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (
            lambda t: t.clamp_(torch.zeros(3)),
            "perhaps Clamp itself, in place (clamp_); or Clamp made",
        ),
        (lambda t: t.fmod_(2), "perhaps Fmod itself, in place (fmod_); or Fmod made"),
        (lambda t: torch._foreach_mul_([t], 2.0), "perhaps Mul1 itself, in place (mul_); or Mul1"),
        (doubled_under_no_grad, "Mul made the tensor, and the write was not recorded"),
        (lambda t: t.logical_not_(), "Mul made the tensor, and the write was not recorded"),
    ],
)
def test_a_node_is_not_said_to_have_written_or_not_where_neither_is_known(
    committed: Catalogue, write: Callable[[Tensor], object], says: str
) -> None:
    leaf = torch.rand(3, requires_grad=True)
    x = leaf * 1
    square = x * x
    write(x)
    with pytest.raises(RuntimeError) as error:
        torch.autograd.grad(square.sum(), leaf)
    assert says in facts(committed, str(error.value))


@pytest.mark.parametrize(
    ("tensor", "expected", "says"),
    [
        ("[torch.FloatTensor []], which is output 0 of AsStrided, is at version 1", 0, "weight[i]"),
        (
            "[torch.FloatTensor [8, 1]], which is output 0 of AsStridedBackward0, is at version 2",
            1,
            "look for a weight of 1 × 8",
        ),
        (
            "[torch.FloatTensor [3]], which is output 0 of CopySlices, is at version 1",
            0,
            "a part of it was written",
        ),
        ("[torch.cuda.LongTensor [2]] is at version 1", 0, "it is int64: an index, a target"),
        ("[CPUBoolType [2]] is at version 1", 0, "it is bool"),
        ("[torch.FloatTensor [2]] is at version 2", 1, "no op is named, so it has no history"),
        (
            "[torch.FloatTensor [3]], which is output 0 of MyActBackward, is at version 1",
            0,
            "a torch.autograd.Function of your own code",
        ),
    ],
)
def test_each_form_of_the_message_whole_and_without_its_beginning(
    committed: Catalogue, tensor: str, expected: int, says: str
) -> None:
    whole = CHECK.format(tensor, expected)
    assert says in facts(committed, whole)
    assert facts(committed, whole[whole.index("[") :]) == facts(committed, whole)


def test_writes_are_counted_from_the_version_at_saving(committed: Catalogue) -> None:
    message = CHECK.format(
        "[torch.FloatTensor [2, 3]], which is output 0 of Add, is at version 5", 2
    )
    assert "of shape 2 × 3" in told(committed, message).answer
    assert "written to 3 times" in told(committed, message).answer


def test_names_of_all_three_generations_lead_to_the_node(committed: Catalogue) -> None:
    """`SelectBackward` is what 1.9 calls SelectBackward0; 2.13 calls it Select, 2.1 by its name."""
    for name in ("Select", "SelectBackward", "SelectBackward0"):
        assert readings(committed).names[name].name == "SelectBackward0"
    message = CHECK.format(
        "[torch.FloatTensor []], which is output 0 of SelectBackward, is at version 2", 1
    )
    assert "in release 1.9: a tensor that was saved as an input is named by" in facts(
        committed, message
    )
    assert "who wrote" not in facts(committed, message)


def test_a_backend_that_no_op_of_this_build_uses_is_told_by_its_declaration(
    committed: Catalogue,
) -> None:
    """Batch norm of cuDNN saves statistics and a buffer, not its output (derivatives.yaml)."""
    message = CHECK.format(
        "[torch.FloatTensor [2]], which is output 0 of CudnnBatchNormBackward0, is at version 2", 1
    )
    assert "keeps no such output" in facts(committed, message)


def test_names_in_declarations_say_what_was_measured(committed: Catalogue) -> None:
    """`result` and `result1` are outputs by PyTorch's own convention: seen to hold in every op."""
    known = namings(committed)
    compared = 0
    for node in committed.nodes.values():
        names = sorted({value.name for one in node.declared for value in one.saved_outputs})
        declared, seen = by_name(names, 0), known.kept(node, 0)
        if node.name in known.outputs and names and declared is not None and seen is not None:
            compared += bool(seen)
            assert set(seen) <= set(declared), node.name
    assert compared > 40


def outputs_of(section: str) -> str:
    return "\n".join(re.findall(r'title="Output" \}\n(.*?)\n```', section, re.DOTALL))


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: one.words.pattern[:30])
def test_every_known_complaint_is_made_by_a_program_of_its_section(
    root: Path, one: Complaint
) -> None:
    page, _, anchor = one.shown.partition("/#")
    text = (root / "docs" / f"{page}.md").read_text(encoding="utf-8")
    starts = {found["anchor"]: found.start() for found in SECTION.finditer(text)}
    later = sorted(start for start in starts.values() if start > starts[anchor])
    section = text[starts[anchor] : later[0] if later else None]
    # The words of any of its alternatives; of some the guide shows one alone.
    printed = section if "RNN" in one.words.pattern else outputs_of(section)  # cuDNN: on a GPU
    assert one.words.search(printed), printed
    found = complaint(printed)
    assert found is not None


def test_a_text_that_is_no_error_is_not_explained(committed: Catalogue) -> None:
    assert explanation(committed, "why is my loss so high", dict) is None
    assert explanation(committed, "CUDA error: out of memory", dict) is None


def test_a_name_of_an_older_release_is_read_by_that_release(
    catalogues: dict[str, Catalogue],
) -> None:
    """`fill_` makes FillBackward0 in 1.10.2 and FillBackward2 in 2.13 (live in both)."""
    message = CHECK.format(
        "[torch.FloatTensor [3]], which is output 0 of FillBackward0, is at version 1", 0
    )
    newest = facts(catalogues["2.13.0"], message)
    assert "your release: torch 2.13.0 calls it Fill: the name is of another release" in newest
    older = facts(catalogues["1.10.2"], message)
    assert "in place (fill_)" in older
    assert "your release" not in older


def test_without_declarations_what_was_seen_tells_who_saved(
    catalogues: dict[str, Catalogue],
) -> None:
    """1.10.2 ships no derivatives.yaml; there too `exp` saves its output and `add` does not."""
    old = catalogues["1.10.2"]
    assert not any(node.declared for node in old.nodes.values())
    message = CHECK.format("[torch.FloatTensor [3]], which is output 0 of {}, is at version 1", 0)
    assert "Exp saved its own output" in facts(old, message.format("ExpBackward0"))
    assert "most likely" not in facts(old, message.format("AddBackward0"))
    assert "most likely" not in facts(old, message.format("MulBackward0"))
    # torch.linalg.qr returns Q and R, torch.svd U, S and V; each is kept under its own name.
    for node, number, attribute in (
        ("LinalgQrBackward0", 0, "_saved_Q"),
        ("LinalgQrBackward0", 1, "_saved_R"),
        ("SvdHelperBackward0", 0, "_saved_U"),
        ("SvdHelperBackward0", 1, "_saved_S"),
    ):
        said = facts(old, f"which is output {number} of {node}, is at version 1")
        assert f"saved its own output ({attribute})" in said


def test_1_9_names_the_maker_under_any_name(catalogues: dict[str, Catalogue]) -> None:
    """In 1.9.1 `x = leaf * 1; y = x * x; x.add_(1)` says MulBackward0, and add_ wrote."""
    message = CHECK.format(
        "[torch.FloatTensor [3]], which is output 0 of MulBackward0, is at version 1", 0
    )
    said = facts(catalogues["1.9.1"], message)
    assert "who wrote" not in said
    assert "in release 1.9: a tensor that was saved as an input" in said


def test_the_function_that_anomaly_detection_names_is_shown(committed: Catalogue) -> None:
    node = told(committed, "Function 'SqrtBackward0' returned nan values in its 0th output.").node
    assert node is not None
    assert node.name == "SqrtBackward0"


def test_a_node_type_of_another_release_is_not_taken_for_a_function_of_ones_own(
    committed: Catalogue, catalogues: dict[str, Catalogue]
) -> None:
    """MkldnnRnnLayerBackward0 is not in 1.13.1."""
    name = "MkldnnRnnLayerBackward0"
    assert name in committed.nodes
    assert name not in catalogues["1.13.1"].nodes
    message = CHECK.format(
        f"[torch.FloatTensor [3]], which is output 0 of {name}, is at version 1", 0
    )
    said = facts(catalogues["1.13.1"], message)
    assert f"{name}, which is a node type of torch 2.0.1 … " in said
    assert "and not of torch 1.13.1" in said
    assert "of your own code" not in said


def test_anomaly_detection_tells_who_had_saved_the_tensor(committed: Catalogue) -> None:
    """Live: the warning names the multiplication, the message the addition that wrote."""
    x = torch.ones(3, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with torch.autograd.detect_anomaly():
            u = x * 1
            y = u * u
            u.add_(1)
            with pytest.raises(RuntimeError) as raised:
                torch.autograd.grad(y.sum(), x)
    text = "\n".join([*(str(one.message) for one in caught), str(raised.value)])
    assert "who saved it: MulBackward0: anomaly detection names" in facts(committed, text)
    assert "who saved it: run it under torch.autograd.detect_anomaly()" in facts(
        committed, str(raised.value)
    )


class Tripled(torch.autograd.Function):
    @staticmethod
    def forward(_: FunctionCtx, x: Tensor) -> Tensor:
        return x * 3

    @staticmethod
    def backward(_: FunctionCtx, gradient: Tensor) -> Tensor:
        return gradient * 3


def compiled(x: Tensor) -> Tensor:
    made: Tensor = torch.compile(torch.exp, backend="aot_eager")(x)
    return made


def checkpointed(x: Tensor) -> Tensor:
    made: Tensor = checkpoint(torch.sin, x, use_reentrant=True)
    return made


def written_after(op: Op, use: Op) -> str:
    """Return the error of backward through `use`, after the output of `op` was written."""
    x = torch.rand(3, requires_grad=True)
    y = op(x)
    z = use(y)
    with torch.no_grad():
        y.add_(1)
    with pytest.raises(RuntimeError) as raised:
        torch.autograd.grad(z.sum(), x)
    return str(raised.value)


@pytest.mark.parametrize(
    "op", [Tripled.apply, compiled, checkpointed], ids=["applied", "compiled", "checkpointed"]
)
def test_of_a_function_all_that_it_can_be_is_said_and_no_saver(
    committed: Catalogue, op: Op
) -> None:
    """Here the multiplication saved what the Function returned: none of them saves it itself."""
    said = facts(committed, written_after(op, lambda y: y * y))
    for whose in ("your own code", "a library", "torch.utils.checkpoint", "torch.compile"):
        assert whose in said
    assert "which op saved it is not told" in said
    assert "most likely" not in said


def test_no_op_is_named_where_a_compiled_graph_had_saved_its_output(committed: Catalogue) -> None:
    message = written_after(compiled, lambda y: y * 1)
    assert "output 0 of" not in message
    said = facts(committed, message)
    assert "a parameter" in said
    assert "or else it came out of torch.compile" in said


@pytest.mark.parametrize("name", ["ThnnConv2DBackward", "SvdHelperBackward", "PreluBackward0"])
def test_a_node_of_an_older_release_is_said_to_be_one_of_that(
    committed: Catalogue, catalogues: dict[str, Catalogue], name: str
) -> None:
    having = [release for release, one in catalogues.items() if name in one.nodes]
    assert having
    assert name not in committed.nodes
    for spelled in (name, f"torch::autograd::{name}"):
        said = facts(committed, f"which is output 0 of {spelled}, is at version 1")
        assert f"{name}, which is a node type of torch {having[0]}" in said
        assert f"--release {having[-1]}," in said
        assert "torch.autograd.Function" not in said


def test_every_node_of_every_release_is_read_as_a_node(
    committed: Catalogue, catalogues: dict[str, Catalogue]
) -> None:
    known = readings(committed)
    found = others("2.13.0", NODES)
    for one in catalogues.values():
        assert [name for name in one.nodes if name not in known.names and name not in found] == []
    # The messages of newer releases name the forward op.
    newer = next(name for name in catalogues["2.15.0"].nodes if name not in known.names)
    assert newer.removesuffix("Backward0") in found
    assert not {"Inverse", "ThnnConv2D"} & {*found}


def test_the_history_tells_the_nodes_of_each_release_as_the_catalogues_do(
    catalogues: dict[str, Catalogue], whole_history: History
) -> None:
    told_of = {release: set(one.nodes) for release, one in catalogues.items()}
    assert of_history(whole_history) == told_of == NODES


@pytest.mark.parametrize("gap", ["\n", " \n  ", "\r\n", "\t"])
def test_line_breaks_in_a_message_do_not_matter(committed: Catalogue, gap: str) -> None:
    message = written_after(torch.exp, lambda y: y * y)
    assert told(committed, message.replace(" ", gap)) == told(committed, message)
    with pytest.raises(RuntimeError) as raised:
        second_backward()
    assert "a second time" in str(raised.value)
    again = told(committed, str(raised.value))
    assert told(committed, str(raised.value).replace(" ", gap)) == again
    assert told(committed, f"output{gap}0{gap}of{gap}Exp, is at") == told(
        committed, "output 0 of Exp, is at"
    )


def second_backward() -> None:
    x = torch.rand(3, requires_grad=True)
    loss = x.exp().sum()
    for _ in range(2):
        torch.autograd.grad(loss, x)


@pytest.mark.parametrize("write", [str.upper, str.lower])
@pytest.mark.parametrize("name", ["Exp", "torch::autograd::CopySlices", "SvdHelperBackward"])
def test_all_in_upper_or_lower_case_is_read_alike(
    committed: Catalogue, name: str, write: Callable[[str], str]
) -> None:
    message = CHECK.format(
        f"[torch.LongTensor [2, 3]], which is output 0 of {name}, is at version 5", 2
    )
    text = f"Error detected in MulBackward0. {message}"
    assert told(committed, write(text)) == told(committed, text)


def test_a_function_in_lower_case_is_not_an_op_of_that_name(committed: Catalogue) -> None:
    message = CHECK.format("[torch.FloatTensor [2]], which is output 0 of exp, is at version 1", 0)
    assert "exp, which is no node type" in facts(committed, message)
